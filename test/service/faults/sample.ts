/**
 * The reply that faults damage: short, identical in every byte each time, with characters of one to
 * four UTF-8 bytes. A client that received the whole reply shows exactly SAMPLE_TEXT.
 */
import type { Exchange } from "../exchange";
import { STREAM_HEADERS } from "../sendAnswer";
import { blockJson, completionJson, countUsage, DONE, event, type Envelope } from "../wire";

export const SAMPLE_BLOCKS: readonly string[] = [
  "This is a sample ",
  "of the local reference service. ",
  "Größe, naïve; ",
  "你好，世界。",
  "🙂 👩‍👩‍👧 ",
  "`code`, **bold** ",
  "and the end.",
];

export const SAMPLE_TEXT = SAMPLE_BLOCKS.join("");

/** Parts of the sample's event stream; each part consists of complete events. */
export interface SampleEvents {
  readonly envelope: Envelope;
  /** Block with the role and without text. */
  readonly opening: string;
  /** An event for each of SAMPLE_BLOCKS. */
  readonly blocks: readonly string[];
  /** Block with the finish reason "stop". */
  readonly finish: string;
  /** Complete stream including `[DONE]`. */
  readonly whole: string;
}

/** Returns the sample for a model code; the same code always gives the same bytes. */
export function sampleEvents(model: string): SampleEvents {
  const envelope = { id: "00000000-0000-4000-8000-000000000000", created: 1_700_000_000, model };
  const opening = event(blockJson(envelope, { role: "assistant", content: "" }));
  const blocks = SAMPLE_BLOCKS.map((content) => event(blockJson(envelope, { content })));
  const finish = event(blockJson(envelope, {}, "stop"));
  return { envelope, opening, blocks, finish, whole: [opening, ...blocks, finish, DONE].join("") };
}

/** Returns the bytes of the sample, streamed or as JSON according to the request. */
export function sampleBody(exchange: Exchange): { contentType: string; bytes: Buffer } {
  const { model, isStreaming, promptTokens } = exchange.request;
  const events = sampleEvents(model);
  if (isStreaming) {
    return { contentType: STREAM_HEADERS["content-type"], bytes: Buffer.from(events.whole) };
  }
  const message = { role: "assistant", content: SAMPLE_TEXT };
  const usage = countUsage(promptTokens, SAMPLE_TEXT);
  const json = completionJson(events.envelope, message, "stop", usage);
  return { contentType: "application/json", bytes: Buffer.from(json) };
}
