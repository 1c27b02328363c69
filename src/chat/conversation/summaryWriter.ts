/**
 * Asks the text model for a summary of older messages, once for each time the user asks. The result is a
 * draft of the conversation; only the user puts it in place of the messages.
 */
import { ask, type TurnEvent } from "../../ask/ask";
import { askOnce, type Answer } from "../../ask/askOnce";
import { summaryRequest } from "../../ask/summaryRequest";
import { defined } from "../../base/defined";
import type { Disposable } from "../../base/disposables";
import { estimateTextTokens } from "../../base/tokens";
import type { Conversation } from "../../conversation/conversation";
import type { Failure } from "../../conversation/ending";
import type { Message } from "../../conversation/message";
import { sendingState, type SendingStep, type SummaryDraft } from "../../conversation/sending";
import { MAX_SUMMARY_TOKENS } from "../../protocol/sendingMessages";
import type { ConversationChange } from "./conversationChange";
import type { TurnOptions } from "./prepareTurn";

/** Longest reply of the text model, for a model whose thinking used up the limit of the summary. */
const MAX_REPLY_TOKENS = 8_192;

/** The conversation; implemented by `LiveConversation`. */
interface SummaryOwner {
  readonly conversation: Conversation;
  chooseSending(steps: readonly SendingStep[]): Promise<void>;
  emit(change: ConversationChange): void;
}

export class SummaryWriter implements Disposable {
  private controller: AbortController | undefined;
  private thoughtTooLong = false;
  /** Summary that is being written. */
  running: SummaryDraft | undefined;
  /** Summary that was asked for last; without text. */
  asked: SummaryDraft = { covers: [], text: "" };
  /** Reason why the last request has no summary. */
  failure: Failure | "empty" | undefined;

  constructor(
    private readonly owner: SummaryOwner,
    private readonly options: TurnOptions,
  ) {}

  /**
   * Asks for a summary of the first messages of a path, in place of the draft. Resolves with false if all of
   * them are left out.
   */
  async write(path: readonly Message[], count: number): Promise<boolean> {
    if (this.controller !== undefined) return true;
    const { isLeftOut } = sendingState(path, this.owner.conversation.sending);
    const covered = path
      .slice(0, count)
      .filter(({ id, isForgotten }) => isForgotten !== true && !isLeftOut(id));
    if (covered.length === 0) return false;
    const controller = new AbortController();
    this.controller = controller;
    this.asked = { covers: covered.map(({ id }) => ({ messageId: id })), text: "" };
    this.running = this.asked;
    this.failure = undefined;
    this.owner.emit({ kind: "sending" });
    try {
      const answer = await this.receive(path, count, controller.signal);
      if ("kind" in answer) this.failure = answer;
      else await this.end(covered, answer);
    } finally {
      this.controller = undefined;
      this.running = undefined;
      this.owner.emit({ kind: "sending" });
    }
    return true;
  }

  /** Stops the request and keeps its text as a draft. */
  stop(): void {
    this.controller?.abort(new Error("stopped by the user"));
  }

  /** Removes the reason why there is no summary. */
  clearFailure(): void {
    this.failure = undefined;
  }

  dispose(): void {
    this.stop();
  }

  private async receive(
    path: readonly Message[],
    count: number,
    signal: AbortSignal,
  ): Promise<Answer | Failure> {
    const { conversation } = this.owner;
    const request = summaryRequest(path, count, conversation.sending);
    const { profile, parameters } = conversation;
    const choices = { model: "llm" as const, ...defined({ profile, parameters }) };
    const settings = await this.options.prepareTurn(request.path, choices);
    if ("kind" in settings) return settings;
    const maxTokens = this.thoughtTooLong ? MAX_REPLY_TOKENS : MAX_SUMMARY_TOKENS;
    const sampling = { ...settings.sampling, maxTokens };
    const question = { ...settings, ...request, sampling, isContinuing: false };
    const { client, readImage } = this.options;
    const show = (_event: TurnEvent, text: string) => {
      if (this.running === undefined || this.running.text === text) return;
      this.running = { ...this.running, text };
      this.owner.emit({ kind: "sending" });
    };
    const answer = await askOnce(ask(client, question, readImage, signal), show);
    this.thoughtTooLong = answer.hasThought && answer.ending.kind !== "complete";
    return answer;
  }

  private async end(covered: readonly Message[], answer: Answer): Promise<void> {
    const { ending } = answer;
    const { messages } = this.owner.conversation;
    // A message that the user forgot meanwhile must not stay in a summary.
    const isOutdated = covered.some(({ id }) => messages.get(id)?.isForgotten === true);
    const text = isOutdated ? "" : answer.text.trim();
    if (text === "") {
      const isStopped = ending.kind === "stopped";
      this.failure = ending.kind === "failed" ? ending.failure : isStopped ? undefined : "empty";
      return;
    }
    const isCut = ending.kind !== "complete" || estimateTextTokens(text) > MAX_SUMMARY_TOKENS;
    const { covers } = this.asked;
    await this.owner.chooseSending([
      { kind: "summary-drafted", covers, text, ...(isCut && { isCut }) },
    ]);
  }
}
