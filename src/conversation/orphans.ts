/**
 * Messages whose parent could not be read: each joins the message before it in the file and is
 * marked, so that one damaged record hides nothing but itself.
 */
import type { Conversation } from "./conversation";
import type { Message } from "./message";

/**
 * Returns the very same conversation where every message has its parent. The cost grows with the
 * messages, and with the length of the path for each one that lacks its parent.
 */
export function joinOrphans(conversation: Conversation): Conversation {
  const { messages } = conversation;
  const all = [...messages.values()];
  if (all.every(({ parentId }) => parentId === null || messages.has(parentId))) return conversation;
  const joined = new Map<string, Message>();
  /** Parents by the id of the missing one: versions of one message stay versions of one another. */
  const standIns = new Map<string, string | null>();
  let beforeId: string | null = null;
  for (const message of all) {
    const { id, parentId } = message;
    let own = message;
    if (parentId !== null && !messages.has(parentId)) {
      const candidate = standIns.has(parentId) ? (standIns.get(parentId) ?? null) : beforeId;
      const standIn = leadsTo(candidate, id, joined, messages) ? null : candidate;
      standIns.set(parentId, standIn);
      own = { ...message, parentId: standIn, followsGap: true };
    }
    joined.set(id, own);
    beforeId = id;
  }
  return { ...conversation, messages: joined, children: childrenOf(joined) };
}

/** The messages in an order in which each stands behind its parent. */
export function parentsFirst(messages: ReadonlyMap<string, Message>): Message[] {
  const ordered = new Map<string, Message>();
  for (const message of messages.values()) {
    const chain = new Map<string, Message>();
    let next: Message | undefined = message;
    while (next !== undefined && !ordered.has(next.id) && !chain.has(next.id)) {
      chain.set(next.id, next);
      next = next.parentId === null ? undefined : messages.get(next.parentId);
    }
    for (const one of [...chain.values()].reverse()) ordered.set(one.id, one);
  }
  return [...ordered.values()];
}

/** True when the way from a message to the first one passes another. */
function leadsTo(
  fromId: string | null,
  id: string,
  joined: ReadonlyMap<string, Message>,
  messages: ReadonlyMap<string, Message>,
): boolean {
  const seen = new Set<string>();
  for (let at = fromId; at !== null && !seen.has(at);) {
    if (at === id) return true;
    seen.add(at);
    at = (joined.get(at) ?? messages.get(at))?.parentId ?? null;
  }
  return false;
}

function childrenOf(messages: ReadonlyMap<string, Message>): Map<string | null, string[]> {
  const children = new Map<string | null, string[]>();
  for (const { id, parentId } of messages.values()) {
    const siblings = children.get(parentId);
    if (siblings) siblings.push(id);
    else children.set(parentId, [id]);
  }
  return children;
}
