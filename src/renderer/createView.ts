/**
 * Creates the view of each kind of block. Quotes and footnotes are defined here because they are
 * hardly more than containers.
 */
import type { Block } from "../markdown/blockTree";
import { CodeView } from "./codeView";
import { ContainerView } from "./containerView";
import { makeElement } from "./dom";
import { DefinitionView, HeadingView, ParagraphView, PlainView } from "./leafViews";
import { ListView } from "./listView";
import type { RenderContext } from "./renderContext";
import { TableView } from "./tableView";
import type { View } from "./view";

/** Creates the view of a block and inserts its nodes before `before`, or at the end of `parent`. */
export function createView(
  context: RenderContext,
  parent: Element,
  before: Node | null,
  block: Block,
  isTight: boolean,
): View {
  const container = (tag: string) => {
    const element = makeElement(context.document, tag);
    parent.insertBefore(element, before);
    return element;
  };
  switch (block.kind) {
    case "paragraph":
    case "text":
      return new ParagraphView(context, parent, before, isTight);
    case "heading":
      return new HeadingView(context, parent, before, block.level);
    case "code":
      return new CodeView(context, parent, before, block);
    case "table":
      return new TableView(context, parent, before, block);
    case "rule":
    case "math":
      return new PlainView(context, parent, before, block.kind);
    case "definition":
      return new DefinitionView();
    case "quote":
      return new QuoteView(context, container("blockquote"));
    case "footnote":
      return new FootnoteView(context, block.label);
    case "list":
      return new ListView(context, container(block.isOrdered ? "ol" : "ul"), block);
    case "item":
      throw new Error("an item outside a list");
  }
}

class QuoteView extends ContainerView {
  override accepts(block: Block): boolean {
    return block.kind === "quote";
  }
}

/** Footnote definition, shown in the list at the end of the reply. */
class FootnoteView extends ContainerView {
  readonly isOutOfFlow = true;

  constructor(
    context: RenderContext,
    readonly label: string,
  ) {
    super(context, makeElement(context.document, "li", { class: "footnote" }));
    context.footnotes.add(this.element);
  }

  override remove(): void {
    this.context.footnotes.remove(this.element);
  }

  override accepts(block: Block): boolean {
    return block.kind === "footnote" && block.label === this.label;
  }

  override finish(): void {
    super.finish();
    this.context.addFootnote(this.label, this.element);
  }
}
