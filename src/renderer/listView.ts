/**
 * Lists and their items. A list is shown as tight until whole lines make it loose. Then the text of
 * all its items, finished ones included, moves into paragraphs.
 */
import type { Block, ListBlock } from "../markdown/blockTree";
import { ContainerView } from "./containerView";
import { makeElement, wrapRuns } from "./dom";
import { ParagraphView } from "./leafViews";
import type { RenderContext } from "./renderContext";
import type { Pass, View } from "./view";

export class ListView extends ContainerView {
  private readonly isOrdered: boolean;
  private readonly marker: string;
  private first: number;
  /** Remains true once set: the items that made the list loose may be finished. */
  isLoose = false;
  /** True if its first items are no longer part of the parsed text. */
  isContinued = false;

  constructor(context: RenderContext, element: Element, block: ListBlock) {
    super(context, element);
    this.isOrdered = block.isOrdered;
    this.marker = block.marker;
    this.first = 1;
  }

  override accepts(block: Block): boolean {
    return (
      block.kind === "list" && block.isOrdered === this.isOrdered && block.marker === this.marker
    );
  }

  override update(block: ListBlock, pass: Pass): void {
    if (!this.isContinued && block.first !== this.first) {
      this.first = block.first;
      if (block.first === 1) this.element.removeAttribute("start");
      else this.element.setAttribute("start", String(block.first));
    }
    if (pass.isWhole && block.isLoose === true && !this.isLoose) {
      this.isLoose = true;
      this.loosen();
    }
    super.update(block, pass);
    if (!this.isOrdered) return;
    // The style sheet makes room for long numbers.
    const { length: digits } = String(this.first + this.element.childElementCount - 1);
    if (digits > 3) this.element.setAttribute("data-digits", String(digits));
    else this.element.removeAttribute("data-digits");
  }

  private loosen(): void {
    for (const item of this.element.children) wrapRuns(item);
    for (const item of this.children) {
      if (!(item instanceof ItemView)) continue;
      for (const child of item.children) {
        if (child instanceof ParagraphView && child.isTight) child.useOwnElement();
      }
    }
  }

  protected override create(): View {
    const element = makeElement(this.context.document, "li");
    this.element.appendChild(element);
    return new ItemView(this.context, element, this);
  }
}

class ItemView extends ContainerView {
  /** True if the finished children end with the text of a tight paragraph. */
  private hasFinishedText = false;

  constructor(
    context: RenderContext,
    element: Element,
    readonly list: ListView,
  ) {
    super(context, element);
  }

  override accepts(block: Block): boolean {
    return block.kind === "item";
  }

  override finishChildren(count: number): void {
    this.hasFinishedText = this.endsWithText(count);
    super.finishChildren(count);
  }

  /** A draft paragraph whose text would follow that of another paragraph has an element of its own. */
  private isTight(block: Block, index: number): boolean {
    return block.kind === "paragraph" && !this.list.isLoose && !this.endsWithText(index);
  }

  /** True if the last visible block before child `index` is a tight paragraph. */
  private endsWithText(index: number): boolean {
    const before = this.children.slice(0, index).findLast((view) => view.isOutOfFlow !== true);
    if (before === undefined) return this.hasFinishedText;
    return before instanceof ParagraphView && before.isTight;
  }

  protected override acceptsChild(view: View, block: Block): boolean {
    if (!view.accepts(block)) return false;
    if (!(view instanceof ParagraphView)) return true;
    return view.isTight === this.isTight(block, this.children.indexOf(view));
  }

  protected override create(block: Block): View {
    const isTight = this.isTight(block, this.children.length);
    return this.context.createView(this.context, this.element, block, isTight);
  }
}
