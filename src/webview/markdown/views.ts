/**
 * The blocks of a reply on the page. A view takes the newest reading of its block, changes as little of
 * its nodes as it can, and is let go once finished: the nodes stay, nothing touches them again.
 */
import type {
  Block,
  ContainerBlock,
  HeadingBlock,
  ListBlock,
  MathBlock,
  ParagraphBlock,
  RootBlock,
  TextBlock,
} from "../../markup/blockTree";
import { CodeView } from "./codeView";
import { make, wrapRuns } from "./dom";
import { InlineText } from "./inlineText";
import type { Page } from "./page";
import { sanitiseElement, sanitiseTree } from "./sanitise";
import { TableView } from "./tableView";

/** One reading of the open part of a reply. */
export interface Pass {
  /** The leaf whose end has not come yet, if any: shown as a draft. */
  readonly draft: Block | undefined;
  /** Only blocks that another one follows are of interest: the last one of each container stays. */
  readonly isFinishing: boolean;
  /** Whether only whole lines were read; a half line may loosen a list and the whole one not. */
  readonly isWhole: boolean;
}

/** What every block on the page can do. */
export interface View {
  /** Whether `update` can show this block. */
  accepts(block: Block): boolean;
  update(block: Block | RootBlock, pass: Pass): void;
  remove(): void;
  /** The last step: the nodes go through the second wall and are final. */
  finish(): void;
  /** Code blocks in it that are not finished, in order. */
  codeViews(): CodeView[];
}

abstract class LeafView implements View {
  abstract accepts(block: Block): boolean;
  abstract update(block: Block | RootBlock, pass: Pass): void;
  abstract remove(): void;
  abstract finish(): void;
  codeViews(): CodeView[] {
    return [];
  }
}

class ParagraphView extends LeafView {
  readonly #text: InlineText;
  #element: HTMLElement | undefined;

  constructor(page: Page, parent: Element, before: Node | null, isTight: boolean) {
    super();
    if (!isTight) {
      this.#element = make(page.document, "p");
      parent.insertBefore(this.#element, before);
    }
    this.#text = new InlineText(page, this.#element ?? parent);
  }

  accepts(block: Block): boolean {
    return block.kind === "paragraph" || (block.kind === "text" && this.#element !== undefined);
  }

  update(block: ParagraphBlock | TextBlock, pass: Pass): void {
    this.#text.update(
      block.content,
      pass.draft === block,
      block.kind === "paragraph" ? block.task : undefined,
    );
  }

  /** Whether it has no element of its own. */
  get isTight(): boolean {
    return this.#element === undefined;
  }

  /** Learns that its text now has a paragraph of its own, or makes one if there is no text yet. */
  noteWrapped(): void {
    const { holder } = this.#text;
    if (holder.tagName === "P") this.#element = holder as HTMLElement;
    else {
      this.#element = make(holder.ownerDocument, "p");
      holder.append(this.#element);
    }
    this.#text.parent = this.#element;
  }

  remove(): void {
    if (this.#element === undefined) this.#text.remove();
    else this.#element.remove();
  }

  finish(): void {
    this.#text.finish();
    if (this.#element !== undefined) sanitiseTree(this.#element);
    else for (const node of this.#text.elements) sanitiseTree(node);
  }
}

class HeadingView extends LeafView {
  readonly #element: HTMLElement;
  readonly #text: InlineText;

  constructor(
    page: Page,
    parent: Element,
    before: Node | null,
    readonly level: number,
  ) {
    super();
    this.#element = make(page.document, `h${level}`);
    parent.insertBefore(this.#element, before);
    this.#text = new InlineText(page, this.#element);
  }

  accepts(block: Block): boolean {
    return block.kind === "heading" && block.level === this.level;
  }

  update(block: HeadingBlock, pass: Pass): void {
    this.#text.update(block.content, pass.draft === block);
  }

  remove(): void {
    this.#element.remove();
  }

  finish(): void {
    this.#text.finish();
    sanitiseTree(this.#element);
  }
}

/** A block without text of its own to parse: a rule, or a formula's source. */
class PlainView extends LeafView {
  readonly #element: HTMLElement;

  constructor(
    readonly page: Page,
    parent: Element,
    before: Node | null,
    readonly kind: "rule" | "math",
  ) {
    super();
    this.#element =
      kind === "rule"
        ? make(page.document, "hr")
        : make(page.document, "div", { class: "math math-block" });
    parent.insertBefore(this.#element, before);
  }

  accepts(block: Block): boolean {
    return block.kind === this.kind;
  }

  update(block: Block): void {
    if (block.kind === "math") this.#element.textContent = formulaSource(block);
  }

  remove(): void {
    this.#element.remove();
  }

  finish(): void {
    sanitiseTree(this.#element);
    if (this.kind === "math") this.page.drawFormula(this.#element);
  }
}

function formulaSource(block: MathBlock): string {
  return `$$\n${block.content}\n$$`;
}

/** A link definition: it shows nothing. */
class DefinitionView extends LeafView {
  accepts(block: Block): boolean {
    return block.kind === "definition";
  }
  update(): void {}
  remove(): void {}
  finish(): void {}
}

/** Blocks in a row inside one element; only those that are not finished are known. */
export abstract class ContainerView implements View {
  readonly children: View[] = [];

  constructor(
    readonly page: Page,
    readonly element: Element,
    /** Children go before this node of the element, or to its end. */
    public end: Node | null = null,
  ) {}

  abstract accepts(block: Block): boolean;

  update(block: ContainerBlock, pass: Pass): void {
    this.reconcile(block.children, pass);
  }

  protected create(block: Block): View {
    return createView(this.page, this.element, this.end, block, false);
  }

  protected acceptsChild(view: View, block: Block): boolean {
    return view.accepts(block);
  }

  /** Shows these blocks after the finished ones. */
  protected reconcile(blocks: readonly Block[], pass: Pass): void {
    for (const [index, block] of blocks.entries()) {
      const isLast = index === blocks.length - 1;
      if (isLast && pass.isFinishing && !("children" in block)) return;
      let view = this.children[index];
      if (view === undefined || !this.acceptsChild(view, block)) {
        this.removeFrom(index);
        view = this.create(block);
        this.children.push(view);
      }
      view.update(block, isLast ? pass : { ...pass, draft: undefined, isFinishing: false });
    }
    if (!pass.isFinishing) this.removeFrom(blocks.length);
  }

  protected removeFrom(index: number): void {
    for (const view of this.children.splice(index)) view.remove();
  }

  /** Finishes the first children and lets them go. */
  finishChildren(count: number): void {
    for (const view of this.children.splice(0, count)) view.finish();
  }

  remove(): void {
    this.element.remove();
  }

  finish(): void {
    this.finishChildren(this.children.length);
    sanitiseElement(this.element);
  }

  codeViews(): CodeView[] {
    return this.children.flatMap((child) => child.codeViews());
  }
}

class QuoteView extends ContainerView {
  override accepts(block: Block): boolean {
    return block.kind === "quote";
  }
}

export class ListView extends ContainerView {
  readonly #isOrdered: boolean;
  readonly #marker: string;
  #first: number;
  /** Once loose, always loose: items that said so may be finished. */
  isLoose = false;
  /** Whether its first items are no longer in what is read. */
  isContinued = false;

  constructor(page: Page, element: Element, block: ListBlock) {
    super(page, element);
    this.#isOrdered = block.isOrdered;
    this.#marker = block.marker;
    this.#first = 1;
  }

  override accepts(block: Block): boolean {
    return (
      block.kind === "list" && block.isOrdered === this.#isOrdered && block.marker === this.#marker
    );
  }

  override update(block: ListBlock, pass: Pass): void {
    if (!this.isContinued && block.first !== this.#first) {
      this.#first = block.first;
      if (block.first === 1) this.element.removeAttribute("start");
      else this.element.setAttribute("start", String(block.first));
    }
    if (pass.isWhole && block.isLoose === true && !this.isLoose) {
      this.isLoose = true;
      this.#loosen();
    }
    super.update(block, pass);
  }

  #loosen(): void {
    for (const item of this.element.children) wrapRuns(item);
    for (const item of this.children) {
      if (!(item instanceof ItemView)) continue;
      for (const child of item.children) {
        if (child instanceof ParagraphView && child.isTight) child.noteWrapped();
      }
    }
  }

  protected override create(): View {
    const element = make(this.page.document, "li");
    this.element.appendChild(element);
    return new ItemView(this.page, element, this);
  }
}

class ItemView extends ContainerView {
  constructor(
    page: Page,
    element: Element,
    readonly list: ListView,
  ) {
    super(page, element);
  }

  override accepts(block: Block): boolean {
    return block.kind === "item";
  }

  /** A half-written paragraph after another one shows already that the list will be loose. */
  #isTight(block: Block, before: View | undefined): boolean {
    if (block.kind !== "paragraph" || this.list.isLoose) return false;
    return !(before instanceof ParagraphView && before.isTight);
  }

  protected override acceptsChild(view: View, block: Block): boolean {
    if (!view.accepts(block)) return false;
    if (!(view instanceof ParagraphView)) return true;
    return view.isTight === this.#isTight(block, this.children[this.children.indexOf(view) - 1]);
  }

  protected override create(block: Block): View {
    const isTight = this.#isTight(block, this.children.at(-1));
    return createView(this.page, this.element, this.end, block, isTight);
  }
}

/** A footnote's definition: in its place while it arrives, then in the list at the end. */
export class FootnoteView extends ContainerView {
  constructor(
    page: Page,
    element: HTMLElement,
    readonly label: string,
  ) {
    super(page, element);
  }

  override accepts(block: Block): boolean {
    return block.kind === "footnote" && block.label === this.label;
  }

  override finish(): void {
    super.finish();
    this.element.remove();
    this.page.takeFootnote(this.label, this.element);
  }
}

/** Makes the view of a block and puts its nodes before a node of its parent, or at the end. */
export function createView(
  page: Page,
  parent: Element,
  before: Node | null,
  block: Block,
  isTight: boolean,
): View {
  const container = (tag: string, attributes?: Record<string, string>) => {
    const element = make(page.document, tag, attributes);
    parent.insertBefore(element, before);
    return element;
  };
  switch (block.kind) {
    case "paragraph":
    case "text":
      return new ParagraphView(page, parent, before, isTight);
    case "heading":
      return new HeadingView(page, parent, before, block.level);
    case "code":
      return new CodeView(page, parent, before, block);
    case "table":
      return new TableView(page, parent, before, block);
    case "rule":
    case "math":
      return new PlainView(page, parent, before, block.kind);
    case "definition":
      return new DefinitionView();
    case "quote":
      return new QuoteView(page, container("blockquote"));
    case "footnote":
      return new FootnoteView(page, container("li", { class: "footnote" }), block.label);
    case "list":
      return new ListView(page, container(block.isOrdered ? "ol" : "ul"), block);
    case "item":
      throw new Error("an item outside a list");
  }
}
