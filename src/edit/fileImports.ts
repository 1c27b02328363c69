/** Finds the imports of a file, for questions about lines far below. */
import { excerptOf, type SourceText } from "../context/excerpt";
import type { ExcerptPart } from "../conversation/message";
import { isImport } from "../replyCode/imports";

/** Lines at the start of a file that are searched for imports. */
const MAX_LINES = 150;

/** Upper limit of the imports in a question, in estimated tokens. */
const MAX_TOKENS = 800;

/**
 * Returns the lines from the first to the last import above a line; undefined if there are none.
 * @param endLine 1-based, not included
 */
export function importsAbove(source: SourceText, endLine: number): ExcerptPart | undefined {
  const head = source.lines.slice(0, Math.min(MAX_LINES, endLine - 1));
  const first = head.findIndex((line) => isImport(line));
  if (first === -1) return undefined;
  const last = head.findLastIndex((line) => isImport(line));
  return excerptOf(source, { startLine: first + 1, endLine: last + 1 }, MAX_TOKENS).part;
}
