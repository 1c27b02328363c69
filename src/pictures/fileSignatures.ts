/** First bytes of common file formats, for text files and pictures. */
import signatures from "./fileSignatures.json";

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

interface FileSignature {
  readonly kind: FileKind;
  /** Present for pictures that a browser can decode. */
  readonly mediaType?: PictureMediaType;
}

/** Number of first bytes that the patterns cover. */
const SIGNATURE_BYTES = 18;

/**
 * Patterns of the bytes in hexadecimal; `..` matches any byte, the first match counts. A bitmap continues with
 * the size of its header (Windows GDI, "Bitmap Header Types"), because any text may begin with "BM".
 */
const SIGNATURES: readonly (readonly [RegExp, FileSignature])[] = (
  signatures as unknown as readonly (readonly [string, FileKind, PictureMediaType?])[]
).map(([pattern, kind, mediaType]) => [
  // Made of the constants of that file.
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
