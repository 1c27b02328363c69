/**
 * Separates thinking that older versions kept in the text of a reply. Stored replies stay as they
 * are, because the steps of the journal name positions in their texts.
 */
import type { Message, Reply } from "../conversation/message";
import { separateThinking } from "../service/thinkingTags";

/** Start of a text that can begin with an opening tag. */
const TAG_START = /^\s*[<[◁]/;

/** Separated replies, so that estimates of the same reply are made once. */
const cache = new WeakMap<Reply, Reply>();

/** Returns the reply with the thinking at the start of its text apart; the same reply without any. */
export function separatedReply(reply: Reply): Reply {
  if (reply.thinking !== undefined || !TAG_START.test(reply.text)) return reply;
  const cached = cache.get(reply);
  if (cached !== undefined) return cached;
  const { reasoning, text } = separateThinking(reply.text);
  const separated =
    text === reply.text
      ? reply
      : {
          ...reply,
          text,
          ...(reasoning !== "" && { thinking: { text: reasoning, durationMs: 0 } }),
        };
  cache.set(reply, separated);
  return separated;
}

/** Returns the messages with the thinking of each reply apart. */
export function separatedPath(path: readonly Message[]): Message[] {
  return path.map((message) => (message.role === "assistant" ? separatedReply(message) : message));
}
