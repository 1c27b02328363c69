/**
 * Excerpts of files, bounded by a budget of estimated tokens: a span of lines whole or with its
 * middle left out, and what stands around a span. Lines are 1-based, both ends included. Reading
 * files is the host's; which files are read at all is fileKind.ts.
 */
import type { ExcerptPart } from "../conversation/message";
import { estimateTextTokens } from "./tokens";

/** A text with lines and how a person knows it. */
export interface SourceText {
  /** As a person reads it, relative to the workspace where possible. */
  readonly path: string;
  readonly uri: string;
  readonly languageId: string;
  /** All lines, without their ends. */
  readonly lines: readonly string[];
}

/** 1-based, both ends included. */
export interface LineSpan {
  readonly startLine: number;
  readonly endLine: number;
}

/** An excerpt, and how many lines of its span it leaves out. */
export interface BoundedExcerpt {
  readonly part: ExcerptPart;
  readonly linesLeftOut: number;
}

/** A longer line is cut: minified code says little and costs much. In UTF-16 units. */
const MAX_LINE_LENGTH = 2_000;

/** An excerpt of a span; when it is over the budget its middle is left out and a line says so. */
export function excerptOf(source: SourceText, span: LineSpan, maxTokens: number): BoundedExcerpt {
  const lines = source.lines.slice(span.startLine - 1, span.endLine).map(bounded);
  const head: string[] = [];
  const tail: string[] = [];
  let left = maxTokens;
  let from = 0;
  let to = lines.length;
  // Two lines from the start for each from the end: definitions stand at the start.
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

/** True if an excerpt with left out lines still has the text of these lines around them. */
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

/** The lines right before and after a span, as many whole ones as the budget allows. */
export function surroundingsOf(
  source: SourceText,
  span: LineSpan,
  maxTokens: number,
): { before?: ExcerptPart; after?: ExcerptPart } {
  let left = maxTokens;
  let first = span.startLine;
  let last = span.endLine;
  const take = (line: number) => {
    const text = source.lines[line - 1];
    if (text === undefined || text.length > MAX_LINE_LENGTH) return false;
    const tokens = tokensOf(text);
    if (tokens > left) return false;
    left -= tokens;
    return true;
  };
  for (let isGrowing = true; isGrowing;) {
    isGrowing = false;
    if (first > 1 && take(first - 1)) {
      first--;
      isGrowing = true;
    }
    if (take(last + 1)) {
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

/** True when a span is too long to be sent whole. */
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

/** A line costs its text and its end. */
function tokensOf(line: string): number {
  return estimateTextTokens(line) + 1;
}
