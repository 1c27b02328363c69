/**
 * Classifies files by their size and first bytes, never by their names: only text is sent as text.
 */
import { signatureOf, type FileKind } from "./fileSignatures";

/** Size limit of a text file, in bytes: far more than any model accepts. */
export const MAX_TEXT_FILE_BYTES = 1024 * 1024;

/** Number of first bytes that decide. */
export const SNIFFED_BYTES = 8 * 1024;

/**
 * Returns the kind of a file.
 * @param head the first bytes: `SNIFFED_BYTES` or the whole file
 */
export function fileKindOf(head: Uint8Array, totalBytes: number): FileKind {
  const signature = signatureOf(head);
  // "MZ" begins texts too, so a signature alone does not make a file binary. PDF is mostly text.
  if (isBinary(head)) return signature?.kind ?? "binary";
  if (signature?.kind === "document") return "document";
  return totalBytes > MAX_TEXT_FILE_BYTES ? "huge" : "text";
}

/** True for bytes with a NUL or many control bytes; UTF-16 with a byte order mark is text. */
function isBinary(head: Uint8Array): boolean {
  const [first, second] = head;
  const hasUtf16Mark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (hasUtf16Mark) return false;
  let controls = 0;
  for (const byte of head.subarray(0, SNIFFED_BYTES)) {
    if (byte === 0) return true;
    if (byte < 8 || (byte > 13 && byte < 27) || (byte > 27 && byte < 32)) controls++;
  }
  return controls * 20 > head.length;
}
