/**
 * Sizes as VS Code shows them: powers of 1024, "300 KB", "2.1 MB".
 */
import { l10n } from "vscode";

const KB = 1024;
const MB = 1024 * KB;

export function fileSize(bytes: number): string {
  if (bytes < KB) return l10n.t("{0} bytes", bytes);
  // 1023.6 KB would be rounded to 1024 KB.
  if (bytes < MB - KB / 2) return l10n.t("{0} KB", Math.round(bytes / KB));
  const megabytes = bytes / MB;
  return l10n.t("{0} MB", megabytes < 10 ? Number(megabytes.toFixed(1)) : Math.round(megabytes));
}
