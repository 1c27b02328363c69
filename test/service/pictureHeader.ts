/**
 * Reads format, size in pixels and the names of metadata blocks from the first bytes of a picture.
 * Decodes no pixels and reads only within the given data.
 * Formats: PNG (RFC 2083), JPEG (ITU T.81), GIF89a, WebP (RIFF), BMP.
 */

export interface PictureHeader {
  readonly format: "PNG" | "JPEG" | "GIF" | "WebP" | "BMP";
  readonly widthPx: number;
  readonly heightPx: number;
  /** Names such as `Exif`, `XMP` and `tEXt`; empty if there are none. */
  readonly metadata: readonly string[];
}

const MAX_BLOCKS = 10_000; // No screenshot has more chunks or segments.

/** Returns the header, or undefined if the format is unknown or the bytes end too early. */
export function readPictureHeader(bytes: Buffer): PictureHeader | undefined {
  try {
    if (bytes.subarray(0, 8).toString("latin1") === "\x89PNG\r\n\x1a\n") return readPng(bytes);
    if (bytes.readUInt16BE(0) === 0xffd8) return readJpeg(bytes);
    if (/^GIF8[79]a/.test(ascii(bytes, 0, 6))) return readGif(bytes);
    if (ascii(bytes, 0, 4) === "RIFF" && ascii(bytes, 8, 4) === "WEBP") return readWebp(bytes);
    if (ascii(bytes, 0, 2) === "BM") return readBmp(bytes);
  } catch (error) {
    // A read after the end of a Buffer throws a RangeError: the picture is truncated.
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}

function ascii(bytes: Buffer, start: number, length: number): string {
  return bytes.subarray(start, start + length).toString("latin1");
}

function readPng(bytes: Buffer): PictureHeader | undefined {
  if (ascii(bytes, 12, 4) !== "IHDR") return undefined;
  const widthPx = bytes.readUInt32BE(16);
  const heightPx = bytes.readUInt32BE(20);
  const metadata: string[] = [];
  for (let at = 8, count = 0; at + 8 <= bytes.length && count < MAX_BLOCKS; count++) {
    const name = ascii(bytes, at + 4, 4);
    if (["tEXt", "zTXt", "iTXt", "eXIf", "tIME"].includes(name)) metadata.push(name);
    at += 12 + bytes.readUInt32BE(at);
  }
  return { format: "PNG", widthPx, heightPx, metadata };
}

function readJpeg(bytes: Buffer): PictureHeader | undefined {
  const metadata: string[] = [];
  for (let at = 2, count = 0; count < MAX_BLOCKS; count++) {
    if (bytes.readUInt8(at) !== 0xff) return undefined;
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at += 1; // Fill byte before a marker.
      continue;
    }
    // SOF0 to SOF15 without DHT (C4), JPG (C8) and DAC (CC), which are not frames.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const heightPx = bytes.readUInt16BE(at + 5);
      return { format: "JPEG", widthPx: bytes.readUInt16BE(at + 7), heightPx, metadata };
    }
    if (marker === 0xda || marker === 0xd9) return undefined; // Pixels or the end before a size.
    const name = jpegMetadata(marker, ascii(bytes, at + 4, 29));
    if (name !== undefined) metadata.push(name);
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

function jpegMetadata(marker: number, start: string): string | undefined {
  if (marker === 0xe1) return start.startsWith("Exif") ? "Exif" : "XMP";
  if (marker === 0xed) return "IPTC";
  return marker === 0xfe ? "comment" : undefined;
}

function readGif(bytes: Buffer): PictureHeader {
  const widthPx = bytes.readUInt16LE(6);
  return { format: "GIF", widthPx, heightPx: bytes.readUInt16LE(8), metadata: [] };
}

function readWebp(bytes: Buffer): PictureHeader | undefined {
  const metadata: string[] = [];
  for (let at = 12, count = 0; at + 8 <= bytes.length && count < MAX_BLOCKS; count++) {
    const name = ascii(bytes, at, 4).trim();
    if (name === "EXIF" || name === "XMP") metadata.push(name);
    const size = bytes.readUInt32LE(at + 4);
    at += 8 + size + (size % 2);
  }
  const kind = ascii(bytes, 12, 4);
  if (kind === "VP8X") {
    const widthPx = 1 + bytes.readUIntLE(24, 3);
    return { format: "WebP", widthPx, heightPx: 1 + bytes.readUIntLE(27, 3), metadata };
  }
  if (kind === "VP8L") {
    const packed = bytes.readUInt32LE(21);
    const heightPx = 1 + ((packed >>> 14) & 0x3fff);
    return { format: "WebP", widthPx: 1 + (packed & 0x3fff), heightPx, metadata };
  }
  if (kind !== "VP8 ") return undefined;
  const widthPx = bytes.readUInt16LE(26) & 0x3fff;
  return { format: "WebP", widthPx, heightPx: bytes.readUInt16LE(28) & 0x3fff, metadata };
}

function readBmp(bytes: Buffer): PictureHeader {
  const widthPx = Math.abs(bytes.readInt32LE(18));
  // A negative height means that the rows are stored from top to bottom.
  return { format: "BMP", widthPx, heightPx: Math.abs(bytes.readInt32LE(22)), metadata: [] };
}
