/** Background for a transparent picture on which the most of its pixels can be seen. */

/** Luminances of the backgrounds from 0 to 255, in the order of preference. */
const BACKGROUNDS = [255, 0, 128] as const;

/** Lower limit of the contrast ratio of a visible pixel. Graphics need 3; a faint line is visible. */
const MIN_CONTRAST = 1.5;

/** Number of pixels that are read at once. */
const CHUNK_PIXELS = 1_000_000;

/** Draws the background below the picture of a canvas; opaque pictures stay as they are. */
export function addBackground(context: OffscreenCanvasRenderingContext2D): void {
  const { width, height } = context.canvas;
  const coverages = new Float64Array(256);
  let isOpaque = true;
  const rows = Math.max(1, Math.floor(CHUNK_PIXELS / width));
  for (let y = 0; y < height; y += rows) {
    const { data } = context.getImageData(0, y, width, Math.min(rows, height - y));
    for (let at = 0; at < data.length; at += 4) {
      const alpha = data[at + 3] ?? 0;
      if (alpha < 255) isOpaque = false;
      const luminance = Math.round(
        0.2126 * (data[at] ?? 0) + 0.7152 * (data[at + 1] ?? 0) + 0.0722 * (data[at + 2] ?? 0),
      );
      coverages[luminance] = (coverages[luminance] ?? 0) + alpha;
    }
  }
  if (isOpaque) return;
  const hidden = BACKGROUNDS.map((background) =>
    coverages.reduce(
      (sum, coverage, luminance) =>
        contrastOf(luminance, background) < MIN_CONTRAST ? sum + coverage : sum,
      0,
    ),
  );
  const background = BACKGROUNDS[hidden.indexOf(Math.min(...hidden))] ?? 255;
  context.save();
  context.resetTransform();
  context.globalCompositeOperation = "destination-over";
  context.fillStyle = `rgb(${background} ${background} ${background})`;
  context.fillRect(0, 0, width, height);
  context.restore();
}

/** Returns the contrast ratio of two grays. Source: WCAG 2.2, relative luminance. */
function contrastOf(one: number, other: number): number {
  const [dark, light] = [one, other].map((gray) => (gray / 255) ** 2.2).sort((a, b) => a - b);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}
