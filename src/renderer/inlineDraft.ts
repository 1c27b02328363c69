/**
 * Completes unclosed emphasis, code spans, formulas and links at the open end of a reply, so that
 * their marks do not appear and vanish again. Finished text is never changed.
 */

import { flankingOf } from "../markdown/emphasis";
import { isProse } from "../markdown/math";

/** Maximum length of a completed text, in UTF-16 units; longer text is shown unchanged. */
const MAX_LENGTH = 4_096;

/** Completes the source of a text whose end has not arrived. */
export function completeInline(source: string): string {
  if (source.length > MAX_LENGTH || !/[*_`~[&<\\$]/.test(source)) return source;
  const code = openCodeSpan(source);
  if (code !== undefined) {
    const text = source.slice(code.end).replace(/(?<!`)`+$/, "");
    if (text.trim() === "") return completeMarks(source.slice(0, code.start));
    return source.slice(0, code.end) + text + code.marker;
  }
  const formula = openFormula(source);
  if (formula !== undefined) return completeMarks(formula);
  return completeMarks(completeLink(source));
}

/** Finds the backticks of an unclosed code span. */
function openCodeSpan(source: string): { start: number; end: number; marker: string } | undefined {
  const run = /\\?`+/g;
  let open: { start: number; end: number; marker: string } | undefined;
  for (let match = run.exec(source); match !== null; match = run.exec(source)) {
    let marker = match[0];
    let start = match.index;
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

function codeSpans(source: string): Map<number, number> {
  const ends = new Map<number, number>();
  const nextRun = new Map<number, number>();
  for (const { 0: run, index } of [...source.matchAll(/`+/g)].reverse()) {
    const next = nextRun.get(run.length);
    if (next !== undefined) ends.set(index, next + run.length);
    nextRun.set(run.length, index);
  }
  return ends;
}

/**
 * Opening marks of formulas, and constructs that the search skips: escapes, code and complete
 * formulas.
 */
const FORMULA_MARKS = /`+|\\\(|\\\[|\$\$?|\\[^]/g;

/**
 * Closes an unclosed formula, so that its marks are not read as Markdown; removes a formula without
 * content. Returns undefined if there is none.
 */
function openFormula(source: string): string | undefined {
  const spans = codeSpans(source);
  FORMULA_MARKS.lastIndex = 0;
  for (let match = FORMULA_MARKS.exec(source); match !== null; match = FORMULA_MARKS.exec(source)) {
    const [open] = match;
    if (open.startsWith("`"))
      FORMULA_MARKS.lastIndex = spans.get(match.index) ?? FORMULA_MARKS.lastIndex;
    const close = { "\\(": "\\)", "\\[": "\\]", $$: "$$", $: "$" }[open];
    if (close === undefined) continue;
    const from = match.index + open.length;
    const to = source.indexOf(close, from);
    if (to >= 0) {
      // May be money or an escaped bracket: a mark without a counterpart is text.
      if (open !== "$" || isTex(source.slice(from, to)))
        FORMULA_MARKS.lastIndex = to + close.length;
      continue;
    }
    const content = source
      .slice(from)
      .replace(/(?<!\\)(?:\\\\)*\\$|\$$/, "")
      .trimEnd();
    if (open === "$" ? !isTex(content) : isProse(content)) continue;
    const before = source.slice(0, match.index);
    return /[\p{L}\p{N}]/u.test(content) ? before + open + content + close : before;
  }
  return undefined;
}

/** Checks if the text after one dollar is more likely a formula than an amount of money. */
function isTex(content: string): boolean {
  return /^[^\s\d]/.test(content) && /\\[A-Za-z]|\^|(?<![A-Za-z]{2})_/.test(content);
}

/** Picture, which a link may contain. */
const PICTURE = String.raw`!\[[^[\]]*\](?:\([^()\s]*\)|\[[^[\]]*\])`;

/** Incomplete address of a link, with an optional title. */
const TARGET = new RegExp(
  String.raw`(!?)\[((?:[^[\]]|${PICTURE})*)\]\((?:<[^<>\s]*>?|[^()\s<][^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\([^()\s]*)?)?(?:\s["'(]?[^"'()]*["')]?)?$`,
);

/** Incomplete link label at the start of a word. A number in brackets is no label, nor is `[^1]`. */
const LABEL = new RegExp(
  String.raw`(^|[^\w\])\\!])(!?)\[(?!(?:[\d,\s]+\]?|\])$)((?:[^[\]^]|${PICTURE})(?:[^[\]]|${PICTURE})*)?(?:\](?:\[[^[\]]*)?)?$`,
);

/** Replaces an incomplete link such as `[text](https://exam` by its text. */
function completeLink(source: string): string {
  const target = TARGET.exec(source);
  if (target !== null) {
    const before = source.slice(0, target.index);
    return target[1] === "!" ? completeLink(before) : before + (target[2] ?? "");
  }
  const label = LABEL.exec(source);
  if (label === null) return source;
  const before = source.slice(0, label.index) + (label[1] ?? "");
  // A link around a picture is incomplete too.
  return label[2] === "!" ? completeLink(before) : before + (label[3] ?? "");
}

/** Closes `**`, `*`, `__`, `_` and `~~`, and removes marks at the very end. */
function completeMarks(source: string): string {
  const text = source.replace(/(?:\\|\\?(?<![*_~])[*_~]+|&[#\w]{0,12}|<)$/, "");
  const open: string[] = [];
  const mark =
    /(?<!`)`+(?!`)[^`]*`+|\\\((?:(?!\\\().)*?\\\)|\\\[(?:(?!\\\[).)*?\\\]|\$\$.+?\$\$|\$[^\s\d$][^$]*\$|\\.|(?<!\w)__[^\W_]\w{0,98}?__(?!\w)|\*+|_+|~~/gs;
  for (let match = mark.exec(text); match !== null; match = mark.exec(text)) {
    const [marker] = match;
    const kind = marker[0];
    if (kind === "`" || kind === "\\" || kind === "$" || /^__\w/.test(marker)) continue;
    const before = text[match.index - 1] ?? " ";
    const after = text[match.index + marker.length] ?? " ";
    let openSigns = marker;
    const { canOpen, canClose } = flankingOf(text, match.index, match.index + marker.length);
    // `snake_case` has no emphasis, nor has `__name__`, whose end may be missing.
    const isName = /^__\w*$/.test(text.slice(match.index, match.index + 102));
    if (kind === "_" && ((/\w/.test(before) && /\w/.test(after)) || isName)) continue;
    while (canClose && openSigns !== "" && open.length > 0) {
      const last = open.at(-1) ?? "";
      if (last[0] !== kind || !openSigns.startsWith(last)) break;
      open.pop();
      openSigns = openSigns.slice(last.length);
    }
    if (!canOpen) continue;
    if (openSigns.length >= 2) open.push(openSigns.slice(0, 2));
    if (openSigns.length % 2 === 1) open.push(kind ?? "");
  }
  if (open.length === 0) return text;
  // A closing mark after a space does not close.
  const end = text.trimEnd();
  return end + open.reverse().join("") + text.slice(end.length);
}
