/**
 * The code blocks of a message by number, as the page numbers them: this is how the host finds the
 * text of "block 3 of message 17", so that the page never has to send code.
 */
import type { ContainerBlock } from "./blockTree";
import { markdownLength, normaliseText } from "./limits";
import { createParser } from "./parser";

/** One code block of a message. */
export interface NumberedCodeBlock {
  /** 0-based, in the order of the source. */
  readonly index: number;
  /** First word of the info string, "" if none. */
  readonly language: string;
  /** The rest of the info string: a title, perhaps a path; never a destination. */
  readonly label: string;
  /** The code as written, ending in "\\n" unless empty. */
  readonly text: string;
}

/** All code blocks of a message, fenced and indented, in the order of the source. */
export function codeBlocks(message: string): NumberedCodeBlock[] {
  const text = normaliseText(message);
  const found: NumberedCodeBlock[] = [];
  const visit = (container: ContainerBlock) => {
    for (const block of container.children) {
      if (block.kind === "code") {
        const { language, label, content } = block;
        found.push({ index: found.length, language, label, text: content });
      } else if ("children" in block) visit(block);
    }
  };
  visit(createParser().blocks(text.slice(0, markdownLength(text))).root);
  return found;
}
