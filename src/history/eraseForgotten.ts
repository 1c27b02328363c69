/**
 * Erases the records of forgotten messages in a file of a conversation, and the titles from before they were
 * forgotten: the only change of a record after it was written. The records are overwritten, so that the conversation keeps its size and an append of
 * another window is never lost.
 */
import type { FileSystem } from "./fileSystem";
import { contentOwnersOf, ERASED, isErased, LINE_END, linesOf, readLines } from "./record";

/** Attempts to erase while another window replaces the content. */
const MAX_ATTEMPTS = 10;

/** Ids of forgotten messages, with true for a message of an aside, of which no title is made. */
export type Forgotten = ReadonlyMap<string, boolean>;

const NONE: Forgotten = new Map();
const latin1 = new TextDecoder("latin1");

/**
 * Erases every record of each message that a `forgotten` step of the file names, also half-erased ones, and
 * of other messages by id. Harmless if there is nothing to erase. Rejects as the file system.
 */
export async function eraseForgotten(
  files: FileSystem,
  path: string,
  others: Forgotten = NONE,
): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const bytes = await files.read(path);
    if (bytes === undefined) return;
    const ranges = rangesToErase(bytes, new Map([...others, ...forgottenIn(bytes)]));
    if (ranges.length === 0) return;
    // A process that ends in between leaves lines with this byte, which a text never has.
    await files.fill(path, bytes, ranges, [ERASED, LINE_END]);
  }
  throw new Error("another window kept writing the file");
}

/** Returns the messages that the file says are forgotten. */
export function forgottenIn(bytes: Uint8Array): Forgotten {
  const ids = new Map<string, boolean>();
  for (const line of linesOf(bytes)) {
    if (!latin1.decode(line).includes('"forgotten"')) continue;
    for (const { record } of readLines(line)) {
      if (record.kind === "step" && record.step.kind === "forgotten")
        ids.set(record.step.message.id, record.step.message.isAside === true);
    }
  }
  return ids;
}

/**
 * Returns a test for the lines of a file, in their order: true for lines that are erased, for records of a
 * forgotten message, and for titles unless each message of the main thread was forgotten before.
 */
export function ofForgotten(forgotten: Forgotten): (line: Uint8Array) => boolean {
  const ahead = new Set([...forgotten].flatMap(([id, isAside]) => (isAside ? [] : [id])));
  const marks = [...forgotten.keys()].flatMap((id) => {
    const quoted = JSON.stringify(id);
    return [`"id":${quoted}`, `"messageId":${quoted}`];
  });
  const decoder = new TextDecoder();
  return (line) => {
    if (isErased(line)) return true;
    if (forgotten.size === 0) return false;
    const [stored] = readLines(line);
    if (stored === undefined) return false;
    if (stored.record.kind === "step") {
      const { step } = stored.record;
      if (step.kind === "forgotten") ahead.delete(step.message.id);
      if (step.kind === "titled") return step.title !== "" && ahead.size > 0;
      return step.kind !== "forgotten" && contentOwnersOf(step).some((id) => forgotten.has(id));
    }
    // A record that a crash cut off, or that a newer version wrote, names its message as others do.
    const text = decoder.decode(line);
    return (
      marks.some((mark) => text.includes(mark)) || (ahead.size > 0 && text.includes('"titled"'))
    );
  };
}

function rangesToErase(
  bytes: Uint8Array,
  forgotten: Forgotten,
): (readonly [start: number, end: number])[] {
  return [...linesOf(bytes)]
    .filter(ofForgotten(forgotten))
    .map(({ byteOffset, length }) => [
      byteOffset - bytes.byteOffset,
      byteOffset - bytes.byteOffset + length,
    ]);
}
