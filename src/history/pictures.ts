/**
 * Pictures on disk, named by the SHA-256 of their bytes. A picture is written before the record that
 * names it. A picture that cannot be written stays in memory, where it can be shown and sent.
 */
import { toBase64 } from "../base/base64";
import type { Clock } from "../base/clock";
import { describeError, type Log } from "../base/log";
import { sha256 } from "../base/sha256";
import type { PictureLoss } from "../conversation/ending";
import type { FileSystem } from "./fileSystem";
import { isPictureHash, picturePath } from "./paths";
import type { Retries } from "./retries";
import { WriteQueues } from "./writeQueues";

/** Maximum size of a picture to read, in bytes; far more than the service accepts. */
const MAX_PICTURE_BYTES = 64 * 1024 * 1024;

/** Time after which an unused picture that cannot be written is dropped, in milliseconds. */
const DROP_AFTER_MS = 60_000;

export interface StoredPicture {
  /** SHA-256 of the bytes, 64 hexadecimal digits. */
  readonly hash: string;
  /** False if writing failed; the write is then retried. */
  readonly isSaved: boolean;
}

export type ReadPicture =
  | { readonly kind: "found"; readonly bytes: Uint8Array }
  | { readonly kind: "missing" }
  /** The bytes do not match the hash. */
  | { readonly kind: "damaged" }
  /** Reading failed; a later attempt may succeed. */
  | { readonly kind: "unreadable" }
  | { readonly kind: "too-large" };

/** Stores and reads pictures; each window has its own. */
export class Pictures {
  private readonly unsaved = new Map<string, Uint8Array>();
  /** Time of the first failed write of each unsaved picture. */
  private readonly firstFailedAtMs = new Map<string, number>();
  private readonly writing = new WriteQueues();
  private isUsed: (hash: string) => boolean = () => true;

  constructor(
    private readonly files: FileSystem,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly retries: Retries,
  ) {}

  /**
   * Sets the check for pictures in use by a conversation or draft of this window. An unused picture
   * that cannot be written is dropped after a while, because it would keep the disk full.
   */
  setUsageCheck(isUsed: (hash: string) => boolean): void {
    this.isUsed = isUsed;
  }

  /**
   * Writes a picture, even if its file exists: this repairs a damaged file, and the new modification
   * time protects the file from cleanup. Never rejects. The bytes must not change later.
   */
  async store(bytes: Uint8Array): Promise<StoredPicture> {
    const hash = await sha256(bytes);
    this.unsaved.set(hash, bytes);
    await this.write(hash);
    return { hash, isSaved: !this.unsaved.has(hash) };
  }

  /** Reads a picture and checks its bytes. Never rejects. */
  async read(hash: string, maxBytes = MAX_PICTURE_BYTES): Promise<ReadPicture> {
    if (!isPictureHash(hash)) return { kind: "missing" };
    const unsaved = this.unsaved.get(hash);
    if (unsaved) return limitSize(unsaved, maxBytes);
    try {
      return await this.readFile(hash, maxBytes);
    } catch (error) {
      this.log.error(`history: a picture could not be read (${describeError(error)})`);
      return { kind: "unreadable" };
    }
  }

  private async readFile(hash: string, maxBytes: number): Promise<ReadPicture> {
    const stat = await this.files.stat(picturePath(hash));
    if (stat !== undefined && stat.bytes > maxBytes) return { kind: "too-large" };
    const bytes = stat && (await this.files.read(picturePath(hash)));
    if (bytes === undefined) return { kind: "missing" };
    if ((await sha256(bytes)) !== hash) return { kind: "damaged" };
    return limitSize(bytes, maxBytes);
  }

  /** Reads a picture as a `data:` URL, or returns why that is not possible. */
  async readUrl(
    hash: string,
    mediaType: string,
  ): Promise<{ readonly url: string } | { readonly loss: PictureLoss }> {
    const stored = await this.read(hash);
    if (stored.kind !== "found") return { loss: lossOf(stored) };
    return { url: `data:${mediaType};base64,${toBase64(stored.bytes)}` };
  }

  /** Writes of a picture never overlap, so the last result is that of the newest write. */
  private write(hash: string): Promise<void> {
    return this.writing.run(hash, () => this.writeNow(hash));
  }

  private async writeNow(hash: string): Promise<void> {
    const firstFailedAtMs = this.firstFailedAtMs.get(hash) ?? this.clock.nowMs();
    const isOld = this.clock.nowMs() - firstFailedAtMs >= DROP_AFTER_MS;
    if (isOld && !this.isUsed(hash)) this.unsaved.delete(hash);
    const bytes = this.unsaved.get(hash);
    if (bytes === undefined) {
      this.finish(hash);
      return;
    }
    try {
      await this.files.replace(picturePath(hash), bytes);
      this.unsaved.delete(hash);
      this.finish(hash);
    } catch (error) {
      this.firstFailedAtMs.set(hash, firstFailedAtMs);
      this.log.error(`history: a picture could not be saved (${describeError(error)})`);
      this.retries.add("picture", keyOf(hash), () => this.write(hash));
    }
  }

  private finish(hash: string): void {
    this.firstFailedAtMs.delete(hash);
    this.retries.done(keyOf(hash));
  }
}

/** Classifies the failure of a picture that was not read. */
export function lossOf({ kind }: Exclude<ReadPicture, { kind: "found" }>): PictureLoss {
  return kind === "too-large" ? "damaged" : kind;
}

function limitSize(bytes: Uint8Array, maxBytes: number): ReadPicture {
  return bytes.length > maxBytes ? { kind: "too-large" } : { kind: "found", bytes };
}

function keyOf(hash: string): string {
  return `picture ${hash}`;
}
