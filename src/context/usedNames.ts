/** Finds the names that some lines of code use, in their order, for the search of their definitions. */
import type { LineSpan } from "./excerpt";

/** First place of a name; both 0-based. */
export interface UsedName {
  readonly name: string;
  readonly line: number;
  readonly character: number;
}

/** Part of a line that is searched, in UTF-16 units. */
const MAX_LINE_LENGTH = 2_000;

const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

/** String that begins outside an escape: a search from each escaped mark takes quadratic time. */
const STRING = /(?<!\\)"(?:[^"\\\n]|\\.)*"|(?<!\\)'(?:[^'\\\n]|\\.)*'/g;

/** Line of a comment: with a hash that no word follows, or inside a block comment. */
const COMMENT_LINE = /^\s*(?:#(?!\w)|\*)/;

/** Words of common languages that have no definition. */
const KEYWORDS = new Set(
  `
  abstract and any array as assert async await boolean break byte case catch chan char class const
  constexpr constructor continue debugger declare def default defer del delete do double dyn elif
  else end ensure enum except export extends extern false final finally float fn for from func
  function get global go goto if impl implements import in instanceof int interface internal is
  lambda let list long match mod module mut namespace native never new nil none not null number
  object of operator or override package pass private protected pub public raise range readonly
  record ref require rescue return sealed select self set short static str string struct super
  switch symbol synchronized then this throw throws trait true try type typeof undefined union
  unknown unless unsafe until use using val var virtual void volatile when where while with yield
  None True False Self
  `
    .trim()
    .split(/\s+/),
);

/** @param span lines to search */
export function usedNames(
  lines: readonly string[],
  { startLine, endLine }: LineSpan,
  maxNames: number,
): UsedName[] {
  const names = new Map<string, UsedName>();
  for (let line = startLine - 1; line < Math.min(endLine, lines.length); line++) {
    const code = codeOf((lines[line] ?? "").slice(0, MAX_LINE_LENGTH));
    for (const { 0: name, index: character } of code.matchAll(NAME)) {
      if (KEYWORDS.has(name) || names.has(name)) continue;
      names.set(name, { name, line, character });
      if (names.size === maxNames) return [...names.values()];
    }
  }
  return [...names.values()];
}

function codeOf(line: string): string {
  if (COMMENT_LINE.test(line)) return "";
  const code = line.replace(STRING, (text) => " ".repeat(text.length));
  const comment = code.indexOf("//");
  return comment === -1 ? code : code.slice(0, comment);
}

/**
 * Returns the words of a sentence that look like names of code: with a capital, an underscore or a
 * digit, in order.
 */
export function namesInSentence(text: string, maxNames: number): string[] {
  const words = text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  const names = words.filter((word) => word.length > 2 && /[\p{Lu}\p{N}_$]/u.test(word));
  return [...new Set(names)].slice(0, maxNames);
}
