/**
 * Conversations in memory: opens them from the history and shares an object for each conversation
 * between all views. A reply continues without views.
 */
import type { Clock } from "../../base/clock";
import type { Disposable } from "../../base/disposables";
import { Emitter } from "../../base/event";
import { newId } from "../../base/id";
import { describeError, type Log } from "../../base/log";
import {
  applySteps,
  emptyConversation,
  type Conversation,
  type Step,
} from "../../conversation/conversation";
import { imagesOf, textOf, type ImagePart } from "../../conversation/message";
import type { Forgetting } from "../../history/deletion";
import type { History } from "../../history/history";
import type { ForeignChanges } from "../../history/journal";
import type { HistoryIndex } from "../../search/historyIndex";
import { ConversationDraft } from "./conversationDraft";
import type { ConversationStore } from "./conversationStore";
import { HeldConversations } from "./heldConversations";
import { LiveConversation } from "./liveConversation";
import type { TurnOptions } from "./prepareTurn";
import { RepliesElsewhere } from "./repliesElsewhere";
import { UnsavedConversations } from "./unsavedConversations";

/** Error of a conversation that could not be read; its file is not changed. */
export class UnreadableConversation extends Error {
  override readonly name = "UnreadableConversation";
}

/** Condition of a conversation's file. */
export type FileState = "whole" | "damaged" | "newer";

/** A reply that is no longer running. */
export interface FinishedReply {
  readonly live: LiveConversation;
  readonly replyId: string;
  readonly durationMs: number;
}

export class Conversations implements ConversationStore, Disposable {
  private readonly opening = new Map<string, Promise<LiveConversation>>();
  private readonly live = new HeldConversations();
  private readonly fileStates = new Map<string, FileState>();
  private readonly runningChanged = new Emitter<void>();
  private readonly drafts = new Map<string, ConversationDraft>();
  private readonly draftSaved = new Emitter<string>();
  /** Fires a conversation's id when its newest draft is saved. */
  readonly onDraftSaved = this.draftSaved.event;
  private readonly removed = new Emitter<string>();
  /** Fires a conversation's id after any window removed the conversation for ever. */
  readonly onRemoved = this.removed.event;
  /** Conversations in memory only. */
  readonly unsaved: UnsavedConversations;
  private readonly elsewhere: RepliesElsewhere;
  /** Times at which the running replies started, by conversation. */
  private readonly startedAtMs = new Map<string, number>();
  private readonly replyEnds = new Emitter<FinishedReply>();
  readonly onReplyEnded = this.replyEnds.event;
  /** Fires when a reply starts or ends. */
  readonly onRunningChanged = this.runningChanged.event;

  constructor(
    readonly history: History,
    readonly index: HistoryIndex,
    private readonly options: Omit<TurnOptions, "pictures" | "readImage">,
    private readonly clock: Clock,
    private readonly log: Log,
    /** Returns the workspace name for new conversations; undefined without a workspace. */
    readonly workspaceName: () => string | undefined,
  ) {
    this.unsaved = new UnsavedConversations(history, clock, log, (id) => this.draftSaved.fire(id));
    this.elsewhere = new RepliesElsewhere({
      historyOf: (id) => this.historyOf(id),
      catchUp: (live) => this.catchUp(live),
      clock,
      log,
    });
    history.pictures.setUsageCheck((hash) => this.hasPicture(hash));
    history.drafts.onSaved((id) => this.draftSaved.fire(id));
    history.journal.restoreFrom((id) => this.live.get(id)?.conversation);
  }

  /**
   * Returns the conversation, from memory or disk; an empty conversation for an unknown id, with another
   * id for a conversation that was removed for ever. Rejects with `UnreadableConversation`; the next call tries again.
   */
  get(id: string): Promise<LiveConversation> {
    let opening = this.opening.get(id);
    if (opening !== undefined) return opening;
    const live = this.live.get(id);
    if (live !== undefined) {
      this.live.hold(live);
      return Promise.resolve(live);
    }
    opening = this.load(id).finally(() => this.opening.delete(id));
    this.opening.set(id, opening);
    return opening;
  }

  /** Creates a conversation, which is written with its first message. */
  create(): LiveConversation {
    const nowMs = this.clock.nowMs();
    const conversation = emptyConversation(newId(nowMs), nowMs, this.workspaceName());
    return this.createLive(conversation, false);
  }

  /** Creates a conversation that is never written to a disk, unless `keep` saves it. */
  async createUnsaved(): Promise<LiveConversation> {
    const nowMs = this.clock.nowMs();
    const id = newId(nowMs);
    await this.unsaved.add(id);
    return this.createLive(emptyConversation(id, nowMs, this.workspaceName()), false);
  }

  /** True for a conversation in memory only. */
  isUnsaved(id: string): boolean {
    return this.unsaved.has(id);
  }

  historyOf(id: string): History {
    return this.unsaved.historyOf(id);
  }

  /** Saves a conversation that was in memory only, with its draft and pictures. */
  async keep(id: string): Promise<void> {
    const live = this.live.get(id);
    if (live === undefined || !this.isUnsaved(id)) return;
    await this.unsaved.keep(live);
    await (await this.index.list()).refreshOne(id);
  }

  /** Removes a conversation in memory that no view shows. */
  async discardUnsaved({ conversation: { id } }: LiveConversation): Promise<void> {
    if (this.isUnsaved(id) && !this.unsaved.isShown(id)) await this.removeForever([id]);
  }

  /** Reads changes that another window wrote. */
  readForeignChanges(id: string): Promise<ForeignChanges | undefined> {
    return this.elsewhere.readChanges(id);
  }

  /** Reads the state on disk if another window may have changed it. */
  readShared(id: string): Promise<Conversation | undefined> {
    return this.elsewhere.readShared(id);
  }

  /**
   * Adds an imported conversation. Resolves with false if the disk failed: the conversation is then
   * in memory and is written later.
   */
  async adopt(id: string, steps: readonly Step[]): Promise<boolean> {
    const conversation = applySteps(emptyConversation(id, this.clock.nowMs()), steps);
    // Added before writing, so that a partly written file is never read.
    this.createLive(conversation, true);
    return this.historyOf(id).journal.append(id, steps);
  }

  /**
   * Creates a conversation with the messages up to a reply, or up to before a question, which is then in
   * its draft. Resolves with its id; undefined for a message that cannot be forked at.
   */
  async fork(
    live: LiveConversation,
    messageId: string,
    title: string | undefined,
  ): Promise<string | undefined> {
    const { forkAt } = await import("../../conversation/fork");
    await live.catchUp(); // A message that another window forgot is not copied.
    const atMs = this.clock.nowMs();
    const id = newId(atMs);
    const { conversation } = live;
    if (await this.isRemoved(conversation.id)) return undefined;
    const fork = forkAt(conversation, messageId, { id, atMs, title });
    if (fork === undefined) return undefined;
    if (this.isUnsaved(conversation.id)) await this.unsaved.add(id);
    if (fork.asked) {
      await this.draft(id).addQuestion(fork.asked);
      await this.draft(id).flush();
    }
    await live.change([{ kind: "forked", conversationId: id, atId: messageId }]);
    await this.adopt(id, fork.steps);
    live.emit({ kind: "forks" });
    return id;
  }

  /** Appends steps; resolves with false if the disk failed and the steps are queued. */
  save(id: string, steps: readonly Step[]): Promise<boolean> {
    const live = this.live.get(id);
    if (live) this.live.hold(live); // Until the steps are on disk.
    return this.historyOf(id).journal.append(id, steps);
  }

  /** Notes which conversation a view shows; undefined once the view ends. */
  noteShown(view: object, id: string | undefined): void {
    this.unsaved.noteShown(view, id);
    this.releaseUnused();
  }

  /** Returns the condition of the file when the conversation was opened. */
  fileState(id: string): FileState {
    return this.fileStates.get(id) ?? "whole";
  }

  isRunning(id: string): boolean {
    return this.live.get(id)?.isReceiving === true;
  }

  /** True while a conversation of this window receives a reply. */
  get isAnyRunning(): boolean {
    return this.live.all().some(({ isReceiving }) => isReceiving);
  }

  /** Applies steps to a conversation, open or not. */
  async change(id: string, steps: readonly Step[]): Promise<void> {
    let live = this.live.get(id);
    // A conversation with only a draft needs its `created` step first.
    if (live === undefined && !(await this.historyOf(id).journal.has(id)))
      live = await this.get(id);
    if (live) await live.change(steps);
    else await this.historyOf(id).journal.append(id, steps);
    if (this.isUnsaved(id)) return;
    await (await this.index.list()).refreshOne(id);
  }

  /** Returns what sends a request that belongs to no conversation. */
  get requests(): Pick<TurnOptions, "client" | "prepareTurn"> {
    return this.options;
  }

  /** Moves a conversation to the bin. Stops its reply; queued questions stay for a restore. */
  async delete(id: string): Promise<void> {
    if (this.isUnsaved(id)) return this.removeForever([id]);
    const deleted = this.change(id, [{ kind: "deleted", atMs: this.clock.nowMs() }]);
    await Promise.all([deleted, this.live.get(id)?.stopAll()]);
  }

  restore(id: string): Promise<void> {
    return this.change(id, [{ kind: "restored", atMs: this.clock.nowMs() }]);
  }

  /**
   * Removes conversations for ever, with their drafts and pictures. Stops their replies. Rejects as the
   * file system; the next window then finishes.
   */
  async removeForever(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map(async (id) => this.live.get(id)?.stopAll()));
    const remove = async (history: History, own: readonly string[]) =>
      own.length === 0 ? undefined : (await history.deletion()).removeConversations(own);
    const unsaved = ids.filter((id) => this.isUnsaved(id));
    const saved = ids.filter((id) => !this.isUnsaved(id));
    const removing = Promise.all([
      ...unsaved.map((id) => remove(this.historyOf(id), [id])),
      remove(this.history, saved),
    ]);
    await removing.finally(() => Promise.all(ids.map((id) => this.dropRemoved(id))));
  }

  /** Returns the ids of a workspace's conversations, with those that were never asked anything. */
  async idsOf(workspace: string): Promise<string[]> {
    const open = this.live.all().map(({ conversation }) => conversation);
    const ofWorkspace = open.filter((conversation) => conversation.workspace === workspace);
    const written = await this.index.idsOf(workspace);
    const list = await this.index.list();
    const drafts = await this.history.drafts.unsent((id) => list.get(id) === undefined);
    const withDrafts = drafts.filter((draft) => draft.workspace === workspace);
    return [...new Set([...written, ...[...ofWorkspace, ...withDrafts].map(({ id }) => id)])];
  }

  /**
   * Removes the content of a message for ever; a placeholder stays. Rejects as the file system; the next
   * window then finishes.
   */
  async forgetMessage(live: LiveConversation, messageId: string): Promise<void> {
    const { id } = live.conversation;
    const message = live.message(messageId);
    const history = this.historyOf(id);
    const deletion = await history.deletion();
    const forgetting = await deletion.findForgetting(live.conversation, messageId);
    const { other } = await live.draft.load();
    const text = message?.role === "user" ? textOf(message.parts) : "";
    const asideIds = forgetting.steps.flatMap((step) =>
      "message" in step ? [step.message.id] : [],
    );
    await Promise.all(asideIds.map((asideId) => live.asides.stop(asideId)));
    if (other !== undefined && text.includes(other)) history.drafts.save(id, { other: undefined });
    await this.forget(live, forgetting);
  }

  /**
   * Removes the pictures of a conversation's messages for ever; their names stay. Rejects as `forgetMessage`.
   */
  async forgetPictures(live: LiveConversation): Promise<void> {
    const deletion = await this.historyOf(live.conversation.id).deletion();
    const forgetting = deletion.findPictures(live.conversation);
    if (forgetting) await this.forget(live, forgetting);
  }

  private async forget(live: LiveConversation, forgetting: Forgetting): Promise<void> {
    const { id } = live.conversation;
    const { drafts, deletion } = this.historyOf(id);
    await drafts.flush();
    await (
      await deletion()
    ).forget(id, forgetting, async () => {
      if (!(await live.changeMessages(forgetting.steps))) throw new Error("not written");
    });
  }

  /** True if any window removed the conversation for ever. */
  async isRemoved(id: string): Promise<boolean> {
    try {
      return await this.historyOf(id).removals.has(id);
    } catch {
      return false;
    }
  }

  draft(id: string): ConversationDraft {
    let draft = this.drafts.get(id);
    if (draft === undefined) {
      const drafts = () => this.historyOf(id).drafts;
      draft = new ConversationDraft(id, drafts, this.clock, this.workspaceName);
      this.drafts.set(id, draft);
    }
    return draft;
  }

  /** Loads a draft that another window changed; returns true if the draft was replaced. */
  async refreshDraft(id: string): Promise<boolean> {
    const live = this.live.get(id);
    if (live) await this.catchUp(live);
    const isReplaced = await this.draft(id).syncFromDisk();
    const isSent = live && (await live.draft.discardSent(live.conversation.messages.values()));
    if (live && isReplaced) {
      live.restoreQueue();
      this.elsewhere.follow(live);
    }
    return isReplaced || isSent === true;
  }

  /** Stops running replies and waits until everything is written, if the disk allows. */
  async close(): Promise<void> {
    await Promise.all(this.live.all().map((live) => live.stopAll("window")));
    await this.history.close();
  }

  dispose(): void {
    this.elsewhere.dispose();
    for (const live of this.live.all()) live.dispose();
    for (const draft of this.drafts.values()) draft.dispose();
    this.runningChanged.dispose();
    this.removed.dispose();
    this.draftSaved.dispose();
    this.unsaved.dispose();
  }

  /** Frees the memory of conversations that can be read from disk again. */
  private releaseUnused(): void {
    if (!this.history.canSave) return;
    this.live.releaseUnless((live) => {
      const { id } = live.conversation;
      const isOnDisk = live.isWritten && !this.isUnsaved(id) && this.history.journal.isSaved(id);
      return !isOnDisk || live.isReceiving || this.unsaved.isShown(id);
    });
  }

  /** Returns true if a conversation or draft of this window has this image. */
  private hasPicture(hash: string): boolean {
    const holds = ({ conversation }: LiveConversation) =>
      [...conversation.messages.values()].some((message) =>
        imagesOf(message).some((part) => part.hash === hash),
      );
    return this.history.drafts.mentions(hash) || this.live.all().some(holds);
  }

  /** Applies changes of other windows, if readable. */
  private async catchUp(live: LiveConversation): Promise<void> {
    if (await this.isRemoved(live.conversation.id)) return this.dropRemoved(live.conversation.id);
    await live.catchUp();
    const before = live.conversation;
    if (this.isRunning(before.id)) return;
    const after = await this.elsewhere.withInterruptions(before);
    const isSame = live.conversation === before && !this.isRunning(before.id);
    if (after !== before && isSame) live.replaceState(after);
    this.elsewhere.follow(live);
  }

  /** Removes what this window has of a conversation that was removed for ever. */
  private async dropRemoved(id: string): Promise<void> {
    if (!(await this.isRemoved(id))) return;
    const { journal, drafts } = this.historyOf(id);
    this.live.get(id)?.dispose();
    this.drafts.get(id)?.dispose();
    for (const map of [this.opening, this.live, this.drafts]) map.delete(id);
    await Promise.all([journal.removeForever(id), drafts.removeForever(id)]);
    await this.elsewhere.end(id);
    this.removed.fire(id);
  }

  private reportEnd(live: LiveConversation, replyId: string): void {
    const { id } = live.conversation;
    const startedAtMs = this.startedAtMs.get(id);
    if (live.runningReplyId !== undefined) {
      if (startedAtMs === undefined) this.startedAtMs.set(id, this.clock.nowMs());
    } else if (startedAtMs !== undefined) {
      this.startedAtMs.delete(id);
      this.replyEnds.fire({ live, replyId, durationMs: this.clock.nowMs() - startedAtMs });
    }
  }

  private async load(id: string): Promise<LiveConversation> {
    const { journal } = this.historyOf(id);
    const loaded = await journal.load(id).catch((cause: unknown) => {
      this.log.error(`history: a conversation could not be read (${describeError(cause)})`);
      throw new UnreadableConversation("the file could not be read", { cause });
    });
    if (loaded === undefined && (await this.isRemoved(id))) {
      return this.create();
    }
    // A conversation that was never written has at most a draft, stored under the same id.
    if (loaded === undefined) {
      return this.createLive(
        emptyConversation(id, this.clock.nowMs(), this.workspaceName()),
        false,
      );
    }
    if (loaded.damagedRecords > 0) this.fileStates.set(id, "damaged");
    else if (loaded.newerRecords > 0) this.fileStates.set(id, "newer");
    journal.accept(id, loaded);
    const live = this.createLive(await this.elsewhere.withInterruptions(loaded.conversation), true);
    // A window that died while it sent a question could not remove the pictures from before cropping.
    if (await live.draft.discardSent(live.conversation.messages.values()))
      void live.draft.flush().then(() => this.historyOf(id).finishDeletions());
    live.restoreQueue();
    this.elsewhere.follow(live);
    return live;
  }

  private turnOptions(id: string): TurnOptions {
    const pictures = this.unsaved.picturesOf(id);
    const readImage = ({ hash, mediaType }: ImagePart) => pictures.readUrl(hash, mediaType);
    return { ...this.options, pictures, readImage };
  }

  private createLive(conversation: Conversation, isOnDisk: boolean): LiveConversation {
    const draft = this.draft(conversation.id);
    const options = this.turnOptions(conversation.id);
    const live = new LiveConversation(conversation, isOnDisk, draft, this, options);
    live.onChanged((change) => {
      if (change.kind !== "reply" && change.kind !== "aside") return;
      if (live.isReceiving) this.live.hold(live);
      else this.releaseUnused();
      this.runningChanged.fire();
      this.elsewhere.beat(live);
      if (change.kind === "aside") return;
      this.reportEnd(live, change.replyId);
      // Another window may be answering the queued question.
      if (live.runningReplyId === undefined) this.elsewhere.follow(live);
    });
    this.live.hold(live);
    return live;
  }
}
