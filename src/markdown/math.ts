/**
 * Formulas for markdown-it: `$…$` and `\(…\)` inline, `$$…$$` and `\[…\]` inline or as blocks,
 * `\begin{align}…\end{align}` as blocks. A block ends at its closing mark, or at a line that no formula has
 * after a blank one; until either arrives, the text is not finished. The
 * one-dollar rule is Pandoc's (tex_math_dollars), "$5 and $10" is money, with more that is text: "5$-10$", and
 * variables such as "$HOME/$USER". README.md in this folder lists the reports.
 */
import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";
import type { BlockEnvironment } from "./tableRows";

/** LaTeX environments that are formulas without other delimiters. */
const ENVIRONMENT =
  /^\\begin\{((?:align|alignat|equation|gather|multline|eqnarray)\*?|aligned|alignedat|gathered|split|cases|[pbBvV]?matrix)\}/;

/** Delimiters of a formula block. */
interface Delimiters {
  readonly open: string;
  readonly close: string;
  /** True if the delimiters are part of the formula. */
  readonly isKept: boolean;
}

const DOLLARS: Delimiters = { open: "$$", close: "$$", isKept: false };
const BRACKETS: Delimiters = { open: "\\[", close: "\\]", isKept: false };

function openingMarks(line: string): Delimiters | undefined {
  if (line.startsWith("$$")) {
    const next = line.indexOf("$$", 2);
    // "$$a$$ and more" is an inline formula.
    return next < 0 || (next > 2 && next === line.length - 2) ? DOLLARS : undefined;
  }
  const environment = ENVIRONMENT.exec(line);
  if (environment !== null) {
    return { open: environment[0], close: `\\end{${environment[1] ?? ""}}`, isKept: true };
  }
  if (!line.startsWith("\\[")) return undefined;
  const close = line.indexOf("\\]", 2);
  const isWhole = close > 2 && close === line.length - 2 && !isProse(line.slice(2, -2));
  return line === "\\[" || isWhole ? BRACKETS : undefined;
}

/**
 * Checks if the text between brackets is prose: "\[optional\]" is an escaped bracket, not a
 * formula.
 */
export function isProse(content: string): boolean {
  return /^[\p{L}\p{M}\s,.;:!?'’-]+$/u.test(content) && /\p{Ll}{3}/u.test(content);
}

/** Ending of an ordinal number such as "$n$th", or of a plural. */
const ORDINAL = /^(?:th|st|nd|rd|s)(?!\w)/;

/** Variable before another one: "$HOME/$". */
const NAME_AND_SIGN = /^[A-Za-z_]\w{1,100}[/:;,."&|=-]{1,10}$/;

/** Number of blank lines that a formula may have. */
const MAX_BLANK_LINES = 8;

/** Line that no formula has after a blank one: two words in a row, or the start of another block. */
const NO_FORMULA =
  /(?<![\p{L}\\])\p{L}{2,40},? \p{L}{2}|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hangul}]{2}|^(?:#{1,6} |>|```|~~~|\*\*|\d{1,9}[.)] |[-*+] \p{L}{2})/u;

/** Checks if `$$` in the lines of a paragraph before `line` opens a formula. */
function isInFormula(state: StateBlock, line: number): boolean {
  const text = state.getLines(state.line, line, 0, false).replace(/`[^`]{0,1000}`|\\[^]/g, "");
  return text.split("$$").length % 2 === 0;
}

function textOf(state: StateBlock, line: number): string {
  const start = (state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0);
  return state.src.slice(start, state.eMarks[line]).trimEnd();
}

/** Parses a formula block. One that never closes becomes a text block. */
function mathBlock(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  if ((state.sCount[start] ?? 0) - state.blkIndent >= 4) return false;
  const first = textOf(state, start);
  const open = openingMarks(first);
  if (open === undefined) return false;
  if (silent) return !(first.startsWith("$$") && isInFormula(state, start));

  const { close, isKept } = open;
  let isClosed = first.length >= open.open.length + close.length && first.endsWith(close);
  let line = start + 1;
  /** First blank line, where a formula without end ends. */
  let firstBlank = 0;
  let blanks = 0;
  for (; !isClosed && line < end; line++) {
    if (state.isEmpty(line)) {
      firstBlank ||= line;
      blanks++;
      if (blanks > MAX_BLANK_LINES) break;
      continue;
    }
    const text = textOf(state, line);
    if ((state.sCount[line] ?? 0) < state.blkIndent) break;
    const isOther = text.startsWith(open.open) && text !== close;
    if (blanks > 0 && (isOther || NO_FORMULA.test(text.replace(/\{[^{}]{0,200}\}/g, "")))) break;
    isClosed = text.endsWith(close);
  }
  const mayFollow =
    (state.env as BlockEnvironment).isOpen === true && line >= state.bMarks.length - 1;
  if (!isClosed && !mayFollow && firstBlank > 0) line = firstBlank;
  const source = state.getLines(start, line, state.blkIndent, false).trim();
  state.line = line;
  const token = isClosed ? state.push("math_block", "math", 0) : state.push("text_block", "p", 0);
  token.content = isClosed && !isKept ? source.slice(2, -2).trim() : source;
  token.markup = open.open;
  token.map = [start, line];
  return true;
}

/** Returns the index of the closing mark, or -1. Skips escapes such as `\$`. */
function closingIndex(state: StateInline, close: string, from: number): number {
  for (let at = from; at < state.posMax; at++) {
    if (state.src.startsWith(close, at)) return at;
    if (state.src[at] === "\\") at++;
  }
  return -1;
}

function mathInline(state: StateInline, silent: boolean): boolean {
  const { src, pos, posMax } = state;
  let open: string;
  if (src[pos] === "$") open = src[pos + 1] === "$" ? "$$" : "$";
  else if (src[pos] === "\\" && (src[pos + 1] === "(" || src[pos + 1] === "[")) {
    open = src.slice(pos, pos + 2);
  } else return false;
  const close = open === "\\(" ? "\\)" : open === "\\[" ? "\\]" : open;
  const from = pos + open.length;
  // Caches failed searches: without this, a line of thousands of dollars takes quadratic time.
  const cache = state.cache as Record<string, number>;
  const key = `math${close}${posMax}`;
  if ((cache[key] ?? Infinity) <= pos) return false;
  const to = closingIndex(state, close, from);
  if (to < 0 || to >= posMax) {
    cache[key] = pos;
    return false;
  }
  const content = src.slice(from, to);
  // `\[\\\]` is a sequence of escapes.
  if (!/[\p{L}\p{N}]/u.test(content)) return false;
  if ((open.startsWith("\\") || /^\s/.test(content)) && isProse(content)) return false;
  if (open === "$$" && /[\w{(]/.test(src[to + 2] ?? "")) return false;
  if (open === "$") {
    const isTex = /^\\[A-Za-z]{2}/.test(content);
    const isOpening =
      !/\s/.test(src[from] ?? " ") && (isTex || !/[A-Za-z\d]/.test(src[pos - 1] ?? ""));
    const isClosing =
      !/\s/.test(src[to - 1] ?? " ") &&
      (isTex || ORDINAL.test(src.slice(to + 1)) || !/[\w{(]/.test(src[to + 1] ?? ""));
    if (!isOpening || !isClosing || NAME_AND_SIGN.test(content)) return false;
  }
  if (!silent) {
    const token = state.push("math_inline", "math", 0);
    token.content = content.trim();
    token.markup = open;
  }
  state.pos = to + close.length;
  return true;
}

/**
 * Adds the tokens `math_block` and `math_inline`: `content` is the TeX, `markup` the opening mark.
 * A block that never closes becomes a `text_block`, a paragraph that is never tight.
 */
export function math(md: MarkdownIt): void {
  md.block.ruler.before("fence", "math_block", mathBlock, {
    alt: ["paragraph", "reference", "blockquote", "list"],
  });
  md.inline.ruler.before("escape", "math_inline", mathInline);
}
