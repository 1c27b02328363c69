/**
 * Picture sizes from headers written according to each format's specification. For all other bytes,
 * the size is undefined.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { pictureSize } from "../../../src/pictures/pictureSize";

const text = (value: string): number[] => Array.from(value, (letter) => letter.charCodeAt(0));
const big16 = (value: number): number[] => [value >> 8, value & 255];
const little16 = (value: number): number[] => [value & 255, value >> 8];
const little32 = (value: number): number[] => [0, 8, 16, 24].map((shift) => (value >> shift) & 255);
const zeros = (count: number): number[] => Array.from({ length: count }, () => 0);

const PNG = [
  ...[0x89, ...text("PNG\r\n\u001a\n"), 0, 0, 0, 13, ...text("IHDR")],
  ...[0, 0, ...big16(1920), 0, 0, ...big16(1080), 8, 6, 0, 0, 0],
];
const GIF = [...text("GIF89a"), ...little16(300), ...little16(200), ...zeros(20)];
const BMP = [
  ...[...text("BM"), ...zeros(12), ...little32(40), ...little32(640), ...little32(-480)],
  ...zeros(8),
];
const BMP_OS2 = [
  ...[...text("BM"), ...zeros(12), ...little32(12), ...little16(640), ...little16(480)],
  ...zeros(8),
];
const BMP_OS2_TWO = [
  ...[...text("BM"), ...zeros(12), ...little32(64), ...little32(640), ...little32(480)],
  ...zeros(50),
];
const JPEG = [
  ...[0xff, 0xd8, 0xff, 0xe1, ...big16(2002), ...zeros(2000)], // EXIF data
  ...[0xff, 0xff, 0xc4, ...big16(4), 0, 0], // a table after a fill byte
  ...[0xff, 0xc2, ...big16(17), 8, ...big16(768), ...big16(1024), 3, ...zeros(12)],
];
const riff = (chunk: number[]): number[] => [
  ...text("RIFF"),
  ...zeros(4),
  ...text("WEBP"),
  ...chunk,
];
const WEBP_LOSSY = riff([
  ...[...text("VP8 "), ...zeros(4), ...zeros(3), 0x9d, 0x01, 0x2a],
  ...[...little16(550), ...little16(368), ...zeros(8)],
]);
const WEBP_LOSSLESS = riff([
  ...[...text("VP8L"), ...zeros(4), 0x2f, ...little32((385 << 14) | 399), ...zeros(8)],
]);
const WEBP_EXTENDED = riff([
  ...[...text("VP8X"), ...zeros(8), ...little16(4999), 0, ...little16(2999), 0, ...zeros(8)],
]);

describe("pictureSize", () => {
  const samples: [name: string, bytes: number[], widthPx: number, heightPx: number][] = [
    ["PNG", PNG, 1920, 1080],
    ["GIF", GIF, 300, 200],
    ["BMP with rows from the top", BMP, 640, 480],
    ["BMP with the header of OS/2", BMP_OS2, 640, 480],
    ["BMP with the header of OS/2 2.0", BMP_OS2_TWO, 640, 480],
    ["JPEG with EXIF, fill bytes and tables before its frame", JPEG, 1024, 768],
    ["lossy WebP", WEBP_LOSSY, 550, 368],
    ["lossless WebP", WEBP_LOSSLESS, 400, 386],
    ["extended WebP", WEBP_EXTENDED, 5000, 3000],
  ];
  for (const [name, bytes, widthPx, heightPx] of samples) {
    it(`reads the size: ${name}`, () => {
      assert.deepEqual(pictureSize(Uint8Array.from(bytes)), { widthPx, heightPx });
    });

    it(`returns the size or nothing at any cut: ${name}`, () => {
      for (let length = 0; length < bytes.length; length++) {
        const size = pictureSize(Uint8Array.from(bytes.slice(0, length)));
        if (size !== undefined) assert.deepEqual(size, { widthPx, heightPx });
      }
    });
  }

  it("returns nothing for other bytes, and never throws", () => {
    assert.equal(
      pictureSize(Uint8Array.from(text("<svg width='10' height='10'></svg>"))),
      undefined,
    );
    const starts = samples.map(([, bytes]) => bytes.slice(0, 16));
    fc.assert(
      fc.property(
        fc.constantFrom(...starts, []),
        fc.uint8Array({ maxLength: 80 }),
        (start, rest) => {
          const size = pictureSize(Uint8Array.from([...start, ...rest]));
          if (size !== undefined) assert.ok(size.widthPx > 0 && size.heightPx > 0);
        },
      ),
      { seed: 20_260_815, numRuns: 2000 },
    );
  });
});
