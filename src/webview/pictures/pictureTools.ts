/**
 * The page's hands for pictures, loaded when the first one comes: asks the picture worker, and draws
 * SVGs, which a worker cannot. An SVG is drawn as an image and never becomes part of the page.
 */
import { workerAt } from "../workerScript";
import type { FromPictureWorker, PictureTask, ToPictureWorker } from "./workerProtocol";

/** The worker's script; esbuild.mjs puts it beside main.js. */
const WORKER_FILE = "pictureWorker.js";

/** Longest side an SVG is drawn with, where it names a larger one or none, in pixels. */
const MAX_SVG_SIDE_PX = 4096;
const DEFAULT_SVG_SIDE_PX = 1024;

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

  /** An SVG as pixels. */
  async rasterize(svg: Blob): Promise<ImageBitmap> {
    const address = URL.createObjectURL(svg);
    try {
      const image = new Image();
      image.src = address;
      await image.decode();
      const width = image.naturalWidth || DEFAULT_SVG_SIDE_PX;
      const height = image.naturalHeight || DEFAULT_SVG_SIDE_PX;
      const scale = Math.min(1, MAX_SVG_SIDE_PX / Math.max(width, height));
      const size = {
        width: Math.max(1, Math.round(width * scale)),
        height: Math.max(1, Math.round(height * scale)),
      };
      const canvas = new OffscreenCanvas(size.width, size.height);
      const context = canvas.getContext("2d");
      context?.drawImage(image, 0, 0, size.width, size.height);
      return canvas.transferToImageBitmap();
    } finally {
      URL.revokeObjectURL(address);
    }
  }

  private async start(): Promise<Worker> {
    const worker = await workerAt(new URL(WORKER_FILE, this.scriptUrl).href, "core-chat-pictures");
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
