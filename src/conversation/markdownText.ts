/**
 * Escaping of text for an exported Markdown document. The text must not become HTML, load pictures, or
 * extend past its message. Follows CommonMark's fences, list items and code spans.
 * An ambiguous line is escaped for both readings, so a superfluous backslash may be visible.
 */
import { fenceFor, longestBackticks } from "../base/backticks";

/** Fence line: indentation and list markers, fence characters, info string. */
const FENCE = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}(?!`)|~{3,}(?!~))(.*)$/s;
const TAB_WIDTH = 4;

/** Escapes HTML and pictures in Markdown and closes an open fence at the end. */
export function plainMarkdown(text: string): string {
  const result: string[] = [];
  let prose: string[] = [];
  let open: { readonly run: string; readonly indent: number } | undefined;

  function endProse(): void {
    // Not spread into a call: an argument list has a maximum length.
    for (const line of escapeProse(prose)) result.push(line);
    prose = [];
  }
  function close(): void {
    if (open) result.push(" ".repeat(open.indent) + open.run);
    open = undefined;
  }

  for (const line of withoutControls(text).split("\n")) {
    const [, prefix = "", run = "", info = ""] = FENCE.exec(line) ?? [];
    if (open !== undefined) {
      const isEnd = prefix.trim() === "" && run.startsWith(open.run) && info.trim() === "";
      // A smaller indent ends the fence of a list item, but not another fence. Ends both.
      const isLeft = line.trim() !== "" && indentOf(line) < open.indent;
      if (isEnd || isLeft) close();
      else result.push(line);
      if (isEnd || !isLeft) continue;
    }
    if (run !== "" && !(run.startsWith("`") && info.includes("`"))) {
      endProse();
      const indent = indentOf(prefix.replaceAll(/[^ \t]/g, " ") + "x");
      // After a blank line, a list marker or a deep indent cannot continue a paragraph.
      const isDeep = prefix.trim() !== "" || indent >= TAB_WIDTH;
      if (isDeep && result.length > 0 && result.at(-1)?.trim() !== "") result.push("");
      open = { run, indent };
      result.push(line);
    } else {
      prose.push(line);
    }
  }
  endProse();
  close();
  return result.join("\n");
}

/**
 * Returns Markdown as a block quote, which also ends every block inside. Leading tabs become blanks:
 * inside a quote a tab is narrower, so a list item would end sooner.
 */
export function quoted(markdown: string): string {
  return markdown
    .split("\n")
    .map((line) => {
      const text = line.replace(/^[ \t]+/, "");
      return text === "" ? ">" : `> ${" ".repeat(indentOf(line))}${text}`;
    })
    .join("\n");
}

export function fencedCode(code: string, language: string): string {
  const fence = fenceFor(code);
  return `${fence}${language.replaceAll(/[^\w+#.-]/g, "")}\n${withoutControls(code)}\n${fence}`;
}

/** Returns a code span with the text on a single line. */
export function inlineCode(text: string): string {
  const line = withoutControls(text).replaceAll(/\s+/g, " ").trim();
  const ticks = "`".repeat(longestBackticks(line) + 1);
  return `${ticks} ${line} ${ticks}`;
}

/** Escapes all Markdown and joins lines, for instance for a title. */
export function oneLine(text: string): string {
  const line = withoutControls(text).replaceAll(/\s+/g, " ").trim();
  return line.replaceAll(/[\\`*_{}[\]()<>#+.!|~&$:@-]/g, "\\$&");
}

/** Escapes tags and pictures in lines outside fences; code spans stay. */
function escapeProse(lines: readonly string[]): string[] {
  const result: string[] = [];
  for (let start = 0; start < lines.length;) {
    let end = start;
    while (end < lines.length && lines[end]?.trim() !== "") end++;
    const paragraph = lines.slice(start, end).map(piecesOf);
    // A code span across lines would swap code and text, so this paragraph has no safe span.
    const areSpansSafe = paragraph.every((pieces) =>
      pieces.every(({ kind }) => kind !== "lone-ticks"),
    );
    for (const pieces of paragraph) result.push(escapeLine(pieces, areSpansSafe));
    if (end < lines.length) result.push("");
    start = end + 1;
  }
  return result;
}

function escapeLine(pieces: readonly Piece[], areSpansSafe: boolean): string {
  return pieces
    .map(({ kind, text }) => {
      // Table cells are split before code spans are parsed.
      const isCode = kind === "code" && areSpansSafe && !text.includes("|");
      return isCode ? text : text.replaceAll(/\\[\\<!]|<|!(?=\[)/g, escapeTag);
    })
    .join("");
}

function escapeTag(found: string): string {
  return found.startsWith("\\") ? found : `\\${found}`;
}

interface Piece {
  readonly kind: "text" | "code" | "lone-ticks";
  readonly text: string;
}

/** Splits a line into text, code spans, and unmatched runs of backticks. */
function piecesOf(line: string): Piece[] {
  if (!line.includes("`")) return [{ kind: "text", text: line }];
  const pieces: Piece[] = [];
  // Offsets of the runs of each length, the first at the end: `shift` moves all that are left.
  const closers = new Map<number, number[]>();
  for (const { 0: run, index } of [...line.matchAll(/`+/g)].reverse()) {
    const offsets = closers.get(run.length);
    if (offsets) offsets.push(index);
    else closers.set(run.length, [index]);
  }
  // Outside code, a backslash escapes the next character.
  const marks = /\\[^]?|`+/g;
  let textAt = 0;
  for (let found = marks.exec(line); found !== null; found = marks.exec(line)) {
    const [mark] = found;
    if (!mark.startsWith("`")) continue;
    if (found.index > textAt) pieces.push({ kind: "text", text: line.slice(textAt, found.index) });
    const offsets = closers.get(mark.length) ?? [];
    while ((offsets.at(-1) ?? Infinity) < marks.lastIndex) offsets.pop();
    textAt = (offsets.at(-1) ?? found.index) + mark.length;
    const kind = offsets.length === 0 ? "lone-ticks" : "code";
    pieces.push({ kind, text: line.slice(found.index, textAt) });
    marks.lastIndex = textAt;
  }
  if (textAt < line.length) pieces.push({ kind: "text", text: line.slice(textAt) });
  return pieces;
}

/** Returns the width of a line's indentation, in columns. */
function indentOf(line: string): number {
  let column = 0;
  for (const letter of line) {
    if (letter === " ") column++;
    else if (letter === "\t") column += TAB_WIDTH - (column % TAB_WIDTH);
    else break;
  }
  return column;
}

/** Normalizes line ends and removes other control characters. */
function withoutControls(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll(/[^\P{Cc}\n\t]/gu, "");
}
