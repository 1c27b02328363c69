/**
 * Tokens and pictures of requests, counted from conversations. Counts of the service are used where there are some,
 * else estimates. A continued reply counts with its last request only; a forgotten message does not count.
 */
import { estimateTextTokens } from "../base/tokens";
import type { Conversation } from "./conversation";

export interface ModelUsage {
  requests: number;
  sentTokens: number;
  receivedTokens: number;
  /** True if a part of the tokens is an estimate. */
  isSentEstimated: boolean;
  isReceivedEstimated: boolean;
  pictures: number;
}

/** Sums by the keys of the replies. */
export class UsageSums {
  readonly sums = new Map<
    string,
    { readonly keys: readonly string[]; readonly usage: ModelUsage }
  >();

  /** @param keysOf returns the row of a reply by its model and its time */
  constructor(private readonly keysOf: (modelCode: string, atMs: number) => readonly string[]) {}

  add({ messages }: Conversation): void {
    for (const message of messages.values()) {
      if (message.role !== "assistant" || message.receipt === undefined) continue;
      const { receipt, usage = {}, text, thinking, startedAtMs } = message;
      const { promptTokens, completionTokens } = usage;
      const keys = this.keysOf(receipt.modelCode, startedAtMs);
      const row = this.row(keys);
      row.requests += 1;
      row.pictures += receipt.imageCount;
      row.sentTokens += promptTokens ?? receipt.estimatedTokens;
      row.isSentEstimated ||= promptTokens === undefined;
      row.receivedTokens +=
        completionTokens ?? estimateTextTokens(text) + estimateTextTokens(thinking?.text ?? "");
      row.isReceivedEstimated ||= completionTokens === undefined;
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
