/**
 * Text on its way into a Markdown document that other programs will show: it must not become
 * HTML, load pictures, or run over the end of its message. Follows CommonMark's fences, list
 * items and code spans; where a line can be read in two ways both are made harmless, so in doubt
 * a backslash too many shows, never one too few.
 */

/** Blanks and list markers, then a fence: its prefix, its run, its info string. */
const FENCE = /^([ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}(?!`)|~{3,}(?!~))(.*)$/s;
const TAB_WIDTH = 4;

/** Somebody's Markdown without its teeth; an open fence is closed at the end. */
export function plainMarkdown(text: string): string {
  const result: string[] = [];
  let prose: string[] = [];
  let open: { readonly run: string; readonly indent: number } | undefined;

  function endProse(): void {
    if (prose.length > 0) result.push(...escapeProse(prose));
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
      // Less indented: a list item's fence would be over here, another's not. Now both are.
      const isLeft = line.trim() !== "" && indentOf(line) < open.indent;
      if (isEnd || isLeft) close();
      else result.push(line);
      if (isEnd || !isLeft) continue;
    }
    if (run !== "" && !(run.startsWith("`") && info.includes("`"))) {
      endProse();
      const indent = indentOf(prefix.replaceAll(/[^ \t]/g, " ") + "x");
      // Behind a blank line neither a marker nor a deep indent can belong to a paragraph.
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
 * A block quote: whatever is open in it ends with it. Tabs a line begins with become blanks: in a
 * quote they would reach less far, and a list item would end sooner.
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

/** Code in a fence longer than any in it. */
export function fencedCode(code: string, language: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(code) + 1));
  return `${fence}${language.replaceAll(/[^\w+#.-]/g, "")}\n${withoutControls(code)}\n${fence}`;
}

/** A code span that shows exactly this text in one line. */
export function inlineCode(text: string): string {
  const line = withoutControls(text).replaceAll(/\s+/g, " ").trim();
  const ticks = "`".repeat(longestRun(line) + 1);
  return `${ticks} ${line} ${ticks}`;
}

/** Text that is nothing but text, in one line: a title, a picture's name. */
export function oneLine(text: string): string {
  const line = withoutControls(text).replaceAll(/\s+/g, " ").trim();
  return line.replaceAll(/[\\`*_{}[\]()<>#+.!|~&$:@-]/g, "\\$&");
}

/** Lines outside fences: code spans stay, tags and pictures become what they look like. */
function escapeProse(lines: readonly string[]): string[] {
  const result: string[] = [];
  for (let start = 0; start < lines.length;) {
    let end = start;
    while (end < lines.length && lines[end]?.trim() !== "") end++;
    const paragraph = lines.slice(start, end);
    // A span that reaches into another line would turn inside and outside around.
    const areSpansSure = paragraph.every((line) => hasOnlyWholeSpans(line));
    for (const line of paragraph) result.push(escapeLine(line, areSpansSure));
    if (end < lines.length) result.push("");
    start = end + 1;
  }
  return result;
}

function hasOnlyWholeSpans(line: string): boolean {
  return piecesOf(line).every(({ kind }) => kind !== "lone-ticks");
}

function escapeLine(line: string, areSpansSure: boolean): string {
  return piecesOf(line)
    .map(({ kind, text }) => {
      // A table splits its cells before it looks for code.
      const isCode = kind === "code" && areSpansSure && !text.includes("|");
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

/** A line as text, code spans, and runs of backticks that begin none. */
function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  const closers = new Map<number, number[]>();
  for (const { 0: run, index } of line.matchAll(/`+/g)) {
    const places = closers.get(run.length);
    if (places) places.push(index);
    else closers.set(run.length, [index]);
  }
  // A backslash escapes what follows it, outside code alone.
  const next = /\\[^]|`+|[^\\`]+|\\$/y;
  for (let found = next.exec(line); found !== null; found = next.exec(line)) {
    const [text] = found;
    if (!text.startsWith("`")) {
      pieces.push({ kind: "text", text });
      continue;
    }
    const places = closers.get(text.length) ?? [];
    while (places[0] !== undefined && places[0] < next.lastIndex) places.shift();
    const [closer] = places;
    if (closer === undefined) {
      pieces.push({ kind: "lone-ticks", text });
      continue;
    }
    pieces.push({ kind: "code", text: line.slice(found.index, closer + text.length) });
    next.lastIndex = closer + text.length;
  }
  return pieces;
}

/** Columns of blanks a line begins with. */
function indentOf(line: string): number {
  let column = 0;
  for (const letter of line) {
    if (letter === " ") column++;
    else if (letter === "\t") column += TAB_WIDTH - (column % TAB_WIDTH);
    else break;
  }
  return column;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** Line ends become one kind; other control characters are dropped. */
function withoutControls(text: string): string {
  return text.replaceAll(/\r\n?/g, "\n").replaceAll(/[^\P{Cc}\n\t]/gu, "");
}
