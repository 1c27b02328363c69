/**
 * Creates the view of each kind of block. Quotes are defined here because they are
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

/** Creates the view of a block and inserts its nodes at the end of `parent`. */
export function createView(
  context: RenderContext,
  parent: Element,
  block: Block,
  isTight: boolean,
): View {
  const container = (tag: string) => {
    const element = makeElement(context.document, tag);
    parent.append(element);
    return element;
  };
  switch (block.kind) {
    case "paragraph":
    case "text":
      return new ParagraphView(context, parent, isTight);
    case "heading":
      return new HeadingView(context, parent, block.level);
    case "code":
      return new CodeView(context, parent, block);
    case "table":
      return new TableView(context, parent, block);
    case "rule":
    case "math":
      return new PlainView(context, parent, block.kind);
    case "definition":
      return new DefinitionView();
    case "quote":
      return new QuoteView(context, container("blockquote"));
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
