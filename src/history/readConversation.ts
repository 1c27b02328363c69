/**
 * A conversation from the bytes of its journal file: every whole record once, in the order they
 * stand, and a count of what could not be read. Works in short pieces, also for ten thousand
 * messages.
 */
import {
  applySteps,
  emptyConversation,
  type Conversation,
  type Step,
} from "../conversation/conversation";
import { joinOrphans } from "../conversation/orphans";
import { readLines } from "./record";
import type { TimeSlice } from "./timeSlice";

/** A conversation as it was read. */
export interface LoadedConversation {
  readonly conversation: Conversation;
  /** Records that could not be read and stand nowhere else either; the file is left as it is. */
  readonly damagedRecords: number;
  /** Records of a newer version of Core Chat that were passed over. */
  readonly newerRecords: number;
}

/** Steps applied at a stretch; each stretch copies the tables of the conversation once. */
const STEPS_AT_ONCE = 2_000;

/** Reads the whole file; rejects with the reason when the slice's signal is aborted. */
export async function readConversation(
  conversationId: string,
  bytes: Uint8Array,
  slice: TimeSlice,
): Promise<LoadedConversation> {
  const steps: Step[] = [];
  const seen = new Set<string>();
  const whole: Uint8Array[] = [];
  const broken: Uint8Array[] = [];
  let newerRecords = 0;
  for (const { record, line } of readLines(bytes)) {
    switch (record.kind) {
      case "step":
        whole.push(line);
        if (!seen.has(record.id)) steps.push(record.step);
        seen.add(record.id);
        break;
      case "newer":
        newerRecords++;
        break;
      case "damaged":
        broken.push(line);
        break;
      default:
        record satisfies never;
    }
    const pause = slice.pause();
    if (pause) await pause;
  }
  let conversation = emptyConversation(conversationId, 0);
  for (let at = 0; at < steps.length; at += STEPS_AT_ONCE) {
    conversation = applySteps(conversation, steps.slice(at, at + STEPS_AT_ONCE));
    const pause = slice.pause();
    if (pause) await pause;
  }
  // The disk was full in the middle of a record and the record was written again: nothing is lost.
  const lost = broken.filter((line) => !whole.some((other) => startsWith(other, line)));
  return {
    conversation: joinOrphans(conversation),
    damagedRecords: lost.length,
    newerRecords,
  };
}

function startsWith(whole: Uint8Array, start: Uint8Array): boolean {
  if (start.length > whole.length) return false;
  for (let at = 0; at < start.length; at++) if (start[at] !== whole[at]) return false;
  return true;
}
