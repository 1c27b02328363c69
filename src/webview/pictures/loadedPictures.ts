import { lazily } from "../../base/lazily";
import type { Host } from "../state/host";
import type { DrawingLimits, DrawnPicture } from "./drawing";
import type { Area } from "./marks";
import { LostPicture } from "./pictureLoader";

/** Longest side of thumbnails, in pixels; sharp on high-density screens too. */
const SMALL_SIDE_PX = 320;

/** Size of the thumbnail cache; about 50 KB each. */
const MAX_KEPT = 200;

export class LoadedPictures {
  private readonly small = new Map<string, Promise<Blob>>();

  constructor(
    private readonly host: Host,
    readonly scriptUrl: string,
  ) {}

  readonly tools = lazily(async () => {
    const { PictureTools } = await import("./pictureTools");
    return PictureTools.nextTo(this.scriptUrl);
  });

  /** Loads a picture of this conversation; rejects with an error for `lostText`. */
  async load(hash: string): Promise<Blob> {
    const { picture, notice } = await this.host.request({ type: "picture-asked", hash });
    if (picture === undefined) throw new LostPicture(notice?.text);
    return new Blob([picture.bytes as Uint8Array<ArrayBuffer>], { type: picture.mediaType });
  }

  /** Loads a thumbnail, from the cache if possible. */
  loadSmall(hash: string): Promise<Blob> {
    const loaded = this.small.get(hash);
    const loading = loaded ?? this.makeSmall(hash);
    // A map keeps insertion order, so the first entry is the least recently used.
    this.small.delete(hash);
    this.small.set(hash, loading);
    if (this.small.size > MAX_KEPT) {
      const [oldest] = this.small.keys();
      if (oldest !== undefined) this.small.delete(oldest);
    }
    if (loaded === undefined) loading.catch(() => this.small.delete(hash));
    return loading;
  }

  private async makeSmall(hash: string): Promise<Blob> {
    const [source, tools] = await Promise.all([this.load(hash), this.tools()]);
    return pngOf(await tools.run({ task: "small", source, maxSidePx: SMALL_SIDE_PX }));
  }

  /** Loads a picture of this conversation, scaled down, or as PNG an area of it. */
  async loadScaled(hash: string, limits: DrawingLimits, area?: Area): Promise<Blob> {
    const [source, tools] = await Promise.all([this.load(hash), this.tools()]);
    const marks = area ? [{ kind: "crop" as const, ...area }] : [];
    const mediaType = area ? "image/png" : source.type;
    const [drawn] = await tools.run({ task: "scaled", source, mediaType, limits, marks });
    return new Blob([drawn?.bytes as Uint8Array<ArrayBuffer>], { type: mediaType });
  }

  /** Returns a picture as PNG, the only format that clipboards accept. */
  async asPng(source: Blob): Promise<Blob> {
    if (source.type === "image/png") return source;
    const tools = await this.tools();
    return pngOf(await tools.run({ task: "draw", source, mediaType: "image/png" }));
  }
}

function pngOf([drawn]: readonly DrawnPicture[]): Blob {
  return new Blob([drawn?.bytes as Uint8Array<ArrayBuffer>], { type: "image/png" });
}
