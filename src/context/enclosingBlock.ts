/**
 * Finds the blocks of code around some lines by indentation, for languages without an outline. Works
 * for blocks with brackets or `end` and for blocks without.
 */
import type { LineSpan } from "./excerpt";

/** Start of a line that ends a block, at the indentation of its header. */
const CLOSING = /^\s*(?:[}\])]|end\b|fi\b|done\b|esac\b)/;

/** Line that belongs to the declaration below: a decorator, an attribute or a comment. */
const LEADING = /^\s*(?:@\w|#\[|\[\w|\/\/|\/?\*|#(?!\w*include)|--|""")/;

/** Returns the blocks around a span, the outermost first; empty for a span at the top level. */
export function enclosingBlocks(lines: readonly string[], span: LineSpan): LineSpan[] {
  const blocks: LineSpan[] = [];
  let indent = Math.min(
    ...lines
      .slice(span.startLine - 1, span.endLine)
      .filter(isFilled)
      .map(indentOf),
  );
  let start = span.startLine;
  while (indent > 0 && Number.isFinite(indent)) {
    const header = lines
      .slice(0, start - 1)
      .findLastIndex((line) => isFilled(line) && indentOf(line) < indent && !CLOSING.test(line));
    if (header === -1) break;
    indent = indentOf(lines[header] ?? "");
    start = firstLeading(lines, header) + 1;
    blocks.unshift({ startLine: start, endLine: blockEnd(lines, header) });
  }
  const [outermost] = blocks;
  if (outermost !== undefined) return blocks;
  // The span may begin with the header of its own block.
  const first = lines.findIndex((line, at) => at >= span.startLine - 1 && isFilled(line));
  if (first === -1 || first >= span.endLine) return [];
  const endLine = Math.max(span.endLine, blockEnd(lines, first));
  return endLine > span.endLine ? [{ startLine: span.startLine, endLine }] : [];
}

/**
 * Returns the last line of the declaration that begins at a line.
 * @param header 0-based
 * @returns 1-based
 */
export function blockEnd(lines: readonly string[], header: number): number {
  const indent = indentOf(lines[header] ?? "");
  let end = header + 1;
  for (let at = header + 1; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (!isFilled(line)) continue;
    const isDeeper = indentOf(line) > indent;
    const isOwnBracket = indentOf(line) === indent && /^\s*\{/.test(line);
    if (!isDeeper && !isOwnBracket && !CLOSING.test(line)) break;
    if (!isDeeper && indentOf(line) < indent) break;
    end = at + 1;
    // A closing line may open the next part: `} else {`, `) {`.
    if (!isDeeper && !isOwnBracket && !/[{(\[:,]\s*$/.test(line)) break;
  }
  return end;
}

/** Returns a declaration with its comment, decorators and attributes. */
export function withLeadingLines(lines: readonly string[], span: LineSpan): LineSpan {
  return { ...span, startLine: firstLeading(lines, span.startLine - 1) + 1 };
}

/** Returns the first of the lines directly above that belong to a declaration; 0-based. */
function firstLeading(lines: readonly string[], header: number): number {
  let first = header;
  const indent = indentOf(lines[header] ?? "");
  for (let at = header - 1; at >= 0; at--) {
    const line = lines[at] ?? "";
    if (!LEADING.test(line) || indentOf(line) < indent) break;
    first = at;
  }
  return first;
}

/** Returns the columns of the indentation; a tab counts as four. */
export function indentOf(line: string): number {
  const blanks = /^\s*/.exec(line)?.[0] ?? "";
  return blanks.replaceAll("\t", "    ").length;
}

function isFilled(line: string): boolean {
  return line.trim() !== "";
}
