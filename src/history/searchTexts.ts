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

/** Texts by conversation; a text is valid only for the unchanged file. */
export class SearchTexts {
  private readonly cached = new Map<string, CachedText>();
  private currentBytes = 0;
  private hasOverflowed = false;

  constructor(private readonly maxBytes: number) {}

  get usedBytes(): number {
    return this.currentBytes;
  }

  /** True once a text did not fit. */
  get isFull(): boolean {
    return this.hasOverflowed;
  }

  /** Returns the text of a conversation; undefined if absent or out of date. */
  get(entry: IndexEntry): SearchText | undefined {
    const kept = this.cached.get(entry.id);
    if (kept === undefined) return undefined;
    const isSame =
      kept.entry.fileBytes === entry.fileBytes &&
      kept.entry.fileChangedAtMs === entry.fileChangedAtMs;
    return isSame ? kept.text : undefined;
  }

  /** Adds a text if it fits, after removing texts of older conversations. */
  keep(entry: IndexEntry, text: SearchText): void {
    this.remove(entry.id);
    while (this.currentBytes + text.memoryBytes > this.maxBytes) {
      const oldest = this.oldest();
      if (oldest === undefined || oldest.changedAtMs >= entry.changedAtMs) {
        this.hasOverflowed = true;
        return;
      }
      this.hasOverflowed = true;
      this.remove(oldest.id);
    }
    this.cached.set(entry.id, { text, entry });
    this.currentBytes += text.memoryBytes;
  }

  /** Removes the texts of conversations that no longer exist. */
  keepOnly(exists: (conversationId: string) => boolean): void {
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
