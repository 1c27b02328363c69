/**
 * Interface of the views. A view shows the newest parse of its block with few changes to its nodes.
 * After `finish` the view is dropped and its nodes stay unchanged.
 */
import type { Block, RootBlock } from "../markdown/blockTree";

/** A parse of the open part of a reply. */
export interface Pass {
  /** Leaf whose end has not arrived; shown as a draft. */
  readonly draft: Block | undefined;
  /** If true, only blocks with a successor are updated; the last block of each container stays. */
  readonly isFinishing: boolean;
  /**
   * True if the parse had whole lines only. A draft line may make a list loose that its whole line
   * does not.
   */
  readonly isWhole: boolean;
}

export interface IndexedView {
  /** Sets the position among the code blocks of the reply, 0-based. */
  setIndex(index: number): void;
}

export interface View {
  /** Element of the block, if it has one of its own. */
  readonly element?: Element | undefined;
  /** True if nothing is shown: a link definition. */
  readonly isOutOfFlow?: boolean;
  accepts(block: Block): boolean;
  update(block: Block | RootBlock, pass: Pass): void;
  remove(): void;
  /** Sanitizes the nodes; they do not change afterwards. */
  finish(): void;
  /** Returns the unfinished code blocks in the view, in order. Views without code have no such method. */
  codeViews?(): IndexedView[];
}
