/**
 * Lazy-loaded client of the picture worker. Also rasterizes SVGs, which a worker cannot do; an SVG is
 * drawn as an image and never becomes part of the page.
 */
import { toBase64 } from "../../base/base64";
import type { Size } from "../../pointing/coordinates";
import { startWorkerFromText, startWorkerFromUrl } from "../../renderer/trusted";
import { newCanvas } from "./canvas";
import type { DrawnPicture } from "./drawing";
import { svgSize } from "./svgSize";
import type { FromPictureWorker, PictureTask, ToPictureWorker } from "./workerProtocol";

/** Script of the worker; esbuild.mjs writes it next to main.js. */
const WORKER_FILE = "pictureWorker.js";
const WORKER_NAME = "core-chat-pictures";

/** Limits of the longest side of a rasterized SVG, in pixels. */
const MAX_SVG_SIDE_PX = 4096;
const DEFAULT_SVG_SIDE_PX = 1024;

/** Lower limit for an SVG without a size of its own, which is sharp at any size. */
const MIN_SVG_SIDE_PX = 1024;

/** Number of first bytes in which the first tag of an SVG is searched. */
const SVG_HEAD_BYTES = 64 * 1024;

/** Idle time after which the worker is terminated, in milliseconds. */
const IDLE_MS = 30_000;

export interface Difference {
  readonly png: Blob;
  readonly equalShare: number;
}

export class PictureTools {
  private worker: Promise<Worker> | undefined;
  private readonly waiting = new Map<
    number,
    (pictures: readonly DrawnPicture[] | undefined) => void
  >();
  private lastId = 0;
  private idleTimer: ReturnType<typeof setTimeout> | undefined;

  private constructor(private readonly start: () => Promise<Worker>) {}

  /** @param scriptUrl address of the page's script */
  static nextTo(scriptUrl: string): PictureTools {
    const url = new URL(WORKER_FILE, scriptUrl).href;
    return new PictureTools(() => startWorkerFromUrl(url, WORKER_NAME));
  }

  /** @param script text of the worker's script, for a page that loads nothing */
  static fromText(script: string): PictureTools {
    return new PictureTools(() =>
      Promise.resolve(startWorkerFromText(script, { name: WORKER_NAME })),
    );
  }

  /** Runs a task in the worker; rejects if the picture cannot be drawn. */
  async run(task: PictureTask): Promise<readonly DrawnPicture[]> {
    clearTimeout(this.idleTimer);
    this.worker ??= this.startWorker();
    let worker: Worker;
    try {
      worker = await this.worker;
    } catch (error) {
      this.worker = undefined; // The next task tries again.
      throw error;
    }
    const id = ++this.lastId;
    const pictures = await new Promise<readonly DrawnPicture[] | undefined>((resolve) => {
      this.waiting.set(id, resolve);
      const message: ToPictureWorker = { ...task, id };
      worker.postMessage(message, task.source instanceof ImageBitmap ? [task.source] : []);
    });
    if (this.waiting.size === 0) this.idleTimer = setTimeout(() => this.terminate(), IDLE_MS);
    if (pictures === undefined) throw new Error("the picture could not be drawn");
    return pictures;
  }

  async difference(source: Blob, other: Blob, size: Size): Promise<Difference> {
    const [drawn] = await this.run({ task: "difference", source, other, size });
    const bytes = drawn?.bytes as Uint8Array<ArrayBuffer>;
    const png = new Blob([bytes], { type: "image/png" });
    return { png, equalShare: drawn?.equalShare ?? 0 };
  }

  /** Draws an SVG in its own size or in the size of its view box. */
  async rasterize(svg: Blob): Promise<ImageBitmap> {
    const bytes = new Uint8Array(await svg.arrayBuffer());
    const image = new Image();
    // A blob: URL would taint the canvas of an SVG with HTML (foreignObject).
    image.src = `data:image/svg+xml;base64,${toBase64(bytes)}`;
    await image.decode();
    const stated = svgSize(new TextDecoder().decode(bytes.subarray(0, SVG_HEAD_BYTES)));
    // Without a size in the file, the browser chooses a size with the ratio of the view box.
    const width = stated?.width ?? (image.naturalWidth || DEFAULT_SVG_SIDE_PX);
    const height = stated?.height ?? (image.naturalHeight || DEFAULT_SVG_SIDE_PX);
    const scale = Math.min(
      MAX_SVG_SIDE_PX / Math.max(width, height),
      stated?.isFixed ? 1 : Math.max(1, MIN_SVG_SIDE_PX / Math.max(width, height)),
    );
    const size = {
      width: Math.max(1, Math.round(width * scale)),
      height: Math.max(1, Math.round(height * scale)),
    };
    const context = newCanvas(size.width, size.height);
    context.drawImage(image, 0, 0, size.width, size.height);
    return context.canvas.transferToImageBitmap();
  }

  private async startWorker(): Promise<Worker> {
    const worker = await this.start();
    worker.onmessage = ({ data }: MessageEvent<FromPictureWorker>) => {
      const resolve = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      resolve?.(data.pictures);
    };
    // For example out of memory: all its tasks fail, and the next task starts a new worker.
    worker.onerror = () => {
      this.terminate();
      for (const resolve of this.waiting.values()) resolve(undefined);
      this.waiting.clear();
    };
    return worker;
  }

  private terminate(): void {
    void this.worker?.then((worker) => worker.terminate()).catch(() => undefined);
    this.worker = undefined;
  }
}
