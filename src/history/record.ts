/**
 * Record of the journal: a line end, eight hexadecimal digits of a CRC-32, a blank, a JSON object and a
 * line end. The leading line end keeps a record intact after a record that a crash cut off.
 */
import * as z from "zod/mini";
import { concatBytes } from "../base/concatBytes";
import { crc32 } from "../base/crc32";
import { wellFormedJson } from "../base/wellFormed";
import { stepSchema, type Step } from "../conversation/conversation";
import { isQuote, partsOf } from "../conversation/message";

/** Version of most records. The version of a record is the first that knows its kind of step. */
const FIRST_VERSION = 1;

/** Steps of version 2; version 1 ignores them and keeps the other records. */
const SINCE_VERSION_2: ReadonlySet<Step["kind"]> = new Set([
  "pinned",
  "model-chosen",
  "profile-chosen",
  "parameters-chosen",
  "deleted",
  "restored",
  "reply-thought",
]);

const SINCE_VERSION_4: ReadonlySet<Step["kind"]> = new Set([
  "sending-chosen",
  "summary-used",
  "sending-undone",
  "summary-drafted",
  "aside-added",
  "aside-joined",
  "forked-from",
  "forked",
]);

function versionOf(step: Step): number {
  if (step.kind === "pictures-forgotten") return 5;
  if (step.kind === "message-added" && partsOf(step.message).some(isQuote)) return 4;
  if (SINCE_VERSION_4.has(step.kind)) return 4;
  if (step.kind === "forgotten") return 3;
  if (SINCE_VERSION_2.has(step.kind)) return 2;
  // The first version knows every other failure.
  const failure =
    step.kind === "reply-ended" && step.ending.kind === "failed" ? step.ending.failure : undefined;
  const isNewer = failure?.kind === "malformed" && failure.what === "only-thinking";
  return isNewer ? 2 : FIRST_VERSION;
}

const recordSchema = z.object({ v: z.number(), id: z.string(), step: z.unknown() });

/** Decoded line. */
export type ReadRecord =
  | { readonly kind: "step"; readonly id: string; readonly step: Step }
  /** Intact, but with an unknown step of a newer version. */
  | { readonly kind: "newer" }
  | { readonly kind: "damaged" };

/** Decoded line with its bytes, a view of the file's bytes. */
export interface ReadLine {
  readonly record: ReadRecord;
  readonly line: Uint8Array;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });
export const LINE_END = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const CHECKSUM_LENGTH = 8;

/** Encodes a record; a record that is written twice has the same `id`. */
export function encodeRecord(id: string, step: Step): Uint8Array {
  const v = versionOf(step);
  const json = wellFormedJson({ v, id, step });
  const body = encoder.encode(json);
  const head = encoder.encode(`\n${crc32(body).toString(16).padStart(CHECKSUM_LENGTH, "0")} `);
  return concatBytes([head, body, Uint8Array.of(LINE_END)]);
}

/** Decodes the lines of a journal file, in order, without erased ones. */
export function* readLines(bytes: Uint8Array): Generator<ReadLine, void, void> {
  for (const stored of linesOf(bytes)) {
    const line = withoutEditorMarks(stored);
    if (line.length > 0 && !isErased(line)) yield { record: decodeLine(line), line };
  }
}

export function intactLines(lines: readonly ReadLine[]): Uint8Array[] {
  return lines.filter(({ record }) => record.kind !== "damaged").map(({ line }) => line);
}

/** Returns the ids of the messages whose content a step has; several for a summary. */
export function contentOwnersOf(step: Step): readonly string[] {
  if (step.kind === "message-added" || step.kind === "aside-added") return [step.message.id];
  if ("covers" in step) return step.covers.map(({ messageId }) => messageId);
  return "messageId" in step ? [step.messageId] : [];
}

/**
 * Byte that overwrites a record of a forgotten message. JSON allows no control characters, so a line
 * with this byte is erased, or half-erased by a process that ended.
 */
export const ERASED = 0x1a;

export function isErased(line: Uint8Array): boolean {
  return line.includes(ERASED);
}

/** Removes the byte order mark and the carriage return that editors and sync programs add. */
function withoutEditorMarks(line: Uint8Array): Uint8Array {
  const start = line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf ? 3 : 0;
  return line.subarray(start, line.at(-1) === CARRIAGE_RETURN ? -1 : undefined);
}

/** Splits a journal file into lines, without line ends and empty lines. */
export function* linesOf(bytes: Uint8Array): Generator<Uint8Array, void, void> {
  for (let start = 0; start < bytes.length;) {
    const lineEndAt = bytes.indexOf(LINE_END, start);
    const end = lineEndAt === -1 ? bytes.length : lineEndAt;
    if (end > start) yield bytes.subarray(start, end);
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
