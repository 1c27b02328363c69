/**
 * The difference that another state of a conversation makes to what is shown of it.
 */
import { shownPath, type Conversation } from "./conversation";

/**
 * Returns how many shown messages stay as they are from the start, and the first one that does not;
 * undefined where all of them stay. A message with more versions than before counts as changed.
 */
export function shownChange(
  before: Conversation,
  after: Conversation,
): { keptCount: number; removedFromId: string | undefined } | undefined {
  const [old, now] = [shownPath(before), shownPath(after)];
  const isSame = (at: number) =>
    JSON.stringify(old[at]) === JSON.stringify(now[at]) &&
    before.children.get(old[at]?.parentId ?? null)?.length ===
      after.children.get(now[at]?.parentId ?? null)?.length;
  let keptCount = 0;
  while (keptCount < old.length && keptCount < now.length && isSame(keptCount)) keptCount++;
  if (keptCount === old.length && keptCount === now.length) return undefined;
  return { keptCount, removedFromId: old[keptCount]?.id };
}
