/**
 * The texts the search has in memory, never more than it may have: when there is no room, a newer
 * conversation takes the place of older ones.
 */
import type { IndexEntry } from "./indexEntry";
import type { SearchText } from "./searchText";

interface Kept {
  readonly text: SearchText;
  readonly entry: IndexEntry;
}

/** Texts by conversation, each believed only for the file it was read from. */
export class SearchTexts {
  private readonly kept = new Map<string, Kept>();
  private used = 0;
  private wasRefused = false;

  constructor(private readonly maxBytes: number) {}

  get usedBytes(): number {
    return this.used;
  }

  /** True once a text found no room. */
  get isFull(): boolean {
    return this.wasRefused;
  }

  /** The text of a conversation; undefined if it is not here or its file has changed. */
  get(entry: IndexEntry): SearchText | undefined {
    const kept = this.kept.get(entry.id);
    if (kept === undefined) return undefined;
    const isSame =
      kept.entry.fileBytes === entry.fileBytes &&
      kept.entry.fileChangedAtMs === entry.fileChangedAtMs;
    return isSame ? kept.text : undefined;
  }

  /** Keeps a text where there is room for it, making some at the cost of older conversations. */
  keep(entry: IndexEntry, text: SearchText): void {
    this.remove(entry.id);
    while (this.used + text.memoryBytes > this.maxBytes) {
      const oldest = this.oldest();
      if (oldest === undefined || oldest.changedAtMs >= entry.changedAtMs) {
        this.wasRefused = true;
        return;
      }
      this.wasRefused = true;
      this.remove(oldest.id);
    }
    this.kept.set(entry.id, { text, entry });
    this.used += text.memoryBytes;
  }

  /** Lets go of every text whose conversation is no longer there. */
  keepOnly(isThere: (conversationId: string) => boolean): void {
    for (const id of [...this.kept.keys()]) if (!isThere(id)) this.remove(id);
  }

  private remove(id: string): void {
    this.used -= this.kept.get(id)?.text.memoryBytes ?? 0;
    this.kept.delete(id);
  }

  private oldest(): IndexEntry | undefined {
    let oldest: IndexEntry | undefined;
    for (const { entry } of this.kept.values()) {
      if (oldest === undefined || entry.changedAtMs < oldest.changedAtMs) oldest = entry;
    }
    return oldest;
  }
}
