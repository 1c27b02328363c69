/** Index of the conversations and their texts, which is built from the files and can be deleted. */
export interface DerivedIndex {
  /** Returns the ids of the conversations in the bin, after a check of every file. */
  binnedIds(): Promise<string[]>;
  /**
   * Returns the ids of the conversations, in the bin or not, that are not pinned and did not change since
   * a time, after a check of every file.
   */
  unchangedIds(sinceMs: number): Promise<string[]>;
  /**
   * Removes conversations that were removed for ever, and the former texts of changed ones. Resolves when
   * no file has any of these; rejects as the file system.
   */
  removeForever(ids: ReadonlySet<string>): Promise<void>;
  /** Removes all outdated texts, at most once a day. Rejects as the file system. */
  cleanUp(): Promise<void>;
  /** Writes what is pending, before the window closes. Never rejects. */
  flush(): Promise<void>;
}
