/**
 * Where the transcript stands: at its end, and then it stays there as text comes, or where the
 * person scrolled to, and then nothing moves. The place is remembered by message, so that it can
 * be found again after the page was hidden or reloaded.
 */
import { signal, type ReadonlySignal } from "@preact/signals";
import type { Disposable } from "../../base/disposables";
import { Disposables } from "../../base/disposables";
import type { ScrollPosition } from "../state/viewMemory";

/** How near to the end still counts as the end, in CSS pixels: a line and a half. */
const END_SLACK_PX = 30;

/** Input after which the person, not the page, decides where the transcript stands. */
const PERSON_EVENTS = ["wheel", "pointerdown", "keydown", "touchmove"] as const;

/** One per transcript. */
export class Scrolling implements Disposable {
  private readonly owned = new Disposables();
  private readonly atEnd = signal(true);
  /** A remembered place that is held until the person moves: what is above it still grows. */
  private heldPlace: ScrollPosition | undefined;
  private lastTopPx = 0;
  private isSaving = false;

  /** False while the person reads further up. */
  readonly isAtEnd: ReadonlySignal<boolean> = this.atEnd;

  /**
   * @param scroller the element that scrolls
   * @param content its one child, whose height changes
   * @param save told where the person is; undefined for the end
   */
  constructor(
    private readonly scroller: HTMLElement,
    private readonly content: HTMLElement,
    private readonly save: (place: ScrollPosition | undefined) => void,
  ) {
    const observer = new ResizeObserver(() => this.settle());
    observer.observe(content);
    observer.observe(scroller);
    this.owned.add({ dispose: () => observer.disconnect() });
    this.listen("scroll", () => this.onScroll());
    for (const name of PERSON_EVENTS) this.listen(name, () => (this.heldPlace = undefined));
  }

  /** Goes to the end and stays there. */
  toEnd(): void {
    this.heldPlace = undefined;
    this.atEnd.value = true;
    this.settle();
    this.save(undefined);
  }

  /** Goes to a remembered place; nothing happens when its message is not on the page. */
  toPlace(place: ScrollPosition): void {
    this.heldPlace = place;
    this.atEnd.value = false;
    this.settle();
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** Puts the transcript where it should stand, before the browser paints. */
  private settle(): void {
    const { scroller, heldPlace } = this;
    if (heldPlace !== undefined) {
      const anchor = this.articleOf(heldPlace.anchorId);
      if (anchor) scroller.scrollTop += this.topOf(anchor) - heldPlace.offsetPx;
    } else if (this.atEnd.peek()) scroller.scrollTop = scroller.scrollHeight;
    this.lastTopPx = scroller.scrollTop;
  }

  private onScroll(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.scroller;
    const isNearEnd = scrollHeight - scrollTop - clientHeight <= END_SLACK_PX;
    // Growing content leaves the end behind without anybody scrolling: only moving up counts.
    const hasMovedUp = scrollTop < this.lastTopPx;
    this.lastTopPx = scrollTop;
    if (this.heldPlace !== undefined) return;
    if (isNearEnd) this.atEnd.value = true;
    else if (hasMovedUp) this.atEnd.value = false;
    this.saveSoon();
  }

  private saveSoon(): void {
    if (this.isSaving) return;
    this.isSaving = true;
    requestAnimationFrame(() => {
      this.isSaving = false;
      this.save(this.atEnd.peek() ? undefined : this.currentPlace());
    });
  }

  /** The first message in sight; found by halving, the messages stand in order. */
  private currentPlace(): ScrollPosition | undefined {
    // Groups first: to ask for the place of what the browser skips would have it laid out.
    const group = this.firstInSight(this.content.children);
    const first = group && this.firstInSight(group.children);
    const anchorId = first?.dataset["messageId"];
    if (!first || anchorId === undefined) return undefined;
    return { anchorId, offsetPx: this.topOf(first) };
  }

  private firstInSight(elements: HTMLCollection): HTMLElement | undefined {
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

  /** From the top of the visible part to the top of an article. */
  private topOf(article: HTMLElement): number {
    return article.getBoundingClientRect().top - this.edgePx();
  }

  /** The top of the visible part, in the page. */
  private edgePx(): number {
    return this.scroller.getBoundingClientRect().top;
  }

  private listen(name: string, run: () => void): void {
    this.scroller.addEventListener(name, run, { passive: true });
    this.owned.add({ dispose: () => this.scroller.removeEventListener(name, run) });
  }
}
