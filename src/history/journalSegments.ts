/**
 * Conversations in a folder that can only write whole files, and not atomically: folders of other schemes
 * than file, and browsers. A conversation is its file `ID.jsonl`, if there is one, with the segments
 * `ID.ORDER.WRITER.BYTES.jsonl`. Each window has a writer id and writes only files with new names. So
 * windows and machines need no lock, and a write that is cut off damages no earlier one:
 *
 * - A small segment grows by a longer copy of itself. The shorter file is removed after the write.
 * - A segment that is shorter than its name says is incomplete and is ignored.
 * - A new segment gets the next ORDER after those in the folder, so its records apply after theirs,
 *   whatever the clocks of the machines say.
 */
import type { Clock } from "../base/clock";
import { concatBytes } from "../base/concatBytes";
import { isEqualBytes } from "../base/isEqualBytes";
import { newId } from "../base/id";
import { oneAtATime } from "../base/oneAtATime";
import type { FileStat, FileSystem } from "./fileSystem";
import { isSameFile, UNUSED_AFTER_MS } from "./mergeRecords";
import {
  conversationIdOf,
  conversationPath,
  CONVERSATIONS_FOLDER,
  segmentName,
  segmentOf,
  type JournalSegment,
} from "./paths";
import { WriteQueues } from "./writeQueues";

/** Size up to which a segment grows, in bytes; each append writes at most this and its own bytes. */
const MAX_SEGMENT_BYTES = 128 * 1024;

/** Attempts to read a conversation while another window replaces its segments. */
const MAX_ATTEMPTS = 20;

/** Files of a conversation that are checked or read at once. */
const FILES_AT_ONCE = 16;

/** File system without append; the methods are those of `FileSystem`. */
export interface WholeFiles extends Pick<FileSystem, "read" | "remove" | "list" | "stat"> {
  /** Writes a whole file and creates its folders; a process that ends may leave a part of the file. */
  write(path: string, bytes: Uint8Array): Promise<void>;
}

interface ListedFiles {
  hasWholeFile: boolean;
  /** In order; the longest version of each first. */
  readonly segments: JournalSegment[];
}

/** Files of a conversation, after their sizes were checked. */
interface CheckedFiles {
  /** Every segment, in order; the longest version of each first. */
  readonly all: readonly JournalSegment[];
  /** Longest complete version of each segment, in order. */
  readonly current: readonly JournalSegment[];
  /** The file `ID.jsonl`. */
  readonly whole: FileStat | undefined;
  /** Undefined if there is no complete file. */
  readonly stat: FileStat | undefined;
}

interface JournalFile {
  readonly path: string;
  readonly bytes: number;
  /** Undefined for the file `ID.jsonl`. */
  readonly segment?: JournalSegment;
}

interface ParsedName {
  readonly id: string | undefined;
  readonly segment: JournalSegment | undefined;
}

/** Returns a file system with append on one without. */
export function segmentedFiles(files: WholeFiles, clock: Clock): FileSystem {
  const writer = newId();
  const queues = new WriteQueues();
  /** Modification times of complete segments, by name. */
  const complete = new Map<string, number>();
  const parsed = new Map<string, ParsedName>();
  /** Last order of this window by conversation: a folder may list a new file late. */
  const ownOrders = new Map<string, number>();
  let listing: Promise<ReadonlyMap<string, ListedFiles>> = Promise.resolve(new Map());

  /** Runs writes of the same file one after another. */
  function exclusively<T>(path: string, write: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      void queues.run(path, () => write().then(resolve, reject));
    });
  }

  /** Lists the files of each conversation. Parses only new names: each write and check lists all. */
  async function listFolder(): Promise<ReadonlyMap<string, ListedFiles>> {
    const names = new Set(await files.list(CONVERSATIONS_FOLDER));
    for (const name of parsed.keys()) {
      if (names.has(name)) continue;
      parsed.delete(name);
      complete.delete(name);
    }
    const listed = new Map<string, ListedFiles>();
    for (const name of names) {
      const { id, segment } = parsed.get(name) ?? parseName(name);
      parsed.set(name, { id, segment });
      if (id === undefined) continue;
      const ofId = listed.get(id) ?? { hasWholeFile: false, segments: [] };
      listed.set(id, ofId);
      if (segment) ofId.segments.push(segment);
      else ofId.hasWholeFile = true;
    }
    for (const { segments } of listed.values()) segments.sort(bySegment);
    return listed;
  }

  /** Calls at the same time share a listing that starts after them. */
  const relist = oneAtATime(async () => {
    listing = listFolder();
    await listing.catch(() => undefined);
  });

  async function listedFiles(id: string): Promise<ListedFiles> {
    await relist();
    return (await listing).get(id) ?? { hasWholeFile: false, segments: [] };
  }

  /** Returns the modification time of a complete segment; undefined for an incomplete one. */
  async function completedAtMs(segment: JournalSegment): Promise<number | undefined | "vanished"> {
    const cached = complete.get(segment.name);
    if (cached !== undefined) return cached;
    const path = pathOf(segment.name);
    const stat = await files.stat(path);
    if (stat === undefined) return "vanished";
    // Some providers report no sizes.
    const bytes = stat.bytes === 0 ? (await files.read(path))?.length : stat.bytes;
    if (bytes === undefined) return "vanished";
    if (bytes !== segment.bytes) return undefined;
    complete.set(segment.name, stat.changedAtMs);
    return stat.changedAtMs;
  }

  /** Returns undefined if a file vanished since the folder was listed. */
  async function check(id: string, listed: ListedFiles): Promise<CheckedFiles | undefined> {
    const all = listed.segments;
    const whole = listed.hasWholeFile ? await files.stat(conversationPath(id)) : undefined;
    const times = await inBatches(all, completedAtMs);
    const current: JournalSegment[] = [];
    let bytes = whole?.bytes ?? 0;
    let changedAtMs = whole?.changedAtMs ?? 0;
    for (const [at, segment] of all.entries()) {
      const atMs = times[at];
      if (atMs === "vanished") return undefined;
      if (atMs === undefined || isSameSegment(current.at(-1), segment)) continue;
      current.push(segment);
      bytes += segment.bytes;
      changedAtMs = Math.max(changedAtMs, atMs);
    }
    const isThere = whole !== undefined || current.length > 0;
    const stat = isThere ? { bytes, changedAtMs } : undefined;
    return { all, current, whole, stat };
  }

  /** Looks again while a file vanishes: a longer one has its content. */
  async function whileFound<T>(
    id: string,
    use: (checked: CheckedFiles) => Promise<T | "vanished">,
  ): Promise<T> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const checked = await check(id, await listedFiles(id));
      const result = checked ? await use(checked) : "vanished";
      if (result !== "vanished") return result;
    }
    throw new Error("another window kept writing");
  }

  /** Reads a conversation from an offset in its files, whose sizes add up to that of `stat`. */
  async function readConversation(id: string, from = 0): Promise<Uint8Array | undefined> {
    return whileFound(id, async (checked) => {
      if (checked.stat === undefined) return undefined;
      const needed: JournalFile[] = [];
      let start = 0;
      let skippedBytes = 0;
      for (const file of journalFiles(id, checked)) {
        if (start + file.bytes > from) needed.push(file);
        else skippedBytes += file.bytes;
        start += file.bytes;
      }
      const pieces = await readAll(needed);
      return pieces ? concatBytes(pieces).subarray(from - skippedBytes) : "vanished";
    });
  }

  /** Returns undefined if a file vanished. */
  async function readAll(wanted: readonly JournalFile[]): Promise<Uint8Array[] | undefined> {
    const pieces = await inBatches(wanted, ({ path }) => files.read(path));
    const contents = pieces.filter((piece) => piece !== undefined);
    return contents.length === pieces.length ? contents : undefined;
  }

  /** Returns the previous size. */
  function appendSegment(id: string, bytes: Uint8Array): Promise<number> {
    return whileFound(id, async ({ all, current, stat }) => {
      const last = current.findLast((segment) => segment.writer === writer);
      const isNewest = all.every((one) => one.writer === writer || one.order < (last?.order ?? 0));
      const isSmall = (last?.bytes ?? 0) + bytes.length <= MAX_SEGMENT_BYTES;
      const grown = isNewest && isSmall ? last : undefined;
      const before = grown ? await files.read(pathOf(grown.name)) : new Uint8Array();
      if (before === undefined) return "vanished";
      const order = grown?.order ?? Math.max(ownOrders.get(id) ?? 0, all.at(-1)?.order ?? 0) + 1;
      const written = await writeSegment(id, order, concatBytes([before, bytes]));
      if (grown && (await files.stat(pathOf(grown.name))) === undefined) {
        // Its content is elsewhere, without forgotten messages, or is deleted; it must not return.
        await files.remove(pathOf(written));
        return "vanished";
      }
      const isObsolete = (segment: JournalSegment) =>
        segment.writer === writer &&
        segment.name !== written && // A write that failed half-way had the same name.
        (segment.name === grown?.name || !current.includes(segment));
      await removeSegments(all.filter(isObsolete)).catch(() => undefined);
      return stat?.bytes ?? 0;
    });
  }

  async function writeSegment(id: string, order: number, bytes: Uint8Array): Promise<string> {
    const name = segmentName({ conversationId: id, order, writer, bytes: bytes.length });
    ownOrders.set(id, order);
    await files.write(pathOf(name), bytes);
    return name;
  }

  async function removeSegments(segments: readonly JournalSegment[]): Promise<void> {
    for (const { name } of segments) await files.remove(pathOf(name));
  }

  async function replaceWhole(id: string, bytes: Uint8Array): Promise<void> {
    const isReplaced = await whileFound(id, (checked) =>
      replaceConversation(id, checked, 0, bytes),
    );
    if (!isReplaced) throw new Error("another window kept writing");
  }

  async function removeConversation(id: string): Promise<void> {
    const { segments, hasWholeFile } = await listedFiles(id);
    await removeSegments(segments);
    if (hasWholeFile) await files.remove(conversationPath(id));
  }

  /**
   * Replaces the files of a conversation but the first ones by a new segment. Writes the new content before
   * it removes the old. Resolves with false if old content is left, because another window is writing it.
   */
  async function replaceConversation(
    id: string,
    checked: CheckedFiles,
    keptCount: number,
    bytes: Uint8Array,
  ): Promise<boolean> {
    const { all, current, whole } = checked;
    const remaining = journalFiles(id, checked)
      .slice(0, keptCount)
      .map(({ segment }) => segment);
    const keepsWhole = whole === undefined || keptCount > 0;
    const incomplete = all.filter(({ name }) => !complete.has(name));
    for (const segment of incomplete) if (await isBeingWritten(segment)) return false;
    await writeSegment(id, (all.at(-1)?.order ?? 0) + 1, bytes);
    // Windows take a shorter version of a kept segment that vanished as a sign that it was replaced.
    const isKept = (one: JournalSegment) =>
      complete.has(one.name) && remaining.some((other) => other && isSameSegment(one, other));
    const removed = all.filter((segment) => !isKept(segment));
    await removeSegments(removed);
    if (!keepsWhole) {
      const stat = await files.stat(conversationPath(id));
      if (stat !== undefined && !isSameFile(stat, whole)) return false;
      await files.remove(conversationPath(id));
    }
    const replaced = current.filter((segment) => !isKept(segment));
    const { segments } = await listedFiles(id);
    return !segments.some((segment) => replaced.some((other) => isSameSegment(segment, other)));
  }

  async function isBeingWritten({ writer: writtenBy, name }: JournalSegment): Promise<boolean> {
    if (writtenBy === writer) return false;
    const stat = await files.stat(pathOf(name));
    return stat !== undefined && Math.abs(clock.nowMs() - stat.changedAtMs) < UNUSED_AFTER_MS;
  }

  function fillConversation(
    id: string,
    content: Uint8Array,
    ranges: readonly (readonly [number, number])[],
    fillBytes: readonly number[],
  ): Promise<boolean> {
    return whileFound(id, async (checked) => {
      const pieces = await readAll(journalFiles(id, checked));
      if (pieces === undefined) return "vanished";
      const bytes = concatBytes(pieces);
      if (bytes.length === 0) return true;
      if (!isEqualBytes(bytes.subarray(0, content.length), content)) return false;
      const filled = filledWith(bytes, ranges, fillBytes);
      // Files before the first range stay as they are.
      const firstAt = Math.min(...ranges.map(([start]) => start));
      let keptCount = 0;
      let keptBytes = 0;
      for (const { length } of pieces) {
        if (keptBytes + length > firstAt) break;
        keptCount++;
        keptBytes += length;
      }
      return replaceConversation(id, checked, keptCount, filled.subarray(keptBytes));
    });
  }

  return {
    read(path) {
      const id = conversationOf(path);
      return id === undefined ? files.read(path) : readConversation(id);
    },
    async readRanges(path, ranges) {
      const from = Math.min(...ranges.map(([start]) => Math.max(0, start)));
      const id = conversationOf(path);
      const bytes = id === undefined ? await files.read(path) : await readConversation(id, from);
      const offset = id === undefined ? 0 : from;
      return (
        bytes &&
        ranges.map(([start, end]) =>
          bytes.subarray(Math.max(0, start) - offset, Math.max(0, end - offset)),
        )
      );
    },
    append: (path, bytes) =>
      exclusively(path, async () => {
        const id = conversationOf(path);
        if (id !== undefined) return appendSegment(id, bytes);
        const before = (await files.read(path)) ?? new Uint8Array();
        await files.write(path, concatBytes([before, bytes]));
        return before.length;
      }),
    replace: (path, bytes) =>
      exclusively(path, () => {
        const id = conversationOf(path);
        return id === undefined ? files.write(path, bytes) : replaceWhole(id, bytes);
      }),
    fill: (path, content, ranges, fillBytes) =>
      exclusively(path, async () => {
        const id = conversationOf(path);
        if (id !== undefined) return fillConversation(id, content, ranges, fillBytes);
        const bytes = await files.read(path);
        if (bytes === undefined) return true;
        if (!isEqualBytes(bytes.subarray(0, content.length), content)) return false;
        await files.write(path, filledWith(bytes, ranges, fillBytes));
        return true;
      }),
    remove: (path) =>
      exclusively(path, () => {
        const id = conversationOf(path);
        return id === undefined ? files.remove(path) : removeConversation(id);
      }),
    async list(folder) {
      const names = await files.list(folder);
      if (folder !== CONVERSATIONS_FOLDER) return names;
      const shown = names.map((name) => {
        const id = segmentOf(name)?.conversationId;
        return id === undefined ? name : conversationPath(id).slice(folder.length + 1);
      });
      return [...new Set(shown)];
    },
    async stat(path) {
      const id = conversationOf(path);
      return id === undefined
        ? files.stat(path)
        : whileFound(id, ({ stat }) => Promise.resolve(stat));
    },
  };
}

function journalFiles(id: string, { current, whole }: CheckedFiles): JournalFile[] {
  return [
    ...(whole ? [{ path: conversationPath(id), bytes: whole.bytes }] : []),
    ...current.map((segment) => ({ path: pathOf(segment.name), bytes: segment.bytes, segment })),
  ];
}

/** Returns a copy that is filled with the last byte: a file that is written as a whole needs no other. */
function filledWith(
  bytes: Uint8Array,
  ranges: readonly (readonly [number, number])[],
  fillBytes: readonly number[],
): Uint8Array {
  const filled = bytes.slice();
  for (const [start, end] of ranges) filled.fill(fillBytes.at(-1) ?? 0, start, end);
  return filled;
}

async function inBatches<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += FILES_AT_ONCE)
    results.push(...(await Promise.all(items.slice(at, at + FILES_AT_ONCE).map(run))));
  return results;
}

function parseName(name: string): ParsedName {
  const segment = segmentOf(name);
  return { id: segment?.conversationId ?? conversationIdOf(name), segment };
}

function pathOf(name: string): string {
  return `${CONVERSATIONS_FOLDER}/${name}`;
}

function conversationOf(path: string): string | undefined {
  const folder = `${CONVERSATIONS_FOLDER}/`;
  return path.startsWith(folder) ? conversationIdOf(path.slice(folder.length)) : undefined;
}

function isSameSegment(
  one: Pick<JournalSegment, "order" | "writer"> | undefined,
  other: Pick<JournalSegment, "order" | "writer">,
): boolean {
  return one?.order === other.order && one.writer === other.writer;
}

function bySegment(one: JournalSegment, other: JournalSegment): number {
  return (
    one.order - other.order ||
    (one.writer < other.writer ? -1 : one.writer > other.writer ? 1 : 0) ||
    other.bytes - one.bytes
  );
}
