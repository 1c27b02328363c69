/** Finds declarations and the lines below them, without knowing the language. */
import { CLOSER } from "./flaws";
import type { DocumentIndent } from "./findTarget";
import { itemsOf } from "./items";
import { indentOf, isBlank, lineAt } from "./lines";

/** Class, or a similar construct of another language, to which members can be added. */
const CLASS =
  /^(\s*)(?:[\w@]+ ){0,5}?(?:class|interface|struct|impl|trait|enum|object|module|extension|protocol|record) (?:<[^>]*> ?)?([\w$.:]+)/;

/** Lines that are members of a class: a method, or a field with modifiers. */
const MEMBER =
  /^\s*(?:@\w+|def \w+\((?:self|cls)\b|(?:(?:public|private|protected|internal|static|async|override|readonly|abstract|final|virtual|get|set) )+[\w#[]|(?!if|for|while|switch|function|catch|with)[\w$#]+\([^)]*\)\s*(?::[^={]+)?\{\s*$)/;

/**
 * Returns the only declaration of a file with the name of a block's first one, which has all its lines;
 * undefined if there is none. 0-based lines, end exclusive.
 */
export function declarationOf(file: readonly string[], block: readonly string[]) {
  const headsIn = (lines: readonly string[]) =>
    itemsOf(lines, false).filter(({ isHead }) => isHead);
  const [first, ...others] = headsIn(block).filter(({ around }) => around === "");
  const [head, ...rivals] = headsIn(file).filter(({ name }) => name !== "" && name === first?.name);
  if (head === undefined || others.length > 0 || rivals.length > 0) return undefined;
  const startLine = file.findIndex((line) => line.trim() === head.text);
  const end = endOfBody(file, startLine);
  const next = file.findIndex((line, at) => at >= end && !isBlank(line));
  const isClosed =
    CLOSER.test(lineAt(file, next)) && indentOf([lineAt(file, next)]).length === head.depth;
  return { startLine, endLine: isClosed ? next + 1 : end };
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
