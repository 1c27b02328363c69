/** Finds declarations and the lines below them, without knowing the language, and those that a change repeats. */
import { CLOSER } from "./flaws";
import type { DocumentIndent } from "./findTarget";
import { lettersIn } from "./likeness";
import { indentOf, isBlank, lineAt } from "./lines";

/** Start of a function's declaration, with Go's receiver. */
const FUNCTION = /^((?:[\w<>[\],.&*]{1,100} ){1,9}(?:\([^()]{0,200}\) )?[\w$]{1,100})\(/;

/** Class, or a similar construct of another language, to which members can be added. */
const CLASS =
  /^(\s*)(?:[\w@]+ ){0,5}?(?:class|interface|struct|impl|trait|enum|object|module|extension|protocol|record) (?:<[^>]*> ?)?([\w$.:]+)/;

/** Lines that are members of a class: a method, or a field with modifiers. */
const MEMBER =
  /^\s*(?:@\w+|def \w+\((?:self|cls)\b|(?:(?:public|private|protected|internal|static|async|override|readonly|abstract|final|virtual|get|set) )+[\w#[]|(?!if|for|while|switch|function|catch|with)[\w$#]+\([^)]*\)\s*(?::[^={]+)?\{\s*$)/;

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
  const end = endOfBody(file, head.at);
  const next = file.findIndex((line, at) => at >= end && !isBlank(line));
  const isClosed =
    CLOSER.test(lineAt(file, next)) && indentOf([lineAt(file, next)]) === indentOf([head.line]);
  return { startLine: head.at, endLine: isClosed ? next + 1 : end };
}

/**
 * Returns the classes to which a block of members can be added, each with the 0-based line before which
 * they are inserted; none for any other block.
 */
export function classesForBlock(
  document: readonly string[],
  block: readonly string[],
  { usesTabs, size }: DocumentIndent,
) {
  if (!MEMBER.test(block.find((line) => !/^\s*(?:\/\/|\/?\*|#|$)/.test(line)) ?? "")) return [];
  return document.flatMap((text, at) => {
    const [, own = "", name] = (text.length > 300 ? null : CLASS.exec(text)) ?? [];
    if (name === undefined) return [];
    const line = endOfBody(document, at);
    const members = document.slice(at + 1, line).filter((one) => one.trim() !== "{");
    const level = own + (usesTabs ? "\t" : " ".repeat(size));
    return [{ name, line, indent: members.every(isBlank) ? level : indentOf(members) }];
  });
}

/** Returns the end of the lines that are deeper than a line, exclusive. */
function endOfBody(lines: readonly string[], head: number): number {
  const depth = indentOf([lineAt(lines, head)]).length;
  const isDeeper = (line: string) => line.trim() === "{" || indentOf([line]).length > depth;
  let end = head + 1;
  for (let at = end; at < lines.length; at++) {
    if (isBlank(lineAt(lines, at))) continue;
    if (!isDeeper(lineAt(lines, at))) break;
    end = at + 1;
  }
  return end;
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
