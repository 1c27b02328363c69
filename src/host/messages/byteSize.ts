/** Numbers of bytes for users, in units of 1000 as file managers show them. */
import { l10n } from "vscode";

const MEGABYTE = 1_000_000;

/** Formats a number of bytes: "1 KB", "412 KB", "2.1 MB", "34 MB". */
export function byteSize(bytes: number): string {
  // From 999.5 KB on, the rounded number would be 1000.
  if (bytes < 999_500) return l10n.t("{0} KB", Math.max(1, Math.round(bytes / 1000)));
  return l10n.t("{0} MB", roundMegabytes(bytes / MEGABYTE));
}

/** Formats the progress of an upload: "Sending 12 of 34 MB". */
export function uploadProgress(sentBytes: number, totalBytes: number): string {
  const total = totalBytes / MEGABYTE;
  const sent = sentBytes / MEGABYTE;
  const shown = total < 10 ? Number(sent.toFixed(1)) : Math.floor(sent);
  return l10n.t("Sending {0} of {1} MB", shown, roundMegabytes(total));
}

function roundMegabytes(megabytes: number): number {
  return megabytes < 10 ? Number(megabytes.toFixed(1)) : Math.round(megabytes);
}
