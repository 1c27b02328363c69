/**
 * Shortens a declaration to what its users need: types whole, classes as a list of members, functions
 * as their signature. Reads lines and indentation, so that any language works without a parser.
 */
import type { ExcerptPart } from "../conversation/message";
import { blockEnd, indentOf } from "./enclosingBlock";
import { excerptOf, type LineSpan, type SourceText } from "./excerpt";
import { estimateTextTokens } from "../base/tokens";

/** Declaration whose body is what its users need. */
const DATA_TYPE =
  /\b(?:interface|type|enum|struct|union|record|trait|protocol|typedef|message|schema|data class|namedtuple|TypedDict)\b/;

/** Declaration with members that have bodies of their own. */
const MEMBERS = /\b(?:class|object|module|impl|extension|namespace|abstract|interface|trait)\b/;

/** Lines after which the body of a function begins. */
const BODY = /(?:\{|=>|:|\bdo|\bthen)\s*$/;

const MAX_SIGNATURE_LINES = 8;
const MAX_VALUE_LINES = 3;

/** Line in place of lines that are left out. */
const LEFT_OUT = "…";

/**
 * Returns a declaration in short form, within a budget of estimated tokens.
 * @param line 1-based line of the declared name
 */
export function shortDeclaration(
  source: SourceText,
  line: number,
  maxTokens: number,
): ExcerptPart | undefined {
  const head = source.lines[line - 1];
  if (head === undefined || head.trim() === "") return undefined;
  const endLine = blockEnd(source.lines, line - 1);
  const span = { startLine: line, endLine };
  if (DATA_TYPE.test(head)) return excerptOf(source, span, maxTokens).part;
  const shownLines = MEMBERS.test(head) ? memberLines(source, span) : signature(source, span);
  const part = partOf(source, span, shownLines);
  if (estimateTextTokens(part.text) <= maxTokens) return part;
  // A file with very long lines, or a class with very many members.
  const { part: cut } = excerptOf({ ...source, lines: shownLines }, wholeOf(shownLines), maxTokens);
  return { ...part, text: cut.text };
}

/** Returns the lines of a class, without the bodies of its members. */
function memberLines({ lines }: SourceText, { startLine, endLine }: LineSpan): string[] {
  const all = lines.slice(startLine - 1, endLine);
  const base = indentOf(all[0] ?? "");
  const inner = all.slice(1).filter((line) => line.trim() !== "" && indentOf(line) > base);
  const level = inner.reduce((least, line) => Math.min(least, indentOf(line)), Infinity);
  const memberTexts: string[] = [];
  for (const line of all) {
    if (line.trim() === "") continue;
    if (indentOf(line) <= level && !/^\s*[}\])]+[;,]?\s*$/.test(line)) memberTexts.push(line);
    else if (indentOf(line) === base) memberTexts.push(line);
  }
  return memberTexts.map((line) =>
    indentOf(line) === level ? line.replace(/\{\s*$/, `{ ${LEFT_OUT} }`) : line,
  );
}

/** Returns the lines of a function up to its body, or of a value up to its third line. */
function signature({ lines }: SourceText, { startLine, endLine }: LineSpan): string[] {
  const all = lines.slice(startLine - 1, endLine);
  if (all.length <= MAX_VALUE_LINES) return all;
  const body = all.slice(0, MAX_SIGNATURE_LINES).findIndex((line) => BODY.test(line));
  const count = body === -1 ? MAX_VALUE_LINES : body + 1;
  return [...all.slice(0, count), LEFT_OUT];
}

function partOf(source: SourceText, span: LineSpan, kept: readonly string[]): ExcerptPart {
  const { path, uri, languageId } = source;
  const linesLeftOut =
    span.endLine - span.startLine + 1 - kept.filter((line) => line !== LEFT_OUT).length;
  const text = kept.join("\n");
  const part = { kind: "excerpt" as const, path, uri, languageId, ...span, text };
  return linesLeftOut > 0 ? { ...part, linesLeftOut } : part;
}

function wholeOf(lines: readonly string[]): LineSpan {
  return { startLine: 1, endLine: lines.length };
}
