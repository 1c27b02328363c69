/**
 * Serializes the replies of the service: the JSON reply of section 2.3, and streamed blocks. The
 * specification does not show a block's shape, so blocks use the common `choices[0].delta.content`.
 */
import { randomUUID } from "node:crypto";
import { estimateTokens } from "./tokens";

export interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly completion_tokens_details?: { readonly reasoning_tokens: number };
}

/** Fields that all blocks of a reply share; `created` is Unix time in seconds. */
export interface Envelope {
  readonly id: string;
  readonly created: number;
  readonly model: string;
}

export type Delta = Readonly<Record<string, unknown>>;

export function newEnvelope(model: string): Envelope {
  return { id: randomUUID(), created: Math.floor(Date.now() / 1000), model };
}

export function countUsage(promptTokens: number, text: string, thinking = ""): Usage {
  const reasoningTokens = estimateTokens(thinking);
  const completionTokens = estimateTokens(text) + reasoningTokens;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(thinking !== "" && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  };
}

/** Returns a streamed block as JSON; only a separate last block contains `usage`. */
export function blockJson(
  envelope: Envelope,
  delta: Delta,
  finishReason: string | null = null,
): string {
  const { id, created, model } = envelope;
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  return JSON.stringify({ id, object: "chat.completion.chunk", created, model, choices });
}

export function usageJson(envelope: Envelope, usage: Usage): string {
  const { id, created, model } = envelope;
  return JSON.stringify({
    id,
    object: "chat.completion.chunk",
    created,
    model,
    choices: [],
    usage,
  });
}

/** Returns the JSON reply of section 2.3. */
export function completionJson(
  envelope: Envelope,
  message: Delta,
  finishReason: string | null,
  usage: Usage,
): string {
  const { id, created, model } = envelope;
  const choices = [{ index: 0, message, finish_reason: finishReason }];
  return JSON.stringify({ id, object: "chat.completion", created, model, choices, usage });
}

/** Returns an event of the stream; `data` must not contain a line break. */
export function event(data: string): string {
  return `data: ${data}\n\n`;
}

export const DONE = event("[DONE]");

/** Splits a text into pieces as a model would send them: words, or a few Chinese characters. */
export function splitIntoBlocks(text: string): string[] {
  const words = text.match(/\s*(?:[⺀-鿿＀-￯]{1,4}|[^\s⺀-鿿＀-￯]{1,24})|\s+/gu) ?? [];
  const wordsInBlock = 1 + Math.floor(text.length / 16_384); // Long replies have larger pieces.
  const blocks: string[] = [];
  for (let at = 0; at < words.length; at += wordsInBlock) {
    blocks.push(words.slice(at, at + wordsInBlock).join(""));
  }
  return blocks;
}
