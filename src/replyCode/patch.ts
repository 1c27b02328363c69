/**
 * Recognizes and applies diffs in replies: unified diffs, SEARCH/REPLACE blocks and "*** Begin Patch".
 * Matches lines by content only and ignores the reply's line numbers and file names.
 */
import { movedLine } from "./indentation";
import { indentOf, isBlank, isSameBeforeEnd, lineAt } from "./lines";

export interface Operation {
  /** Tag of a unified diff: unchanged, removed or added line. */
  readonly tag: " " | "-" | "+";
  readonly text: string;
}

/** Run of changed lines with context lines. */
export type Change = readonly Operation[];

/** Changes of a single file, or of a single block of the reply. */
export type PatchSection = readonly Change[];

const SEARCH = /^(?:<{5,9}(?: |$)|-{5,9} ?SEARCH\b)/;
const REPLACE = /^(?:>{5,9}(?: |$)|\+{5,9} ?REPLACE\b)/;

/** Returns true for a line that begins a diff at any position. */
export function startsPatch(line: string): boolean {
  return /^(?:diff --git |\*\*\* Begin Patch|<{5,9} ?(?:SEARCH|ORIGINAL)\b|-{5,9} ?SEARCH\b|--- a\/|@@ -\d)/.test(
    line,
  );
}

/** Returns true for a line that ends a patch, after which text may follow. */
export function endsPatch(line: string): boolean {
  return REPLACE.test(line) || line.startsWith("*** End Patch");
}

/** Returns true for the marker before the searched lines of a SEARCH/REPLACE block. */
export function isSearchMarker(line: string): boolean {
  return SEARCH.test(line);
}

/** Returns true for lines that are only a diff. */
export function isPatch(lines: readonly string[]): boolean {
  const filled = lines.filter((line) => !isBlank(line));
  const startsWith = (mark: string) => filled.some((line) => line.startsWith(mark));
  const isTagged = filled.every((line) => /^[-+ @\\]/.test(line));
  const hasMark = filled.some((line) => isSearchMarker(line) || startsPatch(line));
  return hasMark || (isTagged && startsWith("+") && startsWith("-"));
}

/**
 * Applies the sections in which each change matches exactly one position.
 * @param first lines in which a change is searched before all lines: 0-based, end exclusive
 * @returns undefined when no section matches
 */
export function applyPatch(
  sections: readonly PatchSection[],
  lines: readonly string[],
  first = { start: 0, end: lines.length },
) {
  let result = lines;
  let applied = 0;
  for (const section of sections) {
    let changed = result;
    let from = 0;
    const isApplied = section.map(withoutBlankEnds).every((change) => {
      const added = changed.length - lines.length;
      // Earlier changes may be above the first lines or in them.
      const start = Math.max(0, first.start + Math.min(0, added));
      const range = rangeOf(change, changed, { start, end: first.end + Math.max(0, added) }, from);
      if (range === undefined) return false;
      const newLines = changedLines(range.at, change, changed);
      changed = changed.toSpliced(range.at, range.length, ...newLines);
      from = range.at + newLines.length;
      return true;
    });
    if (!isApplied) continue;
    result = changed;
    applied++;
  }
  return applied === 0 ? undefined : { lines: result, isPartial: applied < sections.length };
}

/** Returns the only position of a change, preferably in the first lines and below a line. */
function rangeOf(
  change: Change,
  lines: readonly string[],
  { start, end }: { readonly start: number; readonly end: number },
  from: number,
) {
  const old = change.filter(({ tag }) => tag !== "+").map(({ text }) => text);
  const { length } = old;
  if (length === 0) {
    const isEmpty = lines.slice(start, end).every(isBlank);
    return isEmpty ? { at: start, length: end - start } : undefined;
  }
  const isInside = (at: number) => at >= start && at + length <= end;
  const isBelow = (at: number) => at >= from;
  const isSameText = (one: string, other: string) => one.trim() === other.trim();
  for (const isSame of [isSameBeforeEnd, isSameText]) {
    const matches = [...lines.keys()].filter(
      (at) =>
        at + length <= lines.length &&
        old.every((text, index) => isSame(text, lineAt(lines, at + index))),
    );
    const [at, ...rivals] = [isInside, isBelow].reduce(
      (all, isLikely) => (all.some(isLikely) ? all.filter(isLikely) : all),
      matches,
    );
    if (at !== undefined) return rivals.length > 0 ? undefined : { at, length };
  }
  return undefined;
}

/** Empty lines at a change's ends belong to the reply, not to the file. */
function withoutBlankEnds(change: Change): Change {
  const isEmpty = ({ tag, text }: Operation) => tag === " " && isBlank(text);
  const start = change.findIndex((one) => !isEmpty(one));
  const end = change.findLastIndex((one) => !isEmpty(one)) + 1;
  return change.slice(start, end);
}

/**
 * Returns the lines after the change. Unchanged lines keep the file's text; an added line is moved as
 * the nearest line that the file has, of two the one above.
 */
function changedLines(at: number, change: Change, lines: readonly string[]): string[] {
  let next = at;
  const fileLines = change.map(({ tag }) => (tag === "+" ? undefined : lineAt(lines, next++)));
  const matched = change.flatMap(({ text }, index) => {
    const line = fileLines[index] ?? "";
    return isBlank(line) ? [] : [{ index, from: indentOf([text]), to: indentOf([line]) }];
  });
  return change.flatMap(({ tag, text }, index) => {
    if (tag !== "+") return tag === " " ? [fileLines[index] ?? ""] : [];
    const above = matched.findLast((one) => one.index < index);
    const below = matched.find((one) => one.index > index);
    const isBelow = below && (!above || below.index - index < index - above.index);
    const { from, to } = (isBelow ? below : above) ?? { from: "", to: "" };
    return [movedLine(text, from, to)];
  });
}
