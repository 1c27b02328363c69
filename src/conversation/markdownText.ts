/**
 * Escaping of text for an exported Markdown document. The text must not become HTML, load pictures, or
 * extend past its message. Follows CommonMark's fences, list items and code spans.
 * An ambiguous line is escaped for both readings, so a superfluous backslash may be visible.
 */
import { ANSI_SEQUENCES } from "../base/ansi";
import { fenceFor, longestBackticks } from "../base/backticks";
import { documentEnd, isDocument } from "../base/documentFence";

/** Fence line: indentation and list markers, fence characters, info string. */
const FENCE = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}(?!`)|~{3,}(?!~))(.*)$/s;
const TAB_WIDTH = 4;

/** Escapes HTML and pictures in Markdown and closes an open fence at the end. */
export function plainMarkdown(text: string): string {
  const result: string[] = [];
  let prose: string[] = [];
  /** Open fence; `end` is the last line of one around a document. */
  let open: { readonly run: string; readonly indent: number; readonly end?: number } | undefined;

  function endProse(): void {
    // Not spread into a call: an argument list has a maximum length.
    for (const line of escapeProse(prose)) result.push(line);
    prose = [];
  }
  function close(): void {
    if (open) result.push(" ".repeat(open.indent) + open.run);
    open = undefined;
  }

  const lines = withoutControls(text).split("\n");
  for (const [at, line] of lines.entries()) {
    const [, prefix = "", run = "", info = ""] = FENCE.exec(line) ?? [];
    if (open !== undefined) {
      const isBare = prefix.trim() === "" && run.startsWith(open.run) && info.trim() === "";
      const isEnd = open.end === undefined ? isBare : at === open.end;
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
      open = documentFence(lines, at, run, info, indent) ?? { run, indent };
      result.push(prefix + open.run + info);
    } else {
      prose.push(line);
    }
  }
  endProse();
  close();
  return result.join("\n");
}

/**
 * Returns the fence around a document with more marks than any inside: other programs close it at the
 * first fence that is long enough.
 */
function documentFence(
  lines: readonly string[],
  at: number,
  run: string,
  info: string,
  indent: number,
) {
  if (!isDocument(info)) return undefined;
  const lineAt = (index: number) => {
    const line = lines[at + 1 + index];
    return line?.slice(Math.min(indent, indentOf(line)));
  };
  const length = documentEnd(lineAt, run);
  if (length === undefined) return undefined;
  const end = at + 1 + length;
  let longest = run;
  for (const [marks] of lines
    .slice(at + 1, end)
    .join("\n")
    .matchAll(/`+|~+/g)) {
    if (marks.startsWith(longest)) longest = marks + run.charAt(0);
  }
  return { run: longest, indent, end };
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
    const paragraph = lines.slice(start, end);
    const spans = paragraph.map(codeSpans);
    // A code span across lines would swap code and text, so this paragraph has no safe span.
    const areSpansSafe = !spans.includes(undefined);
    for (const [at, line] of paragraph.entries())
      result.push(escapeLine(line, areSpansSafe ? (spans[at] ?? []) : []));
    if (end < lines.length) result.push("");
    start = end + 1;
  }
  return result;
}

/** Start and end (exclusive) of a code span. */
type Span = readonly [start: number, end: number];

function escapeLine(line: string, spans: readonly Span[]): string {
  let next = 0;
  return line.replaceAll(/\\[\\<!]|<|!(?=\[)/g, (found, offset: number) => {
    while ((spans[next]?.[1] ?? Infinity) <= offset) next++;
    const isCode = (spans[next]?.[0] ?? Infinity) <= offset;
    return isCode || found.startsWith("\\") ? found : `\\${found}`;
  });
}

/** Returns the code spans of a line without those that contain "|"; undefined if a run of backticks is unmatched. */
function codeSpans(line: string): Span[] | undefined {
  // Offsets of the runs of each length, the first at the end: `pop` removes those that are passed.
  const closers = new Map<number, number[]>();
  for (let start = line.indexOf("`"); start !== -1;) {
    const end = endOfRun(line, start);
    const offsets = closers.get(end - start);
    if (offsets) offsets.push(start);
    else closers.set(end - start, [start]);
    start = line.indexOf("`", end);
  }
  for (const offsets of closers.values()) offsets.reverse();
  const spans: Span[] = [];
  for (let start = 0; closers.size > 0 && start < line.length;) {
    const runEnd = endOfRun(line, start);
    if (runEnd === start) {
      // Outside code, a backslash escapes the next character.
      start += line[start] === "\\" ? 2 : 1;
      continue;
    }
    const offsets = closers.get(runEnd - start) ?? [];
    while ((offsets.at(-1) ?? Infinity) < runEnd) offsets.pop();
    const closer = offsets.at(-1);
    if (closer === undefined) return undefined;
    const end = closer + runEnd - start;
    // Table cells are split before code spans are parsed.
    if (!line.slice(start, end).includes("|")) spans.push([start, end]);
    start = end;
  }
  return spans;
}

/** Returns the end (exclusive) of the backticks at an offset; the offset itself if there are none. */
function endOfRun(line: string, start: number): number {
  let end = start;
  while (line[end] === "`") end++;
  return end;
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

/** Normalizes line ends and removes control sequences and other control characters. */
function withoutControls(text: string): string {
  const plain = text.replaceAll(ANSI_SEQUENCES, "");
  return plain.replaceAll(/\r\n?/g, "\n").replaceAll(/[^\P{Cc}\n\t]/gu, "");
}
