/**
 * What is thrown away, and it is little: conversations that were in the bin for 30 days, pictures
 * that no conversation and no draft names, and what a crash left of a half-written file. Whenever
 * something could not be read, or is damaged or newer than this program, it is left alone.
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

/** How long a deleted conversation can be restored, in milliseconds. */
export const BIN_MS = 30 * DAY_MS;

/** Its time says when any window tidied last. */
const MARK_PATH = "tidied";

/** Bytes searched for names of pictures at a stretch; takes a few milliseconds. */
const PIECE_BYTES = 256 * 1024;
const HASH_LENGTH = 64;

/** Stores whose expired data is deleted. */
interface CleanedStores {
  readonly journal: Journal;
  readonly drafts: Drafts;
  readonly index: ConversationIndex;
}

/** Throws away what nobody can miss; idle until it is asked. */
export class Cleanup {
  constructor(
    private readonly files: FileSystem,
    private readonly stores: CleanedStores,
    private readonly retries: Retries,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /**
   * Tidies, once a day over all windows. Resolves when it is done; what the disk refuses is
   * logged. Rejects with the signal's reason only.
   */
  async tidy(signal: AbortSignal): Promise<void> {
    try {
      if (!(await this.isDue())) return;
      await this.files.replace(MARK_PATH, new Uint8Array());
      await this.emptyBin(signal);
      await this.removeLeftovers(signal);
      await this.removeUnnamedPictures(signal);
    } catch (error) {
      signal.throwIfAborted();
      this.log.warn(`history: tidying was not finished (${describeError(error)})`);
    }
  }

  /** Removes a conversation and its draft at once and for good. Throws what the disk throws. */
  async removeForever(conversationId: string): Promise<void> {
    await this.stores.journal.removeForever(conversationId);
    await this.stores.drafts.removeForever(conversationId);
    await this.stores.index.refreshOne(conversationId);
  }

  private async isDue(): Promise<boolean> {
    const mark = await this.files.facts(MARK_PATH);
    return mark === undefined || Math.abs(this.clock.nowMs() - mark.changedAtMs) >= DAY_MS;
  }

  private async emptyBin(signal: AbortSignal): Promise<void> {
    await this.stores.index.refresh();
    for (const { id } of this.stores.index.list({ isInBin: true })) {
      // Read once more: another window may just have restored it.
      const loaded = await this.stores.journal.load(id, signal);
      if (loaded === undefined) continue;
      const { conversation, damagedRecords, newerRecords } = loaded;
      const { deletedAtMs, changedAtMs } = conversation;
      if (deletedAtMs === undefined || damagedRecords > 0 || newerRecords > 0) continue;
      const sinceMs = Math.max(deletedAtMs, changedAtMs);
      if (this.clock.nowMs() - sinceMs >= BIN_MS) await this.removeForever(id);
    }
  }

  private async removeLeftovers(signal: AbortSignal): Promise<void> {
    for (const folder of ["", DRAFTS_FOLDER, IMAGES_FOLDER]) {
      for (const name of await this.files.list(folder)) {
        signal.throwIfAborted();
        const path = folder === "" ? name : `${folder}/${name}`;
        if (name.endsWith(".tmp") && (await this.isOld(path))) await this.files.remove(path);
      }
    }
  }

  private async removeUnnamedPictures(signal: AbortSignal): Promise<void> {
    if (!this.retries.isSettled) return;
    const slice = new TimeSlice(this.clock, signal);
    const unnamed = new Set<string>();
    for (const name of await this.files.list(IMAGES_FOLDER)) {
      if (isPictureHash(name) && (await this.isOld(picturePath(name)))) unnamed.add(name);
    }
    for (const folder of [CONVERSATIONS_FOLDER, DRAFTS_FOLDER]) {
      for (const name of await this.files.list(folder)) {
        if (unnamed.size === 0) return;
        await this.strikeNamed(`${folder}/${name}`, unnamed, slice);
      }
    }
    for (const hash of unnamed) {
      signal.throwIfAborted();
      // Someone may have attached it meanwhile; storing it again made it new.
      if (await this.isOld(picturePath(hash))) await this.files.remove(picturePath(hash));
    }
  }

  /** Strikes every picture whose name stands anywhere in a file, readable record or not. */
  private async strikeNamed(path: string, unnamed: Set<string>, slice: TimeSlice): Promise<void> {
    const bytes = await this.files.read(path);
    if (bytes === undefined) return;
    const decoder = new TextDecoder("latin1");
    for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
      const piece = decoder.decode(bytes.subarray(start, start + PIECE_BYTES + HASH_LENGTH));
      for (const [hash] of piece.matchAll(/[0-9a-f]{64}/g)) {
        unnamed.delete(hash);
      }
      const pause = slice.pause();
      if (pause) await pause;
    }
  }

  private async isOld(path: string): Promise<boolean> {
    const facts = await this.files.facts(path);
    return facts !== undefined && this.clock.nowMs() - facts.changedAtMs >= DAY_MS;
  }
}
