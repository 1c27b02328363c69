/**
 * A number of bytes as a person reads it, in units of 1024: "300 KiB", "2.1 MiB".
 */
import { l10n } from "vscode";

const KIB = 1024;
const MIB = 1024 * KIB;

export function fileSize(bytes: number): string {
  if (bytes < KIB) return l10n.t("{0} bytes", bytes);
  // 1023.6 KiB would be rounded to a number that is no longer one of KiB.
  if (bytes < MIB - KIB / 2) return l10n.t("{0} KiB", Math.round(bytes / KIB));
  const mebibytes = bytes / MIB;
  const number = mebibytes < 10 ? Number(mebibytes.toFixed(1)) : Math.round(mebibytes);
  return l10n.t("{0} MiB", number);
}
