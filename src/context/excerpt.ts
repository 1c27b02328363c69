/**
 * Makes excerpts of files within a budget of estimated tokens: a span of lines, whole or without its
 * middle, and the lines around a span. Lines are 1-based, both ends included.
 */
import type { ExcerptPart } from "../conversation/message";
import { estimateTextTokens } from "../base/tokens";

export interface SourceText {
  /** Path for display, relative to the workspace where possible. */
  readonly path: string;
  readonly uri: string;
  readonly languageId: string;
  /** All lines, without line ends. */
  readonly lines: readonly string[];
}

/** 1-based, both ends included. */
export interface LineSpan {
  readonly startLine: number;
  readonly endLine: number;
}

/** Returns a span with more lines at both ends, within another one. */
export function widened(span: LineSpan, count: number, within: LineSpan): LineSpan {
  return {
    startLine: Math.max(within.startLine, span.startLine - count),
    endLine: Math.min(within.endLine, span.endLine + count),
  };
}

export interface BoundedExcerpt {
  readonly part: ExcerptPart;
  readonly linesLeftOut: number;
}

/** Length limit of a line, in UTF-16 units: minified code costs many tokens for little content. */
const MAX_LINE_LENGTH = 2_000;

/** Returns an excerpt of a span. Beyond the budget a note replaces the middle. */
export function excerptOf(source: SourceText, span: LineSpan, maxTokens: number): BoundedExcerpt {
  const lines = source.lines.slice(span.startLine - 1, span.endLine).map(bounded);
  const head: string[] = [];
  const tail: string[] = [];
  let left = maxTokens;
  let from = 0;
  let to = lines.length;
  // Two lines from the start for each line from the end, as definitions come first.
  while (from < to) {
    const isTail = tail.length * 2 < head.length;
    const line = lines[isTail ? to - 1 : from] ?? "";
    const tokens = tokensOf(line);
    if (tokens > left) break;
    left -= tokens;
    if (isTail) {
      tail.unshift(line);
      to--;
    } else {
      head.push(line);
      from++;
    }
  }
  const linesLeftOut = to - from;
  const text = linesLeftOut === 0 ? lines : [...head, leftOut(linesLeftOut), ...tail];
  const part = partOf(source, span, text);
  return { part: linesLeftOut === 0 ? part : { ...part, linesLeftOut }, linesLeftOut };
}

/** True if a shortened excerpt still matches the start and end of these lines. */
export function isSameCut(text: string, lines: readonly string[]): boolean {
  const cut = text.split("\n");
  const gap = cut.findIndex((line) => /^\[… \d+ lines? left out …\]$/.test(line));
  if (gap === -1) return false;
  const head = lines.slice(0, gap).map(bounded);
  const tail = lines.slice(lines.length - (cut.length - gap - 1)).map(bounded);
  return (
    leftOut(lines.length - head.length - tail.length) === cut[gap] &&
    [...head, cut[gap], ...tail].join("\n") === text
  );
}

/** Returns whole lines directly before and after a span, as many as the budget allows. */
export function surroundingsOf(
  source: SourceText,
  span: LineSpan,
  maxTokens: number,
): { before?: ExcerptPart; after?: ExcerptPart } {
  let left = maxTokens;
  let first = span.startLine;
  let last = span.endLine;
  const fits = (line: number) => {
    const text = source.lines[line - 1];
    if (text === undefined || text.length > MAX_LINE_LENGTH) return false;
    const tokens = tokensOf(text);
    if (tokens > left) return false;
    left -= tokens;
    return true;
  };
  for (let isGrowing = true; isGrowing;) {
    isGrowing = false;
    if (first > 1 && fits(first - 1)) {
      first--;
      isGrowing = true;
    }
    if (fits(last + 1)) {
      last++;
      isGrowing = true;
    }
  }
  const part = (startLine: number, endLine: number) =>
    partOf(source, { startLine, endLine }, source.lines.slice(startLine - 1, endLine));
  return {
    ...(first < span.startLine && { before: part(first, span.startLine - 1) }),
    ...(last > span.endLine && { after: part(span.endLine + 1, last) }),
  };
}

/** True if a span is too long to be sent whole. */
export function isOverBudget(source: SourceText, span: LineSpan, maxTokens: number): boolean {
  let left = maxTokens;
  for (const line of source.lines.slice(span.startLine - 1, span.endLine)) {
    left -= tokensOf(line);
    if (left < 0) return true;
  }
  return false;
}

function partOf(source: SourceText, span: LineSpan, lines: readonly string[]): ExcerptPart {
  const { path, uri, languageId } = source;
  return { kind: "excerpt", path, uri, languageId, ...span, text: lines.join("\n") };
}

function bounded(line: string): string {
  if (line.length <= MAX_LINE_LENGTH) return line;
  return `${line.slice(0, MAX_LINE_LENGTH)} [… ${line.length - MAX_LINE_LENGTH} more characters]`;
}

function leftOut(lines: number): string {
  return `[… ${lines} ${lines === 1 ? "line" : "lines"} left out …]`;
}

function tokensOf(line: string): number {
  return estimateTextTokens(line) + 1;
}
