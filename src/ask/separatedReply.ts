/**
 * Separates thinking that older versions kept in the text of a reply. Stored replies stay as they
 * are, because the steps of the journal name positions in their texts.
 */
import type { Message, Reply } from "../conversation/message";

/**
 * Thinking at the start of a text, up to its closing tag or the end. The shapes of old replies only:
 * service/thinkingTags.ts reads those of new ones and is loaded with the first request.
 */
const THINKING = /^\s*<(think(?:ing)?|thoughts?|reasoning)>([^]*?)(?:<\/\1>\s*|$)/i;

/** Separated replies, so that estimates of the same reply are made once. */
const cache = new WeakMap<Reply, Reply>();

/** Returns the reply with the thinking at the start of its text apart; the same reply without any. */
export function separatedReply(reply: Reply): Reply {
  if (reply.thinking !== undefined) return reply;
  const cached = cache.get(reply);
  if (cached !== undefined) return cached;
  const [whole, , inside] = THINKING.exec(reply.text) ?? [];
  if (whole === undefined || inside === undefined) return reply;
  const thinking = { text: inside.trim(), durationMs: 0 };
  const text = reply.text.slice(whole.length);
  const separated = { ...reply, text, ...(thinking.text !== "" && { thinking }) };
  cache.set(reply, separated);
  return separated;
}

/** Returns the messages with the thinking of each reply apart. */
export function separatedPath(path: readonly Message[]): Message[] {
  return path.map((message) => (message.role === "assistant" ? separatedReply(message) : message));
}
