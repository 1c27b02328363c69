/**
 * A conversation in memory and its running reply: handles questions, applies and writes steps, and
 * emits changes. Independent of views.
 */
import { ask, type Question, type TurnEvent } from "../ask/ask";
import type { ReadImage } from "../ask/wireMessages";
import type { Clock } from "../base/clock";
import type { Disposable } from "../base/disposables";
import { Emitter } from "../base/event";
import { newId } from "../base/id";
import { describeError, type Log } from "../base/log";
import {
  latestLeaf,
  pathChange,
  pathTo,
  shownChange,
  shownPath,
  type Conversation,
  type ModelChoice,
  type Step,
} from "../conversation/conversation";
import type { ChoiceStep } from "../conversation/toSteps";
import type { Failure } from "../conversation/ending";
import { unansweredReply, type Message, type ModelKind } from "../conversation/message";
import type { Part, Reply, UserMessage } from "../conversation/message";
import type { ForeignChanges } from "../history/journal";
import type { ServiceClient } from "../service/client";
import type { ConversationChange } from "./conversationChange";
import { ConversationRecord, type SaveSteps } from "./conversationRecord";
import type { PrepareTurn, TurnSettings } from "./prepareTurn";
import { RunningTurn } from "./runningTurn";
import { logEnding, statusChanges } from "./statusChanges";

export interface LiveConversationOptions {
  readonly client: ServiceClient;
  readonly prepareTurn: PrepareTurn;
  readonly readImage: ReadImage;
  readonly save: SaveSteps;
  /** Reads changes that another window wrote. */
  readonly readNews: (conversationId: string) => Promise<ForeignChanges | undefined>;
  /** Reads the state on disk if another window may have changed it. */
  readonly readShared: (conversationId: string) => Promise<Conversation | undefined>;
  /** Saves the queued questions. */
  readonly saveQueue: (conversationId: string, queue: readonly QueuedQuestion[]) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** A queued question, sent after the running reply ends. */
export interface QueuedQuestion {
  readonly id: string;
  readonly parts: readonly Part[];
}

/** Differences between a question and the refused question that it replaces. */
export interface RetryOptions extends Pick<
  UserMessage,
  "leavesOlderPictures" | "goesWithoutOlderPictures" | "leavesPictures"
> {
  /** Model of the refused question, so that leaving out images does not change the model. */
  readonly modelKind?: ModelKind;
}

/** Result of sending a question. */
export type AskResult =
  { readonly isTaken: true } | { readonly isTaken: false; readonly failure: Failure | "busy" };

export class LiveConversation implements Disposable {
  private readonly changes = new Emitter<ConversationChange>();
  private turn: RunningTurn | undefined;
  /** A reply that is shown while its question is being written to disk. */
  private starting: { readonly replyId: string; isStopped: boolean } | undefined;
  private isPreparing = false;
  private isDisposed = false;
  private waiting: readonly QueuedQuestion[] = [];

  /** Fires after each change. */
  readonly onChanged = this.changes.event;

  private readonly record: ConversationRecord;

  /** @param isOnDisk false until the first message is written */
  constructor(
    conversation: Conversation,
    isOnDisk: boolean,
    private readonly ports: LiveConversationOptions,
  ) {
    this.record = new ConversationRecord(conversation, isOnDisk, ports.save);
  }

  get conversation(): Conversation {
    return this.record.conversation;
  }

  /** Id of the running reply. */
  get runningReplyId(): string | undefined {
    return this.turn?.replyId ?? this.starting?.replyId;
  }

  /** Queued questions, in order. */
  get queue(): readonly QueuedQuestion[] {
    return this.waiting;
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
    if (this.runningReplyId !== undefined && replacesId === undefined) {
      this.changeQueue([...this.waiting, { id: newId(this.ports.clock.nowMs()), parts }]);
      return { isTaken: true };
    }
    const failedId =
      replacesId === undefined ? unansweredReply(shownPath(this.conversation), parts) : undefined;
    if (failedId !== undefined) return this.regenerate(failedId);
    const replaced =
      replacesId === undefined ? undefined : this.conversation.messages.get(replacesId);
    const parentId = replaced?.role === "user" ? replaced.parentId : this.conversation.leafId;
    const nowMs = this.ports.clock.nowMs();
    const question: UserMessage = {
      ...{ role: "user", id: newId(nowMs), parentId, parts: [...parts], sentAtMs: nowMs },
      ...left,
    };
    return this.sendQuestion(
      [...pathTo(this.conversation, parentId), question],
      question,
      modelKind,
    );
  }

  /**
   * Sends the question of a reply again; the reply stays as another version.
   * @param model for this reply only; missing for the conversation's choice
   */
  async regenerate(replyId: string, model?: ModelKind): Promise<AskResult> {
    const reply = this.conversation.messages.get(replyId);
    if (reply?.role !== "assistant") return { isTaken: true };
    return this.sendQuestion(pathTo(this.conversation, reply.parentId), undefined, model);
  }

  /** Continues an incomplete reply with the same model. */
  async continueReply(replyId: string): Promise<AskResult> {
    const reply = this.conversation.messages.get(replyId);
    if (reply?.role !== "assistant" || reply.ending === undefined) return { isTaken: true };
    if (reply.ending.kind === "complete") return { isTaken: true };
    if (reply.text === "" && !reply.thinking) return this.regenerate(replyId);
    return this.withSettings(
      pathTo(this.conversation, replyId),
      reply.modelKind,
      async (path, settings) => {
        const { clock } = this.ports;
        this.starting = { replyId, isStopped: false };
        const atMs = clock.nowMs();
        const turnId = newId(atMs);
        const afterTurnId = this.conversation.turns?.writers.get(replyId)?.turnId;
        const { length } = reply.text;
        await this.record.applySteps([
          { kind: "reply-continued", messageId: replyId, turnId, afterTurnId, length, atMs },
        ]);
        this.changes.fire({ kind: "reply", replyId });
        const question = { ...settings, path, isContinuing: true };
        this.startTurn(replyId, reply, question, turnId);
      },
    );
  }

  /** Shows the previous (-1) or next (1) version of a message. */
  async chooseVersion(messageId: string, step: -1 | 1): Promise<void> {
    const message = this.conversation.messages.get(messageId);
    if (message === undefined || this.turn !== undefined) return;
    const siblings = this.conversation.children.get(message.parentId) ?? [];
    const chosen = siblings[siblings.indexOf(messageId) + step];
    if (chosen === undefined) return;
    await this.applyPathSteps([
      { kind: "path-chosen", leafId: latestLeaf(this.conversation, chosen) },
    ]);
  }

  /** Restores queued questions, without those already sent. */
  restoreQueue(queue: readonly QueuedQuestion[]): void {
    const unasked = queue.filter(({ id }) => !this.conversation.messages.has(id));
    if (unasked.length < queue.length) {
      this.changeQueue(unasked);
      return;
    }
    this.waiting = queue;
    this.changes.fire({ kind: "queue" });
  }

  /** Applies changes of other windows unless a reply is running. */
  async catchUp(): Promise<void> {
    if (this.isBusy()) return;
    const news = await this.ports.readNews(this.conversation.id);
    if (news === undefined || this.isBusy()) return;
    news.accept();
    this.replaceState(news.conversation);
  }

  /** Changes the parts of a queued question; undefined removes the question. */
  changeQueued(queuedId: string, parts: readonly Part[] | undefined): void {
    const changed = this.waiting.flatMap((queued) =>
      queued.id !== queuedId ? [queued] : parts === undefined ? [] : [{ ...queued, parts }],
    );
    this.changeQueue(changed);
  }

  /** Sends a queued question; it stays queued if it cannot be sent. */
  async askQueued(queuedId: string): Promise<AskResult> {
    if (this.isBusy()) return { isTaken: false, failure: "busy" };
    await this.catchUp();
    const queued = this.waiting.find(({ id }) => id === queuedId);
    if (queued === undefined) return { isTaken: true }; // Another window sent the question.
    const nowMs = this.ports.clock.nowMs();
    const { leafId: parentId } = this.conversation;
    // The id shows other windows, and readers of the file after a crash, that the question was sent.
    const question: UserMessage = {
      ...{ role: "user", id: queuedId, parentId, parts: [...queued.parts], sentAtMs: nowMs },
      askId: newId(nowMs),
    };
    const result = await this.sendQuestion(
      [...pathTo(this.conversation, parentId), question],
      question,
    );
    if (result.isTaken) this.changeQueued(queuedId, undefined);
    return result;
  }

  /** Applies steps for the whole conversation: title, pin, bin. */
  async change(steps: readonly Step[]): Promise<void> {
    const saved = this.record.applySteps(steps);
    if (steps.some(({ kind }) => kind === "titled")) this.changes.fire({ kind: "title" });
    await saved;
  }

  /**
   * Applies a choice from the next question on. An empty conversation writes the choice with its
   * first message.
   */
  async choose(step: ChoiceStep): Promise<void> {
    const saved = this.record.choose(step);
    this.changes.fire({ kind: "choice" });
    await saved;
  }

  /** Stops the running reply and keeps its text. Resolves once the ending is written. */
  async stop(by: "person" | "window" = "person"): Promise<void> {
    if (this.starting) this.starting.isStopped = true;
    await this.turn?.stop(by);
  }

  dispose(): void {
    this.isDisposed = true;
    void this.turn?.stop();
    this.changes.dispose();
  }

  private sendQuestion(
    path: Message[],
    question: UserMessage | undefined,
    model: ModelChoice | undefined = this.conversation.model,
  ): Promise<AskResult> {
    return this.withSettings(path, model, async (preparedPath, settings) => {
      const { clock } = this.ports;
      const reply: Reply = {
        role: "assistant",
        // A queued question gets the same reply id in every window, so only a single reply exists.
        id: question?.askId === undefined ? newId(clock.nowMs()) : `${question.id}-r`,
        parentId: preparedPath.at(-1)?.id ?? null,
        text: "",
        modelKind: settings.modelKind,
        modelCode: settings.modelCode,
        startedAtMs: clock.nowMs(),
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
      } else
        this.startTurn(reply.id, reply, { ...settings, path: preparedPath, isContinuing: false });
    });
  }

  /** Returns the conversation on disk if another window sent this question first. */
  private async askedElsewhere({ id, askId }: UserMessage): Promise<Conversation | undefined> {
    if (askId === undefined) return undefined;
    const shared = await this.ports.readShared(this.conversation.id);
    const first = shared?.messages.get(id);
    return first?.role === "user" && first.askId !== askId ? shared : undefined;
  }

  private isBusy(): boolean {
    return this.runningReplyId !== undefined || this.isPreparing || this.isDisposed;
  }

  /** Replaces the state and emits the differences. */
  replaceState(conversation: Conversation): void {
    const change = shownChange(this.conversation, conversation);
    this.record.replace(conversation);
    if (change) this.changes.fire({ kind: "path", ...change });
    this.changes.fire({ kind: "title" });
    this.changes.fire({ kind: "choice" });
    this.restoreQueue(this.waiting);
  }

  /** Reads the settings, then calls `goOn`; changes nothing if the question cannot be sent. */
  private async withSettings(
    path: Message[],
    model: ModelChoice | undefined,
    goOn: (path: Message[], settings: TurnSettings) => Promise<void>,
  ): Promise<AskResult> {
    if (this.turn !== undefined || this.isPreparing) return { isTaken: false, failure: "busy" };
    this.isPreparing = true;
    try {
      const { profile, parameters } = this.conversation;
      const settings = await this.ports.prepareTurn(path, {
        ...(model && { model }),
        ...(profile !== undefined && { profile }),
        ...(parameters && { parameters }),
      });
      if ("kind" in settings) return { isTaken: false, failure: settings };
      await goOn(path, settings);
      return { isTaken: true };
    } finally {
      this.isPreparing = false;
    }
  }

  private startTurn(
    replyId: string,
    before: Pick<Reply, "text" | "thinking">,
    question: Question,
    turnId?: string,
  ): void {
    if (this.isDisposed) return;
    const { client, readImage, clock } = this.ports;
    const turn = new RunningTurn(replyId, turnId, before, clock, {
      run: (signal) => ask(client, question, readImage, signal),
      applySteps: (steps) => this.record.applySteps(steps),
      onEvent: (event) => this.emitStatus(replyId, event),
      onText: (offset, text) => this.changes.fire({ kind: "text", replyId, offset, text }),
      onThinking: (text) => this.changes.fire({ kind: "thinking", replyId, text }),
      onThinkingChanged: () => this.changes.fire({ kind: "reply", replyId }),
      onTextReplaced: () => {
        const keptCount = this.path().findIndex(({ id }) => id === replyId);
        if (keptCount >= 0) this.changes.fire({ kind: "path", keptCount, removedFromId: replyId });
      },
    });
    this.turn = turn;
    if (this.starting?.isStopped) void turn.stop();
    this.starting = undefined;
    turn.finished
      .catch((error: unknown) =>
        this.ports.log.error(`chat: a turn broke (${describeError(error)})`),
      )
      .finally(() => {
        this.turn = undefined;
        this.changes.fire({ kind: "reply", replyId });
        this.sendNext(replyId);
      });
    this.changes.fire({ kind: "reply", replyId });
  }

  /** Sends the next queued question after a complete reply. */
  private sendNext(replyId: string): void {
    const reply = this.conversation.messages.get(replyId);
    const [next] = this.waiting;
    if (next === undefined || this.isDisposed || reply?.role !== "assistant") return;
    if (reply.ending?.kind !== "complete" || this.conversation.deletedAtMs !== undefined) return;
    this.askQueued(next.id).catch((error: unknown) => {
      this.ports.log.error(`chat: a waiting question was not asked (${describeError(error)})`);
    });
  }

  private changeQueue(queue: readonly QueuedQuestion[]): void {
    this.waiting = queue;
    this.ports.saveQueue(this.conversation.id, queue);
    this.changes.fire({ kind: "queue" });
  }

  /** Emits transient changes; lasting changes are steps. */
  private emitStatus(replyId: string, event: TurnEvent): void {
    const { clock, log } = this.ports;
    for (const change of statusChanges(replyId, event, clock.nowMs())) this.changes.fire(change);
    if (event.type === "turn-ended") logEnding(event.ending, log);
  }

  /** Applies steps that change the shown path, and emits the change. */
  private applyPathSteps(steps: readonly Step[]): Promise<boolean> {
    const before = shownPath(this.conversation);
    const saved = this.record.applySteps(steps);
    this.changes.fire({ kind: "path", ...pathChange(before, shownPath(this.conversation)) });
    return saved;
  }

  private withArrivedText(message: Message): Message {
    const { turn } = this;
    return turn !== undefined && message.id === turn.replyId && message.role === "assistant"
      ? { ...message, text: turn.text, thinking: turn.thinking }
      : message;
  }
}
