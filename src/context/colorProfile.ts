/**
 * Rebuilds ICC profiles from the data that decides about colors alone. Names, dates, serial numbers
 * and copyright lines of devices and programs are dropped.
 * Format: ICC.1:2022, 7.
 */
import { concatBytes } from "../base/concatBytes";
import { inflate } from "./inflate";

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
 * Returns the data of a PNG's `iCCP` chunk with a neutral profile, stored without compression;
 * undefined for a damaged profile.
 */
export function neutralPngProfile(data: Uint8Array): Uint8Array | undefined {
  const nameEnd = data.subarray(0, 80).indexOf(0);
  if (nameEnd < 1 || data[nameEnd + 1] !== 0) return undefined;
  const profile = inflate(data.subarray(nameEnd + 2), MAX_PROFILE_BYTES);
  const neutral = profile && neutralProfile(profile);
  if (neutral === undefined) return undefined;
  const name = Array.from(PNG_PROFILE_NAME, (letter) => letter.charCodeAt(0));
  return concatBytes([Uint8Array.of(...name, 0, 0), storedZlib(neutral)]);
}

/** Largest stored block of RFC 1951. */
const MAX_STORED_BYTES = 65_535;

function storedZlib(bytes: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = [Uint8Array.of(0x78, 0x01)];
  let [low, high] = [1, 0]; // Adler-32, RFC 1950
  for (let at = 0; at < bytes.length; at += MAX_STORED_BYTES) {
    const block = bytes.subarray(at, at + MAX_STORED_BYTES);
    const { length } = block;
    const isLast = at + length === bytes.length ? 1 : 0;
    const lengths = [length & 255, length >> 8, ~length & 255, (~length >> 8) & 255];
    pieces.push(Uint8Array.of(isLast, ...lengths), block);
    for (const byte of block) {
      low = (low + byte) % 65_521;
      high = (high + low) % 65_521;
    }
  }
  pieces.push(Uint8Array.of(high >> 8, high & 255, low >> 8, low & 255));
  return concatBytes(pieces);
}

function textAt(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}
