/**
 * What the journal needs of a disk. The host gives a real one; tests give one that fails or dies
 * at a chosen call. Paths are relative to the history's folder, with `/` between names.
 */
export interface FileSystem {
  /** The whole file, or undefined where there is none. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Adds to the end of the file (made, with its folders, if absent); on disk once resolved. */
  append(path: string, bytes: Uint8Array): Promise<void>;
  /** Puts a whole file in place: after a crash there is the old one or the new one. */
  replace(path: string, bytes: Uint8Array): Promise<void>;
  /** Removes a file; harmless where there is none. */
  remove(path: string): Promise<void>;
  /** Names of the files in a folder; empty where there is none. */
  list(folder: string): Promise<readonly string[]>;
}
