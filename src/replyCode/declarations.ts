/** Finds lines that open deeper ones, without knowing the language, and those that a change repeats. */
import { CLOSER } from "./flaws";
import { lettersIn } from "./likeness";
import { indentOf, isBlank, lineAt } from "./lines";

/** Start of a function's declaration, with Go's receiver. */
const FUNCTION = /^((?:[\w<>[\],.&*]{1,100} ){1,9}(?:\([^()]{0,200}\) )?[\w$]{1,100})\(/;

/**
 * Returns a line that opens what another line of the same parent opens, and did not before. A head
 * that the file repeats anyway, as "if err != nil {", is no declaration.
 */
export function repeatedHead(
  before: readonly string[],
  after: readonly string[],
): string | undefined {
  const oldNames = new Set(repeatedNames(before));
  return repeatedNames(after).find((name) => !oldNames.has(name));
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

/** Returns the lines above deeper ones, each with the number of the nearest line that is less deep. */
function headsIn(lines: readonly string[]) {
  const open: { readonly at: number; readonly depth: number }[] = [];
  const filled = lines.flatMap((line, at) => (isBlank(line) ? [] : { line, at }));
  return filled.flatMap(({ line, at }, index) => {
    const depth = indentOf([line]).length;
    while ((open.at(-1)?.depth ?? -1) >= depth) open.pop();
    const parent = open.at(-1)?.at ?? -1;
    open.push({ at, depth });
    const next = filled[index + 1]?.line ?? "";
    const isHead = indentOf([next]).length > depth || next.trim() === "{";
    const name = FUNCTION.exec(line.trim())?.[1] ?? line.trim();
    return isHead && !CLOSER.test(line) && lettersIn(line) > 2 ? [{ at, line, parent, name }] : [];
  });
}
