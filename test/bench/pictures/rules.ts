/**
 * Compares the sent size of a screenshot and the readable share of its text under the rules of Core
 * Chat, VS Code 1.139 (chatImageUtils) and Continue (imageUtils). A letter counts as readable
 * if its cell, scaled back, is most similar to the original cell of the same letter.
 */
import type { Page } from "playwright-core";
import { CELL, LETTERS, type Screenshot } from "./screenshot";

/** A product's rule for sending a picture. */
interface Rule {
  readonly name: string;
  /** Returns the sent size of a picture with this size. */
  readonly size: (widthPx: number, heightPx: number) => { width: number; height: number };
  /** True if the file is sent unchanged. */
  readonly isUnchanged?: boolean;
  /** Undefined for PNG. */
  readonly jpegQuality?: number;
  /** Largest picture that the rule does not scale down. */
  readonly unscaledWithin: { width: number; height: number };
}

const fitted = (scale: number) => (widthPx: number, heightPx: number) => ({
  width: Math.floor(widthPx * scale),
  height: Math.floor(heightPx * scale),
});

const RULES: readonly Rule[] = [
  {
    name: "Core Chat",
    isUnchanged: true,
    size: fitted(1),
    unscaledWithin: { width: 8000, height: 8000 },
  },
  {
    name: "VS Code",
    size: (widthPx, heightPx) => {
      const scale = Math.min(1, 2048 / Math.max(widthPx, heightPx));
      const short = Math.min(widthPx, heightPx) * scale;
      return fitted(short > 768 ? (scale * 768) / short : scale)(widthPx, heightPx);
    },
    unscaledWithin: { width: 2048, height: 768 },
  },
  {
    name: "Continue",
    size: (widthPx, heightPx) =>
      fitted(Math.min(1024 / widthPx, 1024 / heightPx))(widthPx, heightPx),
    jpegQuality: 0.7,
    unscaledWithin: { width: 1024, height: 1024 },
  },
];

/** x-height of the font, in pixels; the detail that makes letters readable. */
const X_HEIGHT_PX = 7;

/** Logs the results of each rule. */
export async function compareRules(
  page: Page,
  screenshot: Screenshot,
  log: (line: string) => void,
): Promise<void> {
  const { png, widthPx, heightPx, rows } = screenshot;
  log(`a screenshot of ${widthPx}×${heightPx} with 13-pixel text, ${kb(png.length)} as PNG:`);
  for (const rule of RULES) {
    const size = rule.size(widthPx, heightPx);
    const isUnchanged = rule.isUnchanged === true;
    const common = { png: png.toString("base64"), quality: rule.jpegQuality, isUnchanged, rows };
    const letters = { letters: LETTERS, cell: CELL };
    const one = await page.evaluate(encodeAndRead, {
      ...common,
      ...letters,
      pieces: [{ x: 0, y: 0, width: widthPx, height: heightPx, to: size }],
    });
    const pieces = cut(widthPx, heightPx, rule.unscaledWithin);
    const many = await page.evaluate(encodeAndRead, { ...common, ...letters, pieces });
    const lines = ((X_HEIGHT_PX * size.width) / widthPx).toFixed(1);
    log(
      `  ${rule.name}: ${size.width}×${size.height}, ${kb(one.bytes)} (${kb(base64(one.bytes))} in the body), ` +
        `letters ${lines} pixels high, ${percent(one.read)} of them read`,
    );
    log(
      `    at the text's own size: ${pieces.length} picture${pieces.length === 1 ? "" : "s"}, ` +
        `${kb(many.bytes)} (${kb(base64(many.bytes))} in the body), ${percent(many.read)} read`,
    );
  }
}

interface Piece {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly to: { readonly width: number; readonly height: number };
}

/** Returns the pieces into which a picture is cut so that the rule scales none of them down. */
function cut(widthPx: number, heightPx: number, within: Rule["unscaledWithin"]): Piece[] {
  const pieces: Piece[] = [];
  for (let y = 0; y < heightPx; y += within.height) {
    for (let x = 0; x < widthPx; x += within.width) {
      const width = Math.min(within.width, widthPx - x);
      const height = Math.min(within.height, heightPx - y);
      pieces.push({ x, y, width, height, to: { width, height } });
    }
  }
  return pieces;
}

interface Input {
  readonly png: string;
  readonly quality: number | undefined;
  readonly isUnchanged: boolean;
  readonly pieces: readonly Piece[];
  readonly rows: readonly string[];
  readonly letters: string;
  readonly cell: { readonly width: number; readonly height: number };
}

/** Runs in a page: draws and encodes the pieces, and recognizes the letters of the result. */
async function encodeAndRead(input: Input): Promise<{ bytes: number; read: number }> {
  const { cell, rows, letters } = input;
  const bytesOf = (text: string) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  const source = await createImageBitmap(new Blob([bytesOf(input.png)], { type: "image/png" }));
  const contextOf = (width: number, height: number) =>
    new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })!;
  const seen = contextOf(source.width, source.height);
  seen.imageSmoothingQuality = "high";
  let bytes = 0;
  for (const { x, y, width, height, to } of input.pieces) {
    const drawing = contextOf(to.width, to.height);
    drawing.drawImage(source, x, y, width, height, 0, 0, to.width, to.height);
    const { quality } = input;
    const type = quality === undefined ? "image/png" : "image/jpeg";
    const blob = await drawing.canvas.convertToBlob({ type, ...(quality && { quality }) });
    bytes += input.isUnchanged ? (input.png.length / 4) * 3 : blob.size;
    seen.drawImage(await createImageBitmap(blob), x, y, width, height);
  }
  const first = contextOf(source.width, source.height);
  first.drawImage(source, 0, 0);
  const greys = (context: OffscreenCanvasRenderingContext2D, column: number, row: number) => {
    const { width, height } = cell;
    const { data } = context.getImageData(column * width, row * height, width, height);
    return Float32Array.from({ length: width * height }, (_, at) => data[at * 4 + 1]!);
  };
  const templates = new Map<string, Float32Array>();
  rows.forEach((row, y) =>
    Array.from(row).forEach((letter, x) => {
      if (!templates.has(letter)) templates.set(letter, greys(first, x, y));
    }),
  );
  if (templates.size < letters.length) throw new Error("a letter is missing");
  let count = 0;
  let right = 0;
  const step = Math.max(1, Math.floor(rows.length / 40));
  for (let y = 0; y < rows.length; y += step) {
    Array.from(rows[y]!).forEach((letter, x) => {
      const found = greys(seen, x, y);
      let nearest = "";
      let least = Infinity;
      for (const [candidate, template] of templates) {
        let distance = 0;
        for (let at = 0; at < found.length; at++) distance += (found[at]! - template[at]!) ** 2;
        if (distance < least) [least, nearest] = [distance, candidate];
      }
      count++;
      if (nearest === letter) right++;
    });
  }
  return { bytes, read: right / count };
}

function base64(bytes: number): number {
  return Math.ceil(bytes / 3) * 4;
}

function kb(bytes: number): string {
  return `${Math.round(bytes / 1000)} KB`;
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)} %`;
}
