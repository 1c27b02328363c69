/**
 * What the journal needs of a disk. The host gives a real one; tests give one that fails or dies
 * at a chosen call. Paths are relative to the history's folder, with `/` between names.
 */

/** What is known of a file without reading it. */
export interface FileFacts {
  readonly bytes: number;
  /** When it last changed, whole milliseconds since the Unix epoch. */
  readonly changedAtMs: number;
}

/** A folder on some disk. Every call rejects with what the disk says when it fails. */
export interface FileSystem {
  /** The whole file, or undefined where there is none. */
  read(path: string): Promise<Uint8Array | undefined>;
  /**
   * Adds to the end of the file (made, with its folders, if absent); on disk once resolved, with
   * the bytes the file held before. Two processes never mix their bytes within one call.
   */
  append(path: string, bytes: Uint8Array): Promise<number>;
  /** Puts a whole file in place: after a crash there is the old one or the new one. */
  replace(path: string, bytes: Uint8Array): Promise<void>;
  /** Removes a file; harmless where there is none. */
  remove(path: string): Promise<void>;
  /** Names of what lies in a folder ("" is the outermost); empty where there is none. */
  list(folder: string): Promise<readonly string[]>;
  /** Size and time of a file; undefined where there is none. */
  facts(path: string): Promise<FileFacts | undefined>;
}
