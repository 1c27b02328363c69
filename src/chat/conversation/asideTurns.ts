/**
 * Questions asked aside: several at once, and while a reply of the conversation runs. A question is sent
 * after the path to its message, so its request begins as earlier ones.
 */
import type { Question } from "../../ask/ask";
import { defined } from "../../base/defined";
import type { Conversation, Step } from "../../conversation/conversation";
import { pathTo } from "../../conversation/paths";
import type { Part, Reply, UserMessage } from "../../conversation/message";
import { withSteps, withoutUnsentPictures } from "../../conversation/sending";
import type { ConversationChange } from "./conversationChange";
import type { AskResult, ConversationStore } from "./conversationStore";
import { emptyReply, type TurnOptions } from "./prepareTurn";
import type { RunningTurn } from "./runningTurn";

/** The conversation; implemented by `LiveConversation`. */
interface AsideOwner {
  readonly conversation: Conversation;
  /** True once the conversation is no longer used. */
  readonly isDisposed: boolean;
  /** All running turns, by the ids of their replies. */
  readonly turns: ReadonlyMap<string, RunningTurn>;
  applySteps(steps: readonly Step[]): Promise<boolean>;
  emit(change: ConversationChange): void;
  startTurn(reply: Reply, question: Question, isStopped: boolean): void;
}

export class AsideTurns {
  /** Ids of questions whose settings are read or that are written. */
  private readonly starting = new Map<string, { isStopped: boolean }>();

  constructor(
    private readonly owner: AsideOwner,
    private readonly store: Pick<ConversationStore, "readShared" | "isRemoved">,
    private readonly options: TurnOptions,
  ) {}

  /** True while a question is about to be sent. */
  get isAnyStarting(): boolean {
    return this.starting.size > 0;
  }

  /** True until the question or a reply to it has its ending. */
  isRunning(questionId: string): boolean {
    return this.starting.has(questionId) || this.turnsOf(questionId).length > 0;
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
  async stop(questionId: string): Promise<void> {
    const starting = this.starting.get(questionId);
    if (starting) starting.isStopped = true;
    await Promise.all(this.turnsOf(questionId).map((turn) => turn.stop()));
  }

  /** Stops the replies whose turns have not begun. */
  stopStarting(): void {
    for (const starting of this.starting.values()) starting.isStopped = true;
  }

  private turnsOf(questionId: string): RunningTurn[] {
    const { messages } = this.owner.conversation;
    const turns = [...this.owner.turns.values()];
    return turns.filter(({ replyId }) => messages.get(replyId)?.parentId === questionId);
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
      owner.isDisposed ||
      owner.conversation.deletedAtMs !== deletedAtMs ||
      (shared?.deletedAtMs !== undefined && shared.deletedAtMs !== deletedAtMs) ||
      (await this.store.isRemoved(id));
    const isForgotten = owner.conversation.messages.get(question.id)?.isForgotten === true;
    if (isGone || isForgotten) return { isAccepted: false, failure: "busy" };
    const reply = { ...emptyReply(settings, question.id, options.clock.nowMs()), isAside: true };
    const added = isNew ? [question, reply] : [reply];
    const saved = owner.applySteps(
      added.map((message) => ({ kind: "aside-added" as const, message })),
    );
    owner.emit({ kind: "asides" });
    await saved;
    owner.startTurn(reply, { ...settings, path, sending, isContinuing: false }, starting.isStopped);
    return { isAccepted: true };
  }
}
