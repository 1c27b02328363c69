/**
 * Differences between the original and the proposed text, as runs of lines that can be kept or
 * discarded separately.
 */
import { diffArrays } from "diff";

/** Run of changed lines. Indexes are 0-based and count from the start of the edited range. */
export interface Hunk {
  readonly originalStart: number;
  readonly originalLines: readonly string[];
  readonly proposedStart: number;
  readonly proposedLines: readonly string[];
}

/**
 * Upper limit of differing lines; above this limit a single hunk covers all of them. The diff takes
 * quadratic time.
 */
const MAX_DIFFERING_LINES = 1_000;

/** Returns the hunks between two texts, in order; none when the texts are equal. */
export function hunksBetween(original: readonly string[], proposed: readonly string[]): Hunk[] {
  const { start, originalEnd, proposedEnd } = changedSpan(original, proposed);
  const before = original.slice(start, originalEnd);
  const after = proposed.slice(start, proposedEnd);
  if (before.length === 0 && after.length === 0) return [];
  const changes = diffArrays(before, after, { maxEditLength: MAX_DIFFERING_LINES }) ?? [
    { removed: true, added: false, count: before.length },
    { removed: false, added: true, count: after.length },
  ];
  const hunks: Hunk[] = [];
  let [originalAt, proposedAt] = [start, start];
  let isOpen = false;
  for (const { added, removed, count } of changes) {
    const last = isOpen ? hunks.at(-1) : undefined;
    const { originalStart, proposedStart } = last ?? {
      originalStart: originalAt,
      proposedStart: proposedAt,
    };
    if (!added) originalAt += count;
    if (!removed) proposedAt += count;
    isOpen = added || removed;
    if (!isOpen) continue;
    const originalLines = original.slice(originalStart, originalAt);
    const proposedLines = proposed.slice(proposedStart, proposedAt);
    if (last !== undefined) hunks.pop();
    hunks.push({ originalStart, originalLines, proposedStart, proposedLines });
  }
  return hunks;
}

/** Returns the span in which two texts differ: 0-based start, exclusive ends. */
export function changedSpan(
  from: readonly string[],
  to: readonly string[],
): { start: number; originalEnd: number; proposedEnd: number } {
  const shorter = Math.min(from.length, to.length);
  let start = 0;
  while (start < shorter && from[start] === to[start]) start++;
  let same = 0;
  while (same < shorter - start && from[from.length - 1 - same] === to[to.length - 1 - same]) {
    same++;
  }
  return { start, originalEnd: from.length - same, proposedEnd: to.length - same };
}

/**
 * Returns lines with both of two changes of an origin; undefined if the changes meet.
 * @param changed lines after the first change
 * @param now lines after the second change
 */
export function withBoth(
  origin: readonly string[],
  changed: readonly string[],
  now: readonly string[],
): readonly string[] | undefined {
  if (origin.join("\n") === now.join("\n")) return changed;
  const [one, other] = [changedSpan(origin, changed), changedSpan(origin, now)];
  if (one.originalEnd < other.start) {
    return [...changed.slice(0, one.proposedEnd), ...now.slice(one.originalEnd)];
  }
  if (one.start <= other.originalEnd) return undefined;
  return [...now.slice(0, one.start + now.length - origin.length), ...changed.slice(one.start)];
}
