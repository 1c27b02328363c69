/** Lines of code: blank ends, indentation, words, and tokens at the end of an answer. */

/** Tokens that servers leave in the text around an answer, and a closing tag of that kind. */
export const END_TOKEN =
  /(?:<\|[a-z_]{2,20}\|>|<｜[^｜\s]{2,40}｜>|<end_of_turn>|<eos>|\[\/INST\]|^\s*<\/s>)\s*$/;

/** Returns a line; empty before the first, after the last and without an index. */
export function lineAt(lines: readonly string[], index = -1): string {
  return lines[index] ?? "";
}

export function isBlank(line: string): boolean {
  return line.trim() === "";
}

/** Returns true for a line that is neither blank nor only an opening brace. */
export function isText(line: string): boolean {
  return !isBlank(line) && line.trim() !== "{";
}

/** Returns the number of blanks before the first line. */
export function depthAt([first = ""]: readonly string[]): number {
  return indentOf([first]).length;
}

export function withoutBlankEnds(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex((line) => !isBlank(line));
  return start === -1 ? [] : lines.slice(start, lines.findLastIndex((line) => !isBlank(line)) + 1);
}

/** Returns the leading blanks of the first non-blank line; empty when all lines are blank. */
export function indentOf(lines: readonly string[]): string {
  const first = lines.find((line) => !isBlank(line)) ?? lines[0] ?? "";
  return /^[ \t]*/.exec(first)?.[0] ?? "";
}

/** Returns a line without its indentation: spaces and tabs. Any other blank is text. */
export function withoutIndent(line: string): string {
  return line.replace(/^[ \t]+/, "");
}

/** Returns true for lines that are equal but for spaces and tabs at their end. */
export function isSameBeforeEnd(one: string, other: string): boolean {
  const withoutEnd = (line: string) => line.replace(/(?<![ \t])[ \t]+$/, "");
  return withoutEnd(one) === withoutEnd(other);
}

export function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\p{L}\p{N}_$]+/gu));
}

/** Returns the end of the lines that are deeper than a line, exclusive. */
export function endOfBody(lines: readonly string[], head: number): number {
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
