/**
 * One conversation in memory, with the reply that may be running in it: takes what the person
 * asks, applies the steps, writes them to the journal and tells what changed. Knows no panel: any
 * number of views may look at the same one, or none.
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

/** What a live conversation needs of the rest of the house. */
export interface LiveConversationOptions {
  readonly client: ServiceClient;
  readonly prepareTurn: PrepareTurn;
  readonly readImage: ReadImage;
  readonly save: SaveSteps;
  /** Reads the conversation again if another window wrote to it. */
  readonly readNews: (conversationId: string) => Promise<ForeignChanges | undefined>;
  /** The state on disk, if another window may have written to it since this window read it. */
  readonly readShared: (conversationId: string) => Promise<Conversation | undefined>;
  /** Remembers the questions that wait. */
  readonly saveQueue: (conversationId: string, queue: readonly QueuedQuestion[]) => void;
  readonly clock: Clock;
  readonly log: Log;
}

/** A question that waits until the running reply has ended. */
export interface QueuedQuestion {
  readonly id: string;
  readonly parts: readonly Part[];
}

/** Differences between a question and the refused one it replaces. */
export interface RetryOptions extends Pick<
  UserMessage,
  "leavesOlderPictures" | "goesWithoutOlderPictures" | "leavesPictures"
> {
  /** The model that was asked before, so that leaving pictures out does not change it. */
  readonly modelKind?: ModelKind;
}

/** Whether a question was taken; if not, why. */
export type AskResult =
  { readonly isTaken: true } | { readonly isTaken: false; readonly failure: Failure | "busy" };

/** One conversation and at most one running turn. */
export class LiveConversation implements Disposable {
  private readonly changes = new Emitter<ConversationChange>();
  private turn: RunningTurn | undefined;
  /** A reply that is shown as coming while its question is still being written to disk. */
  private starting: { readonly replyId: string; isStopped: boolean } | undefined;
  private isPreparing = false;
  private isDisposed = false;
  private waiting: readonly QueuedQuestion[] = [];

  /** Tells every change, after it was applied. */
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

  /** The reply that is coming now, if any. */
  get runningReplyId(): string | undefined {
    return this.turn?.replyId ?? this.starting?.replyId;
  }

  /** Questions that wait, in their order. */
  get queue(): readonly QueuedQuestion[] {
    return this.waiting;
  }

  /** The shown messages, the running reply with all text that has arrived. */
  path(): Message[] {
    return shownPath(this.conversation).map((message) => this.withArrivedText(message));
  }

  /** One message as `path` gives it. */
  message(id: string): Message | undefined {
    const message = this.conversation.messages.get(id);
    return message && this.withArrivedText(message);
  }

  /**
   * Asks a question after the last shown message, or in the place of an earlier one. While a
   * reply is coming the question waits for its end. The same words again after a question that
   * failed without an answer ask that question again.
   * @param replacesId an earlier question; it stays as another version
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
    return this.begin([...pathTo(this.conversation, parentId), question], question, modelKind);
  }

  /**
   * Asks the question of a reply once more; the reply so far stays as another version.
   * @param model for this reply only; else the conversation's choice
   */
  async regenerate(replyId: string, model?: ModelKind): Promise<AskResult> {
    const reply = this.conversation.messages.get(replyId);
    if (reply?.role !== "assistant") return { isTaken: true };
    return this.begin(pathTo(this.conversation, reply.parentId), undefined, model);
  }

  /** Asks for the rest of a reply that did not come whole, from the model that began it. */
  async continueReply(replyId: string): Promise<AskResult> {
    const reply = this.conversation.messages.get(replyId);
    if (reply?.role !== "assistant" || reply.ending === undefined) return { isTaken: true };
    if (reply.ending.kind === "complete") return { isTaken: true };
    if (reply.text === "") return this.regenerate(replyId);
    return this.prepared(
      pathTo(this.conversation, replyId),
      reply.modelKind,
      async (path, settings) => {
        const { clock } = this.ports;
        this.starting = { replyId, isStopped: false };
        const atMs = clock.nowMs();
        const turnId = newId(atMs);
        const afterTurnId = this.conversation.turns?.writers.get(replyId)?.turnId;
        const { length } = reply.text;
        await this.record.take([
          { kind: "reply-continued", messageId: replyId, turnId, afterTurnId, length, atMs },
        ]);
        this.changes.fire({ kind: "reply", replyId });
        const question = { ...settings, path, isContinuing: true };
        this.start(replyId, reply.text, question, turnId);
      },
    );
  }

  /** Shows the version before (-1) or after (1) this message. */
  async chooseVersion(messageId: string, step: -1 | 1): Promise<void> {
    const message = this.conversation.messages.get(messageId);
    if (message === undefined || this.turn !== undefined) return;
    const siblings = this.conversation.children.get(message.parentId) ?? [];
    const chosen = siblings[siblings.indexOf(messageId) + step];
    if (chosen === undefined) return;
    await this.takePath([{ kind: "path-chosen", leafId: latestLeaf(this.conversation, chosen) }]);
  }

  /** Takes over the questions that wait, without those that were asked already. */
  restoreQueue(queue: readonly QueuedQuestion[]): void {
    const unasked = queue.filter(({ id }) => !this.conversation.messages.has(id));
    if (unasked.length < queue.length) return this.changeQueue(unasked);
    this.waiting = queue;
    this.changes.fire({ kind: "queue" });
  }

  /** Takes over what other windows wrote to the file, unless a reply is coming here. */
  async catchUp(): Promise<void> {
    if (this.isBusy) return;
    const news = await this.ports.readNews(this.conversation.id);
    if (news === undefined || this.isBusy) return;
    news.accept();
    this.become(news.conversation);
  }

  /** Gives a waiting question other parts; none takes it out of the queue. */
  changeQueued(queuedId: string, parts: readonly Part[] | undefined): void {
    const changed = this.waiting.flatMap((queued) =>
      queued.id !== queuedId ? [queued] : parts === undefined ? [] : [{ ...queued, parts }],
    );
    this.changeQueue(changed);
  }

  /** Asks a waiting question now; it stays in the queue when it cannot be asked. */
  async askQueued(queuedId: string): Promise<AskResult> {
    if (this.isBusy) return { isTaken: false, failure: "busy" };
    await this.catchUp();
    const queued = this.waiting.find(({ id }) => id === queuedId);
    if (queued === undefined) return { isTaken: true }; // Another window asked it.
    const nowMs = this.ports.clock.nowMs();
    const { leafId: parentId } = this.conversation;
    // Its id tells every window, and whoever reads the file after a crash, that it was asked.
    const question: UserMessage = {
      ...{ role: "user", id: queuedId, parentId, parts: [...queued.parts], sentAtMs: nowMs },
      askId: newId(nowMs),
    };
    const result = await this.begin([...pathTo(this.conversation, parentId), question], question);
    if (result.isTaken) this.changeQueued(queuedId, undefined);
    return result;
  }

  /** Takes steps about the conversation as a whole: its title, a pin, the bin. */
  async change(steps: readonly Step[]): Promise<void> {
    const saved = this.record.take(steps);
    if (steps.some(({ kind }) => kind === "titled")) this.changes.fire({ kind: "title" });
    await saved;
  }

  /** Holds from the next question on; an empty conversation is written with its first message. */
  async choose(step: ChoiceStep): Promise<void> {
    const saved = this.record.choose(step);
    this.changes.fire({ kind: "choice" });
    await saved;
  }

  /** Stops the running reply; what arrived stays. Resolves when its ending is written. */
  async stop(by: "person" | "window" = "person"): Promise<void> {
    if (this.starting) this.starting.isStopped = true;
    await this.turn?.stop(by);
  }

  dispose(): void {
    this.isDisposed = true;
    void this.turn?.stop();
    this.changes.dispose();
  }

  private begin(
    path: Message[],
    question: UserMessage | undefined,
    model: ModelChoice | undefined = this.conversation.model,
  ): Promise<AskResult> {
    return this.prepared(path, model, async (preparedPath, settings) => {
      const { clock } = this.ports;
      const reply: Reply = {
        role: "assistant",
        // Of one question that waited there is one reply, whichever window asks first.
        id: question?.askId === undefined ? newId(clock.nowMs()) : `${question.id}-r`,
        parentId: preparedPath.at(-1)?.id ?? null,
        text: "",
        modelKind: settings.modelKind,
        modelCode: settings.modelCode,
        startedAtMs: clock.nowMs(),
      };
      const added: Message[] = question === undefined ? [reply] : [question, reply];
      this.starting = { replyId: reply.id, isStopped: false };
      // From its first question on a conversation stays with the service that question went to.
      const { profile = settings.profile } = this.conversation;
      const isSaved = await this.takePath([
        ...(profile === this.conversation.profile
          ? []
          : [{ kind: "profile-chosen" as const, profile }]),
        ...added.map((message) => ({ kind: "message-added" as const, message })),
      ]);
      const askedElsewhere = isSaved && question && (await this.askedElsewhere(question));
      if (askedElsewhere) {
        this.starting = undefined;
        this.become(askedElsewhere);
        this.changes.fire({ kind: "reply", replyId: reply.id });
      } else this.start(reply.id, "", { ...settings, path: preparedPath, isContinuing: false });
    });
  }

  /** The conversation on disk, if another window wrote there first that it asks this question. */
  private async askedElsewhere({ id, askId }: UserMessage): Promise<Conversation | undefined> {
    if (askId === undefined) return undefined;
    const shared = await this.ports.readShared(this.conversation.id);
    const first = shared?.messages.get(id);
    return first?.role === "user" && first.askId !== askId ? shared : undefined;
  }

  private get isBusy(): boolean {
    return this.runningReplyId !== undefined || this.isPreparing || this.isDisposed;
  }

  /** Shows another state of this conversation. */
  become(conversation: Conversation): void {
    const change = shownChange(this.conversation, conversation);
    this.record.replace(conversation);
    if (change) this.changes.fire({ kind: "path", ...change });
    this.changes.fire({ kind: "title" });
    this.changes.fire({ kind: "choice" });
    this.restoreQueue(this.waiting);
  }

  /** Reads the settings, then goes on; nothing is changed when the question cannot be asked. */
  private async prepared(
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

  private start(replyId: string, textSoFar: string, question: Question, turnId?: string): void {
    if (this.isDisposed) return;
    const { client, readImage, clock } = this.ports;
    const turn = new RunningTurn(replyId, turnId, textSoFar, clock, {
      run: (signal) => ask(client, question, readImage, signal),
      take: (steps) => this.record.take(steps),
      tell: (event) => this.tell(replyId, event),
      textArrived: (offset, text) => this.changes.fire({ kind: "text", replyId, offset, text }),
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
        this.askNext(replyId);
      });
    this.changes.fire({ kind: "reply", replyId });
  }

  /** The next waiting question follows a reply that came to its end, not one that broke off. */
  private askNext(replyId: string): void {
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

  /** Passing words for the views; everything lasting comes as a step. */
  private tell(replyId: string, event: TurnEvent): void {
    const { clock, log } = this.ports;
    for (const change of statusChanges(replyId, event, clock.nowMs())) this.changes.fire(change);
    if (event.type === "turn-ended") logEnding(event.ending, log);
  }

  /** Takes steps that change which messages are shown, and tells where. */
  private takePath(steps: readonly Step[]): Promise<boolean> {
    const before = shownPath(this.conversation);
    const saved = this.record.take(steps);
    this.changes.fire({ kind: "path", ...pathChange(before, shownPath(this.conversation)) });
    return saved;
  }

  private withArrivedText(message: Message): Message {
    const { turn } = this;
    return turn !== undefined && message.id === turn.replyId && message.role === "assistant"
      ? { ...message, text: turn.text }
      : message;
  }
}
