import { silentLog } from "../../support/fakes/silentLog";
import { Journal } from "../../../src/history/journal";
import { Retries } from "../../../src/history/retries";
import { ManualClock } from "../../support/fakes/manualClock";
import type { MemoryFileSystem } from "../../support/fakes/memoryFileSystem";

/** Opens the journal of a new window on these files. */
export function openJournal(
  files: MemoryFileSystem,
  clock = new ManualClock(),
  retries = new Retries(clock),
): Journal {
  return new Journal(files, clock, silentLog, retries);
}
