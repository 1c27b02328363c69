/**
 * Root of a reply, in the app's container. The first blocks are direct children. A long reply
 * continues in parts of a fixed number of blocks, each with `content-visibility`: the browser then
 * checks a few parts per frame instead of every block.
 */
import type { Block } from "../markdown/blockTree";
import type { Undrawn } from "./blockLimit";
import { ContainerView } from "./containerView";
import { makeElement } from "./dom";
import { RestNote } from "./restNote";
import { LARGE_BLOCK_CLASS, LONG_REPLY_CLASS, OPEN_PART_CLASS, PART_CLASS } from "./styles";
import type { View } from "./view";

/** Number of blocks in a part, and before the first part. */
const BLOCKS_A_PART = 24;

/** Number of elements of a block from which the browser skips it while it is off screen. */
const MANY_ELEMENTS = 200;

/** Part of an unfinished block that is not drawn, and the line that states it. */
interface Rest {
  readonly undrawn: Undrawn;
  readonly note: RestNote;
}

export class RootView extends ContainerView {
  private finishedCount = 0;
  private readonly undrawnRests = new Map<View, Rest>();
  private isLong = false;
  /** Part that still grows, and its 1-based number. */
  private part: HTMLElement | undefined;
  private partNumber = 0;

  override accepts(): boolean {
    return false;
  }

  /** Skips layout of what is off screen, also with few blocks. */
  becomeLong(): void {
    this.isLong = true;
    this.element.classList.add(LONG_REPLY_CLASS);
  }

  /** States below each block what is not drawn of it, by the index of the block. */
  showRests(undrawn: ReadonlyMap<number, Undrawn>): void {
    for (const [index, rest] of undrawn) {
      const view = this.children[index];
      if (view === undefined) continue;
      const note =
        this.undrawnRests.get(view)?.note ??
        new RestNote(this.context.document, this.context.options);
      this.undrawnRests.set(view, { undrawn: rest, note });
      note.show(({ undrawnLines }) => undrawnLines(rest.lines));
      if (note.element.parentNode === null) view.element?.after(note.element);
    }
    for (const [index, view] of this.children.entries()) {
      if (!undrawn.has(index)) this.removeRest(view);
    }
  }

  private removeRest(view: View): void {
    this.undrawnRests.get(view)?.note.element.remove();
    this.undrawnRests.delete(view);
  }

  protected override create(block: Block): View {
    const number = Math.floor((this.finishedCount + this.children.length) / BLOCKS_A_PART);
    if (number === 0) return super.create(block);
    if (this.part === undefined || number > this.partNumber) this.openPart(number);
    // A part whose first block was removed again continues.
    return this.context.createView(this.context, this.part ?? this.element, block, false);
  }

  private openPart(number: number): void {
    this.part?.classList.remove(OPEN_PART_CLASS);
    this.part = makeElement(this.context.document, "div", {
      class: `${PART_CLASS} ${OPEN_PART_CLASS}`,
    });
    this.partNumber = number;
    this.element.append(this.part);
    this.element.classList.add(LONG_REPLY_CLASS);
  }

  protected override removeFrom(index: number): void {
    for (const view of this.children.slice(index)) this.removeRest(view);
    super.removeFrom(index);
    const number = Math.floor((this.finishedCount + index - 1) / BLOCKS_A_PART);
    if (this.part === undefined || number >= this.partNumber) return;
    // The block that started the part was removed again.
    const before = this.part.previousElementSibling;
    this.part.remove();
    this.part = number > 0 && before instanceof HTMLElement ? before : undefined;
    this.part?.classList.add(OPEN_PART_CLASS);
    this.partNumber = number;
  }

  override finishChildren(count: number): void {
    this.finishedCount += count;
    for (const view of this.children.slice(0, count)) {
      super.finishChildren(1);
      const { element } = view;
      if (element && element.getElementsByTagName("*").length > MANY_ELEMENTS) {
        element.classList.add(LARGE_BLOCK_CLASS);
      }
      const undrawnRest = this.undrawnRests.get(view);
      if (undrawnRest === undefined) continue;
      this.context.skip(undrawnRest.undrawn);
      this.undrawnRests.delete(view); // The note stays.
    }
  }

  override finish(): void {
    this.finishChildren(this.children.length);
    this.part?.classList.remove(OPEN_PART_CLASS);
    for (const part of this.element.querySelectorAll(`:scope > .${PART_CLASS}`)) {
      if (part.firstChild === null) part.remove();
    }
    const hasParts = this.element.querySelector(`:scope > .${PART_CLASS}`) !== null;
    this.element.classList.toggle(LONG_REPLY_CLASS, hasParts || this.isLong);
  }
}
