/**
 * One line of the journal: eight hexadecimal digits of a CRC-32, a blank, a JSON object, a line
 * end on either side. The leading line end separates a record from whatever a crash left before
 * it, so a torn record costs itself and nothing else.
 */
import * as z from "zod/mini";
import { crc32 } from "../base/crc32";
import { stepSchema, type Step } from "../conversation/conversation";

/** The version of most records: each says the first one that has its kind of step. */
const FIRST_VERSION = 1;

/** Steps that came after version 1; older programs pass over them and keep the rest. */
const SINCE_VERSION_2: ReadonlySet<Step["kind"]> = new Set([
  "pinned",
  "model-chosen",
  "profile-chosen",
  "parameters-chosen",
  "deleted",
  "restored",
]);

const recordSchema = z.object({ v: z.number(), id: z.string(), step: z.unknown() });

/** What one line turned out to be. */
export type ReadRecord =
  | { readonly kind: "step"; readonly id: string; readonly step: Step }
  /** Whole, but of a newer format and not understood. */
  | { readonly kind: "newer" }
  | { readonly kind: "damaged" };

/** What one line holds, and the line itself: a view of the file's bytes. */
export interface ReadLine {
  readonly record: ReadRecord;
  readonly line: Uint8Array;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });
const LINE_END = 0x0a;
const CHECKSUM_LENGTH = 8;

/** The bytes of one record; `id` tells a record written twice from two records. */
export function encodeRecord(id: string, step: Step): Uint8Array {
  const v = SINCE_VERSION_2.has(step.kind) ? 2 : FIRST_VERSION;
  const json = JSON.stringify({ v, id, step });
  const body = encoder.encode(json);
  const head = encoder.encode(`\n${crc32(body).toString(16).padStart(CHECKSUM_LENGTH, "0")} `);
  const bytes = new Uint8Array(head.length + body.length + 1);
  bytes.set(head);
  bytes.set(body, head.length);
  bytes[bytes.length - 1] = LINE_END;
  return bytes;
}

/** Every line of a journal file that is not empty, in the order they stand in it. */
export function* readLines(bytes: Uint8Array): Generator<ReadLine, void, void> {
  for (let start = 0; start < bytes.length;) {
    let end = bytes.indexOf(LINE_END, start);
    if (end === -1) end = bytes.length;
    const line = bytes.subarray(start, end);
    if (end > start) yield { record: decodeLine(line), line };
    start = end + 1;
  }
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
    return record.v > FIRST_VERSION ? { kind: "newer" } : damaged;
  } catch {
    return damaged;
  }
}
