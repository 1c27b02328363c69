/**
 * Searchable texts of all conversations: packs next to the journal, and the latest changes in memory. Has
 * nothing that the journal does not: texts whose pack is missing or damaged are packed again from the
 * files. A pack is never changed. Two windows that pack at once do work twice, and the copy goes later.
 */
import type { Clock } from "../base/clock";
import type { Disposable } from "../base/disposables";
import { newId } from "../base/id";
import { describeError, type Log } from "../base/log";
import { oneAtATime } from "../base/oneAtATime";
import { TimeSlice } from "../base/timeSlice";
import type { FileSystem } from "../history/fileSystem";
import { UNUSED_AFTER_MS } from "../history/mergeRecords";
import { isTextPackName, SEARCH_FOLDER, textPackPath } from "../history/paths";
import { readConversation } from "../history/readConversation";
import { readConversationFiles } from "../history/readConversationFiles";
import type { Removals } from "../history/removals";
import type { ConversationList } from "./conversationList";
import type { IndexEntry } from "./indexEntry";
import { messageTexts } from "./messageTexts";
import {
  checksum,
  DamagedFile,
  encodePack,
  encodeTexts,
  readTable,
  type EncodedTexts,
  type FileVersion,
  type PackedConversation,
  type Section,
} from "./textPack";

/** Size of the folded texts in a pack; a larger conversation has a pack of its own. */
const MAX_PACK_BYTES = 4 * 1024 * 1024;

/** Size of changed texts that stay in memory; more are written. */
const MIN_PACK_BYTES = 1024 * 1024;

/** Maximum size of unwritten texts if the disk is full or damages what is written. */
const MAX_UNWRITTEN_BYTES = 64 * 1024 * 1024;

/**
 * Size of folded texts that stay in memory between two keys: a year of daily use. Of more texts none stay,
 * because reading them again costs less than the memory.
 */
const MAX_KEPT_BYTES = 64 * 1024 * 1024;

/** Time without a search after which searched texts leave the memory, in milliseconds. */
const KEPT_MS = 60_000;

/** Size of conversations that are packed without reporting progress. */
const MAX_SILENT_BYTES = 4 * 1024 * 1024;

/** Maximum gap between two texts that are read together, in bytes: reading it costs less than a call. */
const MAX_GAP_BYTES = 64 * 1024;

/** Interval of looking for packs of other windows, in milliseconds. */
const LOAD_INTERVAL_MS = 5_000;

export interface IndexProgress {
  readonly done: number;
  readonly total: number;
}

/** Texts of a conversation that are in no pack yet. */
interface UnwrittenTexts extends FileVersion, EncodedTexts {
  readonly path?: undefined;
}

/** Texts of a conversation in one state of its file, in a pack or in memory. */
export type SearchableTexts = PackedConversation | UnwrittenTexts;

export type Contents = ReadonlyMap<SearchableTexts, Uint8Array>;

export class TextPacks implements Disposable {
  private readonly packs = new Map<string, readonly PackedConversation[]>();
  private readonly unwritten = new Map<string, UnwrittenTexts>();
  private readonly latest = new Map<string, SearchableTexts>();
  /** True if all folded texts of packs stay in memory between two keys. */
  private areKept = false;
  /** Folded texts of packs that were searched before, by path. */
  private readonly kept = new Map<string, readonly Uint8Array[]>();
  private keptTimer: Disposable | undefined;
  /** Parts of packs whose checksums were right. */
  private readonly verified = new WeakSet<Section>();
  private loadedAtMs = -Infinity;
  private canWrite = true;
  private onProgress: (progress: IndexProgress) => void = () => undefined;

  constructor(
    private readonly files: FileSystem,
    private readonly caches: FileSystem,
    private readonly list: ConversationList,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly lifetime: AbortSignal,
    private readonly removals: Removals,
    private readonly minPackBytes = MIN_PACK_BYTES,
  ) {}

  /** Returns the texts of a conversation in this state of its file; undefined if they are not here. */
  textsOf(state: FileVersion): SearchableTexts | undefined {
    const texts = this.latest.get(state.id);
    return texts && isSameVersion(texts, state) ? texts : undefined;
  }

  /** Loads the list, and at most every few seconds the tables of new packs. Never rejects. */
  async load(): Promise<void> {
    await this.list.load();
    if (this.clock.elapsedMs() - this.loadedAtMs >= LOAD_INTERVAL_MS) await this.loadNow();
  }

  /** Packs the missing conversations and reports the progress. Never rejects. */
  async build(onProgress: (progress: IndexProgress) => void): Promise<void> {
    this.onProgress = onProgress;
    await this.list.refreshIfOld();
    await this.update();
    this.onProgress = () => undefined;
  }

  /** Adds the missing conversations, newest first. Never rejects. */
  readonly update = oneAtATime(async () => {
    try {
      await this.load();
      await this.discardRemoved();
      await this.packPending();
    } catch (error) {
      if (!this.lifetime.aborted)
        this.log.warn(`history: the texts were not all packed (${describeError(error)})`);
    }
  });

  /** Removes the texts of conversations. Resolves when no file has any; rejects as the file system. */
  async removeForever(ids: ReadonlySet<string>): Promise<void> {
    await this.discard(({ id }) => ids.has(id));
    await this.discardRemoved();
  }

  /**
   * Removes the texts of all conversations that changed or are gone, and packs the texts of small packs
   * together. Rejects as `removeForever`.
   */
  async removeOutdated(): Promise<void> {
    await this.list.refresh();
    if (!this.list.isReady) return;
    await this.loadNow();
    const isOutdated = (texts: SearchableTexts) => !this.isCurrent(texts);
    for (const [path, packed] of this.packs) {
      if (foldedBytesOf(packed) < MAX_PACK_BYTES / 2 || packed.some(isOutdated))
        await this.unpack(path, isOutdated);
    }
    await this.write();
  }

  /**
   * Reads a part of texts that are in one pack, or all in memory. Discards a missing or damaged pack, so
   * that its texts are packed again; the result is then empty.
   *
   * @param allocate may return the same memory for each call; the former result is then not valid
   */
  async read(
    texts: readonly SearchableTexts[],
    part: keyof EncodedTexts,
    allocate?: (bytes: number) => Uint8Array,
  ): Promise<Contents> {
    const contents = new Map<SearchableTexts, Uint8Array>();
    const packed: PackedConversation[] = [];
    for (const conversation of texts)
      if (conversation.path === undefined) contents.set(conversation, conversation[part]);
      else packed.push(conversation);
    const path = packed[0]?.path;
    if (path === undefined) return contents;
    const keptPack = part === "folded" && this.areKept ? this.packs.get(path) : undefined;
    const ranges = rangesOf(keptPack ?? packed, part);
    try {
      const chunks =
        (keptPack && this.kept.get(path)) ??
        (await this.caches.readRanges(path, ranges, keptPack ? undefined : allocate));
      if (keptPack && chunks) this.kept.set(path, chunks);
      for (const conversation of packed) {
        const section = conversation[part];
        const at = ranges.findIndex(([, end]) => section.end <= end);
        const offset = section.start - (ranges[at]?.[0] ?? 0);
        const content = chunks?.[at]?.subarray(offset, offset + section.end - section.start);
        if (content === undefined) throw new DamagedFile("no file");
        const isIntact = this.verified.has(section) || checksum(content) === section.checksum;
        if (!isIntact) throw new DamagedFile(part);
        this.verified.add(section);
        contents.set(conversation, content);
      }
      return contents;
    } catch (error) {
      await this.discardDamaged(path, error);
      return new Map();
    }
  }

  /** Reads texts into memory, before a query is typed. */
  async prepare(): Promise<void> {
    this.extendKept();
    await this.load();
    if (!this.areKept) return;
    for (const packed of this.packs.values()) await this.read(packed, "folded");
  }

  /** Keeps searched texts for a while from now on. */
  extendKept(): void {
    this.keptTimer?.dispose();
    this.keptTimer = this.clock.after(KEPT_MS, () => this.kept.clear());
  }

  dispose(): void {
    this.keptTimer?.dispose();
    this.kept.clear();
  }

  /** True for texts that are of the present state of a conversation, and no copy of others. */
  private isCurrent(texts: SearchableTexts): boolean {
    const entry = this.list.get(texts.id);
    return entry !== undefined && this.textsOf(entry) === texts;
  }

  /** True for texts that a window removed for ever. */
  private readonly isRemoved = ({ id, fileBytes }: FileVersion): boolean =>
    this.removals.isOutdated(id, fileBytes);

  /** Adds texts to those in memory, instead of former ones of the conversation. */
  private addUnwritten(texts: UnwrittenTexts): void {
    this.unwritten.set(texts.id, texts);
    this.addLatest(texts);
  }

  private unwrittenBytes(): number {
    let bytes = 0;
    for (const { folded } of this.unwritten.values()) bytes += folded.length;
    return bytes;
  }

  /** Returns the entries of readable conversations whose latest texts are not here, newest first. */
  private pending(): IndexEntry[] {
    return this.list
      .entries()
      .filter((entry) => !entry.isUnreadable && !this.textsOf(entry))
      .sort((a, b) => b.changedAtMs - a.changedAtMs);
  }

  /** Packs the conversations that are in no pack, until too much cannot be written. */
  private async packPending(): Promise<void> {
    const slice = new TimeSlice(this.clock, this.lifetime);
    const pending = this.pending();
    const bytes = pending.reduce((sum, { fileBytes }) => sum + fileBytes, 0);
    const total = this.list.entries().length;
    let doneCount = total - pending.length;
    const report = () => {
      if (bytes > MAX_SILENT_BYTES) this.onProgress({ done: doneCount++, total });
    };
    this.canWrite = true;
    const ids = pending.map(({ id }) => id);
    for await (const [id, file] of readConversationFiles(this.files, ids)) {
      report();
      const entry = this.list.get(id);
      if ((entry && this.textsOf(entry)) || file.kind !== "read") continue;
      const { conversation } = await readConversation(id, file.bytes, slice);
      const texts = await encodeTexts(await messageTexts(conversation, slice), slice);
      const { bytes: fileBytes, changedAtMs: fileChangedAtMs } = file.stat;
      this.addUnwritten({ id, fileBytes, fileChangedAtMs, ...texts });
      if (this.unwrittenBytes() >= MAX_PACK_BYTES) await this.write();
      if (this.unwrittenBytes() > MAX_UNWRITTEN_BYTES) break;
    }
    report();
    if (this.unwrittenBytes() >= this.minPackBytes) await this.write();
  }

  /** Writes the texts in memory as a pack. They stay in memory if the disk does not accept them. */
  private async write(): Promise<void> {
    await this.removals.read();
    this.discardUnwritten((texts) => this.isRemoved(texts) || !this.isCurrent(texts));
    const written = [...this.unwritten.values()];
    const isWritten = new Set<SearchableTexts>(written);
    if (written.length === 0 || !this.canWrite) return;
    const path = textPackPath(newId(this.clock.nowMs()));
    try {
      const slice = new TimeSlice(this.clock, this.lifetime);
      await this.caches.replace(path, await encodePack(written, slice));
      await this.loadNow();
    } catch (error) {
      this.log.warn(`history: texts could not be saved (${describeError(error)})`);
    }
    this.canWrite = this.packs.has(path);
    if (this.canWrite) {
      this.discardUnwritten((texts) => isWritten.has(texts));
      // Another window removed something while this one wrote.
      await this.discardRemoved();
    } else await this.caches.remove(path);
  }

  private async discardRemoved(): Promise<void> {
    await this.removals.read();
    await this.discard(this.isRemoved);
  }

  /** Removes texts from all files and from memory. The other texts of their packs go into memory. */
  private async discard(isUnwanted: (texts: SearchableTexts) => boolean): Promise<void> {
    await this.loadNow();
    this.discardUnwritten(isUnwanted);
    for (const [path, packed] of this.packs)
      if (packed.some(isUnwanted)) await this.unpack(path, isUnwanted);
  }

  private discardUnwritten(isUnwanted: (texts: SearchableTexts) => boolean): void {
    const discarded = [...this.unwritten.values()].filter(isUnwanted);
    for (const { id } of discarded) this.unwritten.delete(id);
    if (discarded.length > 0) this.findLatest();
  }

  /** Removes a pack. Its current texts go into memory, and from there into a new one. */
  private async unpack(
    path: string,
    isUnwanted: (texts: SearchableTexts) => boolean,
  ): Promise<void> {
    const packed = this.packs.get(path) ?? [];
    const texts = packed.filter(
      (conversation) => !isUnwanted(conversation) && this.isCurrent(conversation),
    );
    const foldedTexts = await this.read(texts, "folded");
    const shownTexts = await this.read(texts, "shown");
    await this.caches.remove(path);
    this.packs.delete(path);
    for (const conversation of texts) {
      const folded = foldedTexts.get(conversation);
      const shown = shownTexts.get(conversation);
      const { id, fileBytes, fileChangedAtMs } = conversation;
      if (folded && shown) this.addUnwritten({ id, fileBytes, fileChangedAtMs, folded, shown });
    }
    this.findLatest();
    if (this.unwrittenBytes() >= MAX_PACK_BYTES) await this.write();
  }

  private async discardDamaged(path: string, error: unknown): Promise<void> {
    this.packs.delete(path);
    this.log.warn(`history: texts are packed again (${describeError(error)})`);
    this.findLatest();
    await this.caches.remove(path).catch(() => undefined);
    // Another window may have packed the same texts again.
    await this.loadNow();
  }

  /** Reads the tables of packs that other windows wrote, and forgets removed packs. Never rejects. */
  private async loadNow(): Promise<void> {
    this.loadedAtMs = this.clock.elapsedMs();
    try {
      const names = (await this.caches.list(SEARCH_FOLDER)).filter(isTextPackName);
      const paths = new Set(names.map((name) => `${SEARCH_FOLDER}/${name}`));
      const gone = [...this.packs.keys()].filter((path) => !paths.has(path));
      const added = [...paths].filter((path) => !this.packs.has(path));
      for (const path of gone) this.packs.delete(path);
      for (const path of added) await this.openPack(path);
      if (gone.length + added.length > 0) this.findLatest();
    } catch (error) {
      this.log.warn(`history: packed texts could not be read (${describeError(error)})`);
    }
  }

  private async openPack(path: string): Promise<void> {
    const stat = await this.caches.stat(path);
    try {
      const table = stat && (await readTable(this.caches, path, stat.bytes));
      if (table) this.packs.set(path, table);
    } catch (error) {
      // Another window may be writing it, in a folder where writes are not atomic.
      const isYoung = Math.abs(this.clock.nowMs() - (stat?.changedAtMs ?? 0)) < UNUSED_AFTER_MS;
      if (isYoung) return;
      this.log.warn(`history: texts are packed again (${describeError(error)})`);
      await this.caches.remove(path);
    }
  }

  /** Adds texts to the latest ones, unless there are others of the present state of the conversation. */
  private addLatest(texts: SearchableTexts): void {
    const entry = this.list.get(texts.id);
    const isHidden = entry && this.textsOf(entry) && !isSameVersion(texts, entry);
    if (!isHidden) this.latest.set(texts.id, texts);
  }

  /** Finds the latest texts of each conversation, after packs or texts in memory changed. */
  private findLatest(): void {
    this.latest.clear();
    for (const packed of this.packs.values()) for (const texts of packed) this.addLatest(texts);
    for (const texts of this.unwritten.values()) this.addLatest(texts);
    this.areKept = foldedBytesOf([...this.packs.values()].flat()) <= MAX_KEPT_BYTES;
    for (const path of this.kept.keys())
      if (!this.areKept || !this.packs.has(path)) this.kept.delete(path);
  }
}

function foldedBytesOf(packed: readonly PackedConversation[]): number {
  return packed.reduce((sum, { folded }) => sum + folded.end - folded.start, 0);
}

/** Returns the ranges of a pack with a part of some texts, in ascending order. */
function rangesOf(
  packed: readonly PackedConversation[],
  part: keyof EncodedTexts,
): (readonly [start: number, end: number])[] {
  const ranges: [number, number][] = [];
  const sections = packed
    .map((conversation) => conversation[part])
    .sort((a, b) => a.start - b.start);
  for (const { start, end } of sections) {
    const last = ranges.at(-1);
    if (last && start <= last[1] + MAX_GAP_BYTES) last[1] = end;
    else ranges.push([start, end]);
  }
  return ranges;
}

function isSameVersion(a: FileVersion, b: FileVersion): boolean {
  return a.fileBytes === b.fileBytes && a.fileChangedAtMs === b.fileChangedAtMs;
}
