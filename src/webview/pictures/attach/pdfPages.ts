/**
 * Draws the pages of a PDF as pictures, one at a time, so that memory holds a single drawn page. Loaded
 * with the first PDF; the library parses in a worker.
 */
import { getDocument, PDFWorker, type PDFDocumentProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { startWorkerFromUrl } from "../../../renderer/trusted";

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

  /** Draws a page so that its text is readable. */
  readable(pageNumber: number): Promise<Blob> {
    return this.draw(pageNumber, (longest) => {
      const side = Math.min(MAX_SIDE_PX, Math.max(MIN_SIDE_PX, longest * READABLE_SCALE));
      return side / longest;
    });
  }

  /** Ends the worker; drawings that wait are rejected. */
  close(): void {
    void this.document.loadingTask.destroy();
    this.worker.terminate();
  }

  private draw(pageNumber: number, scaleOf: (longestPt: number) => number): Promise<Blob> {
    const drawn = this.before.then(() => this.drawPage(pageNumber, scaleOf));
    this.before = drawn.catch(() => undefined);
    return drawn;
  }

  private async drawPage(
    pageNumber: number,
    scaleOf: (longestPt: number) => number,
  ): Promise<Blob> {
    const page = await this.document.getPage(pageNumber);
    const { width, height } = page.getViewport({ scale: 1 });
    const viewport = page.getViewport({ scale: scaleOf(Math.max(width, height)) });
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(viewport.width));
    canvas.height = Math.max(1, Math.round(viewport.height));
    try {
      await page.render({ canvas, viewport, background: "#ffffff" }).promise;
      return await new Promise((resolve, reject) => {
        canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no memory"))));
      });
    } finally {
      page.cleanup();
      canvas.width = 0; // Releases the pixels at once.
    }
  }
}
