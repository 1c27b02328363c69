/**
 * Draws the pages of a PDF as pictures, one at a time, so that memory holds a single drawn page. Loaded
 * with the first PDF; the library parses in a worker.
 */
import {
  getDocument,
  PDFWorker,
  Util,
  type PDFDocumentProxy,
  type PageViewport,
  type PDFPageProxy,
} from "pdfjs-dist/legacy/build/pdf.mjs";
import { startWorkerFromUrl } from "../../../renderer/trusted";
import type { PageText, TextRun } from "../pageText";

/** Script of the worker and tables of character codes; esbuild.mjs writes them next to main.js. */
const WORKER_FILE = "pdfWorker.js";
const CHARACTER_MAPS = "cmaps/";

/**
 * Resolution of attached pages: twice the page's size in points is 144 dpi, at which small print is
 * readable. Very small and very large pages are drawn between these sides.
 */
const READABLE_SCALE = 2;
const MIN_SIDE_PX = 1_600;
const MAX_SIDE_PX = 3_200;

/** Reason why a PDF cannot be opened. */
export type PdfProblem = "password" | "damaged";

/** Fetches the library's data files with the page's permission, which its worker does not have. */
class OwnFiles {
  private readonly baseUrl: string;

  constructor({ cMapUrl }: { readonly cMapUrl: string }) {
    this.baseUrl = cMapUrl;
  }

  async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }) {
    if (kind !== "cMapUrl") throw new Error("no such file"); // Fonts of the system are used.
    const response = await fetch(new URL(filename, this.baseUrl));
    if (!response.ok) throw new Error(`status ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  }
}

export class PdfPages {
  /** The drawing that runs; drawings follow each other. */
  private before: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly worker: Worker,
    private readonly document: PDFDocumentProxy,
  ) {}

  /** Opens a PDF. */
  static async open(bytes: Uint8Array, scriptUrl: string): Promise<PdfPages | PdfProblem> {
    const worker = await startWorkerFromUrl(new URL(WORKER_FILE, scriptUrl).href, "core-chat-pdf");
    try {
      const document = await getDocument({
        // The library transfers the bytes to its worker.
        data: bytes.slice(),
        worker: new PDFWorker({ port: worker as unknown as null }),
        cMapUrl: new URL(CHARACTER_MAPS, scriptUrl).href,
        BinaryDataFactory: OwnFiles,
        useWorkerFetch: false,
        // The page's policy forbids WebAssembly; the worker has the same decoders as scripts.
        useWasm: false,
        enableXfa: false,
        verbosity: 0,
      }).promise;
      return new PdfPages(worker, document);
    } catch (error) {
      worker.terminate();
      return error instanceof Error && error.name === "PasswordException" ? "password" : "damaged";
    }
  }

  get pageCount(): number {
    return this.document.numPages;
  }

  /** Draws a page for a preview, with its longest side in pixels. */
  preview(pageNumber: number, sidePx: number): Promise<Blob> {
    return this.draw(pageNumber, (longest) => sidePx / longest);
  }

  /** Draws a page so that its text is readable; also returns the text. */
  async readable(pageNumber: number): Promise<{ readonly picture: Blob; readonly text: PageText }> {
    let text: PageText = { text: "", runs: [] };
    const scaleOf = (longest: number) => {
      const side = Math.min(MAX_SIDE_PX, Math.max(MIN_SIDE_PX, longest * READABLE_SCALE));
      return side / longest;
    };
    const picture = await this.draw(pageNumber, scaleOf, async (...drawn) => {
      text = await textOf(...drawn);
    });
    return { picture, text };
  }

  /** Ends the worker; drawings that wait are rejected. */
  close(): void {
    void this.document.loadingTask.destroy();
    this.worker.terminate();
  }

  private draw(
    pageNumber: number,
    scaleOf: (longestPt: number) => number,
    read?: (...drawn: Parameters<typeof textOf>) => Promise<unknown>,
  ): Promise<Blob> {
    const drawn = this.before.then(() => this.drawPage(pageNumber, scaleOf, read));
    this.before = drawn.catch(() => undefined);
    return drawn;
  }

  private async drawPage(
    pageNumber: number,
    scaleOf: (longestPt: number) => number,
    read?: (...drawn: Parameters<typeof textOf>) => Promise<unknown>,
  ): Promise<Blob> {
    const page = await this.document.getPage(pageNumber);
    const { width, height } = page.getViewport({ scale: 1 });
    const viewport = page.getViewport({ scale: scaleOf(Math.max(width, height)) });
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(viewport.width));
    canvas.height = Math.max(1, Math.round(viewport.height));
    try {
      await page.render({ canvas, viewport, background: "#ffffff" }).promise;
      // The fonts of the page are loaded until the clean-up.
      await read?.(page, viewport);
      return await new Promise((resolve, reject) => {
        canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no memory"))));
      });
    } finally {
      page.cleanup();
      canvas.width = 0; // Releases the pixels at once.
    }
  }
}

/** Size at which the fonts of a page are measured, in pixels; the result is scaled to the drawn width. */
const MEASURED_PX = 100;

/** Share of the height of letters above and below the line on which they stand. */
const ASCENT = 1;
const DESCENT = 0.3;

/** Returns the text of a drawn page with its positions; none if the page cannot be read as text. */
async function textOf(page: PDFPageProxy, viewport: PageViewport): Promise<PageText> {
  const content = await page.getTextContent().catch(() => undefined);
  const context = document.createElement("canvas").getContext("2d");
  if (content === undefined || context === null) return { text: "", runs: [] };
  let text = "";
  const runs: (TextRun & { length: number })[] = [];
  for (const item of content.items) {
    if (!("str" in item)) continue;
    const start = text.length;
    text += item.hasEOL ? `${item.str}\n` : item.str;
    const length = item.str.length;
    if (length === 0 || item.width <= 0) continue;
    const [a, b, c, d, x, y] = Util.transform(viewport.transform, item.transform) as Matrix;
    const letterPx = Math.hypot(c, d);
    const widthPx = item.width * viewport.scale;
    const along = [a / Math.hypot(a, b), b / Math.hypot(a, b)] as const;
    const up = [c / letterPx, d / letterPx] as const;
    const corners = [0, widthPx].flatMap((right) =>
      [ASCENT * letterPx, -DESCENT * letterPx].map((rise) => [
        x + along[0] * right + up[0] * rise,
        y + along[1] * right + up[1] * rise,
      ]),
    ) as [number, number][];
    const area = around(corners);
    const isUpright = Math.abs(along[1]) < 1e-3 && along[0] > 0;
    const family = content.styles[item.fontName]?.fontFamily ?? "sans-serif";
    context.font = `${MEASURED_PX}px "${item.fontName}", ${family}`;
    const wholePx = context.measureText(item.str).width;
    const edges =
      isUpright && wholePx > 0
        ? Array.from({ length: length + 1 }, (_, end) => {
            const share = context.measureText(item.str.slice(0, end)).width / wholePx;
            return area.x + share * area.width;
          })
        : undefined;
    runs.push({ start, length, area, ...(edges && { edges }) });
  }
  return { text, runs };
}

type Matrix = [number, number, number, number, number, number];

function around(corners: readonly (readonly [number, number])[]) {
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}
