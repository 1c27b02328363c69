/**
 * Reads the searchable texts of conversations: from the search index, from memory, or from the file of a
 * conversation that the index does not have.
 */
import type { EntryTable } from "./entryTable";
import type { FileSystem } from "./fileSystem";
import { readConversation } from "./readConversation";
import { readConversationFiles } from "./readConversationFiles";
import type { SearchIndex } from "./searchIndex";
import type { SearchSegment } from "./searchSegment";
import { SearchText } from "./searchText";
import { SearchTextCache } from "./searchTextCache";
import type { TimeSlice } from "./timeSlice";

export class SearchTextReader {
  /** Texts that the search index does not have. */
  private readonly cache: SearchTextCache;

  constructor(
    private readonly files: FileSystem,
    private readonly table: EntryTable,
    private readonly searchIndex: SearchIndex,
    maxMemoryBytes: number,
  ) {
    this.cache = new SearchTextCache(maxMemoryBytes);
  }

  /** Approximate memory of the cached texts, in bytes. */
  get memoryBytes(): number {
    return this.cache.usedBytes;
  }

  /** Removes the cached texts of conversations that no longer exist. */
  removeObsolete(): void {
    this.cache.removeUnless((id) => this.table.rowOf(id) !== undefined);
  }

  /** Yields texts in any order: those in memory and in the search index, then those in files. */
  async *read(
    rows: readonly number[],
    slice: TimeSlice,
  ): AsyncGenerator<readonly [row: number, SearchText], void, void> {
    const { table } = this;
    const unread = new Map<string, number>();
    const reads = [...this.groupBySegment(rows)].map(([segment, group]) => {
      const numbers = group.map((row) => this.searchIndex.documentNumberOf(row));
      return { group, reading: segment && this.searchIndex.readTexts(segment, numbers) };
    });
    for (const { group, reading } of reads) {
      const texts = await reading;
      for (const [at, row] of group.entries()) {
        const text = texts ? texts[at] : this.cache.get(table.entry(row));
        if (text) yield [row, text];
        else unread.set(table.id(row), row);
        const pause = slice.pause();
        if (pause) await pause;
      }
    }
    for await (const [id, file] of readConversationFiles(this.files, [...unread.keys()])) {
      const row = unread.get(id);
      const pause = slice.pause();
      if (pause) await pause;
      // The list of conversations reports missing and unreadable files.
      if (row === undefined || file.kind !== "read") continue;
      const { conversation } = await readConversation(id, file.bytes, slice);
      const text = await SearchText.of(conversation, slice);
      const { bytes: fileBytes, changedAtMs: fileChangedAtMs } = file.stat;
      this.cache.add({ ...table.entry(row), fileBytes, fileChangedAtMs }, text);
      yield [row, text];
    }
  }

  private groupBySegment(rows: readonly number[]): Map<SearchSegment | undefined, number[]> {
    const groups = new Map<SearchSegment | undefined, number[]>();
    for (const row of rows) {
      const segment = this.searchIndex.segmentOf(row);
      const group = groups.get(segment);
      if (group) group.push(row);
      else groups.set(segment, [row]);
    }
    return groups;
  }
}
