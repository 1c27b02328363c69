/**
 * The picture the connection test sends: made here, so that nothing of the person's leaves.
 */
import { toBase64 } from "../../base/base64";

/** One side of the square, in pixels; vision models refuse what is smaller than one patch of 28. */
export const TEST_PICTURE_SIDE_PX = 64;

/** A `data:` URL of a PNG: a blue square in grey, one byte a pixel and stored uncompressed. */
export function testPicture(): string {
  return `data:image/png;base64,${toBase64(pngBytes(TEST_PICTURE_SIDE_PX))}`;
}

/** Format: https://www.w3.org/TR/png-3/ */
function pngBytes(side: number): Uint8Array {
  const header = [...uint32(side), ...uint32(side), 8, 3, 0, 0, 0]; // 8 bits, a palette
  const palette = [0xe0, 0xe0, 0xe0, 0x20, 0x50, 0xc0];
  const rows: number[] = [];
  for (let y = 0; y < side; y++) {
    rows.push(0); // no filter
    for (let x = 0; x < side; x++) rows.push(isInSquare(x, side) && isInSquare(y, side) ? 1 : 0);
  }
  return Uint8Array.from([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunk("IHDR", header),
    ...chunk("PLTE", palette),
    ...chunk("IDAT", stored(rows)),
    ...chunk("IEND", []),
  ]);
}

function isInSquare(at: number, side: number): boolean {
  return at >= side / 4 && at < (3 * side) / 4;
}

function chunk(type: string, data: readonly number[]): number[] {
  const body = [...Array.from(type, (letter) => letter.charCodeAt(0)), ...data];
  return [...uint32(data.length), ...body, ...uint32(crc32(body))];
}

/** One stored block of at most 65,535 bytes. Formats: RFC 1950 and RFC 1951. */
function stored(data: readonly number[]): number[] {
  const { length } = data;
  const sizes = [length & 255, length >> 8, ~length & 255, (~length >> 8) & 255];
  return [0x78, 0x01, 1, ...sizes, ...data, ...uint32(adler32(data))];
}

function uint32(value: number): number[] {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 255);
}

/** Source: the sample code of the PNG specification, annex D. */
function crc32(bytes: readonly number[]): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function adler32(bytes: readonly number[]): number {
  let a = 1;
  let b = 0;
  for (const byte of bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return ((b << 16) | a) >>> 0;
}
