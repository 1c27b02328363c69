import { signal } from "@preact/signals";
import { DisposableOwner } from "../../base/disposables";
import type { ScrollPosition } from "../state/viewMemory";

/** Distance to the end that counts as the end, in CSS pixels: a line and a half. */
const END_SLACK_PX = 30;

/** Element whose distance from the top of the visible area is kept. */
interface HeldElement {
  readonly element: HTMLElement;
  readonly offsetPx: number;
  /** True to scroll only as far as its end needs. */
  readonly isGrowing?: boolean;
}

/** Input that ends the restoring of a scroll position. */
const USER_EVENTS = ["wheel", "pointerdown", "keydown", "touchmove"] as const;

/**
 * Keeps the transcript at its end while text streams, or at the position the user scrolled to. A
 * position is relative to a message, so that it can be restored after a reload.
 */
export class Scrolling extends DisposableOwner {
  /** False after the user scrolled up. */
  readonly isAtEnd = signal(true);
  /** Position to keep until the user scrolls, because content above still grows. */
  private heldPosition: ScrollPosition | HeldElement | undefined;
  private lastTopPx = 0;
  private lastHeightPx = 0;
  /** True after input in the transcript, until the end is shown again. */
  private hasInput = false;
  private isSaving = false;

  /**
   * @param scroller the element that scrolls
   * @param content only child of `scroller`, whose height changes
   * @param save called with the position; undefined is the end
   */
  constructor(
    private readonly scroller: HTMLElement,
    private readonly content: HTMLElement,
    private readonly save: (position: ScrollPosition | undefined) => void,
  ) {
    super();
    const observer = new ResizeObserver(() => this.applyPosition());
    observer.observe(content);
    observer.observe(scroller);
    this.owned.add({ dispose: () => observer.disconnect() });
    this.listen("scroll", () => this.onScroll());
    for (const name of USER_EVENTS) {
      this.listen(name, () => {
        this.heldPosition = undefined;
        this.hasInput = true;
      });
    }
  }

  toEnd(): void {
    this.heldPosition = undefined;
    this.isAtEnd.value = true;
    this.hasInput = false;
    this.applyPosition();
    this.save(undefined);
  }

  /** Restores a position; does nothing if its message is not on the page. */
  toPosition(position: ScrollPosition): void {
    this.heldPosition = position;
    this.isAtEnd.value = false;
    this.applyPosition();
  }

  /**
   * Scrolls an element to the top of the visible area, or near the end to the end. Far messages
   * change their estimated heights when they become visible, and the element stays in its place.
   */
  toElement(element: HTMLElement): void {
    this.heldPosition = { element, offsetPx: this.offsetOf(element) };
    this.isAtEnd.value = false;
    this.applyPosition();
    if (this.distanceToEnd() <= END_SLACK_PX) this.toEnd();
    else this.save(this.currentPosition());
  }

  /** Shows the end of an element that grows, until its start would leave the visible area. */
  followElement(element: HTMLElement): void {
    this.heldPosition = { element, offsetPx: this.offsetOf(element), isGrowing: true };
    this.applyPosition();
  }

  private offsetOf(element: HTMLElement): number {
    const { scrollPaddingTop } = getComputedStyle(this.scroller);
    const { scrollMarginTop } = getComputedStyle(element);
    return (parseFloat(scrollPaddingTop) || 0) + (parseFloat(scrollMarginTop) || 0);
  }

  /** Returns the position now; undefined at the end. */
  position(): ScrollPosition | undefined {
    return this.isAtEnd.peek() ? undefined : this.currentPosition();
  }

  /** Applies the held position or the end, before the browser paints. */
  private applyPosition(): void {
    const { scroller, heldPosition } = this;
    // The suggestions of an empty conversation are read from the top.
    const hasMessages = this.content.querySelector("article") !== null;
    if (heldPosition !== undefined) {
      const anchor =
        "element" in heldPosition ? heldPosition.element : this.articleOf(heldPosition.anchorId);
      if (anchor) {
        const above = this.topOf(anchor) - heldPosition.offsetPx;
        const isGrowing = "isGrowing" in heldPosition;
        const below = this.topOf(anchor) + anchor.offsetHeight - scroller.clientHeight;
        scroller.scrollTop += isGrowing ? Math.min(above, Math.max(0, below)) : above;
        if (isGrowing) this.isAtEnd.value = this.distanceToEnd() <= END_SLACK_PX;
      }
    } else if (this.isAtEnd.peek() && hasMessages) scroller.scrollTop = scroller.scrollHeight;
    else if (scroller.scrollHeight <= scroller.clientHeight) this.isAtEnd.value = true;
    this.lastTopPx = scroller.scrollTop;
    this.lastHeightPx = scroller.scrollHeight;
  }

  private onScroll(): void {
    const { scrollTop, scrollHeight } = this.scroller;
    const isNearEnd = this.distanceToEnd() <= END_SLACK_PX;
    // Growing content also increases the distance to the end; only scrolling up counts. Content that
    // shrinks and grows in one frame moves up as well, without input.
    const isUsers = this.hasInput || scrollHeight === this.lastHeightPx;
    const hasMovedUp = isUsers && scrollTop < this.lastTopPx;
    this.lastTopPx = scrollTop;
    this.lastHeightPx = scrollHeight;
    if (this.heldPosition !== undefined) return;
    const wasAtEnd = this.isAtEnd.peek();
    if (isNearEnd) this.isAtEnd.value = true;
    else if (hasMovedUp) this.isAtEnd.value = false;
    // Following the end saves nothing, as a frame for each new line would.
    if (!wasAtEnd || !this.isAtEnd.peek()) this.saveSoon();
  }

  private saveSoon(): void {
    if (this.isSaving) return;
    this.isSaving = true;
    requestAnimationFrame(() => {
      this.isSaving = false;
      this.save(this.position());
    });
  }

  private distanceToEnd(): number {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    return scrollHeight - scrollTop - clientHeight;
  }

  /** Returns the position of the first visible message; binary search. */
  private currentPosition(): ScrollPosition | undefined {
    // Groups first, as measuring a skipped message forces its layout.
    const group = this.firstVisible(this.content.children);
    const { firstId } = group?.dataset ?? {};
    // The messages of the group are not mounted yet.
    if (group && firstId !== undefined) return { anchorId: firstId, offsetPx: this.topOf(group) };
    const first = group && this.firstVisible(group.children);
    const anchorId = first?.dataset["messageId"];
    if (!first || anchorId === undefined) return undefined;
    return { anchorId, offsetPx: this.topOf(first) };
  }

  private firstVisible(elements: HTMLCollection): HTMLElement | undefined {
    let low = 0;
    let high = elements.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      const element = elements[middle];
      if (element && element.getBoundingClientRect().bottom > this.edgePx()) high = middle;
      else low = middle + 1;
    }
    const first = elements[low];
    return first instanceof HTMLElement ? first : undefined;
  }

  private articleOf(id: string): HTMLElement | null {
    return this.content.querySelector(`article[data-message-id="${CSS.escape(id)}"]`);
  }

  private topOf(element: HTMLElement): number {
    return element.getBoundingClientRect().top - this.edgePx();
  }

  /** Top of the visible area in the page. */
  private edgePx(): number {
    return this.scroller.getBoundingClientRect().top;
  }

  private listen(name: string, run: () => void): void {
    this.scroller.addEventListener(name, run, { passive: true });
    this.owned.add({ dispose: () => this.scroller.removeEventListener(name, run) });
  }
}
