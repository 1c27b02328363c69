/**
 * Divides a reply into code blocks and the text between them, line by line. Blocks are CommonMark's
 * fences, and unfenced diffs. Format: https://spec.commonmark.org/0.31.2/#fenced-code-blocks
 */
import { closesFence, contentOf, openingFence, type Fence } from "./fences";
import { isBlank } from "./lines";
import { startsPatch } from "./patch";

export interface ReplyBlock {
  fence: Fence | undefined;
  readonly lines: string[];
  isClosed: boolean;
  isEmpty: boolean;
  readonly isBelowText: boolean;
  /** Last line above the block that is not blank. */
  readonly lineAbove: string;
  /** True after a line with fence marks among other text: the block may have ended there. */
  hasMarksInside: boolean;
}

export interface AddedLine {
  readonly block: ReplyBlock;
  readonly content: string;
  /** True for the first line of the block that is not blank. */
  readonly isFirst: boolean;
}

export interface BlockRules {
  /** Returns true for a line of the document, which is no mark of a reply. */
  readonly isKnown: (line: string) => boolean;
  /** Returns true for a fence around code for the document, not for a fence that is its text. */
  readonly isAround: (fence: Fence) => boolean;
  /** True if a fence with a label in a block opens a block inside; false as in CommonMark. */
  readonly hasInner: boolean;
}

/** Receives the lines of a single reply, in order. */
export class ReplyBlocks {
  readonly blocks: ReplyBlock[] = [];
  readonly text: string[] = [];
  readonly all: string[] = [];
  /** Block that the next line may belong to. */
  open: ReplyBlock | undefined;
  /** Fences that are open inside the open block, outermost first. */
  private inner: Fence[] = [];
  /** True after a fence that is a part of a document of prose. */
  hasTextFence = false;

  constructor(private readonly rules: BlockRules) {}

  get hasText(): boolean {
    return this.text.some((line) => !isBlank(line));
  }

  /** Accepts the next line; returns what it adds to a block. */
  push(line: string): AddedLine | undefined {
    this.all.push(line);
    const { open } = this;
    if (open === undefined) return this.pushText(line);
    const { fence } = open;
    if (fence !== undefined) return this.pushFenced(line, open, fence);
    // A diff without a fence continues until a fence opens or the reply ends.
    if (openingFence(line) === undefined) return add(open, line);
    open.isClosed = true;
    this.open = undefined;
    return this.pushText(line);
  }

  private pushText(line: string): AddedLine | undefined {
    const fence = this.fenceIn(line);
    if (fence !== undefined && this.rules.isAround(fence)) {
      this.addBlock(fence);
      return undefined;
    }
    if (fence !== undefined) this.hasTextFence = true;
    else if (startsPatch(line) && !this.rules.isKnown(line)) return add(this.addBlock(fence), line);
    this.text.push(line);
    return undefined;
  }

  /** Returns the fence that a line opens; a deeper one only in a list, as CommonMark says. */
  private fenceIn(line: string): Fence | undefined {
    const fence = openingFence(line);
    const isDeep = fence !== undefined && fence.indent > 3 && /^\s/.test(line);
    const isInList = () => this.text.some((one) => /^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(one));
    return isDeep && !isInList() ? undefined : fence;
  }

  private addBlock(fence: Fence | undefined): ReplyBlock {
    const isBelowText = this.hasText;
    const block = {
      fence,
      lines: [],
      isClosed: false,
      isEmpty: true,
      isBelowText,
      lineAbove: this.all.findLast((line, at) => at < this.all.length - 1 && !isBlank(line)) ?? "",
      hasMarksInside: false,
    };
    this.blocks.push(block);
    this.open = block;
    this.inner = [];
    return block;
  }

  private pushFenced(line: string, block: ReplyBlock, fence: Fence): AddedLine | undefined {
    const content = contentOf(line, fence);
    const around = this.inner.at(-1);
    if (around !== undefined && closesFence(content, around)) this.inner.pop();
    else if (around === undefined && closesFence(line, fence)) {
      block.isClosed = true;
      this.open = undefined;
      return undefined;
    } else {
      const wrapped = openingFence(line);
      if (wrapped !== undefined && block.isEmpty) {
        // The fence only wraps another block: use the inner fence.
        block.fence = wrapped;
        return undefined;
      }
      const inner = /^[ \t]*[`~]/.test(content) ? openingFence(content) : undefined;
      const isInner = inner?.mark === fence.mark && inner.length >= fence.length;
      // Fence inside a fence, as in documentation that shows code.
      if (this.rules.hasInner && isInner && inner.label !== "") this.inner.push(inner);
    }
    const marks = fence.mark.repeat(fence.length);
    block.hasMarksInside ||= content.includes(marks) && !this.rules.isKnown(content);
    return add(block, content);
  }
}

function add(block: ReplyBlock, content: string): AddedLine {
  const isFirst = block.isEmpty && !isBlank(content);
  block.isEmpty &&= isBlank(content);
  block.lines.push(content);
  return { block, content, isFirst };
}
