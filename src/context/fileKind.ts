/**
 * Which files can be sent as text, told from their size and their first bytes, not from their
 * names. A picture is not refused by its kind as such: it goes another way.
 */

/** Why a file is not read as text; what it is, as far as its first bytes say. */
export type FileKind =
  | "text"
  | "picture"
  | "archive"
  | "program"
  | "document"
  | "sound-or-video"
  | "font"
  | "binary"
  | "huge";

/** Largest file that is read as text, in bytes: far more than any model takes. */
export const MAX_TEXT_FILE_BYTES = 1024 * 1024;

/** How many first bytes decide. */
export const SNIFFED_BYTES = 8 * 1024;

/** First bytes of common formats, in hexadecimal; `..` stands for any byte. */
const SIGNATURES: readonly (readonly [string, FileKind])[] = [
  ["89504e470d0a1a0a", "picture"],
  ["ffd8ff", "picture"],
  ["47494638", "picture"],
  ["52494646........57454250", "picture"],
  ["424d....0000", "picture"],
  ["00000100", "picture"],
  ["504b0304", "archive"],
  ["504b0506", "archive"],
  ["1f8b", "archive"],
  ["28b52ffd", "archive"],
  ["fd377a585a00", "archive"],
  ["425a68", "archive"],
  ["377abcaf271c", "archive"],
  ["526172211a07", "archive"],
  ["7f454c46", "program"],
  ["4d5a", "program"],
  ["cafebabe", "program"],
  ["cffaedfe", "program"],
  ["feedfac", "program"],
  ["0061736d", "program"],
  ["255044462d", "document"],
  ["d0cf11e0a1b11ae1", "document"],
  ["494433", "sound-or-video"],
  ["4f676753", "sound-or-video"],
  ["52494646........57415645", "sound-or-video"],
  ["........66747970", "sound-or-video"],
  ["1a45dfa3", "sound-or-video"],
  ["774f4646", "font"],
  ["774f4632", "font"],
  ["0001000000", "font"],
  ["4f54544f", "font"],
];

/**
 * What a file is.
 * @param head its first bytes, `SNIFFED_BYTES` or all of them
 * @param totalBytes its size
 */
export function fileKindOf(head: Uint8Array, totalBytes: number): FileKind {
  const isBinary = holdsNoText(head);
  const hex = Array.from(head.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
  const known = SIGNATURES.find(([start]) => new RegExp(`^${start}`).test(hex));
  // "MZ" and "BM" begin texts too: a signature counts only in what is not text.
  if (isBinary && known !== undefined) return known[1];
  if (isBinary) return known?.[1] ?? "binary";
  if (hex.startsWith("255044462d")) return "document";
  return totalBytes > MAX_TEXT_FILE_BYTES ? "huge" : "text";
}

/** A NUL or many control bytes; UTF-16 with its mark is text. */
function holdsNoText(head: Uint8Array): boolean {
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
