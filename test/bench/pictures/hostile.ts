/**
 * Measures the validation of files that are made to be slow, at the maximum size of a picture. The
 * host validates without decoding.
 */
import { crc32 } from "node:zlib";
import { validateImage, MAX_PICTURE_BYTES } from "../../../src/pictures/validateImage";
import { madePng, pngChunk } from "../../support/pictures/madePng";

const LIMITS = { maxSidePx: 8000, maxBytes: 10_485_760 };
const LIMIT_MS = 1_000;

const PIXELS = madePng(8, 8);
const JPEG_START = Buffer.from("ffd8ffe000104a46494600010100000100010000", "hex");
const FRAME = Buffer.from("ffc0000b080010002001011100", "hex");
const ANIMATION = Buffer.concat([
  Buffer.from("RIFF\xf8\xff\xff\x03WEBPVP8X\x0a\0\0\0\x02\0\0\0\x07\0\0\x07\0\0", "latin1"),
]);

/** Returns `start` followed by repetitions of `piece`, up to the maximum size. */
function filled(start: Uint8Array, piece: Uint8Array): Buffer {
  const file = Buffer.alloc(MAX_PICTURE_BYTES);
  file.fill(piece, start.length);
  file.set(start);
  return file;
}

const text = (value: string): Buffer => Buffer.from(value, "latin1");

const FILES: Readonly<Record<string, () => Buffer>> = {
  "64 MiB of nothing": () => Buffer.alloc(MAX_PICTURE_BYTES),
  "one byte more than is looked at": () => Buffer.alloc(MAX_PICTURE_BYTES + 1),
  "a PNG in five million empty chunks": () =>
    filled(PIXELS.subarray(0, 33), pngChunk("IDAT", new Uint8Array())),
  "a PNG with one chunk of 64 MiB": () => {
    const file = filled(PIXELS.subarray(0, 33), text("x"));
    const end = PIXELS.subarray(-12);
    const length = file.length - 33 - 12 - end.length;
    file.writeUInt32BE(length, 33);
    file.set(text("IDAT"), 37);
    file.writeUInt32BE(crc32(file.subarray(37, 41 + length)), 41 + length);
    file.set(end, 45 + length);
    return file;
  },
  "a JPEG in sixteen million empty comments": () =>
    filled(Buffer.concat([JPEG_START, FRAME]), Buffer.from("fffe0002", "hex")),
  "a JPEG whose pixels never end": () =>
    filled(
      Buffer.concat([JPEG_START, FRAME, Buffer.from("ffda0008010100003f00", "hex")]),
      Buffer.from([0xff, 0]),
    ),
  "a WebP in eight million empty chunks": () => filled(ANIMATION, text("ABCD\0\0\0\0")),
  "a GIF of nothing": () => filled(text("GIF89a\x08\0\x08\0\0\0\0"), text("\0")),
  "an SVG of open elements": () => text(`<svg>${"<g>".repeat(1_398_000)}`),
  "an SVG of open quotes": () => text(`<svg>${"<a '".repeat(1_048_000)}`),
  "an SVG of declarations": () => text(`<svg>${"<!DOCTYPE ".repeat(419_000)}`),
  "an SVG behind comments": () => text(`${"<!---->".repeat(599_000)}<svg>`),
};

/** Logs the duration for each file, and the slowest file. */
export function measureHostile(log: (line: string) => void): void {
  let slowest = { name: "", ms: -1 };
  for (const [name, made] of Object.entries(FILES)) {
    const file = made();
    const startedAt = performance.now();
    const { kind } = validateImage(file, LIMITS);
    const ms = Math.round(performance.now() - startedAt);
    log(`${name}: ${kind === "refused" ? "refused" : "taken"} in ${ms} ms`);
    if (ms > slowest.ms) slowest = { name, ms };
  }
  const verdict = slowest.ms <= LIMIT_MS ? "held" : "EXCEEDED";
  log(`the slowest: ${slowest.name}, ${slowest.ms} ms (limit ${LIMIT_MS}): ${verdict}`);
}
