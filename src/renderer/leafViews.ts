/**
 * Views of blocks without child blocks: paragraphs, headings, rules, formulas, link definitions.
 */
import type { Block, HeadingBlock, ParagraphBlock, TextBlock } from "../markdown/blockTree";
import { makeElement } from "./dom";
import { InlineText } from "./inlineText";
import type { PlacedHeading, RenderContext } from "./renderContext";
import { sanitizeTree } from "./sanitize";
import type { Pass, View } from "./view";

/** Paragraph; in a tight list without an element of its own. */
export class ParagraphView implements View {
  private readonly text: InlineText;
  element: HTMLElement | undefined;

  constructor(context: RenderContext, parent: Element, isTight: boolean) {
    if (!isTight) {
      this.element = makeElement(context.document, "p");
      parent.append(this.element);
    }
    this.text = new InlineText(context, this.element ?? parent);
  }

  accepts(block: Block): boolean {
    return block.kind === "paragraph" || (block.kind === "text" && this.element !== undefined);
  }

  update(block: ParagraphBlock | TextBlock, pass: Pass): void {
    this.text.update(
      block.content,
      pass.draft === block,
      block.kind === "paragraph" ? block.task : undefined,
    );
  }

  get isTight(): boolean {
    return this.element === undefined;
  }

  /**
   * Switches to the paragraph element that now wraps the text; creates one if there is no text yet.
   */
  useOwnElement(): void {
    const { container: holder } = this.text;
    if (holder.tagName === "P") this.element = holder as HTMLElement;
    else {
      this.element = makeElement(holder.ownerDocument, "p");
      holder.append(this.element);
    }
    this.text.parent = this.element;
  }

  remove(): void {
    if (this.element === undefined) this.text.remove();
    else this.element.remove();
  }

  finish(): void {
    this.text.finish();
    if (this.element !== undefined) sanitizeTree(this.element);
    else for (const node of this.text.elements) sanitizeTree(node);
  }
}

export class HeadingView implements View {
  readonly element: HTMLElement;
  private readonly text: InlineText;
  private readonly placed: PlacedHeading;

  constructor(
    context: RenderContext,
    parent: Element,
    readonly level: number,
  ) {
    this.placed = context.placeHeading(level);
    const shown = this.placed.shownLevel;
    const attributes = {
      // HTML has six levels.
      ...(shown > 6 && { "aria-level": String(shown) }),
      // The style sheet draws the level of the text.
      ...(context.options.firstHeadingLevel !== undefined && { "data-level": String(level) }),
    };
    this.element = makeElement(context.document, `h${Math.min(shown, 6)}`, attributes);
    parent.append(this.element);
    this.text = new InlineText(context, this.element);
  }

  accepts(block: Block): boolean {
    return block.kind === "heading" && block.level === this.level;
  }

  update(block: HeadingBlock, pass: Pass): void {
    this.text.update(block.content, pass.draft === block);
  }

  remove(): void {
    this.placed.isRemoved = true;
    this.element.remove();
  }

  finish(): void {
    this.text.finish();
    sanitizeTree(this.element);
  }
}

/** Block without inline Markdown: a rule, or the source of a formula. */
export class PlainView implements View {
  readonly element: HTMLElement;

  constructor(
    readonly context: RenderContext,
    parent: Element,
    readonly kind: "rule" | "math",
  ) {
    this.element =
      kind === "rule"
        ? makeElement(context.document, "hr")
        : makeElement(context.document, "div", { class: "math math-block" });
    parent.append(this.element);
  }

  accepts(block: Block): boolean {
    return block.kind === this.kind;
  }

  update(block: Block): void {
    if (block.kind === "math") this.element.textContent = `$$\n${block.content}\n$$`;
  }

  remove(): void {
    this.element.remove();
  }

  finish(): void {
    sanitizeTree(this.element);
    if (this.kind === "math") this.context.drawFormula(this.element);
  }
}

/** Link definition, which shows nothing. */
export class DefinitionView implements View {
  readonly isOutOfFlow = true;

  accepts(block: Block): boolean {
    return block.kind === "definition";
  }
  update(): void {}
  remove(): void {}
  finish(): void {}
}
