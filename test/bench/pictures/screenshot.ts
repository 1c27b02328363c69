/** Draws a screenshot of known text, letter by letter, in a browser. */
import type { BrowserContext } from "playwright-core";

/** Letters that are easily confused when a picture is blurred. */
export const LETTERS = "acegilmnorstuvwxyz0123456789{}();=";

/** Sizes of the text and of a letter's cell, in pixels, as in an editor at 100 %. */
export const FONT_PX = 13;
export const CELL = { width: 8, height: 18 };

export interface Screenshot {
  readonly png: Buffer;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Text by row; each row fills the width of the picture. */
  readonly rows: readonly string[];
}

/** Draws a dark editor full of random letters. */
export async function drawScreenshot(
  context: BrowserContext,
  widthPx: number,
  heightPx: number,
): Promise<Screenshot> {
  const page = await context.newPage();
  try {
    await page.setViewportSize({ width: widthPx, height: heightPx });
    const columns = Math.floor(widthPx / CELL.width);
    const count = Math.floor(heightPx / CELL.height);
    let seed = 1;
    const next = () => (seed = (seed * 1664525 + 1013904223) >>> 0) / 2 ** 32;
    // Text fills a third of each line, as in a program.
    const rows = Array.from({ length: count }, () => {
      const length = Math.floor(columns * next() * 0.66);
      return Array.from({ length }, () => LETTERS[Math.floor(next() * LETTERS.length)]).join("");
    });
    const cells = rows
      .map((row, y) => Array.from(row, (letter, x) => cell(letter, x, y)).join(""))
      .join("");
    await page.setContent(
      `<style>body{margin:0;background:#1f1f1f;color:#d4d4d4;font:${FONT_PX}px "DejaVu Sans Mono",monospace;overflow:hidden}` +
        `b{position:absolute;width:${CELL.width}px;height:${CELL.height}px;line-height:${CELL.height}px;font-weight:400;text-align:center}</style>${cells}`,
    );
    return { png: await page.screenshot(), widthPx, heightPx, rows };
  } finally {
    await page.close();
  }
}

function cell(letter: string, x: number, y: number): string {
  return `<b style="left:${x * CELL.width}px;top:${y * CELL.height}px">${letter}</b>`;
}
