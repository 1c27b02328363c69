/** File extensions of pictures, lower case. They only filter; validation goes by the bytes. */
export const PICTURE_ENDINGS: readonly string[] = [
  ...["png", "jpg", "jpeg", "jpe", "gif", "webp", "bmp", "avif", "svg", "ico"],
];
