/**
 * In-memory disk that can fail or stop at a given call, also in the middle of a write, so that a
 * test can try a failure at every call.
 */
import { isEqualBytes } from "../../../src/base/isEqualBytes";
import type { FileStat, FileSystem } from "../../../src/history/fileSystem";

/** Failure at a later call. */
export interface DiskFault {
  /** 0-based number of the failing call. */
  readonly atCall: number;
  /** `fail`: this call throws; `die`: this and every later call never happen. */
  readonly kind: "fail" | "die";
  /** Number of bytes of a write that still reach the disk. */
  readonly writtenBytes: number;
}

/** Thrown once the simulated process has died; the test then checks the remaining files. */
export class ProcessDied extends Error {
  override readonly name = "ProcessDied";
}

/** Files by path; they survive a simulated death of the process. */
export class MemoryFileSystem implements FileSystem {
  readonly files = new Map<string, Uint8Array>();
  calls = 0;
  /** Numbers of the calls that changed a file; a death at another call leaves the same files. */
  readonly changingCalls: number[] = [];
  fault: DiskFault | undefined;
  /** Current time of the disk's own clock. */
  nowMs = () => 1_700_000_000_000;
  protected readonly times = new Map<string, number>();

  /** Returns another disk with the same files and times. */
  copy(): this {
    const copy = new (this.constructor as new () => this)();
    copy.nowMs = this.nowMs;
    for (const [path, bytes] of this.files) copy.files.set(path, bytes); // No write changes a file in place.
    for (const [path, atMs] of this.times) copy.times.set(path, atMs);
    return copy;
  }

  read(path: string): Promise<Uint8Array | undefined> {
    return this.act(() => this.files.get(path)?.slice());
  }

  readRanges(
    path: string,
    ranges: readonly (readonly [number, number])[],
  ): Promise<Uint8Array[] | undefined> {
    return this.act(() => {
      const file = this.files.get(path);
      return file && ranges.map(([start, end]) => file.slice(Math.max(0, start), Math.max(0, end)));
    });
  }

  append(path: string, bytes: Uint8Array): Promise<number> {
    const add = (part: Uint8Array) => {
      const before = this.files.get(path) ?? new Uint8Array();
      const after = new Uint8Array(before.length + part.length);
      after.set(before);
      after.set(part, before.length);
      this.put(path, after);
      return before.length;
    };
    return this.act(
      () => add(bytes),
      (written) => add(bytes.subarray(0, written)),
    );
  }

  replace(path: string, bytes: Uint8Array): Promise<void> {
    return this.act(() => this.put(path, bytes.slice()));
  }

  async fill(
    path: string,
    content: Uint8Array,
    ranges: readonly (readonly [number, number])[],
    fillBytes: readonly number[],
  ): Promise<boolean> {
    const read = await this.readRanges(path, ranges);
    const isSame = ranges.every(([start, end], at) =>
      isEqualBytes(read?.[at] ?? new Uint8Array(), content.subarray(start, end)),
    );
    if (read === undefined || !isSame) return read === undefined;
    for (const byte of fillBytes) {
      const fillUpTo = (limit: number) => {
        const file = this.files.get(path)?.slice();
        if (file === undefined) return;
        let left = limit;
        for (const [start, end] of ranges) {
          file.fill(byte, start, Math.min(end, start + left));
          left = Math.max(0, left - (end - start));
        }
        this.put(path, file);
      };
      await this.act(() => fillUpTo(Infinity), fillUpTo);
    }
    return true;
  }

  remove(path: string): Promise<void> {
    return this.act(() => {
      if (this.files.delete(path)) this.changingCalls.push(this.calls - 1);
    });
  }

  list(folder: string): Promise<readonly string[]> {
    const prefix = folder === "" ? "" : `${folder}/`;
    return this.act(() => {
      const inside = [...this.files.keys()].filter((path) => path.startsWith(prefix));
      return [...new Set(inside.map((path) => path.slice(prefix.length).split("/")[0] ?? ""))];
    });
  }

  stat(path: string): Promise<FileStat | undefined> {
    return this.act(() => {
      const file = this.files.get(path);
      return file && { bytes: file.length, changedAtMs: this.times.get(path) ?? this.nowMs() };
    });
  }

  protected put(path: string, bytes: Uint8Array): void {
    this.changingCalls.push(this.calls - 1);
    this.files.set(path, bytes);
    this.times.set(path, this.nowMs());
  }

  protected async act<T>(run: () => T, runPartly?: (writtenBytes: number) => void): Promise<T> {
    await Promise.resolve();
    const call = this.calls++;
    const { fault } = this;
    if (fault === undefined || call < fault.atCall) return run();
    if (call === fault.atCall) runPartly?.(fault.writtenBytes);
    if (fault.kind === "die") throw new ProcessDied();
    if (call === fault.atCall) throw Object.assign(new Error("disk full"), { code: "ENOSPC" });
    return run();
  }
}
