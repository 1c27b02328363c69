/**
 * Sends an answer in the requested form: block by block as an event stream that ends with `[DONE]`,
 * or as a single JSON reply. Faults have their own functions.
 */
import { pause, send, type Exchange } from "./exchange";
import { cutToTokens } from "./tokens";
import {
  blockJson,
  completionJson,
  countUsage,
  DONE,
  event,
  newEnvelope,
  splitIntoBlocks,
  usageJson,
  type Delta,
  type Usage,
} from "./wire";

/**
 * A block of text, fields of a delta, a gate to wait at, or raw bytes of the stream. A JSON reply
 * merges the fields into its message.
 */
export type AnswerBlock =
  string | { readonly delta: Delta } | { readonly gate: true } | { readonly raw: string };

export interface Answer {
  readonly blocks: readonly AnswerBlock[];
  /** Finish reason, or null for a reply without any. */
  readonly finishReason: string | null;
  /** Tool calls in the common OpenAI shape; the specification does not show tool calls. */
  readonly toolCalls?: readonly unknown[];
  /** Pause between blocks in milliseconds, instead of the service's own. */
  readonly blockDelayMs?: number;
  /** Adds a usage block at the end of a stream; JSON replies always contain usage. */
  readonly usage?: Usage | boolean;
  /** False for a stream without `[DONE]`. */
  readonly hasDone?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export const STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
};

/** Returns an answer of plain text, truncated at the request's `max_tokens`. */
export function textAnswer(exchange: Exchange, text: string, finishReason = "stop"): Answer {
  const allowed = cutToTokens(text, exchange.request.maxTokens);
  const blocks = splitIntoBlocks(allowed);
  return { blocks, finishReason: allowed.length < text.length ? "length" : finishReason };
}

export async function sendAnswer(exchange: Exchange, answer: Answer): Promise<void> {
  const text = answer.blocks.filter((block) => typeof block === "string").join("");
  const fields = joinedFields(answer.blocks);
  const usage =
    typeof answer.usage === "object"
      ? answer.usage
      : countUsage(exchange.request.promptTokens, text, thinkingIn(fields));
  if (exchange.request.isStreaming) await sendStream(exchange, answer, usage);
  else
    await sendWhole(exchange, answer, text === "" ? fields : { ...fields, content: text }, usage);
}

/** Merges the fields of all deltas: texts and lists are concatenated. */
function joinedFields(blocks: readonly AnswerBlock[]): Record<string, unknown> {
  const joined: Record<string, unknown> = {};
  for (const block of blocks) {
    if (typeof block !== "object" || !("delta" in block)) continue;
    for (const [name, value] of Object.entries(block.delta)) {
      const before = joined[name];
      if (typeof before === "string" && typeof value === "string") joined[name] = before + value;
      else if (Array.isArray(before) && Array.isArray(value)) {
        joined[name] = [...(before as unknown[]), ...(value as unknown[])];
      } else joined[name] = value;
    }
  }
  return joined;
}

/** Returns the thinking in the fields, for the count of its tokens. */
function thinkingIn(fields: Readonly<Record<string, unknown>>): string {
  return ["reasoning", "reasoning_content", "thinking"]
    .map((name) => fields[name])
    .filter((value) => typeof value === "string")
    .join("");
}

async function sendStream(exchange: Exchange, answer: Answer, usage: Usage): Promise<void> {
  const envelope = newEnvelope(exchange.request.model);
  const delayMs = answer.blockDelayMs ?? exchange.blockDelayMs;
  exchange.response.writeHead(200, { ...STREAM_HEADERS, ...answer.headers });
  await send(exchange, event(blockJson(envelope, { role: "assistant", content: "" })));
  for (const block of answer.blocks) {
    if (typeof block === "string") {
      await pause(exchange, delayMs);
      await send(exchange, event(blockJson(envelope, { content: block })));
    } else if ("delta" in block) {
      await pause(exchange, delayMs);
      await send(exchange, event(blockJson(envelope, block.delta)));
    } else if ("gate" in block) await exchange.waitAtGate();
    else await send(exchange, block.raw);
  }
  if (answer.toolCalls !== undefined) {
    const calls = answer.toolCalls.map((call, index) => ({ index, ...(call as object) }));
    await send(exchange, event(blockJson(envelope, { tool_calls: calls })));
  }
  if (answer.finishReason !== null) {
    await send(exchange, event(blockJson(envelope, {}, answer.finishReason)));
  }
  const hasUsage = answer.usage ?? exchange.request.wantsUsage;
  if (hasUsage !== false) await send(exchange, event(usageJson(envelope, usage)));
  if (answer.hasDone !== false) await send(exchange, DONE);
  exchange.response.end();
}

async function sendWhole(
  exchange: Exchange,
  answer: Answer,
  fields: Delta,
  usage: Usage,
): Promise<void> {
  for (const block of answer.blocks) {
    if (typeof block === "object" && "gate" in block) await exchange.waitAtGate();
  }
  if (answer.blockDelayMs !== undefined) await pause(exchange, answer.blockDelayMs);
  const message = {
    role: "assistant",
    content: "",
    ...fields,
    ...(answer.toolCalls === undefined ? {} : { tool_calls: answer.toolCalls }),
  };
  const envelope = newEnvelope(exchange.request.model);
  const json = completionJson(envelope, message, answer.finishReason, usage);
  exchange.response.writeHead(200, {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(json)),
    ...answer.headers,
  });
  exchange.response.end(json);
}
