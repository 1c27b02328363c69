/**
 * Records frames of a page and writes them as an animated WebP. Chromium encodes each frame; this file
 * only joins them. Container format: https://developers.google.com/speed/webp/docs/riff_container
 */
import { writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { CDPSession, Locator, Page } from "playwright-core";

/** Quality of a frame, from 0 to 100. */
const QUALITY = 45;

/** Time for the page to draw before a frame is taken, in milliseconds. */
const SETTLE_MS = 350;

/** Shown time of a step of the pointer, in milliseconds. */
const POINTER_STEP_MS = 60;

interface Frame {
  /** Chunks of the still picture that hold its pixels. */
  readonly pixels: Buffer;
  readonly durationMs: number;
}

export class Film {
  private readonly frames: Frame[] = [];
  private pointer = { x: 600, y: 420 };

  private constructor(
    private readonly page: Page,
    private readonly session: CDPSession,
  ) {}

  /** @param scale device pixels for each CSS pixel */
  static async of(page: Page, scale: number): Promise<Film> {
    const session = await page.context().newCDPSession(page);
    const { width = 0, height = 0 } = page.viewportSize() ?? {};
    await session.send("Emulation.setDeviceMetricsOverride", {
      width,
      height,
      deviceScaleFactor: scale,
      mobile: false,
    });
    const film = new Film(page, session);
    await film.drawPointer();
    return film;
  }

  /** Adds a frame that is shown for a time. */
  async show(durationMs: number, settleMs = SETTLE_MS): Promise<void> {
    await delay(settleMs);
    const options = { format: "webp", quality: QUALITY } as const;
    const { data } = await this.session.send("Page.captureScreenshot", options);
    this.frames.push({ pixels: pixelChunks(Buffer.from(data, "base64")), durationMs });
  }

  /** Writes a still picture. */
  async still(path: string): Promise<void> {
    const { data } = await this.session.send("Page.captureScreenshot", { format: "png" });
    writeFileSync(path, Buffer.from(data, "base64"));
  }

  /** Moves the pointer to the middle of an element, and clicks it. */
  async click(target: Locator): Promise<void> {
    await target.scrollIntoViewIfNeeded();
    const box = await target.boundingBox();
    if (box === null) throw new Error("the element is not visible");
    const from = this.pointer;
    const to = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    for (const share of [0.4, 0.8, 1]) {
      this.pointer = {
        x: from.x + (to.x - from.x) * share,
        y: from.y + (to.y - from.y) * share,
      };
      await this.page.mouse.move(this.pointer.x, this.pointer.y);
      await this.drawPointer();
      await this.show(POINTER_STEP_MS, 30);
    }
    await this.show(300);
    await this.page.mouse.down();
    await this.page.mouse.up();
  }

  write(path: string): void {
    writeFileSync(path, animation(this.frames, sizeOf(this.frames[0]!.pixels)));
  }

  /** Screenshots have no pointer. */
  private async drawPointer(): Promise<void> {
    await this.page.evaluate(({ x, y }) => {
      const id = "film-pointer";
      const element = document.getElementById(id) ?? document.createElement("div");
      element.id = id;
      Object.assign(element.style, {
        position: "fixed",
        left: `${x}px`,
        top: `${y}px`,
        width: "14px",
        height: "20px",
        zIndex: "1000000",
        pointerEvents: "none",
        background: "#fff",
        filter: "drop-shadow(0 0 1px #000) drop-shadow(0 0 1px #000)",
        clipPath: "polygon(0 0, 0 82%, 28% 62%, 50% 100%, 68% 92%, 46% 56%, 92% 56%)",
      });
      document.body.append(element);
    }, this.pointer);
  }
}

/** Returns the chunks ALPH, VP8 and VP8L of a still WebP. */
function pixelChunks(file: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 12; at < file.length;) {
    const name = file.toString("latin1", at, at + 4);
    const end = at + 8 + padded(file.readUInt32LE(at + 4));
    if (/^(?:ALPH|VP8[ L])$/.test(name)) chunks.push(file.subarray(at, end));
    at = end;
  }
  return Buffer.concat(chunks);
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Reads the size from the header of a lossy frame. Format: RFC 6386, section 9.1. */
function sizeOf(pixels: Buffer): Size {
  const at = pixels.indexOf("VP8 ") + 14;
  return {
    width: pixels.readUInt16LE(at) & 0x3fff,
    height: pixels.readUInt16LE(at + 2) & 0x3fff,
  };
}

function animation(frames: readonly Frame[], { width, height }: Size): Buffer {
  const size = Buffer.concat([uint24(width - 1), uint24(height - 1)]);
  const header = chunk("VP8X", Buffer.concat([Buffer.from([0b10, 0, 0, 0]), size]));
  const endless = chunk("ANIM", Buffer.alloc(6));
  const parts = frames.map(({ pixels, durationMs }) =>
    chunk(
      "ANMF",
      Buffer.concat([Buffer.alloc(6), size, uint24(durationMs), Buffer.from([0b10]), pixels]),
    ),
  );
  const body = Buffer.concat([Buffer.from("WEBP"), header, endless, ...parts]);
  return Buffer.concat([Buffer.from("RIFF"), uint32(body.length), body]);
}

function chunk(name: string, content: Buffer): Buffer {
  const rest = Buffer.alloc(padded(content.length) - content.length);
  return Buffer.concat([Buffer.from(name), uint32(content.length), content, rest]);
}

function padded(length: number): number {
  return length + (length % 2);
}

function uint24(value: number): Buffer {
  return uint32(value).subarray(0, 3);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
