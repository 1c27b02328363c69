/**
 * Reads a conversation from the bytes of its journal file: applies every intact record once, in order,
 * and counts the others. Pauses regularly, so that a long file does not block the event loop.
 */
import { isEqualBytes } from "../base/isEqualBytes";
import {
  applySteps,
  emptyConversation,
  type Conversation,
  type Step,
} from "../conversation/conversation";
import { joinOrphans } from "../conversation/orphans";
import { intactLines, readLines } from "./record";
import type { TimeSlice } from "../base/timeSlice";

export interface LoadedConversation {
  readonly conversation: Conversation;
  /** Number of unreadable records without an intact copy; the file is not changed. */
  readonly damagedRecords: number;
  /** Number of ignored records of a newer version of Core Chat. */
  readonly newerRecords: number;
}

/** Steps per call of `applySteps`; each call copies the maps of the conversation. */
const STEPS_PER_BATCH = 2_000;

/** Steps of a journal file, each record once, and the number of records that have none. */
export interface LoadedSteps extends Omit<LoadedConversation, "conversation"> {
  readonly steps: readonly Step[];
}

/** Reads a whole file. Rejects with the reason of the slice's signal. */
export async function readConversation(
  conversationId: string,
  bytes: Uint8Array,
  slice: TimeSlice,
): Promise<LoadedConversation> {
  const { steps, ...records } = await readSteps(bytes, slice);
  let conversation = emptyConversation(conversationId, 0);
  for (let at = 0; at < steps.length; at += STEPS_PER_BATCH) {
    conversation = applySteps(conversation, steps.slice(at, at + STEPS_PER_BATCH));
    const pause = slice.pause();
    if (pause) await pause;
  }
  return { conversation: joinOrphans(conversation), ...records };
}

/** Reads the steps of a whole file. Rejects with the reason of the slice's signal. */
export async function readSteps(bytes: Uint8Array, slice: TimeSlice): Promise<LoadedSteps> {
  const steps: Step[] = [];
  const seen = new Set<string>();
  const damaged: Uint8Array[] = [];
  let newerRecords = 0;
  for (const { record, line } of readLines(bytes)) {
    switch (record.kind) {
      case "step":
        if (!seen.has(record.id)) steps.push(record.step);
        seen.add(record.id);
        break;
      case "newer":
        newerRecords++;
        break;
      case "damaged":
        damaged.push(line);
        break;
      default:
        record satisfies never;
    }
    const pause = slice.pause();
    if (pause) await pause;
  }
  // A record that a full disk cut off is not lost if it was written again.
  const intact = damaged.length === 0 ? [] : intactLines([...readLines(bytes)]).sort(compareBytes);
  const lost = damaged.filter((line) => !isStartOfOne(line, intact));
  return { steps, damagedRecords: lost.length, newerRecords };
}

/** Returns true if one of the lines, which are sorted, begins with `start`. */
function isStartOfOne(start: Uint8Array, lines: readonly Uint8Array[]): boolean {
  let [from, to] = [0, lines.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (compareBytes(lines[middle] ?? start, start) < 0) from = middle + 1;
    else to = middle;
  }
  const first = lines[from];
  return first !== undefined && isEqualBytes(first.subarray(0, start.length), start);
}

function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
