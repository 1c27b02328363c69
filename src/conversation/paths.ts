/** Paths through the tree of messages, and the versions of a message. */
import type { Conversation } from "./conversation";
import type { Message } from "./message";

/** Returns the shown messages, oldest first. */
export function shownPath(conversation: Conversation): Message[] {
  return pathTo(conversation, conversation.leafId);
}

/** Returns the messages from the root to `leafId`; empty for null or an unknown id. */
export function pathTo(conversation: Conversation, leafId: string | null): Message[] {
  const path: Message[] = [];
  const seen = new Set<string>();
  for (let id = leafId; id !== null && !seen.has(id);) {
    const message = conversation.messages.get(id);
    if (message === undefined) break;
    seen.add(id);
    path.push(message);
    id = message.parentId;
  }
  return path.reverse();
}

/**
 * Compares the shown paths of two states. Returns the number of unchanged messages from the start and
 * the id of the first changed message; undefined if nothing changed. A message with a new version counts
 * as changed.
 */
export function shownChange(
  before: Conversation,
  after: Conversation,
): { keptCount: number; removedFromId: string | undefined } | undefined {
  const [old, now] = [shownPath(before), shownPath(after)];
  const isSame = (at: number) =>
    (old[at] === now[at] || JSON.stringify(old[at]) === JSON.stringify(now[at])) &&
    countVersions(before, old[at]) === countVersions(after, now[at]);
  let keptCount = 0;
  while (keptCount < old.length && keptCount < now.length && isSame(keptCount)) keptCount++;
  if (keptCount === old.length && keptCount === now.length) return undefined;
  return { keptCount, removedFromId: old[keptCount]?.id };
}

function countVersions(conversation: Conversation, message: Message | undefined): number {
  return message === undefined ? 0 : versionsOf(conversation, message).length;
}

/**
 * Returns the ids of the versions of a message, oldest first: its siblings and the message itself.
 * Other replies that failed without text are left out; they stay in the journal.
 */
export function versionsOf(conversation: Conversation, { id, parentId }: Message): string[] {
  const siblings = conversation.children.get(parentId) ?? [id];
  return siblings.filter((other) => other === id || !hasFailedEmpty(conversation, other));
}

/** Follows the newest version of each message from `id` and returns the last message. */
export function latestLeaf(conversation: Conversation, id: string): string {
  let leaf = id;
  for (;;) {
    const next = conversation.children.get(leaf);
    const newest = next?.findLast((child) => !hasFailedEmpty(conversation, child)) ?? next?.at(-1);
    if (newest === undefined) return leaf;
    leaf = newest;
  }
}

/** True for a reply that failed before any of its text or thinking arrived. */
function hasFailedEmpty({ messages }: Conversation, id: string): boolean {
  const message = messages.get(id);
  if (message?.role !== "assistant" || message.ending?.kind !== "failed") return false;
  return message.text.trim() === "" && message.thinking === undefined;
}
