/**
 * Reads one JSON value of a reply, a streamed block or a whole completion, as tolerantly as
 * section "How we read the spec" asks: `delta`, `message` or `messages`, text or parts, the choice
 * of index 0 only, unknown fields ignored. Never throws on any JSON value.
 */
import * as z from "zod/mini";
import { looksLikeError, saysNothing } from "./readFailure";
import { toolCallDeltas, type ToolCallDelta } from "./toolCalls";
import type { Usage } from "./types";

/** What one block says; all absent for a block that says nothing. */
export interface ReplyChunk {
  /** New text, or the whole text of a completion. */
  readonly text: string;
  /** Which field the text came in; a `message` may repeat what the deltas said. */
  readonly source: "delta" | "message" | undefined;
  readonly finishReason: string | undefined;
  readonly toolCalls: readonly ToolCallDelta[];
  readonly usage: Usage | undefined;
  /** The error as the service sent it, to be read by `errorMessage`; undefined for none. */
  readonly error: unknown;
  /** Whether there was a choice of index 0 at all. */
  readonly hasChoice: boolean;
  /** True for a block without a choice whose fields are those of an error message. */
  readonly mayBeError: boolean;
}

/** A field that reads as undefined when it has another shape. */
function lenient<T extends z.ZodMiniType>(schema: T) {
  return z.catch(z.optional(schema), undefined);
}

const countSchema = lenient(z.int().check(z.nonnegative()));

const messageSchema = z.object({
  content: z.optional(z.unknown()),
  refusal: lenient(z.nullable(z.string())),
  tool_calls: lenient(z.array(z.unknown())),
  function_call: z.optional(z.unknown()),
});

const choiceSchema = z.object({
  index: z.optional(z.unknown()),
  delta: z.optional(z.unknown()),
  message: z.optional(z.unknown()),
  messages: z.optional(z.unknown()),
  text: lenient(z.string()),
  finish_reason: lenient(z.string()),
});

const blockSchema = z.object({
  object: z.optional(z.unknown()),
  type: z.optional(z.unknown()),
  choices: z.optional(z.unknown()),
  error: z.optional(z.unknown()),
  usage: lenient(
    z.object({
      prompt_tokens: countSchema,
      completion_tokens: countSchema,
      total_tokens: countSchema,
    }),
  ),
});

type Choice = z.infer<typeof choiceSchema>;

/** Reads any JSON value; undefined when it is not an object. */
export function parseChunk(value: unknown): ReplyChunk | undefined {
  const block = z.safeParse(blockSchema, value);
  if (!block.success) return undefined;
  const { choices, usage } = block.data;
  const choice = firstChoice(choices);
  const { message, source } = messageOf(choice);
  const deltas = toolCallDeltas(message?.tool_calls, message?.function_call);
  return {
    text: textOf(message?.content) || (message?.refusal ?? "") || (choice?.text ?? ""),
    source: source ?? (choice?.text === undefined ? undefined : "delta"),
    finishReason: reasonOf(choice?.finish_reason),
    toolCalls: deltas,
    usage: usage && readUsage(usage),
    error: errorOf(block.data, value, choice !== undefined),
    hasChoice: choice !== undefined,
    mayBeError: choice === undefined && looksLikeError(value as object),
  };
}

/** Some services write "no reason yet" as a text, in every block. */
function reasonOf(reason: string | undefined): string | undefined {
  return reason === undefined || /^\s*(?:(?:null|none|nil|undefined)\s*)?$/i.test(reason)
    ? undefined
    : reason;
}

/**
 * The text of the commonest blocks, one delta with text or without any and nothing else to read,
 * or undefined when the block must be read by `parseChunk`. Reads the same as that; it is here for
 * its speed.
 */
export function readPlainDelta(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const block = value as Record<string, unknown>;
  if (isSomething(block["error"]) || isSomething(block["usage"])) return undefined;
  if (block["object"] === "error" || block["type"] === "error") return undefined;
  const choices = block["choices"];
  if (!Array.isArray(choices)) return undefined;
  if (choices.length === 0) return looksLikeError(block) ? undefined : "";
  if (choices.length !== 1) return undefined;
  const choice = choices[0] as Record<string, unknown> | null;
  if (typeof choice !== "object" || choice === null) return undefined;
  if (choice["index"] !== 0 && choice["index"] !== undefined) return undefined;
  if (isSomething(choice["finish_reason"]) || isSomething(choice["text"])) return undefined;
  if (isSomething(choice["message"]) || isSomething(choice["messages"])) return undefined;
  const delta = choice["delta"] as Record<string, unknown> | null | undefined;
  if (typeof delta !== "object" || delta === null) return undefined;
  if (isSomething(delta["tool_calls"]) || isSomething(delta["function_call"])) return undefined;
  if (isSomething(delta["refusal"])) return undefined;
  const content = delta["content"];
  if (content === null || content === undefined) return Array.isArray(delta) ? undefined : "";
  return typeof content === "string" ? content : undefined;
}

function isSomething(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The choice of index 0; one without an index counts by its position. */
function firstChoice(choices: unknown): Choice | undefined {
  // Some services send the one choice without a list around it.
  for (const [position, item] of (Array.isArray(choices) ? choices : [choices]).entries()) {
    const choice = z.safeParse(choiceSchema, item);
    if (!choice.success) continue;
    const { index = position, ...fields } = choice.data;
    if (!Array.isArray(choices) && Object.values(fields).every((field) => !isSomething(field))) {
      continue;
    }
    if ((index ?? position) === 0 || index === "0") return choice.data;
  }
  return undefined;
}

type Message = z.infer<typeof messageSchema>;

/** The delta, or what stands in its place when there is none or it says nothing. */
function messageOf(choice: Choice | undefined): {
  message: Message | undefined;
  source: "delta" | "message" | undefined;
} {
  const delta = asMessage(choice?.delta);
  if (delta !== undefined && !isSilent(delta)) return { message: delta, source: "delta" };
  const messages = choice?.messages;
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : messages;
  const message = asMessage(choice?.message) ?? asMessage(last);
  if (message !== undefined) return { message, source: "message" };
  return { message: delta, source: delta && "delta" };
}

/** A message, or a text in the place of one. */
function asMessage(value: unknown): Message | undefined {
  if (typeof value === "string") {
    return { content: value, refusal: undefined, tool_calls: undefined };
  }
  const message = z.safeParse(messageSchema, value);
  return message.success ? message.data : undefined;
}

function isSilent({ content, refusal, tool_calls, function_call }: Message): boolean {
  const hasText = textOf(content) !== "" || (refusal ?? "") !== "";
  return !hasText && tool_calls === undefined && !isSomething(function_call);
}

/** Text given as a string, as a part, or as a list of parts; anything else is no text. */
function textOf(content: unknown, depth = 0): string {
  if (typeof content === "string") return content;
  if (typeof content !== "object" || content === null || depth > 2) return "";
  if (Array.isArray(content)) return content.map((part) => textOf(part, depth + 1)).join("");
  const part = content as Record<string, unknown>;
  return textOf(part["text"] ?? part["content"] ?? part["refusal"], depth + 1);
}

function readUsage(usage: {
  prompt_tokens?: number | undefined;
  completion_tokens?: number | undefined;
  total_tokens?: number | undefined;
}): Usage | undefined {
  const { prompt_tokens, completion_tokens, total_tokens } = usage;
  const read: Usage = {
    ...(prompt_tokens !== undefined && { promptTokens: prompt_tokens }),
    ...(completion_tokens !== undefined && { completionTokens: completion_tokens }),
    ...(total_tokens !== undefined && { totalTokens: total_tokens }),
  };
  return Object.keys(read).length === 0 ? undefined : read;
}

/** What a block reports as an error: its `error`, or itself when it says it is one. */
function errorOf(block: z.infer<typeof blockSchema>, value: unknown, hasChoice: boolean): unknown {
  const { error, choices, usage } = block;
  if (block.object === "error" || block.type === "error") return error ?? value;
  if (error === undefined || error === null || error === false || error === "") return undefined;
  // Some services send an error that says nothing with every good block.
  const isReply = hasChoice || Array.isArray(choices) || usage !== undefined;
  return isReply && saysNothing(error) ? undefined : error;
}
