/**
 * Parses code fences. A line that only contains a fence is one; fences within a line are text.
 * Format: https://spec.commonmark.org/0.31.2/#fenced-code-blocks
 */

export interface Fence {
  readonly mark: "`" | "~";
  readonly length: number;
  /** First word of the info string, in lower case; empty without an info string. */
  readonly label: string;
  /** Columns before the marks; the same number of blanks is removed from the block's lines. */
  readonly indent: number;
  readonly isQuoted: boolean;
}

/** Longest line that is checked for a fence, in UTF-16 units. */
const MAX_FENCE_LINE = 1_000;

const OPENING =
  /^((?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])(?=[ \t]|>))*[ \t\u00A0\u200B\uFEFF]*)(`{3,}(?!`)|~{3,}(?!~))([^`]*)$/;

export function openingFence(line: string): Fence | undefined {
  if (!mayHoldFence(line)) return undefined;
  const match = OPENING.exec(line);
  if (match === null) return undefined;
  const [, prefix = "", marks = "", info = ""] = match;
  const [, label = ""] = /^\s*[{.]*([\w+#-]+)/.exec(info) ?? [];
  return {
    mark: marks.startsWith("~") ? "~" : "`",
    length: marks.length,
    label: label.toLowerCase(),
    indent: columnsOf(prefix),
    isQuoted: prefix.includes(">"),
  };
}

/**
 * Returns true when a line closes the block, at any indentation below that of a code line. A closing
 * tag may follow, because only the tags around an answer stand there.
 */
export function closesFence(line: string, { mark, length, indent, isQuoted }: Fence): boolean {
  if (!mayHoldFence(line)) return false;
  const text = isQuoted ? line.replace(/^[ \t]*(?:>[ \t]?)+/, "") : line;
  const match = /^([ \t]*)(`+|~+)[ \t]*(?:<\/[\w-]+>[ \t]*)?$/.exec(text);
  if (match === null) return false;
  const [, blanks = "", marks = ""] = match;
  return marks.startsWith(mark) && marks.length >= length && columnsOf(blanks) < indent + 4;
}

export function contentOf(line: string, { indent, isQuoted }: Fence): string {
  if (isQuoted) return line.replace(/^[ \t]*(?:>[ \t]?)+/, "");
  let at = 0;
  for (let column = 0; column < indent && /[ \t]/.test(line.charAt(at)); at++) {
    column += line.charAt(at) === "\t" ? 4 : 1;
  }
  return line.slice(at);
}

function mayHoldFence(line: string): boolean {
  if (line.length > MAX_FENCE_LINE) return false;
  return line.includes("```") || line.includes("~~~");
}

function columnsOf(text: string): number {
  let columns = 0;
  for (const sign of text) {
    if (!/[\u00A0\u200B\uFEFF]/.test(sign)) columns += sign === "\t" ? 4 : 1;
  }
  return columns;
}
