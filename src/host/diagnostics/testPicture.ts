/** Size of the test picture, in pixels: large enough that the scales of coordinates differ. */
export const TEST_PICTURE_SIZE = { widthPx: 1600, heightPx: 900 };

/** Position of its square, in pixels. */
export const TEST_SQUARE = { x: 1200, y: 300, width: 160, height: 160 };

/**
 * Picture that the connection test sends, so that no file of the user is sent: a `data:` URL of a PNG
 * with a palette, a red square on light gray.
 */
export const TEST_PICTURE_URL =
  "data:image/png;base64," +
  "iVBORw0KGgoAAAANSUhEUgAABkAAAAOEAQMAAADDg2/hAAAABlBMVEXg4ODQEBCXdBOvAAABKUlEQVR42u3PMQ0A" +
  "AAgDsPk3DQZ2cpHWQRMAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" +
  "AAAAAAAAODWFiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiI" +
  "iIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiI" +
  "CAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" +
  "AAAAAAAAAAAAAAAAAAAAAAAAAAC8sfAfdDWdb/G8AAAAAElFTkSuQmCC";
