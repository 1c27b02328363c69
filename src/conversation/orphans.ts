/**
 * Repair of messages with an unreadable parent. Each message is marked and appended to the previous
 * message in the file, so that a damaged record hides only its own message.
 */
import type { Conversation } from "./conversation";
import type { Message } from "./message";

/** Repairs a conversation; returns the same object if every message has its parent. */
export function joinOrphans(conversation: Conversation): Conversation {
  const { messages } = conversation;
  const all = [...messages.values()];
  if (all.every(({ parentId }) => parentId === null || messages.has(parentId))) return conversation;
  const joined = new Map<string, Message>();
  /** New parents by the missing id, so that versions of a message stay siblings. */
  const newParents = new Map<string, string | null>();
  const roots = new Roots(messages);
  let beforeId: string | null = null;
  for (const message of all) {
    const { id, parentId } = message;
    let placed = message;
    if (parentId !== null && !messages.has(parentId)) {
      const candidate = newParents.has(parentId) ? (newParents.get(parentId) ?? null) : beforeId;
      const newParent = candidate !== null && roots.rootOf(candidate) === id ? null : candidate;
      if (newParent !== null) roots.join(id, newParent);
      newParents.set(parentId, newParent);
      placed = { ...message, parentId: newParent, followsGap: true };
    }
    joined.set(id, placed);
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

/** Roots of messages. Shortens the ways to them, so that many questions take about linear time. */
class Roots {
  /** A message above each message that has a parent. */
  private readonly above = new Map<string, string>();

  constructor(messages: ReadonlyMap<string, Message>) {
    for (const { id, parentId } of messages.values())
      if (parentId !== null && messages.has(parentId)) this.above.set(id, parentId);
  }

  join(id: string, parentId: string): void {
    this.above.set(id, parentId);
  }

  /** Returns the first message of the path; any message of a circle if the path is one. */
  rootOf(id: string): string {
    const passed = new Set<string>();
    let root = id;
    for (let next = this.above.get(root); next !== undefined && !passed.has(root);) {
      passed.add(root);
      root = next;
      next = this.above.get(root);
    }
    for (const one of passed) this.above.set(one, root);
    return root;
  }
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
