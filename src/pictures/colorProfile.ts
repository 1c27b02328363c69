/**
 * Rebuilds ICC profiles from the data that decides about colors alone. Names, dates, serial numbers
 * and copyright lines of devices and programs are dropped.
 * Format: ICC.1:2022, 7.
 */
import { concatBytes } from "../base/concatBytes";
import { isEqualBytes } from "../base/isEqualBytes";

const HEADER_BYTES = 128;
const TAG_BYTES = 12;

/** Size limit of a profile; printer profiles have up to about 3 MB. */
export const MAX_PROFILE_BYTES = 4 * 1024 * 1024;
const MAX_TAGS = 100;

/** Tags that map device colors to a standard color space and back. */
const COLOR_TAGS = new Set([
  ...["wtpt", "rXYZ", "gXYZ", "bXYZ", "rTRC", "gTRC", "bTRC", "kTRC", "chad", "cicp"],
  ...["A2B0", "A2B1", "A2B2", "B2A0", "B2A1", "B2A2"],
]);

/** Types of tag data that hold numbers only. */
const NUMERIC_TYPES = new Set([
  "XYZ ",
  "curv",
  "para",
  "sf32",
  "cicp",
  "mft1",
  "mft2",
  "mAB ",
  "mBA ",
]);

/** Header fields that name programs, devices and times: start and end in bytes. */
const IDENTIFYING_FIELDS = [
  [4, 8], // preferred program
  [24, 36], // date
  [40, 44], // platform
  [48, 64], // manufacturer, model, attributes
  [80, 128], // creator, checksum, reserved
] as const;

/** Returns the same colors without identifying data; undefined for a damaged profile. */
export function neutralProfile(profile: Uint8Array): Uint8Array | undefined {
  if (profile.length < HEADER_BYTES + 4 || profile.length > MAX_PROFILE_BYTES) return undefined;
  const view = new DataView(profile.buffer, profile.byteOffset, profile.byteLength);
  if (textAt(profile, 36) !== "acsp") return undefined;
  const count = view.getUint32(HEADER_BYTES);
  const tableEnd = HEADER_BYTES + 4 + count * TAG_BYTES;
  if (count > MAX_TAGS || tableEnd > profile.length) return undefined;
  const tags: { readonly name: string; readonly start: number; readonly data: Uint8Array }[] = [];
  for (let at = HEADER_BYTES + 4; at < tableEnd; at += TAG_BYTES) {
    const name = textAt(profile, at);
    const start = view.getUint32(at + 4);
    const data = profile.subarray(start, start + view.getUint32(at + 8));
    const isWhole = data.length >= 8 && data.length === view.getUint32(at + 8);
    if (!COLOR_TAGS.has(name) || !NUMERIC_TYPES.has(textAt(profile, start))) continue;
    if (!isWhole) return undefined;
    tags.push({ name, start, data });
  }
  return writeProfile(profile.subarray(0, HEADER_BYTES), tags);
}

function writeProfile(
  header: Uint8Array,
  tags: readonly { readonly name: string; readonly start: number; readonly data: Uint8Array }[],
): Uint8Array {
  const starts = new Map<number, number>();
  let length = HEADER_BYTES + 4 + tags.length * TAG_BYTES;
  for (const { start, data } of tags) {
    if (starts.has(start)) continue; // The curves of several channels often share their data.
    starts.set(start, length);
    length += Math.ceil(data.length / 4) * 4;
  }
  const written = new Uint8Array(length);
  const view = new DataView(written.buffer);
  written.set(header);
  for (const [start, end] of IDENTIFYING_FIELDS) written.fill(0, start, end);
  view.setUint32(0, length);
  view.setUint32(HEADER_BYTES, tags.length);
  tags.forEach(({ name, start, data }, index) => {
    const entry = HEADER_BYTES + 4 + index * TAG_BYTES;
    const newStart = starts.get(start) ?? 0;
    written.set(
      Uint8Array.from(name, (letter) => letter.charCodeAt(0)),
      entry,
    );
    view.setUint32(entry + 4, newStart);
    view.setUint32(entry + 8, data.length);
    written.set(data, newStart);
  });
  return written;
}

/** Profile name that is written into each PNG. */
const PNG_PROFILE_NAME = "ICC";

/**
 * Returns the data of a PNG's `iCCP` chunk with a neutral profile; the same data if its profile is
 * neutral, undefined for a damaged profile.
 */
export async function neutralPngProfile(data: Uint8Array): Promise<Uint8Array | undefined> {
  const nameEnd = data.subarray(0, 80).indexOf(0);
  if (nameEnd < 1 || data[nameEnd + 1] !== 0) return undefined;
  const profile = await decompressed(data.subarray(nameEnd + 2), MAX_PROFILE_BYTES);
  const neutral = profile && neutralProfile(profile);
  if (profile === undefined || neutral === undefined) return undefined;
  const name = Array.from(PNG_PROFILE_NAME, (letter) => letter.charCodeAt(0));
  const head = Uint8Array.of(...name, 0, 0);
  if (isEqualBytes(neutral, profile) && isEqualBytes(head, data.subarray(0, head.length)))
    return data;
  const compressed = await readUpTo(
    streamOf(neutral).pipeThrough(new CompressionStream("deflate")),
    2 * MAX_PROFILE_BYTES,
  );
  return compressed && concatBytes([head, compressed]);
}

/** Returns the content of a zlib stream; undefined for damaged streams and more than `maxBytes`. */
export async function decompressed(
  bytes: Uint8Array,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  try {
    return await readUpTo(
      streamOf(bytes).pipeThrough(new DecompressionStream("deflate")),
      maxBytes,
    );
  } catch {
    return undefined;
  }
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new Blob([new Uint8Array(bytes)]).stream();
}

/** Reads a stream; returns undefined, and cancels the stream, beyond `maxBytes`. */
async function readUpTo(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of stream) {
    length += piece.length;
    if (length > maxBytes) return undefined;
    pieces.push(piece);
  }
  return concatBytes(pieces);
}

function textAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}
