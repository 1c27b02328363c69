/**
 * Names of files that can be attached as pictures; what they really are is told by their bytes.
 */

/** Endings without their dot, in lower case. */
export const PICTURE_ENDINGS: readonly string[] = [
  ...["png", "jpg", "jpeg", "jpe", "gif", "webp", "bmp", "avif", "svg", "ico"],
];
