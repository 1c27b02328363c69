/** Side of the test picture, in pixels; vision models reject less than one patch of 28. */
export const TEST_PICTURE_SIDE_PX = 64;

/**
 * Picture that the connection test sends, so that no file of the user is sent: a `data:` URL of a
 * 64×64 PNG with a palette, a blue square of 32×32 in the middle of light grey.
 */
export const TEST_PICTURE_URL =
  "data:image/png;base64," +
  "iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAMAAACdt4HsAAAABlBMVEXg4OAgUMBUGv2uAAAAJklEQVR42u3MAQ0A" +
  "AAgDoNu/tAmcAQ4BSAAO8xAIBAKBQNAXALUWkiAEAZFuWjMAAAAASUVORK5CYII=";
