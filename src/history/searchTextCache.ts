/**
 * Cache of searchable texts with a memory limit. When the cache is full, a newer conversation replaces
 * older ones.
 */
import type { IndexEntry } from "./indexEntry";
import type { SearchText } from "./searchText";

interface CachedText {
  readonly text: SearchText;
  readonly entry: IndexEntry;
}

/** Texts by conversation; valid only while the conversation's file is unchanged. */
export class SearchTextCache {
  private readonly cached = new Map<string, CachedText>();
  private currentBytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** Approximate memory of all texts, in bytes. */
  get usedBytes(): number {
    return this.currentBytes;
  }

  /** Returns the text of a conversation; undefined if absent or out of date. */
  get(entry: IndexEntry): SearchText | undefined {
    const cached = this.cached.get(entry.id);
    const isUpToDate =
      cached?.entry.fileBytes === entry.fileBytes &&
      cached.entry.fileChangedAtMs === entry.fileChangedAtMs;
    return isUpToDate ? cached.text : undefined;
  }

  /** Adds a text if it fits, after removing texts of older conversations. */
  add(entry: IndexEntry, text: SearchText): void {
    this.remove(entry.id);
    while (this.currentBytes + text.memoryBytes > this.maxBytes) {
      const oldest = this.oldest();
      if (oldest === undefined || oldest.changedAtMs >= entry.changedAtMs) return;
      this.remove(oldest.id);
    }
    this.cached.set(entry.id, { text, entry });
    this.currentBytes += text.memoryBytes;
  }

  /** Removes the texts of conversations that do not exist. */
  removeUnless(exists: (conversationId: string) => boolean): void {
    for (const id of [...this.cached.keys()]) if (!exists(id)) this.remove(id);
  }

  private remove(id: string): void {
    this.currentBytes -= this.cached.get(id)?.text.memoryBytes ?? 0;
    this.cached.delete(id);
  }

  private oldest(): IndexEntry | undefined {
    let oldest: IndexEntry | undefined;
    for (const { entry } of this.cached.values()) {
      if (oldest === undefined || entry.changedAtMs < oldest.changedAtMs) oldest = entry;
    }
    return oldest;
  }
}
