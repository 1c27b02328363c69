/** Opens the index of the texts of a history, as a window does. */
import type { Clock } from "../../../src/base/clock";
import { silentLog } from "../../../src/base/log";
import type { FileSystem } from "../../../src/history/fileSystem";
import { Removals } from "../../../src/history/removals";
import type { ConversationIndex } from "../../../src/search/conversationIndex";
import { TextIndex } from "../../../src/search/textIndex";

/** @param minSegmentBytes size of texts that are written to a segment; less stays in memory */
export function openTexts(
  files: FileSystem,
  index: ConversationIndex,
  clock: Clock,
  minSegmentBytes?: number,
): TextIndex {
  const removals = new Removals(files, clock);
  const never = new AbortController().signal;
  return new TextIndex(files, files, index, clock, silentLog, never, removals, minSegmentBytes);
}
