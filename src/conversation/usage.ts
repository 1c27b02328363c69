/**
 * Tokens and pictures of requests, counted from the steps of conversations. Counts of the service are used where
 * there are some, else estimates. A forgotten message does not count.
 */
import { estimateTextTokens } from "../base/tokens";
import type { Step } from "./conversation";
import type { Message, Receipt, Reply } from "./message";

export interface ModelUsage {
  requests: number;
  sentTokens: number;
  receivedTokens: number;
  /** True if a part of the tokens is an estimate. */
  isSentEstimated: boolean;
  isReceivedEstimated: boolean;
  pictures: number;
}

/** A request and its answer: the first turn of a reply, or a continuation. */
interface Request {
  atMs: number;
  receipt?: Receipt | undefined;
  usage?: Reply["usage"];
  /** Text of this turn, and its offset in the reply, in UTF-16 units. */
  text: string;
  offset?: number;
  thinking: string;
}

/** Sums by the keys of the requests. */
export class UsageSums {
  readonly sums = new Map<
    string,
    { readonly keys: readonly string[]; readonly usage: ModelUsage }
  >();
  /** Requests that were counted: forks and imports have copies of replies, with the same ids. */
  private readonly counted = new Set<string>();

  /** @param keysOf returns the row of a request by its model and its time */
  constructor(private readonly keysOf: (modelCode: string, atMs: number) => readonly string[]) {}

  /**
   * Adds the requests of a conversation; those of an original come before those of its copies.
   * @param pause called between requests; its promise is awaited, because an estimate takes time
   */
  async add(
    steps: readonly Step[],
    pause: () => Promise<void> | undefined = () => undefined,
  ): Promise<void> {
    for (const [key, request] of requestsOf(steps)) {
      const { receipt, usage = {}, text, thinking, atMs } = request;
      if (receipt === undefined || this.counted.has(key)) continue;
      this.counted.add(key);
      const { promptTokens, completionTokens } = usage;
      const row = this.row(this.keysOf(receipt.modelCode, atMs));
      row.requests += 1;
      row.pictures += receipt.imageCount;
      row.sentTokens += promptTokens ?? receipt.estimatedTokens;
      row.isSentEstimated ||= promptTokens === undefined;
      row.receivedTokens +=
        completionTokens ?? estimateTextTokens(text) + estimateTextTokens(thinking);
      row.isReceivedEstimated ||= completionTokens === undefined;
      const pausing = pause();
      if (pausing) await pausing;
    }
  }

  private row(keys: readonly string[]): ModelUsage {
    const key = keys.join("\n");
    const known = this.sums.get(key)?.usage;
    if (known !== undefined) return known;
    const usage: ModelUsage = {
      requests: 0,
      sentTokens: 0,
      receivedTokens: 0,
      isSentEstimated: false,
      isReceivedEstimated: false,
      pictures: 0,
    };
    this.sums.set(key, { keys, usage });
    return usage;
  }
}

/** Returns the requests by the ids of their replies and turns. */
function requestsOf(steps: readonly Step[]): Map<string, Request> {
  const requests = new Map<string, Request>();
  /** Continuations without ids of their own, which older versions wrote, by reply. */
  const continued = new Map<string, number>();
  const requestOf = (step: {
    readonly messageId: string;
    readonly turnId?: string | undefined;
  }) => {
    const key = `${step.messageId}\n${step.turnId ?? continued.get(step.messageId) ?? ""}`;
    const known = requests.get(key);
    if (known !== undefined) return known;
    const request: Request = { atMs: 0, text: "", thinking: "" };
    requests.set(key, request);
    return request;
  };
  for (const step of steps) {
    switch (step.kind) {
      case "message-added":
      case "aside-added":
        addReply(step.message, requestOf);
        break;
      case "reply-continued": {
        const { messageId, turnId, atMs } = step;
        if (turnId === undefined) continued.set(messageId, (continued.get(messageId) ?? 0) + 1);
        requestOf(step).atMs = atMs;
        break;
      }
      case "request-sent":
        requestOf(step).receipt = step.receipt;
        break;
      case "reply-grown": {
        const request = requestOf(step);
        const offset = (request.offset ??= step.offset);
        request.text = request.text.slice(0, Math.max(0, step.offset - offset)) + step.text;
        break;
      }
      case "reply-thought": {
        const request = requestOf(step);
        request.thinking = request.thinking.slice(0, step.offset) + step.text;
        break;
      }
      case "reply-ended":
        requestOf(step).usage = step.usage;
        break;
      default: // Other steps are no part of a request.
    }
  }
  return requests;
}

function addReply(
  message: Message,
  requestOf: (step: { readonly messageId: string }) => Request,
): void {
  if (message.role !== "assistant") return;
  const { id: messageId, startedAtMs: atMs, receipt, usage, text, thinking } = message;
  const own = { atMs, receipt, usage, text, thinking: thinking?.text ?? "" };
  Object.assign(requestOf({ messageId }), own);
}
