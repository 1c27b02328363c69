/**
 * Removes conversations, messages and pictures for ever, from all stores in the same step: files, drafts,
 * index and pictures that nothing else uses. A removal that a crash interrupted is finished
 * by the next call of `finish`.
 */
import type { Clock } from "../base/clock";
import type { Disposable } from "../base/disposables";
import { describeError, type Log } from "../base/log";
import { asideMessagesOf } from "../conversation/asides";
import type { Conversation, Step } from "../conversation/conversation";
import { shownPath } from "../conversation/paths";
import {
  forgottenMessage,
  imagesOf,
  withForgottenPictures,
  type Message,
} from "../conversation/message";
import type { DerivedIndex } from "./derivedIndex";
import type { Drafts } from "./drafts";
import type { FileSystem } from "./fileSystem";
import type { Journal } from "./journal";
import { eraseForgottenInAll, UNUSED_AFTER_MS } from "./mergeRecords";
import { listHistoryFiles, type HistoryFile } from "./historyFiles";
import { CONVERSATIONS_FOLDER, conversationPath, DRAFTS_FOLDER } from "./paths";
import { hashesIn, removeUsed } from "./pictureUse";
import { contentOwnersOf, readLines } from "./record";
import type { PendingRemoval, Removal, Removals } from "./removals";
import { TimeSlice } from "../base/timeSlice";

/**
 * Age from which an unused picture is removed at once, in milliseconds. A younger one may have been
 * attached again just now, by a draft that is not written yet.
 */
const SETTLED_AFTER_MS = 10_000;

/** Stores from which content is removed; `History` has them. */
interface RemovedFrom {
  readonly journal: Journal;
  readonly drafts: Drafts;
  readonly removals: Removals;
  readonly index: DerivedIndex;
}

/** Restores the title that is made of the first question. */
const UNTITLED: Step = { kind: "titled", title: "" };

type RemovedPicture = Removal["pictures"][number];

export interface Forgetting {
  readonly steps: readonly Step[];
  readonly pictures: readonly RemovedPicture[];
}

export class Deletion implements Disposable {
  private readonly lifetime = new AbortController();
  private retry: Disposable | undefined;
  /** Removals run one after the other. */
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly files: FileSystem,
    private readonly stores: RemovedFrom,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Removes conversations with their drafts and pictures. Rejects as the file system. */
  async removeConversations(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const { removals } = this.stores;
    const pictures = await this.picturesOf(new Set(ids));
    await this.carryOut(await removals.begin({ conversations: [...ids], forgotten: [], pictures }));
  }

  /**
   * Returns the steps that put a placeholder in place of a message, and the pictures of the message. Turns
   * that two windows wrote into the same reply have common records, so they are forgotten together.
   */
  async findForgetting(conversation: Conversation, messageId: string): Promise<Forgetting> {
    const bytes = await this.files.read(conversationPath(conversation.id));
    const messageIds = messagesOfRecords(conversation, messageId, bytes ?? new Uint8Array());
    // Questions asked aside about a message quote it.
    const asides = [...messageIds].flatMap((id) => asideMessagesOf(conversation, id));
    const ids = new Set([...messageIds, ...asides.map(({ id }) => id)]);
    const messages = [...ids].flatMap((id) => conversation.messages.get(id) ?? []);
    const steps: Step[] = messages.map((message) => ({
      kind: "forgotten",
      message: forgottenMessage(message),
    }));
    const leafId = shownPath(conversation).at(-1)?.id ?? null;
    const hasTitleOf = messages.some(({ isAside }) => isAside !== true);
    return {
      steps: [
        ...steps,
        // A title may be made of the message, so those on disk are erased.
        ...(hasTitleOf && conversation.title !== undefined ? [UNTITLED] : []),
        { kind: "path-chosen", leafId },
      ],
      pictures: picturesIn(messages),
    };
  }

  /** Returns the step that forgets all pictures of a conversation; undefined if there are none. */
  findPictures({ messages }: Conversation): Forgetting | undefined {
    const all = [...messages.values()];
    const messageIds = all.filter((message) => withForgottenPictures(message) !== message);
    const pictures = picturesIn(all);
    if (pictures.length === 0) return undefined;
    return {
      steps: [{ kind: "pictures-forgotten", messageIds: messageIds.map(({ id }) => id) }],
      pictures,
    };
  }

  /**
   * Forgets messages of a conversation. `write` writes the steps, after the removal is recorded; without
   * it they are written here. Rejects as the file system.
   */
  async forget(id: string, { steps, pictures }: Forgetting, write: () => Promise<void>) {
    const forgotten = [{ id, steps: [...steps], fileBytes: 0 }];
    const recorded = await this.stores.removals.begin({
      conversations: [],
      forgotten,
      pictures: [...pictures],
    });
    await write();
    await this.carryOut(recorded);
  }

  /**
   * Records that pictures are not needed once a question is written. Returns a function to call with the
   * outcome: true removes those that nothing uses, false keeps all. A window that dies between leaves the
   * record to the next one. Never rejects.
   */
  async recordUnneeded(
    pictures: readonly RemovedPicture[],
  ): Promise<(isUnneeded: boolean) => Promise<void>> {
    const { drafts, removals } = this.stores;
    const safely = async <T>(run: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await run();
      } catch (error) {
        this.log.warn(`history: pictures could not be removed (${describeError(error)})`);
        return undefined;
      }
    };
    const record = { conversations: [], forgotten: [], pictures: [...pictures] };
    const recorded = await safely(async () => {
      // Another window that finishes this removal must see what the draft uses.
      await drafts.flush();
      return removals.begin(record);
    });
    return async (isUnneeded) => {
      await safely(async () => {
        if (recorded === undefined) return;
        await drafts.flush();
        if (isUnneeded) await this.carryOut(recorded);
        else await removals.update(recorded, { ...record, pictures: [], isDone: true });
      });
    };
  }

  /**
   * Finishes removals that were interrupted, and removes files that another window or a sync program
   * brought back. Never rejects.
   */
  async finish(): Promise<void> {
    try {
      const { removals } = this.stores;
      for (const pending of await removals.read()) await this.carryOut(pending);
      if (removals.knownIds.size > 0) await this.removeFiles(removals.knownIds, new Set());
    } catch (error) {
      this.log.warn(`history: a deletion could not be finished (${describeError(error)})`);
    }
  }

  dispose(): void {
    this.retry?.dispose();
    this.lifetime.abort(new Error("the window closes"));
  }

  private carryOut(pending: PendingRemoval): Promise<void> {
    const done = this.running.then(() => this.carryOutNow(pending));
    // A file that another window is writing stays until it is complete, or unused.
    this.running = done.catch(() => this.retryAfter(UNUSED_AFTER_MS));
    return done;
  }

  /** Each step can be repeated, so that the next window finishes what this one began. */
  private async carryOutNow(recorded: PendingRemoval): Promise<void> {
    const { journal, drafts, removals } = this.stores;
    const { conversations, pictures } = recorded.removal;
    for (const id of conversations) {
      await journal.removeForever(id);
      await drafts.removeForever(id);
    }
    const forgotten: Removal["forgotten"] = [];
    for (const { id, steps } of recorded.removal.forgotten) {
      forgotten.push({ id, steps, fileBytes: await this.erase(id, steps) });
      await drafts.removeReplaced(id);
    }
    const ids = new Set([...conversations, ...forgotten.map(({ id }) => id)]);
    if (ids.size > 0)
      await this.removeFiles(new Set(conversations), new Set(forgotten.map(({ id }) => id)));
    const changed = { conversations, forgotten, pictures };
    const pending =
      forgotten.length > 0
        ? await removals.update(recorded, { ...changed, isDone: false })
        : recorded;
    if (ids.size > 0) await this.stores.index.removeForever(ids);
    const { unsettled, drafted } = await this.removeUnused(pictures);
    const left = [...unsettled, ...drafted];
    await removals.update(pending, { ...changed, pictures: left, isDone: left.length === 0 });
    if (unsettled.length > 0) this.retryAfter(SETTLED_AFTER_MS);
  }

  private retryAfter(delayMs: number): void {
    this.retry ??= this.clock.after(delayMs, () => {
      this.retry = undefined;
      void this.finish();
    });
  }

  /**
   * Removes all files of removed conversations, and what a crash left of those with forgotten messages. The
   * content of other files is removed by `erase`, `removeUnused` and the index.
   */
  private async removeFiles(
    removed: ReadonlySet<string>,
    changed: ReadonlySet<string>,
  ): Promise<void> {
    for (const file of await listHistoryFiles(this.files))
      if (isLeftOf(file, removed, changed)) await this.files.remove(file.path);
  }

  /** Writes the steps unless the file has them, and erases. Returns the size of the file with them. */
  private async erase(id: string, steps: readonly Step[]): Promise<number> {
    const { journal } = this.stores;
    const loaded = await journal.load(id);
    if (loaded === undefined) return 0;
    const { messages } = loaded.conversation;
    const isWritten = steps.every((step) => {
      if (step.kind === "forgotten") return messages.get(step.message.id)?.isForgotten === true;
      if (step.kind !== "pictures-forgotten") return true;
      return step.messageIds.every((id) => picturesIn([messages.get(id)]).length === 0);
    });
    if (!isWritten && !(await journal.append(id, steps)))
      throw new Error("the steps could not be written");
    await eraseForgottenInAll(this.files, id);
    return (await this.files.stat(conversationPath(id)))?.bytes ?? 0;
  }

  /** Returns the pictures in the files of conversations and their drafts. */
  private async picturesOf(ids: ReadonlySet<string>): Promise<RemovedPicture[]> {
    const slice = new TimeSlice(this.clock, this.lifetime.signal);
    const hashes = new Set<string>();
    const add = async (path: string) => {
      const bytes = (await this.files.read(path)) ?? new Uint8Array();
      for await (const [hash] of hashesIn(bytes, slice)) hashes.add(hash);
    };
    for (const file of await listHistoryFiles(this.files))
      if ("conversationId" in file && ids.has(file.conversationId)) await add(file.path);
    return [...hashes].map((hash) => ({ hash, storedBeforeMs: 0 }));
  }

  /**
   * Removes the pictures that nothing uses. Returns those that may be in use in a moment, and those that
   * only a draft uses, which may be the draft of a question that was sent.
   */
  private async removeUnused(
    pictures: readonly RemovedPicture[],
  ): Promise<Record<"unsettled" | "drafted", RemovedPicture[]>> {
    const unsettled: RemovedPicture[] = [];
    const drafted: RemovedPicture[] = [];
    if (pictures.length === 0) return { unsettled, drafted };
    const byHash = new Map(pictures.map((picture) => [picture.hash, picture]));
    const slice = new TimeSlice(this.clock, this.lifetime.signal);
    const unsent = new Set(byHash.keys());
    await removeUsed(this.files, unsent, slice, [CONVERSATIONS_FOLDER]);
    const unused = new Set(unsent);
    await removeUsed(this.files, unused, slice, [DRAFTS_FOLDER]);
    for (const file of await listHistoryFiles(this.files)) {
      const picture = file.kind === "picture" ? byHash.get(file.hash) : undefined;
      if (picture === undefined || !unsent.has(picture.hash)) continue;
      if (!unused.has(picture.hash) || this.stores.drafts.mentions(picture.hash)) {
        drafted.push(picture);
        continue;
      }
      const changedAtMs = (await this.files.stat(file.path))?.changedAtMs ?? 0;
      const isSettled =
        changedAtMs <= picture.storedBeforeMs ||
        Math.abs(this.clock.nowMs() - changedAtMs) >= SETTLED_AFTER_MS;
      if (isSettled) await this.files.remove(file.path);
      else unsettled.push(picture);
    }
    return { unsettled, drafted };
  }
}

/** True for a file to remove, of which nothing else is needed. */
function isLeftOf(
  file: HistoryFile,
  removed: ReadonlySet<string>,
  changed: ReadonlySet<string>,
): boolean {
  switch (file.kind) {
    case "conversation":
    case "heartbeat":
      return removed.has(file.conversationId);
    case "draft":
      // A window whose unfinished write is removed writes the draft again.
      return (
        removed.has(file.conversationId) || (file.isTemporary && changed.has(file.conversationId))
      );
    case "index":
      return file.isFormer || file.isTemporary;
    case "picture":
    case "removal":
    case "other":
      return false;
    default:
      return file satisfies never;
  }
}

/** Returns the pictures of messages, with the originals of cropped ones. */
function picturesIn(messages: readonly (Message | undefined)[]): RemovedPicture[] {
  return messages.flatMap((message) => {
    if (message === undefined) return [];
    const storedBeforeMs =
      message.role === "user" ? message.sentAtMs : (message.endedAtMs ?? message.startedAtMs);
    return imagesOf(message)
      .flatMap(({ hash, original }) => [hash, ...(original ? [original.hash] : [])])
      .map((hash) => ({ hash, storedBeforeMs }));
  });
}

/** Returns the messages that have records in common with a message, and the message itself. */
function messagesOfRecords(
  { turns }: Conversation,
  messageId: string,
  bytes: Uint8Array,
): ReadonlySet<string> {
  const ids = new Set([messageId]);
  if (turns === undefined || turns.replyIds.size === 0) return ids;
  const links: [string, string][] = [];
  for (const { record } of readLines(bytes)) {
    if (record.kind !== "step" || !("turnId" in record.step)) continue;
    const { turnId = "" } = record.step;
    const replyId = turns.replyIds.get(turnId);
    const [owner] = contentOwnersOf(record.step);
    if (replyId !== undefined && owner !== undefined) links.push([owner, replyId]);
  }
  for (let sizeBefore = 0; ids.size > sizeBefore;) {
    sizeBefore = ids.size;
    for (const [one, other] of links) {
      if (ids.has(one)) ids.add(other);
      else if (ids.has(other)) ids.add(one);
    }
  }
  return ids;
}
