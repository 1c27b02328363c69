/**
 * Generates PNGs for tests, of any size and with any additional chunks. The pattern makes it
 * unlikely that two pixels are confused.
 */
import { crc32, deflateSync } from "node:zlib";

export interface PngOptions {
  /** Chunks between the header and the pixels. */
  readonly extra?: readonly (readonly [name: string, data: Uint8Array])[];
  /** True for pixels that do not compress. */
  readonly isNoisy?: boolean;
}

/** Returns an RGB picture with eight bits per channel. */
export function madePng(widthPx: number, heightPx: number, options: PngOptions = {}): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(widthPx, 0);
  header.writeUInt32BE(heightPx, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Buffer.alloc((widthPx * 3 + 1) * heightPx);
  let noise = 1;
  let at = 0;
  for (let y = 0; y < heightPx; y++) {
    at++; // No filter.
    for (let x = 0; x < widthPx; x++) {
      if (options.isNoisy) noise = (noise * 1664525 + 1013904223) >>> 0;
      rows[at++] = options.isNoisy ? noise >>> 24 : x & 255;
      rows[at++] = options.isNoisy ? noise >>> 16 : y & 255;
      rows[at++] = options.isNoisy ? noise >>> 8 : ((x >> 8) * 16 + (y >> 8)) & 255;
    }
  }
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    ...(options.extra ?? []).map(([name, data]) => pngChunk(name, data)),
    pngChunk("IDAT", deflateSync(rows, { level: 1 })),
    pngChunk("IEND", new Uint8Array()),
  ]);
}

/** Returns a chunk with its length and checksum. */
export function pngChunk(name: string, data: Uint8Array): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(name, 4, "latin1");
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}
