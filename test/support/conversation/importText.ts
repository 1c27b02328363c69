import { systemClock } from "../../../src/base/clock";
import { TimeSlice } from "../../../src/base/timeSlice";
import { chatsIn, importChat, type FoundChat } from "../../../src/conversation/importFile";
import type { ImportOptions, ImportResult } from "../../../src/conversation/importResult";

export const SLICE = new TimeSlice(systemClock, new AbortController().signal);

/** Counts the steps between which long work can pause. */
export class CountingSlice extends TimeSlice {
  count = 0;

  constructor() {
    super(systemClock, new AbortController().signal);
  }

  override pause(): Promise<void> | undefined {
    this.count++;
    return super.pause();
  }
}

/** Returns what a file with this text contains. */
export async function chatsInText(
  text: string,
  chunkBytes = 1 << 20,
  slice = SLICE,
): Promise<FoundChat[]> {
  const bytes = new TextEncoder().encode(text);
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes)
      yield await Promise.resolve(bytes.subarray(at, at + chunkBytes));
  }
  const found: FoundChat[] = [];
  for await (const chat of chatsIn(chunks(), slice)) found.push(chat);
  return found;
}

/** Imports the first conversation of a text; without one, returns the first reason. */
export async function importText(text: string, options: ImportOptions): Promise<ImportResult> {
  const found = await chatsInText(text);
  const first = found.find(({ kind }) => kind !== "refused") ?? found[0];
  if (first === undefined) return { kind: "refused", reason: "empty" };
  return importChat(first, first.kind === "own" ? "" : options.newId(), options);
}
