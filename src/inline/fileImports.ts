/** Finds the imports of a file, for questions about lines far below. */
import { excerptOf, type SourceText } from "../context/excerpt";
import type { ExcerptPart } from "../conversation/message";

/** Lines at the start of a file that are searched for imports. */
const MAX_LINES = 150;

/** Upper limit of the imports in a question, in estimated tokens. */
const MAX_TOKENS = 800;

/** Statements by which common languages name other files and modules. */
const IMPORT =
  /^(?:import\b|from \S+ import\b|export .*\bfrom\b|#\s*(?:include|import)\b|using [\w.:]+|use [\w:{\\]|require(?:_relative)?\b|(?:const|let|var) .*\brequire\(|@(?:import|use)\b|open [A-Z]|library\(|\} from )/;

/**
 * Returns the lines from the first to the last import above a line; undefined if there are none.
 * @param endLine 1-based, not included
 */
export function importsAbove(source: SourceText, endLine: number): ExcerptPart | undefined {
  const head = source.lines.slice(0, Math.min(MAX_LINES, endLine - 1));
  const first = head.findIndex((line) => IMPORT.test(line));
  if (first === -1) return undefined;
  const last = head.findLastIndex((line) => IMPORT.test(line));
  return excerptOf(source, { startLine: first + 1, endLine: last + 1 }, MAX_TOKENS).part;
}
