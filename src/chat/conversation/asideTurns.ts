/**
 * Questions asked aside and their running replies: several at once, and while a reply of the conversation
 * runs. A question is sent after the path to its message, so its request begins as earlier ones.
 */
import type { Disposable } from "../../base/disposables";
import { newId } from "../../base/id";
import { describeError } from "../../base/log";
import { defined } from "../../base/defined";
import type { Conversation, Step } from "../../conversation/conversation";
import { pathTo } from "../../conversation/paths";
import type { Message, Part, Reply, UserMessage } from "../../conversation/message";
import { withSteps, withoutUnsentPictures } from "../../conversation/sending";
import type { ConversationChange } from "./conversationChange";
import type { AskResult, ConversationStore } from "./conversationStore";
import type { TurnOptions } from "./prepareTurn";
import { RunningTurn, type TurnOwner } from "./runningTurn";

/** The conversation; implemented by `LiveConversation`. */
interface AsideOwner extends Pick<TurnOwner, "emitText" | "emitThinking" | "emitStatus"> {
  readonly conversation: Conversation;
  applySteps(steps: readonly Step[]): Promise<boolean>;
  emit(change: ConversationChange): void;
}

export class AsideTurns implements Disposable {
  /** Turns by the ids of their replies. */
  private readonly running = new Map<string, RunningTurn>();
  /** Ids of questions whose settings are read or that are written. */
  private readonly starting = new Map<string, { isStopped: boolean }>();
  private isDisposed = false;

  constructor(
    private readonly owner: AsideOwner,
    private readonly store: Pick<ConversationStore, "readShared" | "isRemoved">,
    private readonly options: TurnOptions,
  ) {}

  /** True while a reply is received or about to be. */
  get isAnyRunning(): boolean {
    return this.running.size + this.starting.size > 0;
  }

  isRunning(replyId: string): boolean {
    return this.running.has(replyId);
  }

  /** True until the question or a reply to it has its ending. */
  isStarting(questionId: string): boolean {
    const { messages } = this.owner.conversation;
    return (
      this.starting.has(questionId) ||
      [...this.running.keys()].some((id) => messages.get(id)?.parentId === questionId)
    );
  }

  /** Returns a message with the text that its running turn received. */
  withArrivedText(message: Message): Message {
    const turn = this.running.get(message.id);
    if (turn === undefined || message.role !== "assistant") return message;
    return { ...message, text: turn.text, thinking: turn.thinking };
  }

  /**
   * Asks about a message of the conversation.
   * @param id id of the question, so that asking the same again changes nothing
   */
  async ask(messageId: string, id: string, parts: readonly Part[]): Promise<AskResult> {
    const { messages } = this.owner.conversation;
    if (messages.has(id) || this.starting.has(id)) return { isAccepted: true };
    const about = messages.get(messageId);
    const isReady = about?.role === "user" || about?.ending !== undefined;
    if (about === undefined || about.isAside === true || !isReady)
      return { isAccepted: false, failure: "busy" };
    const sentAtMs = this.options.clock.nowMs();
    const question: UserMessage = {
      role: "user",
      id,
      parentId: messageId,
      parts: [...parts],
      sentAtMs,
      isAside: true,
    };
    return this.send(question, true);
  }

  /** Asks the question of a reply that failed or was stopped once more. */
  async askAgain({ parentId }: Reply): Promise<AskResult> {
    const question = this.owner.conversation.messages.get(parentId ?? "");
    if (question?.role !== "user" || this.starting.has(question.id)) return { isAccepted: true };
    return this.send(question, false);
  }

  /** Stops the reply to a question and keeps its text. Resolves once the ending is written. */
  async stop(questionId: string, by: "user" | "window" = "user"): Promise<void> {
    const starting = this.starting.get(questionId);
    if (starting) starting.isStopped = true;
    const { messages } = this.owner.conversation;
    const turns = [...this.running].filter(([id]) => messages.get(id)?.parentId === questionId);
    await Promise.all(turns.map(([, turn]) => turn.stop(by)));
  }

  async stopAll(by: "user" | "window"): Promise<void> {
    for (const starting of this.starting.values()) starting.isStopped = true;
    await Promise.all([...this.running.values()].map((turn) => turn.stop(by)));
  }

  dispose(): void {
    this.isDisposed = true;
    void this.stopAll("window");
  }

  private async send(question: UserMessage, isNew: boolean): Promise<AskResult> {
    const starting = { isStopped: false };
    this.starting.set(question.id, starting);
    try {
      return await this.start(question, isNew, starting);
    } finally {
      this.starting.delete(question.id);
    }
  }

  private async start(
    question: UserMessage,
    isNew: boolean,
    starting: { readonly isStopped: boolean },
  ): Promise<AskResult> {
    const { owner, options } = this;
    const { id, deletedAtMs, profile, model, parameters } = owner.conversation;
    const shared = await this.store.readShared(id);
    // Another window has sent the same question.
    if (isNew && shared?.messages.has(question.id)) return { isAccepted: true };
    // A message that another window forgot is not sent.
    const path = [...pathTo(owner.conversation, question.parentId), question].map((message) => {
      const now = shared?.messages.get(message.id);
      return now?.isForgotten === true ? now : message;
    });
    // Another window may have left out more.
    const sending = withSteps(owner.conversation.sending, shared?.sending);
    const choices = defined({ model, profile, parameters });
    const settings = await options.prepareTurn(withoutUnsentPictures(path, sending), choices);
    if ("kind" in settings) return { isAccepted: false, failure: settings };
    const isGone =
      this.isDisposed ||
      owner.conversation.deletedAtMs !== deletedAtMs ||
      (shared?.deletedAtMs !== undefined && shared.deletedAtMs !== deletedAtMs) ||
      (await this.store.isRemoved(id));
    const isForgotten = owner.conversation.messages.get(question.id)?.isForgotten === true;
    if (isGone || isForgotten) return { isAccepted: false, failure: "busy" };
    const nowMs = options.clock.nowMs();
    const reply: Reply = {
      role: "assistant",
      id: newId(nowMs),
      parentId: question.id,
      text: "",
      modelKind: settings.modelKind,
      modelCode: settings.modelCode,
      startedAtMs: nowMs,
      isAside: true,
    };
    const added = isNew ? [question, reply] : [reply];
    const saved = owner.applySteps(
      added.map((message) => ({ kind: "aside-added" as const, message })),
    );
    owner.emit({ kind: "asides" });
    await saved;
    if (this.isDisposed) return { isAccepted: true };
    const turn = new RunningTurn(
      reply.id,
      undefined,
      reply,
      this.turnOwner,
      { ...settings, path, sending, isContinuing: false },
      options,
    );
    this.running.set(reply.id, turn);
    if (starting.isStopped) void turn.stop();
    this.emitReply(reply.id);
    turn.finished
      .catch((error: unknown) =>
        options.log.error(`chat: an aside failed unexpectedly (${describeError(error)})`),
      )
      .finally(() => {
        this.running.delete(reply.id);
        this.emitReply(reply.id);
      });
    return { isAccepted: true };
  }

  private readonly turnOwner: TurnOwner = {
    applySteps: (steps) => this.owner.applySteps(steps),
    emitStatus: (...status) => this.owner.emitStatus(...status),
    emitText: (...text) => this.owner.emitText(...text),
    emitThinking: (...thinking) => this.owner.emitThinking(...thinking),
    emitReply: (replyId) => this.emitReply(replyId),
    emitReplaced: () => this.owner.emit({ kind: "asides" }),
  };

  private emitReply(replyId: string): void {
    this.owner.emit({ kind: "aside", replyId });
  }
}
