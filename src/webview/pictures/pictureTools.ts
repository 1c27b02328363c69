/**
 * The page's hands for pictures, loaded when the first one comes: asks the picture worker, and draws
 * SVGs, which a worker cannot. An SVG is drawn as an image and never becomes part of the page.
 */
import { toBase64 } from "../../base/base64";
import { startWorkerFromUrl } from "../../renderer/workerScript";
import { svgSize } from "./svgSize";
import type { FromPictureWorker, PictureTask, ToPictureWorker } from "./workerProtocol";

/** The worker's script; esbuild.mjs puts it beside main.js. */
const WORKER_FILE = "pictureWorker.js";

/** Longest side an SVG is drawn with, where it names a larger one or none, in pixels. */
const MAX_SVG_SIDE_PX = 4096;
const DEFAULT_SVG_SIDE_PX = 1024;

/** Longest side at least of an SVG that names no size of its own: it is sharp at any. */
const MIN_SVG_SIDE_PX = 1024;

/** Start of an SVG in which its first tag is looked for, in bytes. */
const SVG_HEAD_BYTES = 64 * 1024;

/** A worker that has nothing to do for so long is let go, in milliseconds. */
const IDLE_MS = 30_000;

/** One per page. */
export class PictureTools {
  private worker: Promise<Worker> | undefined;
  private readonly waiting = new Map<number, (pictures: Uint8Array[] | undefined) => void>();
  private lastId = 0;
  private idleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly scriptUrl: string) {}

  /** What the worker drew; rejects when it could not. */
  async run(task: PictureTask): Promise<Uint8Array[]> {
    clearTimeout(this.idleTimer);
    this.worker ??= this.start();
    let worker: Worker;
    try {
      worker = await this.worker;
    } catch (error) {
      this.worker = undefined; // The next picture tries again.
      throw error;
    }
    const id = ++this.lastId;
    const pictures = await new Promise<Uint8Array[] | undefined>((resolve) => {
      this.waiting.set(id, resolve);
      const message: ToPictureWorker = { ...task, id };
      worker.postMessage(message, task.source instanceof ImageBitmap ? [task.source] : []);
    });
    if (this.waiting.size === 0) this.idleTimer = setTimeout(() => this.letGo(), IDLE_MS);
    if (pictures === undefined) throw new Error("the picture could not be drawn");
    return pictures;
  }

  /** Draws an SVG on white, in its own size or else that of its view box. */
  async rasterize(svg: Blob): Promise<ImageBitmap> {
    const bytes = new Uint8Array(await svg.arrayBuffer());
    const image = new Image();
    // A blob: address would taint the canvas where the drawing holds HTML (foreignObject).
    image.src = `data:image/svg+xml;base64,${toBase64(bytes)}`;
    await image.decode();
    const own = svgSize(new TextDecoder().decode(bytes.subarray(0, SVG_HEAD_BYTES)));
    // Without a size in the file, the browser makes one up that has the shape of the view box.
    const width = own?.width ?? (image.naturalWidth || DEFAULT_SVG_SIDE_PX);
    const height = own?.height ?? (image.naturalHeight || DEFAULT_SVG_SIDE_PX);
    const scale = Math.min(
      MAX_SVG_SIDE_PX / Math.max(width, height),
      own?.isFixed ? 1 : Math.max(1, MIN_SVG_SIDE_PX / Math.max(width, height)),
    );
    const size = {
      width: Math.max(1, Math.round(width * scale)),
      height: Math.max(1, Math.round(height * scale)),
    };
    const canvas = new OffscreenCanvas(size.width, size.height);
    const context = canvas.getContext("2d");
    if (context === null) throw new Error("no memory for a canvas");
    context.fillStyle = "#ffffff";
    context.fillRect(0, 0, size.width, size.height);
    context.drawImage(image, 0, 0, size.width, size.height);
    return canvas.transferToImageBitmap();
  }

  private async start(): Promise<Worker> {
    const worker = await startWorkerFromUrl(
      new URL(WORKER_FILE, this.scriptUrl).href,
      "core-chat-pictures",
    );
    worker.onmessage = ({ data }: MessageEvent<FromPictureWorker>) => {
      const resolve = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      resolve?.(data.pictures);
    };
    // Out of memory, for one: everything it had is refused, and the next picture has a new one.
    worker.onerror = () => {
      this.letGo();
      for (const resolve of this.waiting.values()) resolve(undefined);
      this.waiting.clear();
    };
    return worker;
  }

  private letGo(): void {
    void this.worker?.then((worker) => worker.terminate()).catch(() => undefined);
    this.worker = undefined;
  }
}
