/**
 * File-system port of the history. Paths are relative to the history's folder, with `/` as separator.
 */

export interface FileStat {
  readonly bytes: number;
  /** Modification time, in whole milliseconds since the Unix epoch. */
  readonly changedAtMs: number;
}

/** A folder on disk. Every call rejects with the platform's error. */
export interface FileSystem {
  /** Reads a whole file; undefined if there is none. */
  read(path: string): Promise<Uint8Array | undefined>;
  /**
   * Reads ranges of a file, each with its start and end (exclusive) in bytes; undefined if there is no
   * file. A range beyond the end of the file is shorter or empty. `allocate` may be called for the bytes
   * of all ranges together.
   */
  readRanges(
    path: string,
    ranges: readonly (readonly [start: number, end: number])[],
    allocate?: (bytes: number) => Uint8Array,
  ): Promise<Uint8Array[] | undefined>;
  /**
   * Appends to a file and creates it with its folders if absent. Resolves with the previous size
   * once the bytes are on disk. The bytes of a call are never interleaved with another process's.
   */
  append(path: string, bytes: Uint8Array): Promise<number>;
  /** Writes a whole file atomically: after a crash there is the old file or the new file. */
  replace(path: string, bytes: Uint8Array): Promise<void>;
  /**
   * Fills ranges of a file, each with its start and end (exclusive) in bytes, with one byte after the other;
   * a process that ends may leave any of them, or only a part. `content` is the file as it was read. The size
   * stays, and what other processes appended since is kept. Resolves with
   * false if the ranges have other bytes than in `content`, or have them again; the caller then reads the
   * file again. Harmless if there is no file.
   */
  fill(
    path: string,
    content: Uint8Array,
    ranges: readonly (readonly [start: number, end: number])[],
    fillBytes: readonly number[],
  ): Promise<boolean>;
  /** Removes a file; harmless if there is none. */
  remove(path: string): Promise<void>;
  /** Lists the names in a folder ("" is the root); empty if there is no such folder. */
  list(folder: string): Promise<readonly string[]>;
  /** Returns size and modification time of a file; undefined if there is none. */
  stat(path: string): Promise<FileStat | undefined>;
}
