/** Opens the packed texts of a history, as a window does. */
import type { Clock } from "../../../src/base/clock";
import { silentLog } from "../../../src/base/log";
import type { FileSystem } from "../../../src/history/fileSystem";
import { Removals } from "../../../src/history/removals";
import type { ConversationList } from "../../../src/search/conversationList";
import { TextPacks } from "../../../src/search/textPacks";

/** @param minPackBytes size of texts that are written; less stay in memory */
export function openPacks(
  files: FileSystem,
  list: ConversationList,
  clock: Clock,
  minPackBytes?: number,
): TextPacks {
  const removals = new Removals(files, clock);
  const never = new AbortController().signal;
  return new TextPacks(files, files, list, clock, silentLog, never, removals, minPackBytes);
}
