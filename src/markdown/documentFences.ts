/** Fences around Markdown documents for markdown-it; any other fence is left to CommonMark's rule. */
import type { MarkdownIt, StateBlock } from "markdown-it";
import { documentEnd, fenceIn, isDocument } from "../base/documentFence";
import type { BlockEnvironment } from "./tableRows";

function documentFence(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  const indent = state.sCount[start] ?? 0;
  if (silent || indent - state.blkIndent > 3) return false;
  const fence = fenceIn(state.getLines(start, start + 1, indent, false));
  if (fence === undefined || fence.isItem || !isDocument(fence.info)) return false;
  const isInside = (line: number) =>
    line < end && (state.isEmpty(line) || (state.sCount[line] ?? 0) >= state.blkIndent);
  const lineAt = (index: number) => {
    const line = start + 1 + index;
    return isInside(line) ? state.getLines(line, line + 1, state.blkIndent, false) : undefined;
  };
  const mayContinue = (count: number) =>
    (state.env as BlockEnvironment).isOpen === true && start + 1 + count >= state.bMarks.length - 1;
  const length = documentEnd(lineAt, fence.marks, mayContinue);
  let last = start + 1 + (length ?? 0);
  while (length === undefined && isInside(last)) last++;
  state.line = length === undefined ? last : last + 1;
  const token = state.push("fence", "code", 0);
  token.info = fence.info;
  token.content = state.getLines(start + 1, last, indent, true);
  token.markup = fence.marks;
  token.map = [start, state.line];
  return true;
}

export function documentFences(md: MarkdownIt): void {
  md.block.ruler.before("fence", "document_fence", documentFence);
}
