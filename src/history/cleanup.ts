/**
 * Deletes expired data: conversations in the bin for 30 days, unused pictures and leftover temporary
 * files. Leaves unreadable and damaged data alone, and data of a newer version.
 */
import type { Clock } from "../base/clock";
import { describeError, type Log } from "../base/log";
import type { ConversationIndex } from "./conversationIndex";
import type { Drafts } from "./drafts";
import type { FileSystem } from "./fileSystem";
import type { Journal } from "./journal";
import {
  CONVERSATIONS_FOLDER,
  DRAFTS_FOLDER,
  IMAGES_FOLDER,
  isPictureHash,
  picturePath,
} from "./paths";
import type { Retries } from "./retries";
import { TimeSlice } from "./timeSlice";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Time in which a deleted conversation can be restored, in milliseconds. */
export const BIN_MS = 30 * DAY_MS;

/** Empty file whose modification time is the last cleanup of any window. */
const MARK_PATH = "tidied";

/** Bytes searched for picture hashes without a pause; takes a few milliseconds. */
const PIECE_BYTES = 256 * 1024;

/** Overlap of two pieces, so that each hash is whole in one of them. */
const HASH_LENGTH = 64;

/** Stores whose expired data is deleted. */
interface CleanedStores {
  readonly journal: Journal;
  readonly drafts: Drafts;
  readonly index: () => Promise<ConversationIndex>;
}

export class Cleanup {
  constructor(
    private readonly files: FileSystem,
    private readonly stores: CleanedStores,
    private readonly retries: Retries,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Deletes expired data, once a day for all windows together. File-system errors are logged; rejects
   * with the signal's reason only.
   */
  async cleanUp(signal: AbortSignal): Promise<void> {
    try {
      if (!(await this.isDue())) return;
      await this.files.replace(MARK_PATH, new Uint8Array());
      await this.emptyBin(signal);
      await this.removeLeftovers(signal);
      await this.removeUnusedPictures(signal);
    } catch (error) {
      signal.throwIfAborted();
      this.log.warn(`history: the cleanup failed (${describeError(error)})`);
    }
  }

  private async removeForever(conversationId: string): Promise<void> {
    await this.stores.journal.removeForever(conversationId);
    await this.stores.drafts.removeForever(conversationId);
    await (await this.stores.index()).refreshOne(conversationId);
  }

  private async isDue(): Promise<boolean> {
    const mark = await this.files.stat(MARK_PATH);
    return mark === undefined || Math.abs(this.clock.nowMs() - mark.changedAtMs) >= DAY_MS;
  }

  private async emptyBin(signal: AbortSignal): Promise<void> {
    const index = await this.stores.index();
    await index.refresh();
    for (const { id } of index.list({ isInBin: true })) {
      // Another window may have restored the conversation since the index was read.
      const loaded = await this.stores.journal.load(id, signal);
      if (loaded === undefined) continue;
      const { conversation, damagedRecords, newerRecords } = loaded;
      const { deletedAtMs, changedAtMs } = conversation;
      if (deletedAtMs === undefined || damagedRecords > 0 || newerRecords > 0) continue;
      const typedAtMs = await this.stores.drafts.changedAtMs(id);
      const sinceMs = Math.max(deletedAtMs, changedAtMs, typedAtMs);
      if (this.clock.nowMs() - sinceMs >= BIN_MS) await this.removeForever(id);
    }
  }

  /** Removes old temporary files, which a crash left. */
  private async removeLeftovers(signal: AbortSignal): Promise<void> {
    for (const folder of ["", DRAFTS_FOLDER, IMAGES_FOLDER]) {
      for (const name of await this.files.list(folder)) {
        signal.throwIfAborted();
        const path = folder === "" ? name : `${folder}/${name}`;
        if (name.endsWith(".tmp") && (await this.isOld(path))) await this.files.remove(path);
      }
    }
  }

  private async removeUnusedPictures(signal: AbortSignal): Promise<void> {
    if (!this.retries.isSettled) return;
    const slice = new TimeSlice(this.clock, signal);
    const unused = new Set<string>();
    for (const name of await this.files.list(IMAGES_FOLDER)) {
      if (isPictureHash(name) && (await this.isOld(picturePath(name)))) unused.add(name);
    }
    for (const folder of [CONVERSATIONS_FOLDER, DRAFTS_FOLDER]) {
      for (const name of await this.files.list(folder)) {
        if (unused.size === 0) return;
        await this.removeReferenced(`${folder}/${name}`, unused, slice);
      }
    }
    for (const hash of unused) {
      signal.throwIfAborted();
      // A picture that was attached again since is stored again, so its file is new.
      if (await this.isOld(picturePath(hash))) await this.files.remove(picturePath(hash));
    }
  }

  /** Removes from `unused` every hash that occurs in the file, even in a damaged record. */
  private async removeReferenced(
    path: string,
    unused: Set<string>,
    slice: TimeSlice,
  ): Promise<void> {
    const bytes = await this.files.read(path);
    if (bytes === undefined) return;
    const decoder = new TextDecoder("latin1");
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      const piece = decoder.decode(bytes.subarray(start, start + PIECE_BYTES + HASH_LENGTH));
      for (const [hash] of piece.matchAll(/[0-9a-f]{64}/g)) {
        unused.delete(hash);
      }
      const pause = slice.pause();
      if (pause) await pause;
    }
  }

  private async isOld(path: string): Promise<boolean> {
    const stat = await this.files.stat(path);
    return stat !== undefined && this.clock.nowMs() - stat.changedAtMs >= DAY_MS;
  }
}
