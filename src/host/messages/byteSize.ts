/** Numbers of bytes as VS Code shows them, in powers of 1024: "300 KB", "2.1 MB". */
import { l10n } from "vscode";

const KB = 1024;
const MB = 1024 * KB;

/** Formats a number of bytes: "700 bytes", "412 KB", "2.1 MB", "34 MB". */
export function byteSize(bytes: number): string {
  if (bytes < KB) return l10n.t("{0} bytes", bytes);
  // 1023.6 KB would be rounded to 1024 KB.
  if (bytes < MB - KB / 2) return l10n.t("{0} KB", Math.round(bytes / KB));
  return l10n.t("{0} MB", roundMegabytes(bytes / MB));
}

/** Formats the progress of an upload: "Sending 12 of 34 MB". */
export function uploadProgress(sentBytes: number, totalBytes: number): string {
  const total = totalBytes / MB;
  const sent = sentBytes / MB;
  const shown = total < 10 ? Number(sent.toFixed(1)) : Math.floor(sent);
  return l10n.t("Sending {0} of {1} MB", shown, roundMegabytes(total));
}

function roundMegabytes(megabytes: number): number {
  return megabytes < 10 ? Number(megabytes.toFixed(1)) : Math.round(megabytes);
}
