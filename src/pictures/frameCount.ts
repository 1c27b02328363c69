/**
 * Counts the frames of animated pictures without decoding them. Only the first frame is sent; the
 * panel shows their number.
 * Formats: GIF89a; WebP container; APNG (PNG, third edition, 11.3.6).
 */

const GIF_HEADER_BYTES = 13;
const GIF_IMAGE = 0x2c;
const GIF_EXTENSION = 0x21;

/** Limit of blocks that are read; frames after it are not counted. */
const MAX_BLOCKS = 1_000_000;

/**
 * Returns the number of frames, 1 for still pictures and other formats.
 * @param mediaType result of `sniffPicture`
 */
export function frameCount(bytes: Uint8Array, mediaType: string): number {
  const counters: Readonly<Record<string, (bytes: Uint8Array) => number>> = {
    "image/gif": gifFrames,
    "image/webp": webpFrames,
    "image/png": pngFrames,
  };
  return Math.max(1, counters[mediaType]?.(bytes) ?? 1);
}

function gifFrames(bytes: Uint8Array): number {
  const colorTable = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  let at = GIF_HEADER_BYTES + colorTable(bytes[10] ?? 0);
  let frames = 0;
  for (let count = 0; count < MAX_BLOCKS; count++) {
    const kind = bytes[at];
    if (kind === GIF_IMAGE) {
      frames++;
      at += 11 + colorTable(bytes[at + 9] ?? 0); // descriptor, table, code size
    } else if (kind === GIF_EXTENSION) at += 2;
    else return frames;
    // Sub-blocks; the last block is empty.
    for (let length = bytes[at]; length !== undefined && length > 0; length = bytes[at]) {
      at += length + 1;
    }
    at++;
  }
  return frames;
}

function webpFrames(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let frames = 0;
  for (let at = 12, count = 0; at + 8 <= bytes.length && count < MAX_BLOCKS; count++) {
    if (view.getUint32(at) === 0x414e4d46) frames++; // "ANMF"
    const length = view.getUint32(at + 4, true);
    at += 8 + length + (length % 2);
  }
  return frames;
}

function pngFrames(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8, count = 0; at + 12 <= bytes.length && count < MAX_BLOCKS; count++) {
    const name = view.getUint32(at + 4);
    if (name === 0x6163544c) return view.getUint32(at + 8); // "acTL"
    if (name === 0x49444154) return 1; // "IDAT"; "acTL" always precedes it
    at += 12 + view.getUint32(at);
  }
  return 1;
}
