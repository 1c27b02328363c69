/** Colors and distances, read from the pixels of the picture itself. */

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A measured point or line, in whole pixels of the picture. */
export interface Measured {
  /** Color at the first point: #rrggbb, or #rrggbbaa where the picture is transparent. */
  readonly color: string;
  readonly x: number;
  readonly y: number;
  /** Distances to the second point; 0 for a point. */
  readonly across: number;
  readonly down: number;
}

export function measure(picture: ImageBitmap, from: Point, to: Point): Measured {
  const pixel = (at: number, side: number) => Math.min(side - 1, Math.floor(at));
  const x = pixel(from.x, picture.width);
  const y = pixel(from.y, picture.height);
  const across = Math.abs(pixel(to.x, picture.width) - x);
  const down = Math.abs(pixel(to.y, picture.height) - y);
  return { color: colorAt(picture, x, y), x, y, across, down };
}

function colorAt(picture: ImageBitmap, x: number, y: number): string {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  if (context === null) return "";
  context.drawImage(picture, -x, -y);
  const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
  const shown = alpha === 255 ? [red, green, blue] : [red, green, blue, alpha];
  return `#${shown.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}
