/**
 * Pictures, stored once each by the SHA-256 of their bytes. A picture is written before the record
 * that names it; while the disk refuses it, it stays in memory and can be shown and sent.
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

/** Largest picture that is read back, in bytes; far more than the endpoint takes. */
const MAX_PICTURE_BYTES = 64 * 1024 * 1024;

/** How long a picture that nothing names is kept for a disk that refuses it, in milliseconds. */
const DROP_AFTER_MS = 60_000;

/** What became of a picture that was stored. */
export interface StoredPicture {
  /** SHA-256 of the bytes, 64 hexadecimal digits. */
  readonly hash: string;
  /** False while the disk refuses it; it is then written later. */
  readonly isSaved: boolean;
}

/** What is there under a hash. */
export type ReadPicture =
  | { readonly kind: "found"; readonly bytes: Uint8Array }
  | { readonly kind: "missing" }
  /** Its bytes are no longer those the hash names. */
  | { readonly kind: "damaged" }
  /** The disk would not give it; it may at another time. */
  | { readonly kind: "unreadable" }
  | { readonly kind: "too-large" };

/** Stores and reads pictures; one for each window. */
export class Pictures {
  private readonly unsaved = new Map<string, Uint8Array>();
  /** When the disk first refused each of them. */
  private readonly refusedAtMs = new Map<string, number>();
  private readonly writing = new WriteQueues();
  private isNamed: (hash: string) => boolean = () => true;

  constructor(
    private readonly files: FileSystem,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly retries: Retries,
  ) {}

  /**
   * Sets how to find out that a conversation or a draft of this window names a picture. One that the
   * disk refuses and nothing names is dropped after a while: it would keep the disk full.
   */
  dropUnless(isNamed: (hash: string) => boolean): void {
    this.isNamed = isNamed;
  }

  /**
   * Puts a picture on disk, also when it is there already: that repairs a damaged one, and tells
   * the tidying of every window that it is in use. Never rejects. The bytes must not change later.
   */
  async store(bytes: Uint8Array): Promise<StoredPicture> {
    const hash = await sha256(bytes);
    this.unsaved.set(hash, bytes);
    await this.write(hash);
    return { hash, isSaved: !this.unsaved.has(hash) };
  }

  /** Gives a picture back; its bytes are checked. Never rejects. */
  async read(hash: string, maxBytes = MAX_PICTURE_BYTES): Promise<ReadPicture> {
    if (!isPictureHash(hash)) return { kind: "missing" };
    const unsaved = this.unsaved.get(hash);
    if (unsaved) return bounded(unsaved, maxBytes);
    try {
      return await this.readFile(hash, maxBytes);
    } catch (error) {
      this.log.error(`history: a picture was not read (${describeError(error)})`);
      return { kind: "unreadable" };
    }
  }

  private async readFile(hash: string, maxBytes: number): Promise<ReadPicture> {
    const facts = await this.files.facts(picturePath(hash));
    if (facts !== undefined && facts.bytes > maxBytes) return { kind: "too-large" };
    const bytes = facts && (await this.files.read(picturePath(hash)));
    if (bytes === undefined) return { kind: "missing" };
    if ((await sha256(bytes)) !== hash) return { kind: "damaged" };
    return bounded(bytes, maxBytes);
  }

  /** Gives a picture back as a `data:` URL, or why it is not there as it was stored. */
  async readUrl(
    hash: string,
    mediaType: string,
  ): Promise<{ readonly url: string } | { readonly loss: PictureLoss }> {
    const read = await this.read(hash);
    if (read.kind !== "found") return { loss: lossOf(read) };
    return { url: `data:${mediaType};base64,${toBase64(read.bytes)}` };
  }

  /** Writes of one picture never overlap: which of two failed last would be left to chance. */
  private write(hash: string): Promise<void> {
    return this.writing.run(hash, () => this.writeNow(hash));
  }

  private async writeNow(hash: string): Promise<void> {
    const refusedAtMs = this.refusedAtMs.get(hash) ?? this.clock.nowMs();
    const isOld = this.clock.nowMs() - refusedAtMs >= DROP_AFTER_MS;
    if (isOld && !this.isNamed(hash)) this.unsaved.delete(hash);
    const bytes = this.unsaved.get(hash);
    if (bytes === undefined) {
      this.settle(hash);
      return;
    }
    try {
      await this.files.replace(picturePath(hash), bytes);
      this.unsaved.delete(hash);
      this.settle(hash);
    } catch (error) {
      this.refusedAtMs.set(hash, refusedAtMs);
      this.log.error(`history: a picture was not saved (${describeError(error)})`);
      this.retries.add("picture", keyOf(hash), () => this.write(hash));
    }
  }

  private settle(hash: string): void {
    this.refusedAtMs.delete(hash);
    this.retries.done(keyOf(hash));
  }
}

/** What is wrong with a picture that was not found as it was stored. */
export function lossOf({ kind }: Exclude<ReadPicture, { kind: "found" }>): PictureLoss {
  return kind === "too-large" ? "damaged" : kind;
}

function bounded(bytes: Uint8Array, maxBytes: number): ReadPicture {
  return bytes.length > maxBytes ? { kind: "too-large" } : { kind: "found", bytes };
}

function keyOf(hash: string): string {
  return `picture ${hash}`;
}
