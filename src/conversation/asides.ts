/** Questions asked aside: messages below a message that are not part of any path. */
import type { Message, Reply, UserMessage } from "./message";

/** A conversation's messages by id. */
interface Messages {
  readonly messages: ReadonlyMap<string, Message>;
}

/** Returns the replies to a question asked aside, oldest first. */
export function asideReplies(messages: ReadonlyMap<string, Message>, asideId: string): Reply[] {
  return [...messages.values()].filter(
    (message) =>
      message.role === "assistant" && message.isAside === true && message.parentId === asideId,
  ) as Reply[];
}

/** Question that was asked aside, with its newest reply. */
export interface Aside {
  readonly question: UserMessage;
  /** Undefined only if its record is damaged. */
  readonly reply: Reply | undefined;
}

/** Returns the asides of all messages, oldest first, without those that were removed. */
export function asidesOf({ messages }: Messages): Aside[] {
  const newest = new Map<string | null, Reply>();
  for (const message of messages.values())
    if (message.role === "assistant" && message.isAside === true)
      newest.set(message.parentId, message);
  return [...messages.values()].flatMap((question) =>
    question.role === "user" && question.isAside === true && question.isForgotten !== true
      ? [{ question, reply: newest.get(question.id) }]
      : [],
  );
}

export function asideMessagesOf({ messages }: Messages, id: string): Message[] {
  const asides = [...messages.values()].filter(
    (message) => message.isAside === true && message.parentId === id,
  );
  return asides.flatMap((message) => [message, ...asideReplies(messages, message.id)]);
}
