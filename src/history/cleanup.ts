/**
 * Deletes expired data: conversations in the bin for 30 days, those beyond the retention period, unused pictures, leftover temporary
 * files, and outdated texts of the index. Leaves unreadable and damaged data alone,
 * and data of a newer version.
 */
import * as z from "zod/mini";
import type { Clock } from "../base/clock";
import { describeError, type Log } from "../base/log";
import { parseJson } from "../base/parseJson";
import type { Deletion } from "./deletion";
import type { DerivedIndex } from "./derivedIndex";
import type { Drafts } from "./drafts";
import type { FileSystem } from "./fileSystem";
import type { Journal } from "./journal";
import {
  DRAFTS_FOLDER,
  IMAGES_FOLDER,
  isPictureHash,
  picturePath,
  REMOVED_FOLDER,
  SEARCH_FOLDER,
} from "./paths";
import { removeUsed } from "./pictureUse";
import type { Retries } from "./retries";
import { TimeSlice } from "../base/timeSlice";

export const DAY_MS = 24 * 60 * 60 * 1000;

/** Time in which a deleted conversation can be restored, in milliseconds. */
export const BIN_MS = 30 * DAY_MS;

/** File of the last cleanup of any window. */
const MARK_PATH = "tidied";

/** An older version wrote an empty file, or none of the fields. */
const markSchema = z.object({
  /** Time of that cleanup, by the clock that finds out what is expired; a network disk has another. */
  atMs: z._default(z.number(), 0),
  /** Conversations whose time was over at that cleanup. */
  expired: z._default(z.array(z.string()), []),
});

/** Stores whose expired data is deleted. */
interface CleanedStores {
  readonly journal: Journal;
  readonly drafts: Drafts;
  readonly index: DerivedIndex;
  readonly deletion: () => Promise<Deletion>;
}

export class Cleanup {
  constructor(
    private readonly files: FileSystem,
    private readonly stores: CleanedStores,
    private readonly retries: Retries,
    private readonly clock: Clock,
    private readonly log: Log,
    /** Period after which unchanged conversations are deleted, in days; 0 keeps them. */
    private readonly retentionDays: number,
  ) {}

  /**
   * Deletes expired data, once a day for all windows together. File-system errors are logged; rejects
   * with the signal's reason only.
   */
  async cleanUp(signal: AbortSignal): Promise<void> {
    try {
      const mark = await this.readMark();
      if (Math.abs(this.clock.nowMs() - mark.atMs) >= DAY_MS) {
        await this.removeExpired(mark.expired, signal);
        await this.removeLeftovers(signal);
        await this.removeUnusedPictures(signal);
      }
      await this.stores.index.cleanUp();
    } catch (error) {
      signal.throwIfAborted();
      this.log.warn(`history: the cleanup failed (${describeError(error)})`);
    }
  }

  /**
   * Removes the conversations whose time was over at the last cleanup already, at least a day ago: a clock
   * that is wrong for one day must not delete them.
   */
  private async removeExpired(
    expiredBefore: readonly string[],
    signal: AbortSignal,
  ): Promise<void> {
    const expired = await this.expiredNow(signal);
    const mark: z.infer<typeof markSchema> = { atMs: this.clock.nowMs(), expired };
    await this.files.replace(MARK_PATH, new TextEncoder().encode(JSON.stringify(mark)));
    const deletion = await this.stores.deletion();
    await deletion.removeConversations(expired.filter((id) => expiredBefore.includes(id)));
  }

  private async readMark(): Promise<z.infer<typeof markSchema>> {
    const bytes = await this.files.read(MARK_PATH);
    const mark = markSchema.safeParse(parseJson(new TextDecoder().decode(bytes)));
    return mark.data ?? { atMs: 0, expired: [] };
  }

  private async expiredNow(signal: AbortSignal): Promise<string[]> {
    const expired: string[] = [];
    for (const id of await this.stores.index.binnedIds()) {
      // Another window may have restored the conversation since the index was read.
      const loaded = await this.stores.journal.load(id, signal);
      if (loaded === undefined) continue;
      const { conversation, damagedRecords, newerRecords } = loaded;
      const { deletedAtMs, changedAtMs } = conversation;
      if (deletedAtMs === undefined || damagedRecords > 0 || newerRecords > 0) continue;
      const typedAtMs = await this.stores.drafts.changedAtMs(id);
      const sinceMs = Math.max(deletedAtMs, changedAtMs, typedAtMs);
      if (this.clock.nowMs() - sinceMs >= BIN_MS) expired.push(id);
    }
    if (this.retentionDays === 0) return expired;
    const unchanged = await unchangedConversations(this.stores, this.clock, this.retentionDays);
    return [...new Set([...expired, ...unchanged])];
  }

  /** Removes old temporary files, which a crash left. */
  private async removeLeftovers(signal: AbortSignal): Promise<void> {
    for (const folder of ["", DRAFTS_FOLDER, IMAGES_FOLDER, REMOVED_FOLDER, SEARCH_FOLDER]) {
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
    await removeUsed(this.files, unused, slice);
    for (const hash of unused) {
      signal.throwIfAborted();
      // A picture that was attached again since is stored again, so its file is new.
      if (await this.isOld(picturePath(hash))) await this.files.remove(picturePath(hash));
    }
  }

  private async isOld(path: string): Promise<boolean> {
    const stat = await this.files.stat(path);
    return stat !== undefined && this.clock.nowMs() - stat.changedAtMs >= DAY_MS;
  }
}

/**
 * Returns the conversations and drafts that nobody changed for a number of days, without pinned and damaged
 * ones. Rejects as the file system.
 */
export async function unchangedConversations(
  { index, journal, drafts }: Pick<CleanedStores, "index" | "journal" | "drafts">,
  clock: Clock,
  days: number,
): Promise<string[]> {
  const beforeMs = clock.nowMs() - days * DAY_MS;
  const ids: string[] = [];
  for (const id of await index.unchangedIds(beforeMs)) {
    // Another window may have changed the conversation since the index was read.
    const loaded = await journal.load(id);
    if (loaded === undefined || loaded.damagedRecords > 0 || loaded.newerRecords > 0) continue;
    const { isPinned, changedAtMs } = loaded.conversation;
    const typedAtMs = await drafts.changedAtMs(id);
    if (isPinned !== true && Math.max(changedAtMs, typedAtMs) < beforeMs) ids.push(id);
  }
  for (const { id, changedAtMs } of await drafts.unsent(() => true))
    if (changedAtMs < beforeMs && !(await journal.has(id))) ids.push(id);
  return ids;
}
