/**
 * Repair of messages with an unreadable parent. Each message is marked and appended to the previous
 * message in the file, so that a damaged record hides only its own message.
 */
import type { Conversation } from "./conversation";
import type { Message } from "./message";

/**
 * Repairs a conversation; returns the same object if every message has its parent. Takes O(messages)
 * time, plus the length of the path for each orphan.
 */
export function joinOrphans(conversation: Conversation): Conversation {
  const { messages } = conversation;
  const all = [...messages.values()];
  if (all.every(({ parentId }) => parentId === null || messages.has(parentId))) return conversation;
  const joined = new Map<string, Message>();
  /** New parents by the missing id, so that versions of a message stay siblings. */
  const newParents = new Map<string, string | null>();
  let beforeId: string | null = null;
  for (const message of all) {
    const { id, parentId } = message;
    let own = message;
    if (parentId !== null && !messages.has(parentId)) {
      const candidate = newParents.has(parentId) ? (newParents.get(parentId) ?? null) : beforeId;
      const newParent = leadsTo(candidate, id, joined, messages) ? null : candidate;
      newParents.set(parentId, newParent);
      own = { ...message, parentId: newParent, followsGap: true };
    }
    joined.set(id, own);
    if (message.isAside !== true) beforeId = id;
  }
  return { ...conversation, messages: joined, children: childrenOf(joined) };
}

/** Sorts messages so that each follows its parent. */
export function parentsFirst(messages: ReadonlyMap<string, Message>): Message[] {
  const ordered = new Map<string, Message>();
  for (const message of messages.values()) {
    const chain = new Map<string, Message>();
    let next: Message | undefined = message;
    while (next !== undefined && !ordered.has(next.id) && !chain.has(next.id)) {
      chain.set(next.id, next);
      next = next.parentId === null ? undefined : messages.get(next.parentId);
    }
    for (const link of [...chain.values()].reverse()) ordered.set(link.id, link);
  }
  return [...ordered.values()];
}

/** True if `id` is on the path from the root to `fromId`. */
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
  for (const { id, parentId, isAside } of messages.values()) {
    if (isAside === true) continue;
    const siblings = children.get(parentId);
    if (siblings) siblings.push(id);
    else children.set(parentId, [id]);
  }
  return children;
}
