/**
 * What a block on the page is to others. A view takes the newest reading of its block, changes as little
 * of its nodes as it can, and is let go once finished: the nodes stay, nothing touches them again.
 */
import type { Block, RootBlock } from "../markdown/blockTree";

/** One reading of the open part of a reply. */
export interface Pass {
  /** The leaf whose end has not come yet, if any: shown as a draft. */
  readonly draft: Block | undefined;
  /** Only blocks that another one follows are of interest: the last one of each container stays. */
  readonly isFinishing: boolean;
  /** Whether only whole lines were read; a half line may loosen a list and the whole one not. */
  readonly isWhole: boolean;
}

/** A code block that is shown and not finished. */
export interface NumberedView {
  /** Sets the position among the code blocks of the reply, 0-based. */
  number(index: number): void;
}

/** A block of a reply as DOM nodes. */
export interface View {
  /** Whether `update` can show this block. */
  accepts(block: Block): boolean;
  update(block: Block | RootBlock, pass: Pass): void;
  remove(): void;
  /** The last step: the nodes go through the second wall and are final. */
  finish(): void;
  /** Code blocks in it that are not finished, in order. */
  codeViews(): NumberedView[];
}
