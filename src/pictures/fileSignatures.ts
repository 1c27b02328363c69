/** First bytes of common file formats, for text files and pictures. */

/** Kind of a file; "huge" is text that is too long to be sent. */
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

export type PictureMediaType =
  | "image/png"
  | "image/jpeg"
  | "image/gif"
  | "image/webp"
  | "image/bmp"
  | "image/avif"
  | "image/x-icon";

/** File names' extensions of pictures. They only filter lists; validation goes by the bytes. */
export const PICTURE_EXTENSIONS: readonly string[] = [
  ...["png", "jpg", "jpeg", "jpe", "gif", "webp", "bmp", "avif", "svg", "ico"],
];

/** Extensions of files whose pages are attached as pictures. */
export const DOCUMENT_EXTENSIONS: readonly string[] = ["pdf"];

interface FileSignature {
  readonly kind: FileKind;
  /** Present for pictures that a browser can decode. */
  readonly mediaType?: PictureMediaType;
}

/** Number of first bytes that the patterns cover. */
const SIGNATURE_BYTES = 18;

/**
 * Sizes of the known bitmap headers, in hexadecimal. Any text may begin with "BM"; a bitmap
 * continues with a size in this list. Source: Windows GDI, "Bitmap Header Types".
 */
const BMP_HEADER_SIZES = "(?:0c|10|28|34|38|40|6c|7c)000000";

/** Patterns of the bytes in hexadecimal; `..` matches any byte, the first match counts. */
const SIGNATURES: readonly (readonly [RegExp, FileSignature])[] = (
  [
    ["89504e470d0a1a0a", "picture", "image/png"],
    ["ffd8ff", "picture", "image/jpeg"],
    ["47494638(?:37|39)61", "picture", "image/gif"],
    ["52494646........57454250", "picture", "image/webp"],
    [`424d.{24}${BMP_HEADER_SIZES}`, "picture", "image/bmp"],
    ["........6674797061766966", "picture", "image/avif"],
    ["........6674797061766973", "picture", "image/avif"],
    ["00000100", "picture", "image/x-icon"],
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
  ] as readonly (readonly [string, FileKind, PictureMediaType?])[]
).map(([pattern, kind, mediaType]) => [
  // Made of the constants above.
  new RegExp(`^${pattern}`),
  { kind, ...(mediaType && { mediaType }) },
]);

/** Returns the signature that the bytes begin with; undefined for unknown formats and texts. */
export function signatureOf(bytes: Uint8Array): FileSignature | undefined {
  const head = Array.from(bytes.subarray(0, SIGNATURE_BYTES), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  return SIGNATURES.find(([pattern]) => pattern.test(head))?.[1];
}
