/**
 * A conversation in memory and its running reply: handles questions, applies and writes steps, and
 * emits changes. Independent of views.
 */
import type { Question, TurnEvent } from "../../ask/ask";
import type { Disposable } from "../../base/disposables";
import { Emitter } from "../../base/event";
import { newId } from "../../base/id";
import { describeError } from "../../base/log";
import {
  applySteps,
  type Conversation,
  type ModelChoice,
  type Step,
} from "../../conversation/conversation";
import { latestLeaf, versionsOf, pathTo, shownChange, shownPath } from "../../conversation/paths";
import { leftOutSteps, withoutUnsentPictures, type SendingStep } from "../../conversation/sending";
import { choiceSteps, type ChoiceStep } from "../../conversation/toSteps";
import { unansweredReply, type Message, type ModelKind } from "../../conversation/message";
import type { Part, Reply, UserMessage } from "../../conversation/message";
import { AsideTurns } from "./asideTurns";
import type { ConversationChange } from "./conversationChange";
import type { AskResult, ConversationStore } from "./conversationStore";
import type { ConversationDraft, QueuedQuestion } from "./conversationDraft";
import { emptyReply, type TurnOptions, type TurnSettings } from "./prepareTurn";
import { RunningTurn, type TurnOwner } from "./runningTurn";
import { logEnding, statusChange } from "./statusChanges";
import { SummaryWriter } from "./summaryWriter";
import { defined } from "../../base/defined";

/** Differences between a question and the refused question that it replaces. */
export interface RetryOptions extends Pick<
  UserMessage,
  "leavesOlderPictures" | "goesWithoutOlderPictures" | "leavesPictures"
> {
  /** Model of the refused question, so that leaving out images does not change the model. */
  readonly modelKind?: ModelKind;
}

interface StartingReply {
  readonly replyId: string;
  isStopped: boolean;
}

export class LiveConversation implements TurnOwner, Disposable {
  private readonly changes = new Emitter<ConversationChange>();
  /** Running turns, also of replies to questions asked aside, by the ids of their replies. */
  readonly turns = new Map<string, RunningTurn>();
  /** Ids of queued questions asked between a stop and its ending: the stop does not hold them back. */
  private readonly askedAfterStop = new Set<string>();
  /** Question whose settings are read, then the reply that is shown while its question is written. */
  private starting: "preparing" | StartingReply | undefined;
  /** Ids of running replies with a transient status, such as a wait. */
  private readonly withStatus = new Set<string>();
  isDisposed = false;
  /** Summary of older messages that is being written. */
  readonly summary: SummaryWriter;

  /** Questions asked aside. */
  readonly asides: AsideTurns;

  readonly onChanged = this.changes.event;

  /** @param isWritten false until the first message is written together with the `created` step */
  constructor(
    private state: Conversation,
    public isWritten: boolean,
    readonly draft: ConversationDraft,
    private readonly store: ConversationStore,
    private readonly options: TurnOptions,
  ) {
    this.summary = new SummaryWriter(this, options);
    this.asides = new AsideTurns(this, store, options);
  }

  get conversation(): Conversation {
    return this.state;
  }

  get runningReplyId(): string | undefined {
    return this.turn?.replyId ?? this.startingReply?.replyId;
  }

  private get turn(): RunningTurn | undefined {
    return [...this.turns.values()].find(({ replyId }) => !this.isAside(replyId));
  }

  /** True while the conversation is in memory only. */
  get isUnsaved(): boolean {
    return this.store.isUnsaved(this.state.id);
  }

  /** True while any reply is received, also one to a question asked aside. */
  get isReceiving(): boolean {
    return this.turns.size > 0 || this.startingReply !== undefined || this.asides.isAnyStarting;
  }

  get queue(): readonly QueuedQuestion[] {
    return this.draft.current.queued;
  }

  /** Returns the shown messages, including all received text of the running reply. */
  path(): Message[] {
    return shownPath(this.conversation).map((message) => this.withArrivedText(message));
  }

  /** Returns a message, including received text. */
  message(id: string): Message | undefined {
    const message = this.conversation.messages.get(id);
    return message && this.withArrivedText(message);
  }

  /**
   * Sends a question after the last shown message, or in place of an earlier question. Queues the
   * question while a reply is running. Repeating a question that failed without an answer sends
   * that question again.
   * @param replacesId earlier question, which stays as another version
   */
  async askQuestion(
    parts: readonly Part[],
    replacesId?: string,
    { modelKind, ...left }: RetryOptions = {},
  ): Promise<AskResult> {
    const { deletedAtMs } = this.conversation;
    const isChangedElsewhere = await this.catchUp();
    // This window deleted the conversation during the wait.
    if (!isChangedElsewhere && this.conversation.deletedAtMs !== deletedAtMs)
      return { isAccepted: false, failure: "busy" };
    if (this.runningReplyId !== undefined && replacesId === undefined) {
      const queued = { id: newId(this.options.clock.nowMs()), parts };
      if ((this.turn ?? this.startingReply)?.isStopped) this.askedAfterStop.add(queued.id);
      this.setQueue([...this.queue, queued]);
      return { isAccepted: true };
    }
    const failedId =
      replacesId === undefined ? unansweredReply(shownPath(this.conversation), parts) : undefined;
    if (failedId !== undefined) return this.regenerate(failedId);
    const replaced =
      replacesId === undefined ? undefined : this.conversation.messages.get(replacesId);
    const parentId = replaced?.role === "user" ? replaced.parentId : this.conversation.leafId;
    const nowMs = this.nowMs();
    const question: UserMessage = {
      role: "user",
      id: newId(nowMs),
      parentId,
      parts: [...parts],
      sentAtMs: nowMs,
      ...left,
    };
    return this.sendQuestion(
      [...pathTo(this.conversation, parentId), question],
      question,
      modelKind,
    );
  }

  /**
   * Sends the question of a reply again, also if it was left out; the reply stays as another version.
   * @param model for this reply only; missing for the conversation's choice
   */
  async regenerate(replyId: string, model?: ModelKind): Promise<AskResult> {
    const reply = this.conversation.messages.get(replyId);
    if (reply?.role !== "assistant") return { isAccepted: true };
    if (reply.isAside === true) return this.asides.askAgain(reply);
    if (!this.isBusy()) await this.leaveOut(reply.parentId ?? "", false);
    return this.sendQuestion(pathTo(this.conversation, reply.parentId), undefined, model);
  }

  /** Continues an incomplete reply with the same model, also if it was left out. */
  async continueReply(replyId: string): Promise<AskResult> {
    const reply = this.conversation.messages.get(replyId);
    if (reply?.role !== "assistant" || reply.ending === undefined) return { isAccepted: true };
    if (reply.ending.kind === "complete") return { isAccepted: true };
    if (reply.isAside === true || (reply.text === "" && !reply.thinking))
      return this.regenerate(replyId);
    if (!this.isBusy()) await this.leaveOut(replyId, false);
    const { deletedAtMs } = this.conversation;
    const settings = await this.prepare(pathTo(this.conversation, replyId), reply.modelKind);
    if ("isAccepted" in settings) return settings;
    if (await this.isDeletedSince(deletedAtMs)) return this.refuse();
    const path = pathTo(this.conversation, replyId);
    this.starting = { replyId, isStopped: false };
    const atMs = this.nowMs();
    const turnId = newId(atMs);
    const afterTurnId = this.conversation.turns?.writers.get(replyId)?.turnId;
    const { length } = reply.text;
    await this.applySteps([
      { kind: "reply-continued", messageId: replyId, turnId, afterTurnId, length, atMs },
    ]);
    this.changes.fire({ kind: "reply", replyId });
    this.startMainTurn(reply, { ...settings, path, isContinuing: true }, turnId);
    return { isAccepted: true };
  }

  /** Shows the previous (-1) or next (1) version of a message. */
  async chooseVersion(messageId: string, step: -1 | 1): Promise<void> {
    const message = this.conversation.messages.get(messageId);
    if (message === undefined || this.turn !== undefined) return;
    const versions = versionsOf(this.conversation, message);
    const chosen = versions[versions.indexOf(messageId) + step];
    if (chosen === undefined) return;
    await this.applyPathSteps([
      { kind: "path-chosen", leafId: latestLeaf(this.conversation, chosen) },
    ]);
  }

  /** Shows the queue of a draft that was read, without questions that were sent since. */
  restoreQueue(): void {
    const unasked = this.queue.filter(({ id }) => !this.conversation.messages.has(id));
    if (unasked.length < this.queue.length) this.setQueue(unasked);
    else this.changes.fire({ kind: "queue" });
  }

  /** Applies changes of other windows unless a reply is running. Resolves with true if there are any. */
  async catchUp(): Promise<boolean> {
    const canApply = () => !this.isBusy() && !this.isReceiving;
    return canApply() && this.applyForeignChanges(canApply);
  }

  private async applyForeignChanges(canApply: () => boolean): Promise<boolean> {
    const changes = await this.store.readForeignChanges(this.conversation.id);
    if (changes === undefined || !canApply()) return false;
    changes.accept();
    this.replaceState(changes.conversation);
    return true;
  }

  /**
   * Applies changes of other windows before a question is sent, so that no forgotten text is sent. True if
   * the conversation was deleted since, because a question from before must not restore it.
   */
  private async isDeletedSince(deletedAtMs: number | undefined): Promise<boolean> {
    await this.applyForeignChanges(() => !this.isDisposed);
    const isRemoved = await this.store.isRemoved(this.conversation.id);
    return isRemoved || this.conversation.deletedAtMs !== deletedAtMs;
  }

  private refuse(): AskResult {
    this.starting = undefined;
    return { isAccepted: false, failure: "busy" };
  }

  removeQueued(queuedId: string): QueuedQuestion | undefined {
    const removed = this.queue.find(({ id }) => id === queuedId);
    if (removed) this.setQueue(this.queue.filter(({ id }) => id !== queuedId));
    return removed;
  }

  /** Sends a queued question, or keeps it queued if sending fails. */
  async askQueued(queuedId: string): Promise<AskResult> {
    if (this.isBusy()) return { isAccepted: false, failure: "busy" };
    const { deletedAtMs } = this.conversation;
    await this.catchUp();
    const deletedNow = this.conversation.deletedAtMs;
    // Another window deleted the conversation while the question was waiting.
    if (deletedNow !== undefined && deletedNow !== deletedAtMs)
      return { isAccepted: false, failure: "busy" };
    const queued = this.queue.find(({ id }) => id === queuedId);
    if (queued === undefined) return { isAccepted: true }; // Another window sent the question.
    const nowMs = this.nowMs();
    const { leafId: parentId } = this.conversation;
    // The id shows other windows, and readers of the file after a crash, that the question was sent.
    const question: UserMessage = {
      role: "user",
      id: queuedId,
      parentId,
      parts: [...queued.parts],
      sentAtMs: nowMs,
      askId: newId(nowMs),
    };
    const result = await this.sendQuestion(
      [...pathTo(this.conversation, parentId), question],
      question,
    );
    if (result.isAccepted) this.removeQueued(queuedId);
    return result;
  }

  /** Applies steps for the whole conversation: title, pin, bin. */
  async change(steps: readonly Step[]): Promise<void> {
    const saved = this.applySteps(steps);
    if (steps.some(({ kind }) => kind === "titled")) this.changes.fire({ kind: "title" });
    await saved;
  }

  /** Applies steps that change messages, and emits the changed messages. Resolves as `applySteps`. */
  changeMessages(steps: readonly Step[]): Promise<boolean> {
    const saved = this.applyPathSteps(steps);
    this.changes.fire({ kind: "title" });
    this.emit({ kind: "asides" });
    return saved;
  }

  /**
   * Applies a choice from the next question on. An empty conversation writes the choice with its
   * first message.
   */
  async choose(step: ChoiceStep): Promise<void> {
    const saved = this.isWritten ? this.applySteps([step]) : undefined;
    if (!this.isWritten) this.state = applySteps(this.state, [step]);
    this.changes.fire({ kind: "choice" });
    await saved;
  }

  /** Leaves a message out of what is sent, or sends it again. */
  async leaveOut(messageId: string, isOut: boolean): Promise<void> {
    const { sending, messages, leafId: atId } = this.conversation;
    const message = messages.get(messageId);
    if (message === undefined) return;
    const entry = { newId: () => newId(this.options.clock.nowMs()), atId };
    const steps = leftOutSteps(sending, message, isOut, entry);
    if (steps.length > 0) await this.chooseSending(steps);
  }

  /** Applies choices of what is sent from the next request on. */
  async chooseSending(steps: readonly SendingStep[]): Promise<void> {
    const saved = this.applySteps(steps);
    this.emit({ kind: "sending" });
    await saved;
  }

  /** Emits that the conversation is saved from now on. */
  emitKept(): void {
    this.changes.fire({ kind: "title" });
    this.changes.fire({ kind: "choice" });
  }

  /**
   * Makes an aside with an answer the last question and reply of the conversation. Resolves with false
   * while a reply is received.
   */
  async joinAside(asideId: string): Promise<boolean> {
    await this.catchUp();
    if (this.isBusy() || this.asides.isRunning(asideId)) return false;
    if (this.conversation.messages.get(asideId)?.isAside !== true) return true;
    const { leafId: afterId } = this.conversation;
    await this.applyPathSteps([{ kind: "aside-joined", asideId, afterId }]);
    this.emit({ kind: "asides" });
    return true;
  }

  /** Stops all replies, also those to questions asked aside. */
  async stopAll(by: "user" | "window" = "user"): Promise<void> {
    this.asides.stopStarting();
    const turns = [...this.turns.values()].map((turn) => turn.stop(by));
    await Promise.all([this.stop(by), ...turns]);
  }

  emit(change: ConversationChange): void {
    this.changes.fire(change);
  }

  /** Stops the running reply and keeps its text. Resolves once the ending is written. */
  async stop(by: "user" | "window" = "user"): Promise<void> {
    if (this.startingReply) this.startingReply.isStopped = true;
    await this.turn?.stop(by);
  }

  dispose(): void {
    this.isDisposed = true;
    void this.stopAll("window");
    this.summary.dispose();
    this.changes.dispose();
  }

  /** Adds the question, if any, and a reply after this path; resolves when the turn has started. */
  private async sendQuestion(
    asked: Message[],
    written: UserMessage | undefined,
    model: ModelChoice | undefined = this.conversation.model,
  ): Promise<AskResult> {
    const { deletedAtMs } = this.conversation;
    const settings = await this.prepare(asked, model);
    if ("isAccepted" in settings) return settings;
    const question = written && (await this.withRules(written));
    if (await this.isDeletedSince(deletedAtMs)) return this.refuse();
    const latest = asked.map((message) => this.conversation.messages.get(message.id) ?? message);
    const path = question === undefined ? latest : [...latest.slice(0, -1), question];
    const reply = {
      ...emptyReply(settings, path.at(-1)?.id ?? null, this.nowMs()),
      // A queued question gets the same reply id in every window, so only a single reply exists.
      ...(question?.askId !== undefined && { id: `${question.id}-r` }),
    };
    const added: Message[] = question === undefined ? [reply] : [question, reply];
    this.starting = { replyId: reply.id, isStopped: false };
    // A conversation keeps the profile of its first question.
    const { profile = settings.profile } = this.conversation;
    const isSaved = await this.applyPathSteps([
      ...(profile === this.conversation.profile
        ? []
        : [{ kind: "profile-chosen" as const, profile }]),
      ...added.map((message) => ({ kind: "message-added" as const, message })),
    ]);
    const askedElsewhere = isSaved && question && (await this.askedElsewhere(question));
    if (askedElsewhere) {
      this.starting = undefined;
      this.replaceState(askedElsewhere);
      this.changes.fire({ kind: "reply", replyId: reply.id });
    } else this.startMainTurn(reply, { ...settings, path, isContinuing: false });
    return { isAccepted: true };
  }

  private async withRules(question: UserMessage): Promise<UserMessage> {
    const rules = await this.options.rulesFor?.(question.parts);
    return rules === undefined ? question : { ...question, parts: [rules, ...question.parts] };
  }

  /** Returns the conversation on disk if another window sent this question first. */
  private async askedElsewhere({ id, askId }: UserMessage): Promise<Conversation | undefined> {
    if (askId === undefined) return undefined;
    const shared = await this.store.readShared(this.conversation.id);
    const first = shared?.messages.get(id);
    return first?.role === "user" && first.askId !== askId ? shared : undefined;
  }

  private get startingReply(): StartingReply | undefined {
    return this.starting === "preparing" ? undefined : this.starting;
  }

  /** Returns the time; not before a deletion, also if the clock was set back since. */
  private nowMs(): number {
    return Math.max(this.options.clock.nowMs(), this.conversation.deletedAtMs ?? 0);
  }

  private isBusy(): boolean {
    return this.turn !== undefined || this.starting !== undefined || this.isDisposed;
  }

  /** Replaces the state by a state read from disk and emits the differences. */
  replaceState(conversation: Conversation): void {
    const change = shownChange(this.conversation, conversation);
    this.state = conversation;
    this.isWritten = true;
    if (change) this.changes.fire({ kind: "path", ...change });
    this.changes.fire({ kind: "title" });
    this.changes.fire({ kind: "choice" });
    this.emit({ kind: "sending" });
    this.emit({ kind: "forks" });
    this.emit({ kind: "asides" });
    this.restoreQueue();
  }

  /**
   * Reads the settings of a turn. Keeps the conversation busy after that: the caller sets `starting`.
   * Returns the result to report if the question cannot be sent.
   */
  private async prepare(
    path: Message[],
    model: ModelChoice | undefined,
  ): Promise<TurnSettings | Extract<AskResult, { isAccepted: false }>> {
    if (this.isBusy()) return { isAccepted: false, failure: "busy" };
    this.starting = "preparing";
    const { profile, parameters } = this.conversation;
    const choices = defined({ model, profile, parameters });
    try {
      const sent = withoutUnsentPictures(path, this.conversation.sending);
      const settings = await this.options.prepareTurn(sent, choices);
      if (!("kind" in settings)) return settings;
      this.starting = undefined;
      return { isAccepted: false, failure: settings };
    } catch (error) {
      this.starting = undefined;
      throw error;
    }
  }

  private startMainTurn(reply: Reply, asked: Omit<Question, "sending">, turnId?: string): void {
    const isStopped = this.startingReply?.isStopped === true;
    this.starting = undefined;
    this.startTurn(reply, { ...asked, sending: this.conversation.sending }, isStopped, turnId);
  }

  /** Starts the turn of a reply, also of one to a question asked aside. */
  startTurn(reply: Reply, question: Question, isStopped: boolean, turnId?: string): void {
    if (this.isDisposed) return;
    const { id: replyId } = reply;
    const turn = new RunningTurn(replyId, turnId, reply, this, question, this.options);
    this.turns.set(replyId, turn);
    if (isStopped) void turn.stop();
    turn.finished
      .catch((error: unknown) =>
        this.options.log.error(`chat: a turn failed unexpectedly (${describeError(error)})`),
      )
      .finally(() => {
        this.turns.delete(replyId);
        this.emitReply(replyId);
        if (reply.isAside !== true) this.sendNext(replyId);
      });
    this.emitReply(replyId);
  }

  private sendNext(replyId: string): void {
    const reply = this.conversation.messages.get(replyId);
    const [next] = this.queue;
    if (next === undefined || this.isDisposed || reply?.role !== "assistant") return;
    const isSent = reply.ending?.kind === "complete" || this.askedAfterStop.has(next.id);
    if (!isSent || this.conversation.deletedAtMs !== undefined) return;
    this.askQueued(next.id).catch((error: unknown) => {
      this.options.log.error(`chat: a queued question could not be sent (${describeError(error)})`);
    });
  }

  private setQueue(queue: readonly QueuedQuestion[]): void {
    this.draft.saveQueue(queue);
    this.changes.fire({ kind: "queue" });
  }

  /** Applies steps and writes them; resolves once they are on disk, or with false if they are queued. */
  applySteps(steps: readonly Step[]): Promise<boolean> {
    if (steps.length === 0) return Promise.resolve(true);
    const all = this.isWritten ? steps : [...this.firstSteps(), ...steps];
    this.isWritten = true;
    this.state = applySteps(this.state, all);
    return this.store.save(this.state.id, all);
  }

  emitReply(replyId: string): void {
    this.changes.fire({ kind: this.isAside(replyId) ? "aside" : "reply", replyId });
  }

  /** Emits the whole reply again, with the messages after it. */
  emitReplaced(replyId: string): void {
    if (this.isAside(replyId)) this.emit({ kind: "asides" });
    const keptCount = this.path().findIndex(({ id }) => id === replyId);
    if (keptCount >= 0) this.changes.fire({ kind: "path", keptCount, removedFromId: replyId });
  }

  /** Emits transient changes; lasting changes are steps. */
  emitStatus(replyId: string, event: TurnEvent): void {
    const { clock, log } = this.options;
    if (event.type === "request-sent" && !this.isAside(replyId)) this.emitReply(replyId);
    const change = statusChange(replyId, event, clock.nowMs());
    // Each piece of text clears the status.
    const isNothingNew = change.status === undefined && !this.withStatus.delete(replyId);
    if (change.status !== undefined) this.withStatus.add(replyId);
    if (!isNothingNew) this.changes.fire(change);
    if (event.type === "turn-ended") logEnding(event.ending, log);
  }

  /** Returns the steps that recreate a conversation that was never written. */
  private firstSteps(): Step[] {
    const { id, createdAtMs, workspace } = this.state;
    const created = { id, atMs: createdAtMs, ...(workspace && { workspace }) };
    return [{ kind: "created", ...created }, ...choiceSteps(this.state)];
  }

  /** Applies steps that change the shown path, and emits the change. */
  private applyPathSteps(steps: readonly Step[]): Promise<boolean> {
    const before = this.conversation;
    const saved = this.applySteps(steps);
    const change = shownChange(before, this.conversation);
    if (change) this.changes.fire({ kind: "path", ...change });
    return saved;
  }

  private withArrivedText(message: Message): Message {
    const turn = this.turns.get(message.id);
    if (turn === undefined || message.role !== "assistant") return message;
    return { ...message, text: turn.text, thinking: turn.thinking };
  }

  private isAside(messageId: string): boolean {
    return this.conversation.messages.get(messageId)?.isAside === true;
  }
}
