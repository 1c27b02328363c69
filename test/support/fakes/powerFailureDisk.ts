/**
 * In-memory disk below Node's file calls that simulates power failures. Until a file is synced, its
 * new bytes may be lost. Until a folder is synced, each of its names may have its previous state or
 * that after any of its changes, independently of the other names.
 */
import { Readable } from "node:stream";
import { dirname, basename } from "node:path";
import type { FileCalls } from "../../../src/host/node/nodeFileSystem";
import { ProcessDied } from "./memoryFileSystem";
import type { Random } from "./seeded";

interface FileNode {
  kind: "file";
  bytes: Uint8Array;
  /** Number of synced bytes. */
  syncedBytes: number;
}

interface FolderNode {
  kind: "folder";
  names: Map<string, DiskNode>;
  /** Possible states of each name after a power failure, the synced state first. */
  states: Map<string, (DiskNode | undefined)[]>;
}

type DiskNode = FileNode | FolderNode;

function newFolder(): FolderNode {
  return { kind: "folder", names: new Map(), states: new Map() };
}

export class PowerFailureDisk {
  private root = newFolder();
  /** Number of calls so far. */
  callCount = 0;
  /** Number of the call at which the power fails. */
  failsAtCall = Infinity;

  /** Restarts with a random state that the disk may have after the power failure. */
  restart(random: Random): void {
    this.root = this.stateAfterFailure(this.root, random);
    this.failsAtCall = Infinity;
  }

  readonly calls = {
    mkdir: (path: string) => this.call(() => this.makeFolders(path)),
    open: (path: string, flags: string) => this.call(() => this.open(path, flags)),
    opendir: (path: string) =>
      this.call(() => Readable.from([...this.folder(path).names.keys()].map((name) => ({ name })))),
    readFile: (path: string) => this.call(() => Buffer.from(this.file(path).bytes)),
    rename: (from: string, to: string) =>
      this.call(() => {
        const node = this.file(from);
        this.setName(to, node);
        this.setName(from, undefined);
      }),
    rm: (path: string) => this.call(() => this.setName(path, undefined)),
    stat: (path: string) =>
      this.call(() => ({ size: this.file(path).bytes.length, mtimeMs: 1_700_000_000_000 })),
  } as unknown as FileCalls;

  private async call<T>(run: () => T): Promise<T> {
    await Promise.resolve();
    if (this.callCount++ >= this.failsAtCall) throw new ProcessDied();
    return run();
  }

  private open(path: string, flags: string): unknown {
    const existing = this.node(path);
    if (existing?.kind === "folder") {
      const sync = () => this.call(() => existing.states.clear());
      return { sync, close: () => this.call(() => undefined) };
    }
    if (existing === undefined && flags === "r") throw missing();
    const file: FileNode = existing ?? { kind: "file", bytes: new Uint8Array(), syncedBytes: 0 };
    if (existing === undefined) this.setName(path, file);
    const write = (bytes: Uint8Array) =>
      this.call(() => {
        file.bytes = Buffer.concat([file.bytes, bytes]);
        return { bytesWritten: bytes.length };
      });
    return {
      write,
      writeFile: write,
      stat: () => this.call(() => ({ size: file.bytes.length })),
      datasync: () => this.call(() => (file.syncedBytes = file.bytes.length)),
      read: (buffer: Uint8Array, _offset: number, length: number, position: number) =>
        this.call(() => {
          const piece = file.bytes.subarray(position, position + length);
          buffer.set(piece);
          return { buffer, bytesRead: piece.length };
        }),
      close: () => this.call(() => undefined),
    };
  }

  private makeFolders(path: string): string | undefined {
    if (this.node(path)) return undefined;
    const first = this.makeFolders(dirname(path));
    this.setName(path, newFolder());
    return first ?? path;
  }

  private setName(path: string, node: DiskNode | undefined): void {
    const folder = this.folder(dirname(path));
    const name = basename(path);
    const states = folder.states.get(name) ?? [folder.names.get(name)];
    folder.states.set(name, [...states, node]);
    if (node) folder.names.set(name, node);
    else folder.names.delete(name);
  }

  private node(path: string): DiskNode | undefined {
    let node: DiskNode | undefined = this.root;
    for (const name of path.split("/").filter((part) => part !== "")) {
      node = node?.kind === "folder" ? node.names.get(name) : undefined;
    }
    return node;
  }

  private folder(path: string): FolderNode {
    const node = this.node(path);
    if (node?.kind !== "folder") throw missing();
    return node;
  }

  private file(path: string): FileNode {
    const node = this.node(path);
    if (node?.kind !== "file") throw missing();
    return node;
  }

  private stateAfterFailure(folder: FolderNode, random: Random): FolderNode {
    const after = newFolder();
    for (const name of new Set([...folder.names.keys(), ...folder.states.keys()])) {
      const states = folder.states.get(name) ?? [folder.names.get(name)];
      const node = states[random(states.length)];
      if (node?.kind === "folder") after.names.set(name, this.stateAfterFailure(node, random));
      if (node?.kind === "file") {
        const lost = random(node.bytes.length - node.syncedBytes + 1);
        const bytes = node.bytes.slice(0, node.bytes.length - lost);
        after.names.set(name, { kind: "file", bytes, syncedBytes: bytes.length });
      }
    }
    return after;
  }
}

function missing(): Error {
  return Object.assign(new Error("no such file"), { code: "ENOENT" });
}
