/**
 * Extracts the facts of a valid request that an answer needs. Expects bodies that requestRules.ts
 * has accepted.
 */
import { estimateTokens } from "./tokens";
import type { RecordedPicture } from "./pictures";

export interface CompletionRequest {
  readonly model: string;
  readonly isStreaming: boolean;
  /**
   * Limit of the reply in estimated tokens. The specification's default of 3000 applies to
   * core_llm.
   */
  readonly maxTokens: number;
  /** Text of the last user message; text parts are joined by newlines. */
  readonly question: string;
  /** Text of the last assistant message before the question; empty if there is none. */
  readonly previousReply: string;
  /** Every picture of the request, oldest first. */
  readonly pictures: readonly RecordedPicture[];
  readonly messageCount: number;
  /** Estimated tokens of all texts of the request; a picture counts as 1,000 tokens. */
  readonly promptTokens: number;
  /** True if the stream should end with a usage block, which the specification does not promise. */
  readonly wantsUsage: boolean;
}

const DEFAULT_MAX_TOKENS = 3000; // Section 2.1 of the specification.
const PICTURE_TOKENS = 1000; // An estimate; the specification contains no number.

interface AcceptedMessage {
  readonly role: string;
  readonly content?: string | readonly { readonly text?: string }[] | null;
}

interface AcceptedBody {
  readonly model: string;
  readonly stream?: boolean;
  readonly max_tokens?: number;
  readonly messages: readonly AcceptedMessage[];
}

/** Parses a valid body; `headers` have lower-case names. */
export function readCompletionRequest(
  body: unknown,
  headers: Readonly<Record<string, string>>,
  pictures: readonly RecordedPicture[],
): CompletionRequest {
  const accepted = body as AcceptedBody;
  const texts = accepted.messages.map(textOf);
  const lastUser = accepted.messages.findLastIndex((message) => message.role === "user");
  const question = texts[lastUser] ?? "";
  return {
    model: accepted.model,
    isStreaming: accepted.stream ?? true,
    maxTokens:
      accepted.max_tokens ?? (accepted.model === "core_llm" ? DEFAULT_MAX_TOKENS : Infinity),
    question,
    previousReply:
      texts[accepted.messages.findLastIndex((message) => message.role === "assistant")] ?? "",
    pictures,
    messageCount: accepted.messages.length,
    promptTokens:
      texts.reduce((sum, text) => sum + estimateTokens(text), 0) + pictures.length * PICTURE_TOKENS,
    wantsUsage: headers["x-core-chat-usage"] === "1" || /^\s*\/usage\b/m.test(question),
  };
}

function textOf(message: AcceptedMessage): string {
  const { content } = message;
  if (typeof content === "string") return content;
  return (content ?? []).flatMap((part) => (part.text === undefined ? [] : [part.text])).join("\n");
}
