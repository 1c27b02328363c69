/**
 * Entries of all conversations in columns: 100,000 objects with their strings take twice the memory and
 * twice the time to read. A row is the number of an entry and stays the same until the entry is removed;
 * the row of a removed entry is not used again.
 */
import { concatBytes } from "../base/concatBytes";
import { hashOf } from "./byteBuffer";
import type { IndexEntry } from "./indexEntry";

const FIRST_CAPACITY = 1_024;

/** Title length of an entry without a title. */
const NO_TITLE = 0xffff_ffff;

/** Workspace number of an entry without a workspace. */
const NO_WORKSPACE = 0xffff_ffff;

const PINNED = 1;
const UNREADABLE = 2;
const REMOVED = 4;

/** Maximum length of an id, which is ASCII; see `isSafeId`. */
const MAX_ID_BYTES = 64;

/** Columns of 64-bit numbers. The time of deletion is NaN outside the bin. */
export const NUMBERS = [
  "createdAtMs",
  "changedAtMs",
  "deletedAtMs",
  "fileBytes",
  "fileChangedAtMs",
] as const;

/** Columns of 32-bit numbers: counts, lengths, and positions in the lists of workspaces and models. */
export const COUNTS = [
  "messageCount",
  "pictureCount",
  "damagedRecords",
  "newerRecords",
  "workspace",
  "modelCodes",
  "idBytes",
  "titleBytes",
] as const;

export type NumberColumns = Record<(typeof NUMBERS)[number], Float64Array>;
export type CountColumns = Record<(typeof COUNTS)[number], Uint32Array>;

/** Columns of some rows, each as long as `flags`, and their ids and titles one behind the other. */
export interface EntryColumns {
  readonly numbers: Readonly<NumberColumns>;
  readonly counts: Readonly<CountColumns>;
  readonly flags: Uint8Array;
  /** Names that `counts.workspace` numbers. */
  readonly workspaces: readonly string[];
  /** Lists that `counts.modelCodes` numbers, in the order of the first reply. */
  readonly modelLists: readonly (readonly string[])[];
  /** UTF-8 of the id and the title of each row. */
  readonly text: Uint8Array;
}

/** Creates the columns of 64-bit numbers. */
export function numberColumns(create: () => Float64Array): NumberColumns {
  return Object.fromEntries(NUMBERS.map((name) => [name, create()])) as NumberColumns;
}

/** Creates the columns of counts. */
export function countColumns(create: () => Uint32Array): CountColumns {
  return Object.fromEntries(COUNTS.map((name) => [name, create()])) as CountColumns;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Distinct values of a column, which has their numbers. */
class NumberedValues<T> {
  readonly all: T[] = [];
  private readonly numbers = new Map<string, number>();

  numberOf(value: T): number {
    const key = JSON.stringify(value);
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.numbers.set(key, this.all.length);
    return this.all.push(value) - 1;
  }
}

/** All entries by row. Methods for one field of a row exist because reading a whole entry is slow. */
export class EntryTable {
  private numbers = numberColumns(() => new Float64Array(FIRST_CAPACITY));
  private counts = countColumns(() => new Uint32Array(FIRST_CAPACITY));
  private flags = new Uint8Array(FIRST_CAPACITY);
  /** Start of the id in `text`. */
  private textStarts = new Uint32Array(FIRST_CAPACITY);
  private text = new Uint8Array(FIRST_CAPACITY * 64);
  private textLength = 0;
  private readonly workspaces = new NumberedValues<string>();
  private readonly modelLists = new NumberedValues<readonly string[]>();
  /** Hash table of ids with linear probing: row + 1, or 0. At most half full. */
  private slots = new Int32Array(FIRST_CAPACITY * 4);
  /** Number of rows, including removed ones. */
  private usedRows = 0;
  /** Number of rows that are not removed. */
  private liveRows = 0;
  /** Buffer of the id in `rowOf`, so that finding a row allocates nothing. */
  private readonly soughtId = new Uint8Array(MAX_ID_BYTES);

  /** Number of entries. */
  get size(): number {
    return this.liveRows;
  }

  /** Number of rows, including removed ones. */
  get rowCount(): number {
    return this.usedRows;
  }

  /** Returns the row of an entry; undefined if there is none. */
  rowOf(id: string): number | undefined {
    if (id.length > MAX_ID_BYTES) return undefined;
    for (let at = 0; at < id.length; at++) this.soughtId[at] = id.charCodeAt(at);
    const row = (this.slots[this.slotOf(this.soughtId, 0, id.length)] ?? 0) - 1;
    return row === -1 || this.isRemoved(row) ? undefined : row;
  }

  isRemoved(row: number): boolean {
    return (this.flagsOf(row) & REMOVED) !== 0;
  }

  isPinned(row: number): boolean {
    return (this.flagsOf(row) & PINNED) !== 0;
  }

  isUnreadable(row: number): boolean {
    return (this.flagsOf(row) & UNREADABLE) !== 0;
  }

  isDeleted(row: number): boolean {
    return !Number.isNaN(this.numbers.deletedAtMs[row]);
  }

  changedAtMs(row: number): number {
    return this.numbers.changedAtMs[row] ?? 0;
  }

  fileBytes(row: number): number {
    return this.numbers.fileBytes[row] ?? 0;
  }

  damagedRecords(row: number): number {
    return this.counts.damagedRecords[row] ?? 0;
  }

  messageCount(row: number): number {
    return this.counts.messageCount[row] ?? 0;
  }

  /** True if the entry was created from a file with this size and time. */
  isOfFile(row: number, bytes: number | undefined, changedAtMs: number | undefined): boolean {
    const { fileBytes, fileChangedAtMs } = this.numbers;
    return fileBytes[row] === bytes && fileChangedAtMs[row] === changedAtMs;
  }

  /** True if the entry was created in this workspace, or in an unknown one: its record is damaged. */
  isOf(row: number, workspace: string): boolean {
    if (this.numbers.createdAtMs[row] === 0) return true;
    return this.workspaces.all[this.counts.workspace[row] ?? NO_WORKSPACE] === workspace;
  }

  id(row: number): string {
    const start = this.textStarts[row] ?? 0;
    return decoder.decode(this.text.subarray(start, start + (this.counts.idBytes[row] ?? 0)));
  }

  title(row: number): string | undefined {
    const length = this.counts.titleBytes[row] ?? NO_TITLE;
    if (length === NO_TITLE) return undefined;
    const start = (this.textStarts[row] ?? 0) + (this.counts.idBytes[row] ?? 0);
    return decoder.decode(this.text.subarray(start, start + length));
  }

  entry(row: number): IndexEntry {
    const { numbers, counts } = this;
    const number = (key: keyof typeof numbers) => numbers[key][row] ?? 0;
    const count = (key: keyof typeof counts) => counts[key][row] ?? 0;
    const title = this.title(row);
    const workspace = this.workspaces.all[count("workspace")];
    return {
      id: this.id(row),
      ...(title !== undefined && { title }),
      ...(workspace !== undefined && { workspace }),
      createdAtMs: number("createdAtMs"),
      changedAtMs: number("changedAtMs"),
      messageCount: count("messageCount"),
      modelCodes: this.modelLists.all[count("modelCodes")] ?? [],
      pictureCount: count("pictureCount"),
      isPinned: this.isPinned(row),
      ...(this.isDeleted(row) && { deletedAtMs: number("deletedAtMs") }),
      damagedRecords: count("damagedRecords"),
      newerRecords: count("newerRecords"),
      isUnreadable: this.isUnreadable(row),
      fileBytes: number("fileBytes"),
      fileChangedAtMs: number("fileChangedAtMs"),
    };
  }

  /** Adds or replaces the entry of an id. Returns its row. */
  set(entry: IndexEntry): number {
    const { id, title, workspace } = entry;
    const known = this.rowOf(id);
    const row = known ?? this.addRow();
    const { numbers, counts } = this;
    numbers.createdAtMs[row] = entry.createdAtMs;
    numbers.changedAtMs[row] = entry.changedAtMs;
    numbers.deletedAtMs[row] = entry.deletedAtMs ?? NaN;
    numbers.fileBytes[row] = entry.fileBytes;
    numbers.fileChangedAtMs[row] = entry.fileChangedAtMs;
    counts.messageCount[row] = entry.messageCount;
    counts.pictureCount[row] = entry.pictureCount;
    counts.damagedRecords[row] = entry.damagedRecords;
    counts.newerRecords[row] = entry.newerRecords;
    counts.workspace[row] =
      workspace === undefined ? NO_WORKSPACE : this.workspaces.numberOf(workspace);
    counts.modelCodes[row] = this.modelLists.numberOf(entry.modelCodes);
    this.flags[row] = (entry.isPinned ? PINNED : 0) | (entry.isUnreadable ? UNREADABLE : 0);
    // A replaced title stays in memory until the window closes.
    if (known === undefined || this.title(row) !== title) this.setText(row, id, title);
    if (known === undefined) this.link(row);
    return row;
  }

  /** Adds the rows whose ids the table does not have. Returns the new rows. */
  addColumns(columns: EntryColumns): number[] {
    const { flags } = columns;
    const workspaces = columns.workspaces.map((name) => this.workspaces.numberOf(name));
    const modelLists = columns.modelLists.map((list) => this.modelLists.numberOf(list));
    const textStart = this.textLength;
    this.reserveText(columns.text.length);
    this.text.set(columns.text, textStart);
    this.textLength += columns.text.length;
    const added: number[] = [];
    /** Index in `columns` of each added row. */
    const sources: number[] = [];
    let start = textStart;
    for (let from = 0; from < flags.length; from++) {
      const idBytes = columns.counts.idBytes[from] ?? 0;
      const known = (this.slots[this.slotOf(this.text, start, idBytes)] ?? 0) - 1;
      if (known === -1 || this.isRemoved(known)) {
        const row = this.addRow();
        this.textStarts[row] = start;
        this.counts.idBytes[row] = idBytes;
        this.link(row);
        added.push(row);
        sources.push(from);
      }
      start += textBytesOf(columns.counts, from);
    }
    // Column by column, because that takes a tenth of the time of row by row.
    for (const key of NUMBERS) copyRows(columns.numbers[key], sources, this.numbers[key], added);
    for (const key of COUNTS) copyRows(columns.counts[key], sources, this.counts[key], added);
    copyRows(flags, sources, this.flags, added);
    const { workspace, modelCodes } = this.counts;
    for (const row of added) {
      workspace[row] = workspaces[workspace[row] ?? 0] ?? NO_WORKSPACE;
      modelCodes[row] = modelLists[modelCodes[row] ?? 0] ?? 0;
    }
    return added;
  }

  /** Returns copies of the columns of some rows. */
  columnsOf(rows: readonly number[]): EntryColumns {
    const numbers = numberColumns(() => new Float64Array(rows.length));
    const counts = countColumns(() => new Uint32Array(rows.length));
    const flags = new Uint8Array(rows.length);
    const workspaces = new NumberedValues<string>();
    const modelLists = new NumberedValues<readonly string[]>();
    const texts: Uint8Array[] = [];
    for (const [to, row] of rows.entries()) {
      for (const key of NUMBERS) numbers[key][to] = this.numbers[key][row] ?? 0;
      for (const key of COUNTS) counts[key][to] = this.counts[key][row] ?? 0;
      const name = this.workspaces.all[this.counts.workspace[row] ?? NO_WORKSPACE];
      counts.workspace[to] = name === undefined ? NO_WORKSPACE : workspaces.numberOf(name);
      const list = this.modelLists.all[this.counts.modelCodes[row] ?? 0] ?? [];
      counts.modelCodes[to] = modelLists.numberOf(list);
      flags[to] = this.flagsOf(row);
      const start = this.textStarts[row] ?? 0;
      texts.push(this.text.subarray(start, start + textBytesOf(counts, to)));
    }
    return {
      numbers,
      counts,
      flags,
      workspaces: workspaces.all,
      modelLists: modelLists.all,
      text: concatBytes(texts),
    };
  }

  /** Removes an entry. */
  remove(row: number): void {
    if (this.isRemoved(row)) return;
    this.flags[row] = REMOVED;
    this.liveRows--;
  }

  private flagsOf(row: number): number {
    return this.flags[row] ?? 0;
  }

  private addRow(): number {
    if (this.usedRows === this.flags.length) this.grow();
    this.liveRows++;
    return this.usedRows++;
  }

  private grow(): void {
    const capacity = 2 * this.usedRows;
    const numbers = numberColumns(() => new Float64Array(capacity));
    for (const key of NUMBERS) numbers[key].set(this.numbers[key]);
    const counts = countColumns(() => new Uint32Array(capacity));
    for (const key of COUNTS) counts[key].set(this.counts[key]);
    this.numbers = numbers;
    this.counts = counts;
    const flags = new Uint8Array(capacity);
    flags.set(this.flags);
    this.flags = flags;
    const textStarts = new Uint32Array(capacity);
    textStarts.set(this.textStarts);
    this.textStarts = textStarts;
    this.slots = new Int32Array(4 * capacity);
    for (let row = 0; row < this.usedRows; row++) if (!this.isRemoved(row)) this.link(row);
  }

  private reserveText(more: number): void {
    const needed = this.textLength + more;
    if (needed <= this.text.length) return;
    const text = new Uint8Array(Math.max(needed, 1.5 * this.text.length));
    text.set(this.text.subarray(0, this.textLength));
    this.text = text;
  }

  private setText(row: number, id: string, title: string | undefined): void {
    const idBytes = encoder.encode(id);
    const titleBytes = title === undefined ? undefined : encoder.encode(title);
    this.reserveText(idBytes.length + (titleBytes?.length ?? 0));
    this.textStarts[row] = this.textLength;
    this.counts.idBytes[row] = idBytes.length;
    this.counts.titleBytes[row] = titleBytes?.length ?? NO_TITLE;
    for (const bytes of [idBytes, titleBytes ?? new Uint8Array()]) {
      this.text.set(bytes, this.textLength);
      this.textLength += bytes.length;
    }
  }

  /** Adds a row to the hash table, instead of a removed row of the same id. */
  private link(row: number): void {
    const start = this.textStarts[row] ?? 0;
    this.slots[this.slotOf(this.text, start, this.counts.idBytes[row] ?? 0)] = row + 1;
  }

  /** Returns the slot of an id in `bytes`, or the free slot for it. */
  private slotOf(bytes: Uint8Array, start: number, length: number): number {
    const { slots, text, textStarts, counts } = this;
    const mask = slots.length - 1;
    for (let slot = hashOf(bytes, start, start + length) & mask; ; slot = (slot + 1) & mask) {
      const row = (slots[slot] ?? 0) - 1;
      if (row === -1) return slot;
      if (counts.idBytes[row] !== length) continue;
      const other = textStarts[row] ?? 0;
      let at = 0;
      while (at < length && bytes[start + at] === text[other + at]) at++;
      if (at === length) return slot;
    }
  }
}

/** Returns the bytes of the id and the title of a row. */
export function textBytesOf({ idBytes, titleBytes }: CountColumns, row: number): number {
  const title = titleBytes[row] ?? NO_TITLE;
  return (idBytes[row] ?? 0) + (title === NO_TITLE ? 0 : title);
}

/** Copies values of a column: from the row `sources[n]` to the row `rows[n]` for each n. */
function copyRows(
  from: Float64Array | Uint32Array | Uint8Array,
  sources: readonly number[],
  to: Float64Array | Uint32Array | Uint8Array,
  rows: readonly number[],
): void {
  for (let at = 0; at < rows.length; at++) to[rows[at] ?? 0] = from[sources[at] ?? 0] ?? 0;
}
