/**
 * Shows the open end of a reply sensibly: an emphasis, a code span or a link that is half written is
 * completed for the time being, so that its marks do not flash up and vanish. Only what is shown while
 * the text arrives goes through here; finished text never does.
 */

import { flankingOf } from "../markdown/emphasis";
import { isProse } from "../markdown/math";

/** Longest text that is looked at, in UTF-16 units; longer ones are shown as they are. */
const MAX_LENGTH = 4_096;

/** Completes the source of a text whose end has not come yet. */
export function completeInline(source: string): string {
  if (source.length > MAX_LENGTH || !/[*_`~[&<\\$]/.test(source)) return source;
  const code = openCodeSpan(source);
  if (code !== undefined) {
    const text = source.slice(code.end);
    return text.trim() === "" ? completeMarks(source.slice(0, code.start)) : source + code.marker;
  }
  const formula = openFormula(source);
  if (formula !== undefined) return completeMarks(formula);
  return completeMarks(completeLink(source));
}

/** The backticks that open a code span which is not closed. */
function openCodeSpan(source: string): { start: number; end: number; marker: string } | undefined {
  const run = /\\?`+/g;
  let open: { start: number; end: number; marker: string } | undefined;
  for (let found = run.exec(source); found !== null; found = run.exec(source)) {
    let marker = found[0];
    let start = found.index;
    if (marker.startsWith("\\")) {
      if (open === undefined) {
        marker = marker.slice(2);
        start += 2;
      } else {
        marker = marker.slice(1);
        start += 1;
      }
      if (marker === "") continue;
    }
    if (open === undefined) open = { start, end: start + marker.length, marker };
    else if (open.marker === marker) open = undefined;
  }
  return open;
}

/** Marks that open a formula, and what skips over them: escapes, code and formulas that are whole. */
// Quadratic in a text of at most MAX_LENGTH.
// eslint-disable-next-line regexp/no-super-linear-move
const FORMULA_MARKS = /(`+)[^`][^]*?(?<!`)\1(?!`)|\\\(|\\\[|\$\$?|\\[^]/g;

/**
 * Closes a formula that is half written, so that it is shown as the formula's source and its marks are
 * not read as Markdown; leaves it out while nothing but its mark is there. Undefined if there is none.
 */
function openFormula(source: string): string | undefined {
  FORMULA_MARKS.lastIndex = 0;
  for (let found = FORMULA_MARKS.exec(source); found !== null; found = FORMULA_MARKS.exec(source)) {
    const [open] = found;
    const close = { "\\(": "\\)", "\\[": "\\]", $$: "$$", $: "$" }[open];
    if (close === undefined) continue;
    const from = found.index + open.length;
    const to = source.indexOf(close, from);
    if (to >= 0) {
      // Money or an escaped bracket, perhaps: a mark that closes nothing is read as text.
      if (open !== "$" || isTex(source.slice(from, to)))
        FORMULA_MARKS.lastIndex = to + close.length;
      continue;
    }
    const content = source
      .slice(from)
      .replace(/(?<!\\)(?:\\\\)*\\$|\$$/, "")
      .trimEnd();
    if (open === "$" ? !isTex(content) : isProse(content)) continue;
    const before = source.slice(0, found.index);
    return /[\p{L}\p{N}]/u.test(content) ? before + open + content + close : before;
  }
  return undefined;
}

/** Whether what follows one dollar is more likely a formula than an amount of money. */
function isTex(content: string): boolean {
  return /^[^\s\d]/.test(content) && /\\[A-Za-z]|[\^_]/.test(content);
}

/** An address and perhaps a title, not whole. */
const TARGET =
  /(!?)\[([^[\]]*)\]\((?:<[^<>\s]*>?|[^()\s<][^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\([^()\s]*)?)?(?:\s["'(]?[^"'()]*["')]?)?$/;

/** A label that may become a link's, at the start of a word; a number in brackets stays one. */
const LABEL = /(^|[^\w\])\\!])(!?)\[(?![\d,\s]*\]?$)([^[\]^][^[\]]*)?(?:\](?:\[[^[\]]*)?)?$/;

const FOOTNOTE = /\[\^[^\s[\]]*$/;

/** `[text](https://exam` is shown as its text until the address is whole. */
function completeLink(source: string): string {
  const footnote = FOOTNOTE.exec(source);
  if (footnote !== null) return source.slice(0, footnote.index);
  const target = TARGET.exec(source);
  if (target !== null) {
    return source.slice(0, target.index) + (target[1] === "!" ? "" : (target[2] ?? ""));
  }
  const label = LABEL.exec(source);
  if (label === null) return source;
  const before = source.slice(0, label.index) + (label[1] ?? "");
  return before + (label[2] === "!" ? "" : (label[3] ?? ""));
}

/** Closes `**`, `*`, `__`, `_` and `~~`, and holds back marks at the very end. */
function completeMarks(source: string): string {
  const text = source.replace(/(?:\\|(?<![*_~])[*_~]+|&[#\w]{0,12}|<)$/, "");
  const open: string[] = [];
  const mark =
    /(?<!`)`+(?!`)[^`]*`+|\\\(.*?\\\)|\\\[.*?\\\]|\$\$.+?\$\$|\$[^\s\d$][^$]*\$|\\.|\*+|_+|~~/gs;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const [marker] = found;
    const kind = marker[0];
    if (kind === "`" || kind === "\\" || kind === "$") continue;
    const before = text[found.index - 1] ?? " ";
    const after = text[found.index + marker.length] ?? " ";
    let rest = marker;
    const { canOpen, canClose } = flankingOf(text, found.index, found.index + marker.length);
    // `snake_case` opens nothing.
    if (kind === "_" && /\w/.test(before) && /\w/.test(after)) continue;
    while (canClose && rest !== "" && open.length > 0) {
      const last = open.at(-1) ?? "";
      if (last[0] !== kind || !rest.startsWith(last)) break;
      open.pop();
      rest = rest.slice(last.length);
    }
    if (!canOpen) continue;
    if (rest.length >= 2) open.push(rest.slice(0, 2));
    if (rest.length % 2 === 1) open.push(kind ?? "");
  }
  if (open.length === 0) return text;
  // A closing mark after a blank would not close.
  const end = text.trimEnd();
  return end + open.reverse().join("") + text.slice(end.length);
}
