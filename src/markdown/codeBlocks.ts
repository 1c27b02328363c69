/**
 * Numbers the code blocks of a message as the page does. The host finds the text of "block 3 of
 * message 17" by the number, and the page never sends code.
 */
import type { ContainerBlock } from "./blockTree";
import { markdownLength, normalizeText } from "./limits";
import { createParser } from "./parser";

export interface NumberedCodeBlock {
  /** 0-based, in the order of the source. */
  readonly index: number;
  /** First word of the info string, "" if none. */
  readonly language: string;
  /** Rest of the info string: a title or a path; never used as a destination. */
  readonly label: string;
  /** Code as written, ending in "\n" unless empty. */
  readonly text: string;
}

/** Returns all code blocks of a message, fenced and indented, in source order. */
export function codeBlocks(message: string): NumberedCodeBlock[] {
  const text = normalizeText(message);
  const blocks: NumberedCodeBlock[] = [];
  const visit = (container: ContainerBlock) => {
    for (const block of container.children) {
      if (block.kind === "code") {
        const { language, label, content } = block;
        blocks.push({ index: blocks.length, language, label, text: content });
      } else if ("children" in block) visit(block);
    }
  };
  visit(createParser().blocks(text.slice(0, markdownLength(text))).root);
  return blocks;
}
