/**
 * Removes duplicates from a question: lines that another excerpt contains, and problems that are
 * listed elsewhere.
 */
import type { ExcerptPart, Part, RelatedPart } from "../conversation/message";

/** Returns the parts without duplicates, in their order. */
export function withoutRepeats(parts: readonly Part[]): Part[] {
  const uncovered = withoutCovered(parts, (part) => part);
  return uncovered.flatMap((part) =>
    part.kind === "related" ? withoutOthers(part, uncovered) : withoutListed(part, uncovered),
  );
}

/** Returns declarations, callers or tests without those that an excerpt has; none if it has all. */
export function withoutOthers(part: RelatedPart, parts: readonly Part[]): RelatedPart[] {
  const items = part.items.filter((item) => !parts.some((other) => isInside(item, other)));
  return items.length === 0 ? [] : [{ ...part, items }];
}

/** True if the lines of a declaration, which may be shortened, are all in an excerpt. */
export function isInside(item: ExcerptPart, other: Part): boolean {
  if (other.kind !== "excerpt" || other.uri !== item.uri) return false;
  if ((other.linesLeftOut ?? 0) > 0) return false;
  const { startLine = 1, endLine = Infinity } = other;
  return startLine <= (item.startLine ?? 1) && (item.endLine ?? Infinity) <= endLine;
}

/** Returns the items whose part no other part contains; of two equal parts, the first. */
export function withoutCovered<T>(items: readonly T[], partOf: (item: T) => Part): T[] {
  return items.filter(
    (item, at) =>
      !items.some((other, place) => place !== at && holds(partOf(other), partOf(item), place < at)),
  );
}

/** True if any of `parts` already contains the lines and problems of `part`. */
export function isCovered(part: Part, parts: readonly Part[]): boolean {
  return parts.some((other) => holds(other, part, true));
}

/** @param isFirst true to prefer `other` when both parts are equal */
function holds(other: Part, part: Part, isFirst: boolean): boolean {
  if (part.kind !== "excerpt" || other.kind !== "excerpt") {
    return isFirst && JSON.stringify(other) === JSON.stringify(part);
  }
  if (other.uri !== part.uri || !hasLines(other, part)) return false;
  if (!linesOf(part.problems).every((line) => linesOf(other.problems).includes(line))) return false;
  return isFirst || !hasLines(part, other);
}

function hasLines(outer: ExcerptPart, inner: ExcerptPart): boolean {
  const lines = outer.text.split("\n");
  const count = inner.text.split("\n").length;
  const offset = (inner.startLine ?? 1) - (outer.startLine ?? 1);
  if (offset < 0 || offset + count > lines.length) return false;
  return lines.slice(offset, offset + count).join("\n") === inner.text;
}

/** Returns an excerpt without the problems that a list among `parts` contains. */
export function withoutListed(part: Part, parts: readonly Part[]): Part {
  if (part.kind !== "excerpt" || part.problems === undefined) return part;
  const { problems, ...rest } = part;
  const listed = parts.flatMap((other) =>
    other.kind === "note" && other.source === "problems" ? problemsOf(other.text, part.path) : [],
  );
  const left = linesOf(problems).filter((line) => !listed.includes(line));
  return left.length === 0 ? rest : { ...rest, problems: left.join("\n") };
}

function problemsOf(text: string, path: string): string[] {
  const blocks = text.split("\n\n").map((block) => block.replace(/^Problems:\n/, "").split("\n"));
  return blocks.flatMap(([name, ...lines]) => (name === `${path}:` ? lines : []));
}

function linesOf(text: string | undefined): string[] {
  return text === undefined || text === "" ? [] : text.split("\n");
}
