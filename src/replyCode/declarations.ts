/** Finds declarations by depth, without knowing the language, and those that a change repeats. */
import { CLOSER } from "./flaws";
import { lettersIn } from "./likeness";
import { indentOf, isBlank, lineAt } from "./lines";

/** Line that opens the deeper lines below. */
interface Head {
  readonly at: number;
  /** Nearest line above that is less deep; -1 at the margin. */
  readonly parent: number;
  readonly name: string;
}

/** Lines that a change puts into a file: 0-based, end exclusive. */
interface ChangedLines {
  readonly start: number;
  readonly end: number;
}

/** Start of a function's declaration, with Go's receiver. */
const FUNCTION = /^((?:[\w<>[\],.&*]{1,100} ){1,9}(?:\([^()]{0,200}\) )?[\w$]{1,100})\(/;

/**
 * Returns true if a line opens what another line of the same parent opens, and did not before. A head
 * that the file repeats anyway, as "if err != nil {", is no declaration.
 */
export function repeatsHead(before: readonly string[], after: readonly string[]): boolean {
  const oldNames = new Set(repeatedNames(before));
  return repeatedNames(after).some((name) => !oldNames.has(name));
}

/** Returns true if the lines below a change belong to one of its heads, and did not before. */
export function takesLinesBelow(
  before: readonly string[],
  after: readonly string[],
  { start, end }: ChangedLines,
): boolean {
  const parentOfNext = (lines: readonly string[], from: number) => {
    const depth = indentOf(lines.slice(from)).length;
    return lines
      .slice(0, from)
      .findLastIndex((one) => !isBlank(one) && indentOf([one]).length < depth);
  };
  const parent = parentOfNext(after, end);
  const isHead = headsIn(after.slice(0, end)).some(({ at }) => at === parent);
  return (
    parent >= start && isHead && parentOfNext(before, end - after.length + before.length) < start
  );
}

/** Returns the lines outside all others that open deeper lines. */
export function outerHeads(lines: readonly string[]): readonly string[] {
  return headsIn(lines).flatMap(({ at, parent }) => (parent === -1 ? (lines[at] ?? []) : []));
}

/**
 * Returns the only declaration of a file with the name of a block's first one, which has all its lines;
 * undefined if there is none. 0-based lines, end exclusive.
 */
export function declarationOf(file: readonly string[], block: readonly string[]) {
  const [first, ...others] = headsIn(block).filter(({ parent }) => parent === -1);
  const [head, ...rivals] = headsIn(file).filter(({ name }) => name === first?.name);
  if (head === undefined || others.length > 0 || rivals.length > 0) return undefined;
  const depth = indentOf([lineAt(file, head.at)]).length;
  const isAfter = (line: string) => !isBlank(line) && indentOf([line]).length <= depth;
  const below = file.slice(head.at + 1);
  const next = below.findIndex((line) => isAfter(line) && line.trim() !== "{");
  const isClosed =
    CLOSER.test(lineAt(below, next)) && indentOf([lineAt(below, next)]).length === depth;
  const end = head.at + 1 + (next === -1 ? below.length : next + Number(isClosed));
  const last = file.slice(0, end).findLastIndex((line) => !isBlank(line));
  return { startLine: head.at, endLine: last + 1 };
}

/** Returns the names of heads that another head of the same parent has too. */
function repeatedNames(lines: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return headsIn(lines).flatMap(({ parent, name }) => {
    const key = `${parent} ${name}`;
    if (seen.has(key)) return [name];
    seen.add(key);
    return [];
  });
}

function headsIn(lines: readonly string[]): readonly Head[] {
  const heads: Head[] = [];
  /** Lines that the current line is below and deeper than, with their depths. */
  const open: { readonly at: number; readonly depth: number }[] = [];
  let last: { readonly at: number; readonly depth: number; readonly parent: number } | undefined;
  for (const [at, line] of lines.entries()) {
    if (isBlank(line)) continue;
    const depth = indentOf([line]).length;
    const above = lineAt(lines, last?.at);
    const isHead = last && (depth > last.depth || line.trim() === "{");
    const name = isHead && !CLOSER.test(above) ? nameOf(above.trim()) : "";
    if (last && name !== "") heads.push({ at: last.at, parent: last.parent, name });
    while ((open.at(-1)?.depth ?? -1) >= depth) open.pop();
    last = { at, depth, parent: open.at(-1)?.at ?? -1 };
    open.push(last);
  }
  return heads;
}

function nameOf(text: string): string {
  return lettersIn(text) > 2 ? (FUNCTION.exec(text)?.[1] ?? text) : "";
}
