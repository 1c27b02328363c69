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
  const rowBytes = widthPx * 3 + 1;
  const rows = Buffer.alloc(rowBytes * heightPx);
  let noise = 1;
  for (let y = 0; y < heightPx; y++) {
    const row = rows.subarray(y * rowBytes, (y + 1) * rowBytes);
    for (let x = 0, at = 1; x < widthPx; x++) {
      if (options.isNoisy) noise = (noise * 1664525 + 1013904223) >>> 0;
      row[at++] = options.isNoisy ? noise >>> 24 : x & 255;
      row[at++] = options.isNoisy ? noise >>> 16 : y & 255;
      row[at++] = options.isNoisy ? noise >>> 8 : ((x >> 8) * 16 + (y >> 8)) & 255;
    }
    if (!options.isNoisy) subtractLeft(row);
  }
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    ...(options.extra ?? []).map(([name, data]) => pngChunk(name, data)),
    pngChunk("IDAT", deflateSync(rows, { level: 1 })),
    pngChunk("IEND", new Uint8Array()),
  ]);
}

/** Applies PNG's filter Sub to a row, without which the pattern hardly compresses. */
function subtractLeft(row: Buffer): void {
  row[0] = 1;
  for (let at = row.length - 1; at > 3; at--) row[at] = (row[at]! - row[at - 3]!) & 255;
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
