/**
 * Finds the end of a fence around a Markdown document, which has fences of its own. CommonMark closes such a
 * block at the first fence without an info string. src/markdown/README.md states the rule of this file.
 */

/** Longest line that is checked for a fence, in UTF-16 units. */
const MAX_FENCE_LINE = 1_000;

/** Maximum number of documents inside one another. */
const MAX_DEPTH = 10;

/** Indentation with the markers of list items, marks and info string. */
const FENCE =
  /^([ \t]{0,20}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,4}){0,3})(`{3,1000}(?!`)|~{3,1000}(?!~))([^`]{0,1000})$/;

/** Info string that names Markdown, as `md`, `{.markdown}` or `docs/a.mdx`. */
const MARKDOWN = /(?:^|[^\p{L}\p{N}])(?:markdown|mdx?)(?![\p{L}\p{N}./\\-])/iu;

interface Fence {
  readonly indent: number;
  readonly marks: string;
  readonly info: string;
  /** True after the marker of a list item. */
  readonly isItem: boolean;
}

interface InnerFence extends Fence {
  /** Line below the opening fence of the document, 0-based. */
  readonly index: number;
  /** True for a fence that can only open a block. */
  readonly isOpening: boolean;
  readonly isAboveText: boolean;
}

type LineAt = (index: number) => string | undefined;

export function fenceIn(line: string): Fence | undefined {
  const [, prefix = "", marks, info = ""] =
    (line.length > MAX_FENCE_LINE ? undefined : FENCE.exec(line)) ?? [];
  if (marks === undefined) return undefined;
  const indent = prefix.replaceAll("\t", "    ").length;
  return { indent, marks, info: info.trim(), isItem: prefix.trim() !== "" };
}

/** Returns true for the info string of a fence around Markdown. */
export function isDocument(info: string): boolean {
  return info.length <= MAX_FENCE_LINE && MARKDOWN.test(info);
}

/**
 * Returns the index of the line that closes a document; undefined if no line does.
 * @param lineAt returns the line with an index below the opening fence; undefined after the last line
 * @param marks marks of the opening fence
 * @param mayContinue returns true if more lines may follow the first `count` ones
 */
export function documentEnd(
  lineAt: LineAt,
  marks: string,
  mayContinue: (count: number) => boolean = () => false,
): number | undefined {
  const fences: InnerFence[] = [];
  let count = 0;
  // Reads no more lines than needed: a text may have thousands of documents.
  const fenceAt = (position: number) => {
    for (; fences.length <= position; count++) {
      const line = lineAt(count);
      if (line === undefined) return undefined;
      const fence = line.includes(marks) ? fenceIn(line) : undefined;
      if (fence?.marks.startsWith(marks) === true) fences.push(innerFence(fence, lineAt, count));
    }
    return fences[position];
  };
  const end = closingFence(fenceAt, 0, marks.length);
  if (end !== undefined) return fences[end]?.index;
  return mayContinue(count) ? undefined : fences.findLast(({ info }) => info === "")?.index;
}

function innerFence(fence: Fence, lineAt: LineAt, index: number): InnerFence {
  const isAboveText = !/^\s*(?:[`~]{3}|$)/.test(lineAt(index + 1) ?? "");
  const isBelowText = index > 0 && lineAt(index - 1)?.trim() !== "";
  const isOpening = fence.info !== "" || fence.isItem || (isAboveText && !isBelowText);
  return { ...fence, index, isOpening, isAboveText };
}

/** Returns the position of the fence that closes a document; undefined if a block inside has no end. */
function closingFence(
  fenceAt: (position: number) => InnerFence | undefined,
  from: number,
  length: number,
  depth = 0,
): number | undefined {
  for (let at = from; ; at++) {
    const fence = fenceAt(at);
    if (fence === undefined) return undefined;
    const { marks, indent, isOpening, isAboveText } = fence;
    if (marks.length < length || (!isOpening && indent > 3)) continue;
    const isEnd = (one: InnerFence) =>
      one.info === "" && one.marks.length >= marks.length && one.indent < indent + 4;
    let next = fenceAt(at + 1);
    // Where the next fence opens a block, this one closes the document.
    const isEndBefore = next !== undefined && (next.isOpening || !isEnd(next));
    if (!isOpening && (!isAboveText || isEndBefore)) return at;
    if (isDocument(fence.info) && depth < MAX_DEPTH) {
      at = closingFence(fenceAt, at + 1, marks.length, depth + 1) ?? Infinity;
    } else for (at++; next !== undefined && !isEnd(next); next = fenceAt(at)) at++;
  }
}
