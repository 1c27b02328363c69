/**
 * One line of the journal: eight hexadecimal digits of a CRC-32, a blank, a JSON object, a line
 * end on either side. The leading line end separates a record from whatever a crash left before
 * it, so a torn record costs itself and nothing else.
 */
import * as z from "zod/mini";
import { stepSchema, type Step } from "../conversation/conversation";

/** The version of the format written here. A higher one is read as far as it is understood. */
export const FORMAT_VERSION = 1;

const recordSchema = z.object({ v: z.number(), id: z.string(), step: z.unknown() });

/** What one line turned out to be. */
export type ReadRecord =
  | { readonly kind: "step"; readonly id: string; readonly step: Step }
  /** Whole, but of a newer format and not understood. */
  | { readonly kind: "newer" }
  | { readonly kind: "damaged" };

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });
const LINE_END = 0x0a;
const CHECKSUM_LENGTH = 8;

/** The bytes of one record; `id` tells a record written twice from two records. */
export function encodeRecord(id: string, step: Step): Uint8Array {
  const json = JSON.stringify({ v: FORMAT_VERSION, id, step });
  const body = encoder.encode(json);
  const head = encoder.encode(`\n${crc32(body).toString(16).padStart(CHECKSUM_LENGTH, "0")} `);
  const bytes = new Uint8Array(head.length + body.length + 1);
  bytes.set(head);
  bytes.set(body, head.length);
  bytes[bytes.length - 1] = LINE_END;
  return bytes;
}

/** Every record of a journal file, in the order they stand in it. */
export function decodeRecords(bytes: Uint8Array): ReadRecord[] {
  const records: ReadRecord[] = [];
  for (let start = 0; start < bytes.length;) {
    let end = bytes.indexOf(LINE_END, start);
    if (end === -1) end = bytes.length;
    if (end > start) records.push(decodeLine(bytes.subarray(start, end)));
    start = end + 1;
  }
  return records;
}

function decodeLine(line: Uint8Array): ReadRecord {
  const damaged: ReadRecord = { kind: "damaged" };
  if (line.length < CHECKSUM_LENGTH + 2) return damaged;
  const body = line.subarray(CHECKSUM_LENGTH + 1);
  const checksum = String.fromCharCode(...line.subarray(0, CHECKSUM_LENGTH));
  if (crc32(body) !== Number.parseInt(checksum, 16)) return damaged;
  try {
    const record = recordSchema.parse(JSON.parse(decoder.decode(body)));
    const step = stepSchema.safeParse(record.step);
    if (step.success) return { kind: "step", id: record.id, step: step.data };
    return record.v > FORMAT_VERSION ? { kind: "newer" } : damaged;
  } catch {
    return damaged;
  }
}

/** Table of the reflected polynomial 0xEDB88320 (ISO 3309), one entry a byte. */
const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
