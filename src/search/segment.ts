/**
 * Segment of the search index: an immutable file with the messages of some conversations, and for each of
 * their tokens the positions at which it occurs. A search needs no texts: it finds the tokens that contain
 * a term, or the tokens that follow each other as in the term.
 *
 * Content: ids and texts of the messages; lists of numbers; dictionaries; table of the conversations (JSON); sizes
 * of all dictionaries and of the table.
 */
import * as z from "zod/mini";
import { isBitSet, setBit } from "./bits";
import { ByteBuffer, WORD, wordAt } from "./byteBuffer";
import {
  CheckedFile,
  DamagedFile,
  endOf,
  withChecksums,
  type ReadParts,
  type ReadRanges,
  type Run,
} from "./checkedFile";
import type { EntryTable } from "./entryTable";
import type { IndexEntry } from "./indexEntry";
import { Dictionary, dictionaryEntry, type TermLists } from "./dictionary";
import { MessagePositions, sums } from "./messagePositions";
import type { MessageText } from "./messageTexts";
import { decodeNumbers, NumberLists } from "./numberLists";
import {
  BLANK,
  isNarrow,
  isShort,
  isSign,
  piecesOf,
  type Piece,
  ShortTermIds,
  signTerm,
  TOKEN_DISTANCE,
  tokenEnd,
} from "./tokens";
import type { Vocabulary } from "./vocabulary";
import type { TimeSlice } from "../base/timeSlice";

/** Maximum size of the texts in a segment, in bytes; a segment is built in memory. */
export const MAX_SEGMENT_BYTES = 32 * 1024 * 1024;

/** Distance between the tokens of two messages, so that no term matches across them. */
const MESSAGE_DISTANCE = 2;

/** Tokens indexed without a pause; takes about a millisecond. */
const TOKENS_PER_STEP = 4_096;

/** UTF-16 units indexed without a pause; takes less than a millisecond. */
const UNITS_PER_STEP = 1 << 15;

/**
 * Units of a group that has a list of messages if the lists of its words have this size, in bytes: these are in
 * so many parts of the file that a search would read most of it.
 */
const MIN_GROUP_UNITS = 3;
const MAX_GROUP_UNITS = 5;
const MIN_GROUP_BYTES = 16 * 1024;

/** Size of a list that is among the long ones in the file, in bytes: a word that occurs about 30 times. */
const MIN_LONG_BYTES = 64;

/** Words whose groups are counted without a pause; takes about a millisecond. */
const WORDS_PER_STEP = 256;

/** Maximum number of cached results; the next key of a search needs mostly the same. */
const MAX_RESULTS = 16;

const tableSchema = z.object({
  ids: z.array(z.string()),
  fileBytes: z.array(z.number()),
  fileChangedAtMs: z.array(z.number()),
  /** Number of messages of each conversation, with its title, which is the first. */
  messageCounts: z.array(z.number()),
  /** Size of the text of each message, in bytes. */
  textBytes: z.array(z.number()),
  /** Number of positions of each message. */
  positionCounts: z.array(z.number()),
  /** Size of each dictionary, in bytes. */
  dictionaryBytes: z.array(z.number()),
});

/** Conversation whose messages are in a segment; valid while its file has this size and time. */
export type IndexedFile = Pick<IndexEntry, "id" | "fileBytes" | "fileChangedAtMs">;

/**
 * Dictionaries of a segment, in this order: units, pairs and groups of units, which have lists of messages, or
 * a bit for each message where this is not longer; signs; words of one byte a unit in memory; words and
 * wide units, which take two. The other lists have positions.
 */
const GROUPS = 0;
const SIGNS = 1;
const NARROW_WORDS = 2;
const OTHER_WORDS = 3;

function groupOf(word: string): number {
  return /^[\u0020-\u00ff]*$/.test(word) ? NARROW_WORDS : OTHER_WORDS;
}

/** Separates the id of a message from its text. */
const ID_END = "\0";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Collects conversations and encodes the file. */
export class SegmentBuilder {
  private readonly texts = new ByteBuffer();
  /** For each term the positions or messages at which it occurs. */
  private readonly lists = new NumberLists();
  private readonly terms: string[] = [];
  private readonly groups: number[] = [];
  private readonly tokenIds = new Map<string, number>();
  private readonly shortIds = new ShortTermIds();
  private position = 0;
  private readonly table: z.infer<typeof tableSchema> = {
    ids: [],
    fileBytes: [],
    fileChangedAtMs: [],
    messageCounts: [],
    textBytes: [],
    positionCounts: [],
    dictionaryBytes: [],
  };

  /** Files of the conversations. */
  readonly files: IndexedFile[] = [];

  get count(): number {
    return this.files.length;
  }

  /** Size of the texts, in bytes. */
  get bytes(): number {
    return this.texts.length;
  }

  /** Adds a conversation; its title is the first message. Rejects with the slice's reason. */
  async add(file: IndexedFile, messages: readonly MessageText[], slice: TimeSlice): Promise<void> {
    const { table, texts } = this;
    this.files.push(file);
    table.ids.push(file.id);
    table.fileBytes.push(file.fileBytes);
    table.fileChangedAtMs.push(file.fileChangedAtMs);
    table.messageCounts.push(messages.length);
    for (const { id, original, folded } of messages) {
      const start = texts.length;
      texts.add(encoder.encode(id + ID_END + original));
      table.textBytes.push(texts.length - start);
      const positionBefore = this.position;
      await this.addTokens(folded, slice);
      await this.addShortTerms(folded, table.positionCounts.length, slice);
      this.position += MESSAGE_DISTANCE;
      table.positionCounts.push(this.position - positionBefore);
    }
  }

  /** Encodes the file. Rejects with the slice's reason. */
  async encode(slice: TimeSlice): Promise<Uint8Array> {
    const file = this.texts;
    await this.addGroups(slice);
    const dictionaries: Uint8Array[] = [];
    for (const ids of this.groupedIds()) {
      const parts: string[] = [];
      for (const [at, id] of ids.entries()) {
        parts.push(dictionaryEntry(file.length, this.terms[id]));
        if (this.groups[id] === GROUPS) this.copyMessages(file, id);
        else this.lists.copyTo(file, id);
        const pause = at % TOKENS_PER_STEP === 0 ? slice.pause() : undefined;
        if (pause) await pause;
      }
      parts.push(dictionaryEntry(file.length));
      dictionaries.push(encoder.encode(parts.join("")));
    }
    const listsEnd = file.length;
    for (const dictionary of dictionaries) {
      this.table.dictionaryBytes.push(dictionary.length);
      file.add(dictionary);
    }
    const tableStart = file.length;
    file.add(encoder.encode(JSON.stringify(this.table)));
    const tableEnd = file.length;
    file.addWord(tableStart - listsEnd);
    file.addWord(tableEnd - tableStart);
    return withChecksums(file);
  }

  private async addTokens(folded: string, slice: TimeSlice): Promise<void> {
    let untilPause = TOKENS_PER_STEP;
    for (let start = 0; start < folded.length;) {
      if (folded.charCodeAt(start) === BLANK) {
        this.position++;
        start++;
        continue;
      }
      const end = tokenEnd(folded, start);
      const isOfSign = isSign(folded.charCodeAt(start));
      const term = isOfSign ? signTerm(folded, start) : folded.slice(start, end);
      let id = this.tokenIds.get(term);
      if (id === undefined)
        this.tokenIds.set(term, (id = this.addTerm(term, isOfSign ? SIGNS : groupOf(term))));
      this.lists.add(id, this.position);
      this.position += TOKEN_DISTANCE;
      start = end;
      if (--untilPause > 0) continue;
      untilPause = TOKENS_PER_STEP;
      await slice.pause();
    }
  }

  /** Adds the groups of units whose words have long lists. */
  private async addGroups(slice: TimeSlice): Promise<void> {
    const sizes = new Map<string, number>();
    const ids = Array.from(this.terms.keys()).filter((id) => (this.groups[id] ?? 0) > SIGNS);
    const forEachGroup = async (use: (group: string, id: number) => void) => {
      for (const [at, id] of ids.entries()) {
        const term = this.terms[id] ?? "";
        for (let units = MIN_GROUP_UNITS; units <= MAX_GROUP_UNITS; units++)
          for (let end = units; end <= term.length; end++) use(term.slice(end - units, end), id);
        const pause = at % WORDS_PER_STEP === 0 ? slice.pause() : undefined;
        if (pause) await pause;
      }
    };
    await forEachGroup((group, id) => {
      sizes.set(group, (sizes.get(group) ?? 0) + this.lists.bytesOf(id));
    });
    const words = new Map<string, Set<number>>();
    await forEachGroup((group, id) => {
      if ((sizes.get(group) ?? 0) < MIN_GROUP_BYTES) return;
      const own = words.get(group);
      if (own) own.add(id);
      else words.set(group, new Set([id]));
    });
    const positions = new MessagePositions(this.table.positionCounts);
    for (const [group, own] of words) {
      const messages = new Uint8Array(bitmapBytes(this.table.positionCounts.length));
      for (const id of own) {
        const { numbers, count } = this.lists.numbersOf(id);
        for (let at = 0; at < count; at++) setBit(messages, positions.messageAt(numbers[at] ?? 0));
      }
      const id = this.addTerm(group, GROUPS);
      for (let message = 0; message < this.table.positionCounts.length; message++)
        if (isBitSet(messages, message)) this.lists.add(id, message);
      const pause = slice.pause();
      if (pause) await pause;
    }
  }

  /** Adds the messages of a list to a file: the list, or a bit for each message if this is not longer. */
  private copyMessages(file: ByteBuffer, id: number): void {
    const messages = new Uint8Array(bitmapBytes(this.table.positionCounts.length));
    if (this.lists.bytesOf(id) < messages.length) {
      this.lists.copyTo(file, id);
      return;
    }
    const { numbers, count } = this.lists.numbersOf(id);
    for (let at = 0; at < count; at++) setBit(messages, numbers[at] ?? 0);
    file.add(messages);
  }

  /** Adds the units and pairs of units of a message. */
  private async addShortTerms(folded: string, message: number, slice: TimeSlice): Promise<void> {
    let before = 0;
    for (let at = 0; at < folded.length; at++) {
      const unit = folded.charCodeAt(at);
      if (isNarrow(unit)) {
        this.addShortTerm(unit, 0, message);
        if (before !== 0) this.addShortTerm(before, unit, message);
        before = unit;
      } else before = 0;
      const pause = at % UNITS_PER_STEP === 0 ? slice.pause() : undefined;
      if (pause) await pause;
    }
  }

  private addShortTerm(first: number, second: number, message: number): void {
    let id = this.shortIds.idOf(first, second, this.terms.length);
    if (id === this.terms.length) {
      const text = second === 0 ? [first] : [first, second];
      id = this.addTerm(String.fromCharCode(...text), GROUPS);
    } else if (this.lists.lastOf(id) === message) return;
    this.lists.add(id, message);
  }

  private addTerm(text: string, group: number): number {
    this.terms.push(text);
    this.groups.push(group);
    return this.lists.addList();
  }

  /**
   * Returns the ids of the terms by dictionary, those with short lists first, and then by term. Most words are
   * rare, so all short lists with a text are read at once, and the long ones with the same beginning.
   */
  private groupedIds(): number[][] {
    const groups = Array.from({ length: 4 }, () => Array.from({ length: 2 }, (): number[] => []));
    for (const [id, group] of this.groups.entries()) {
      // A phrase that ends with a sign needs all terms with the same beginning.
      const isLong = group !== SIGNS && this.lists.bytesOf(id) >= MIN_LONG_BYTES;
      groups[group]?.[Number(isLong)]?.push(id);
    }
    const byTerm = (a: number, b: number) =>
      (this.terms[a] ?? "") < (this.terms[b] ?? "") ? -1 : 1;
    return groups.map((sizes) => sizes.flatMap((ids) => ids.sort(byTerm)));
  }
}

/** Row of a conversation that is not in the list. */
const NO_ROW = -1;

/** Reads a segment. */
export class Segment {
  /** First message of each conversation, and the number of messages. */
  private readonly firstMessages: Uint32Array;
  private readonly fileBytes: Float64Array;
  private readonly fileChangedAtMs: Float64Array;
  /** Start of the text of each message, and the end of the last. */
  private readonly textStarts: Uint32Array;
  private readonly positions: MessagePositions;
  private readonly results = new Map<string, Uint8Array>();
  /** Row of each conversation in the list. */
  private readonly rows: Int32Array;
  /** Ids of the conversations without a row. */
  private readonly unlinked: Map<number, string>;

  private constructor(
    private readonly file: CheckedFile,
    table: z.infer<typeof tableSchema>,
    private readonly groups: Dictionary,
    private readonly signs: Dictionary,
    private readonly words: Dictionary,
  ) {
    this.fileBytes = Float64Array.from(table.fileBytes);
    this.fileChangedAtMs = Float64Array.from(table.fileChangedAtMs);
    this.rows = new Int32Array(table.ids.length).fill(NO_ROW);
    this.unlinked = new Map(table.ids.entries());
    this.firstMessages = sums(table.messageCounts);
    this.textStarts = sums(table.textBytes);
    this.positions = new MessagePositions(table.positionCounts);
  }

  /**
   * Opens a file of `bytes` bytes and adds its terms to a vocabulary. Rejects with DamagedFile.
   */
  static async open(
    readRanges: ReadRanges,
    bytes: number,
    vocabulary: Vocabulary,
    slice: TimeSlice,
  ): Promise<Segment> {
    const file = await CheckedFile.open(readRanges, bytes);
    const tableEnd = file.contentBytes - 2 * WORD;
    const footer = await file.read([tableEnd], [file.contentBytes]);
    const sizes = bytesIn(footer.runs, tableEnd, file.contentBytes);
    const tableStart = tableEnd - (wordAt(sizes, WORD) ?? Infinity);
    const start = tableStart - (wordAt(sizes, 0) ?? Infinity);
    footer.release();
    if (!(start >= 0)) throw new DamagedFile("table");
    const { runs, release } = await file.read([start], [tableEnd]);
    const json: unknown = JSON.parse(decoder.decode(bytesIn(runs, tableStart, tableEnd)));
    const table = tableSchema.parse(json);
    let end = start;
    const parts = table.dictionaryBytes.map((size) => bytesIn(runs, end, (end += size)));
    if (parts.length <= SIGNS) throw new DamagedFile("dictionaries");
    const groups = await Dictionary.read(parts.slice(GROUPS, SIGNS), vocabulary, slice);
    const signs = await Dictionary.read(parts.slice(SIGNS, NARROW_WORDS), vocabulary, slice);
    const words = await Dictionary.read(parts.slice(NARROW_WORDS), vocabulary, slice);
    release();
    return new Segment(file, table, groups, signs, words);
  }

  /** Number of conversations. */
  get count(): number {
    return this.rows.length;
  }

  /** Number of messages, with the titles. */
  get messageCount(): number {
    return this.textStarts.length - 1;
  }

  /** Returns the first message of a conversation, its title, and the end (exclusive) of its messages. */
  messagesOf(number: number): readonly [start: number, end: number] {
    return [this.firstMessages[number] ?? 0, this.firstMessages[number + 1] ?? 0];
  }

  /** Returns the size of the texts of a conversation, in bytes. */
  textBytesOf(number: number): number {
    const [from, to] = this.messagesOf(number);
    return (this.textStarts[to] ?? 0) - (this.textStarts[from] ?? 0);
  }

  /** Size of all texts, in bytes. */
  get textBytes(): number {
    return this.textStarts[this.messageCount] ?? 0;
  }

  /** Finds the rows of conversations that had none in the list so far. */
  link(table: EntryTable): void {
    for (const [number, id] of this.unlinked) {
      const row = table.rowOf(id);
      if (row === undefined) continue;
      this.rows[number] = row;
      this.unlinked.delete(number);
    }
  }

  /** Returns the row of a conversation; undefined if it is not in the list. */
  rowOf(number: number): number | undefined {
    const row = this.rows[number];
    return row === NO_ROW ? undefined : row;
  }

  /** Returns the id of a conversation. */
  idOf(number: number, table: EntryTable): string {
    return this.unlinked.get(number) ?? table.id(this.rows[number] ?? 0);
  }

  /** True if the messages of a conversation are from the file of this entry. */
  isUpToDate(number: number, table: EntryTable, row: number): boolean {
    return table.isOfFile(row, this.fileBytes[number], this.fileChangedAtMs[number]);
  }

  /** Returns the size and time of the file that the messages of a conversation are from. */
  indexedFile(number: number): Omit<IndexedFile, "id"> {
    return {
      fileBytes: this.fileBytes[number] ?? -1,
      fileChangedAtMs: this.fileChangedAtMs[number] ?? -1,
    };
  }

  /** Returns a bit for each message: 1 if it contains the term. Rejects with DamagedFile. */
  async messagesWith(term: string): Promise<Uint8Array> {
    const known = this.results.get(term);
    if (known) return known;
    const messages = new Uint8Array(bitmapBytes(this.messageCount));
    const list = this.groups.listOf(term);
    if (isShort(term) || list.bytes > 0) {
      const { runs, release } = await this.file.read(list.starts, list.ends);
      forEachList({ ...list, runs }, (bytes, start, end) => {
        if (end - start === messages.length) {
          messages.set(bytes.subarray(start, end));
          return;
        }
        const { numbers, count } = decodeNumbers(bytes, start, end);
        for (let at = 0; at < count; at++) setBit(messages, numbers[at] ?? 0);
      });
      release();
    } else await this.findPieces(term, messages);
    this.results.set(term, messages);
    for (const oldest of this.results.keys()) {
      if (this.results.size <= MAX_RESULTS) break;
      this.results.delete(oldest);
    }
    return messages;
  }

  /** Reads the ids and texts of messages, given in ascending order. Rejects with DamagedFile. */
  async readMessages(numbers: readonly number[]): Promise<{ id: string; original: string }[]> {
    const { textStarts } = this;
    const starts = numbers.map((number) => textStarts[number] ?? 0);
    const ends = numbers.map((number) => textStarts[number + 1] ?? 0);
    const { runs, release } = await this.file.read(starts, ends);
    const messages = starts.map((start, at) => {
      const text = decoder.decode(bytesIn(runs, start, ends[at] ?? 0));
      const end = text.indexOf(ID_END);
      return { id: text.slice(0, end), original: text.slice(end + 1) };
    });
    release();
    return messages;
  }

  /** Finds the messages in which the tokens of a term follow each other. */
  private async findPieces(term: string, messages: Uint8Array): Promise<void> {
    const pieces = piecesOf(term)
      .map((piece) => ({ ...piece, lists: (piece.isSign ? this.signs : this.words).find(piece) }))
      .sort((a, b) => a.lists.bytes - b.lists.bytes);
    if (pieces.some(({ lists }) => lists.bytes === 0)) return;
    const [first, ...others] = pieces.map(({ lists }) => lists);
    const sorted = (side: "starts" | "ends") =>
      others.length === 0
        ? (first?.[side] ?? [])
        : Uint32Array.from(pieces.flatMap(({ lists }) => lists[side])).sort();
    const { runs, release } = await this.file.read(sorted("starts"), sorted("ends"));
    const read = pieces.map(({ lists }) => ({ ...lists, runs }));
    this.matchPieces(pieces, read, messages);
    release();
  }

  /** Finds the messages in which the pieces of a term, those with few positions first, have their distances. */
  private matchPieces(
    pieces: readonly Pick<Piece, "distance">[],
    read: readonly ReadLists[],
    messages: Uint8Array,
  ): void {
    const last = read.at(-1);
    const distanceOfLast = pieces.at(-1)?.distance ?? 0;
    if (last === undefined) return;
    /** Positions at which all pieces so far are at their distance. */
    let starts: Uint8Array | undefined;
    for (const [number, lists] of read.slice(0, -1).entries()) {
      const { distance = 0 } = pieces[number] ?? {};
      const before = starts;
      const found = clearedBitmap(number % 2, bitmapBytes(this.positions.end));
      let foundCount = 0;
      forEachList(lists, (bytes, listStart, end) => {
        const { numbers, count } = decodeNumbers(bytes, listStart, end);
        for (let at = 0; at < count; at++) {
          const start = (numbers[at] ?? 0) - distance;
          if (start < 0 || (before && !isBitSet(before, start))) continue;
          setBit(found, start);
          foundCount++;
        }
      });
      if (foundCount === 0) return;
      starts = found;
    }
    forEachList(last, (bytes, listStart, listEnd) => {
      let end = 0;
      const { numbers, count } = decodeNumbers(bytes, listStart, listEnd);
      for (let at = 0; at < count; at++) {
        const position = numbers[at] ?? 0;
        if (position < end || (starts && !isBitSet(starts, position - distanceOfLast))) continue;
        const message = this.positions.messageAt(position);
        setBit(messages, message);
        end = this.positions.endOf(message);
      }
    });
  }
}

/** Lists with their bytes, and perhaps those of others. */
type ReadLists = TermLists & Pick<ReadParts, "runs">;

/** Calls `use` with the bytes of each list: from `start` to `end` (exclusive). */
function forEachList(
  { starts, ends, runs }: ReadLists,
  use: (bytes: Uint8Array, start: number, end: number) => void,
): void {
  let run = 0;
  for (let at = 0; at < starts.length; at++) {
    const start = starts[at] ?? 0;
    const end = ends[at] ?? 0;
    while (end > endOf(runs[run])) run++;
    const { start: runStart = 0, bytes = new Uint8Array() } = runs[run] ?? {};
    use(bytes, start - runStart, end - runStart);
  }
}

function bitmapBytes(bits: number): number {
  return (bits + 7) >> 3;
}

/** Divisor of a bitmap's size, so that one for a slightly larger segment is not created again. */
const BITMAP_UNIT = 1024 * 1024;

/** Bitmaps of positions, used again: creating them takes longer than most searches. */
const bitmaps: Uint8Array[] = [];

/** Returns a bitmap that is valid until the caller awaits something. */
function clearedBitmap(number: number, bytes: number): Uint8Array {
  const bitmap = bitmaps[number];
  if (bitmap && bitmap.length >= bytes) return bitmap.fill(0, 0, bytes);
  return (bitmaps[number] = new Uint8Array(Math.ceil(bytes / BITMAP_UNIT) * BITMAP_UNIT));
}

function bytesIn(runs: readonly Run[], start: number, end: number): Uint8Array {
  const run = runs.find((run) => run.start <= start && endOf(run) >= end);
  return run ? run.bytes.subarray(start - run.start, end - run.start) : new Uint8Array();
}
