/**
 * Disks without append, where a write that is cut off leaves a part of the file. In memory with faults
 * and random delays, or a real folder.
 */
import { mkdirSync } from "node:fs";
import * as fs from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemClock } from "../../../src/base/clock";
import { segmentedFiles, type WholeFiles } from "../../../src/history/journalSegments";
import type { FileSystem } from "../../../src/history/fileSystem";
import { nodeFileSystem, type FileCalls } from "../../../src/host/node/nodeFileSystem";
import { MemoryFileSystem } from "./memoryFileSystem";
import type { Random } from "./seeded";

/** Files in memory; each window opens its own file system on them. */
export class WholeFileDisk extends MemoryFileSystem {
  /** Sizes of all written files, in bytes. */
  readonly writtenBytes: number[] = [];
  /** Waits before and within calls, so that those of several windows mix. */
  random: Random | undefined;
  hasSizes = true;

  openWindow(): FileSystem {
    return segmentedFiles(this.wholeFiles(), { ...systemClock, nowMs: () => this.nowMs() });
  }

  private wholeFiles(): WholeFiles {
    const delayed = async <T>(call: () => Promise<T>): Promise<T> => {
      for (let turns = this.random?.(4) ?? 0; turns > 0; turns--)
        await new Promise((resolve) => setImmediate(resolve));
      return call();
    };
    return {
      read: (path) => delayed(() => this.read(path)),
      remove: (path) => delayed(() => this.remove(path)),
      list: (folder) => delayed(() => this.list(folder)),
      write: async (path, bytes) => {
        this.writtenBytes.push(bytes.length);
        // Other windows see a file that is being written.
        if (this.random)
          await delayed(() => this.writePart(path, bytes, this.random?.(bytes.length + 1)));
        await delayed(() => this.writePart(path, bytes, undefined));
      },
      stat: async (path) => {
        const stat = await delayed(() => this.stat(path));
        return stat && (this.hasSizes ? stat : { ...stat, bytes: 0 });
      },
    };
  }

  private writePart(path: string, bytes: Uint8Array, length: number | undefined): Promise<void> {
    return this.act(
      () => this.put(path, bytes.slice(0, length)),
      (written) => this.put(path, bytes.slice(0, written)),
    );
  }
}

/** Returns a real folder that only writes whole files, in place. */
export function wholeFilesAt(root: string, calls: FileCalls = fs): FileSystem {
  const disk = nodeFileSystem(root, calls);
  return segmentedFiles(
    {
      read: (path) => disk.read(path),
      remove: (path) => disk.remove(path),
      list: (folder) => disk.list(folder),
      stat: (path) => disk.stat(path),
      async write(path, bytes) {
        const absolute = join(root, ...path.split("/"));
        mkdirSync(dirname(absolute), { recursive: true });
        const file = await calls.open(absolute, "w");
        try {
          await file.write(bytes);
        } finally {
          await file.close();
        }
      },
    },
    systemClock,
  );
}
