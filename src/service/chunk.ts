/**
 * Parses a JSON value of a reply, a streamed block or a whole completion. Tolerates the variants of
 * real services: `delta`, `message` or `messages`, text or parts, unknown fields. Uses a single
 * choice. Never throws on a JSON value.
 */
import * as z from "zod/mini";
import { looksLikeError, isEmptyError } from "./readFailure";
import { indexFrom, toolCallDeltas, type ToolCallDelta } from "./toolCalls";
import type { Usage } from "./types";
import { defined } from "../base/defined";

/** Content of a block; every field is empty or undefined for a block without content. */
export interface ReplyChunk {
  /** New text, or the whole text of a completion. */
  readonly text: string;
  /** Thinking in a field or part of its own. */
  readonly reasoning: string;
  /** Addresses of the pictures, mostly `data:` URLs. */
  readonly pictures: readonly string[];
  /** Field that held the text; a `message` may repeat the text of the deltas. */
  readonly source: "delta" | "message" | undefined;
  readonly finishReason: string | undefined;
  readonly toolCalls: readonly ToolCallDelta[];
  readonly usage: Usage | undefined;
  /** Error as the service sent it, for `errorMessage`. */
  readonly error: unknown;
  /** Index of the choice that was read; undefined without a choice. */
  readonly choiceIndex: number | undefined;
  /** True for a block without a choice that has the fields of an error message. */
  readonly mayBeError: boolean;
}

/** Makes a schema return undefined for a value of another shape. */
function lenient<T extends z.ZodMiniType>(schema: T) {
  return z.catch(z.optional(schema), undefined);
}

const countSchema = lenient(z.int().check(z.nonnegative()));

/** Fields of a delta or message with thinking. Some services send the same text in two of them. */
const REASONING_FIELDS = [
  "reasoning_content", // DeepSeek (2025-01): https://api-docs.deepseek.com/guides/reasoning_model
  "reasoning", // OpenRouter (2025-01), vLLM: https://openrouter.ai/docs/use-cases/reasoning-tokens
  "reasoning_details", // OpenRouter: a list of parts, same page
  "thinking", // Ollama (2025-05): https://ollama.com/blog/thinking
  "reasoning_text", // GitHub Copilot (2025): https://github.com/microsoft/vscode-copilot-chat
  "thinking_blocks", // LiteLLM (2025-02): https://docs.litellm.ai/docs/reasoning_content
] as const;

/** Types of content parts with thinking. */
const REASONING_PARTS: ReadonlySet<unknown> = new Set(["thinking", "reasoning", "reasoning_text"]);

const messageSchema = z.object({
  content: z.optional(z.unknown()),
  refusal: lenient(z.nullable(z.string())),
  audio: lenient(z.object({ transcript: lenient(z.string()) })), // Qwen-Omni, GPT audio
  images: lenient(z.array(z.unknown())), // OpenRouter, LiteLLM
  tool_calls: lenient(z.array(z.unknown())),
  ...(Object.fromEntries(
    REASONING_FIELDS.map((field) => [field, z.optional(z.unknown())]),
  ) as Record<(typeof REASONING_FIELDS)[number], ReturnType<typeof z.optional<z.ZodMiniUnknown>>>),
});

const usageSchema = lenient(
  z.object({
    prompt_tokens: countSchema,
    completion_tokens: countSchema,
    completion_tokens_details: lenient(z.object({ reasoning_tokens: countSchema })),
    reasoning_tokens: countSchema,
  }),
);

const choiceSchema = z.object({
  index: z.optional(z.unknown()),
  delta: z.optional(z.unknown()),
  message: z.optional(z.unknown()),
  messages: z.optional(z.unknown()),
  text: lenient(z.string()),
  finish_reason: lenient(z.string()),
  usage: usageSchema, // Kimi
  error: z.optional(z.unknown()), // OpenRouter
});

const blockSchema = z.object({
  object: z.optional(z.unknown()),
  type: z.optional(z.unknown()),
  choices: z.optional(z.unknown()),
  error: z.optional(z.unknown()),
  usage: usageSchema,
  x_groq: lenient(z.object({ usage: usageSchema })),
});

type Choice = z.infer<typeof choiceSchema>;

/**
 * Parses any JSON value; undefined for a value that is not an object.
 * @param wantedIndex index of the reply's choice; undefined before the first choice
 */
export function parseChunk(value: unknown, wantedIndex?: number): ReplyChunk | undefined {
  const block = z.safeParse(blockSchema, value);
  if (!block.success) return undefined;
  const { choices, x_groq } = block.data;
  const { choice, index } = chosen(choices, wantedIndex);
  const usage = block.data.usage ?? choice?.usage ?? x_groq?.usage;
  const { message, source } = messageOf(choice);
  const deltas = toolCallDeltas(message?.tool_calls);
  return {
    text: (message && textOfMessage(message)) || (choice?.text ?? ""),
    reasoning: message === undefined ? "" : reasoningOf(message),
    pictures: message === undefined ? [] : picturesOfMessage(message),
    source: source ?? (choice?.text === undefined ? undefined : "delta"),
    finishReason: reasonOf(choice?.finish_reason),
    toolCalls: deltas,
    usage: usage && readUsage(usage),
    error: errorOf(block.data, value, choice !== undefined) ?? errorIn(choice),
    choiceIndex: index,
    mayBeError: choice === undefined && looksLikeError(value as object),
  };
}

/** Some services send a text for "no reason yet" in every block. */
function reasonOf(reason: string | undefined): string | undefined {
  return reason === undefined || /^\s*(?:(?:null|none|nil|undefined)\s*)?$/i.test(reason)
    ? undefined
    : reason;
}

/** Returns the choice of the wanted index, else of index 0; without both, the first one. */
function chosen(
  choices: unknown,
  wantedIndex: number | undefined,
): { choice: Choice | undefined; index: number | undefined } {
  let best: { choice: Choice; index: number } | undefined;
  // Some services send the only choice without a list.
  for (const [position, item] of (Array.isArray(choices) ? choices : [choices]).entries()) {
    const choice = z.safeParse(choiceSchema, item);
    if (!choice.success) continue;
    const { index: ownIndex, ...fields } = choice.data;
    if (
      !Array.isArray(choices) &&
      Object.values(fields).every((field) => (field ?? null) === null)
    ) {
      continue;
    }
    // The position counts for a choice without an index.
    const index = indexFrom(ownIndex ?? position);
    if (index === undefined) continue;
    if (index === (wantedIndex ?? 0)) return { choice: choice.data, index };
    if (wantedIndex === undefined) best ??= { choice: choice.data, index };
  }
  return best ?? { choice: undefined, index: undefined };
}

type Message = z.infer<typeof messageSchema>;

/** Returns the delta, or the message if the delta is missing or empty. */
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

/** Parses a message; a plain text counts as its content. */
function asMessage(value: unknown): Message | undefined {
  if (typeof value === "string") {
    return { content: value };
  }
  const message = z.safeParse(messageSchema, value);
  return message.success ? message.data : undefined;
}

function textOfMessage({ content, refusal, audio }: Message): string {
  return textOf(content) || refusal || (audio?.transcript ?? "");
}

function isSilent(message: Message): boolean {
  const hasText = textOfMessage(message) + reasoningOf(message) !== "";
  const hasPicture = picturesOfMessage(message).length > 0;
  return !hasText && !hasPicture && message.tool_calls === undefined;
}

/**
 * Returns the text of a string, a part or a list of parts, without parts of thinking; empty for
 * other values.
 */
function textOf(content: unknown, depth = 0): string {
  if (typeof content === "string") return content;
  if (typeof content !== "object" || content === null || depth > 2) return "";
  if (Array.isArray(content)) return content.map((part) => textOf(part, depth + 1)).join("");
  const part = content as Record<string, unknown>;
  if (REASONING_PARTS.has(part["type"])) return "";
  return textOf(part["text"] ?? part["content"] ?? part["refusal"], depth + 1);
}

function picturesOfMessage({ images, content }: Message): string[] {
  return [...picturesOf(images, true), ...picturesOf(content, false)];
}

/** Part of a content or of `images`, in each form that services use for a picture. */
const pictureSchema = z.object({
  type: lenient(z.string()),
  image_url: lenient(z.union([z.string(), z.object({ url: z.string() })])), // OpenRouter, LiteLLM
  url: lenient(z.string()), // OpenAI's image endpoint
  b64_json: lenient(z.string()), // OpenAI's image endpoint
  source: lenient(z.object({ data: z.string() })), // Anthropic
  inlineData: lenient(z.object({ mimeType: z.string(), data: z.string() })), // Gemini
});

/**
 * Returns the addresses of the pictures in a list or a part. A picture in an unknown form has a `data:` URL
 * of its type, without data, so that it is named.
 * @param isPicture true for a list that has only pictures
 */
function picturesOf(value: unknown, isPicture: boolean, depth = 0): string[] {
  if (isPicture && typeof value === "string" && value !== "") return [value];
  if (typeof value !== "object" || value === null || depth > 3) return [];
  if (Array.isArray(value)) return value.flatMap((part) => picturesOf(part, isPicture, depth + 1));
  const { data: part } = z.safeParse(pictureSchema, value);
  const { image_url: image, inlineData, type = isPicture ? "image" : "" } = part ?? {};
  const address = typeof image === "object" ? image.url : image;
  if (address) return [address];
  if (inlineData) return [`data:${inlineData.mimeType};base64,${inlineData.data}`];
  if (!isPicture && !/image/i.test(type)) return [];
  const data = part?.b64_json ?? part?.source?.data;
  if (data) return [`data:${type};base64,${data}`];
  return [part?.url || `data:${type}`];
}

/** Returns the thinking of a message: its first field with thinking, or the parts of its content. */
function reasoningOf(message: Message): string {
  for (const field of REASONING_FIELDS) {
    const text = reasoningText(message[field]);
    if (text !== "") return text;
  }
  if (typeof message.content !== "object" || message.content === null) return "";
  const parts: unknown[] = [message.content].flat();
  return parts
    .filter((part) => REASONING_PARTS.has((part as { type?: unknown } | null)?.type))
    .map((part) => reasoningText(part))
    .join("");
}

/** Returns the text of a string, a part or a list of parts of thinking; empty for other values. */
function reasoningText(value: unknown, depth = 0): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || depth > 3) return "";
  if (Array.isArray(value)) return value.map((part) => reasoningText(part, depth + 1)).join("");
  const part = value as Record<string, unknown>;
  const { text, thinking, reasoning, content, summary } = part;
  return reasoningText(text ?? thinking ?? reasoning ?? content ?? summary, depth + 1);
}

function readUsage(usage: NonNullable<z.infer<typeof usageSchema>>): Usage | undefined {
  const counts: Usage = defined({
    promptTokens: usage.prompt_tokens,
    completionTokens: usage.completion_tokens,
    reasoningTokens: usage.completion_tokens_details?.reasoning_tokens ?? usage.reasoning_tokens,
  });
  return Object.keys(counts).length === 0 ? undefined : counts;
}

/** Returns the `error` field of a block, or the block itself if it is an error object. */
function errorOf(block: z.infer<typeof blockSchema>, value: unknown, hasChoice: boolean): unknown {
  const { error, choices, usage } = block;
  if (block.object === "error" || block.type === "error") return error ?? value;
  if (error === undefined || error === null || error === false || error === "") return undefined;
  // Some services send an empty error with every good block.
  const isReply = hasChoice || Array.isArray(choices) || usage !== undefined;
  return isReply && isEmptyError(error) ? undefined : error;
}

function errorIn(choice: Choice | undefined): unknown {
  return isEmptyError(choice?.error) ? undefined : choice?.error;
}
