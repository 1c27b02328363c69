/**
 * Code block with a header for language, label and actions. codeText.ts renders the code itself.
 */
import type { Block, CodeBlock } from "../markdown/blockTree";
import { CodeText } from "./codeText";
import { makeElement } from "./dom";
import type { RenderContext } from "./renderContext";
import { sanitizeElement, sanitizeTree } from "./sanitize";

export class CodeView {
  readonly element: HTMLElement;
  private readonly header: HTMLElement;
  private readonly frame: HTMLElement;
  private readonly text: CodeText;
  private readonly language: string;
  private readonly label: string;
  private readonly isFenced: boolean;
  private index = -1;

  constructor(
    readonly context: RenderContext,
    parent: Element,
    block: CodeBlock,
  ) {
    const { document } = context;
    this.language = block.language;
    this.label = block.label;
    this.isFenced = block.isFenced;
    this.element = makeElement(document, "div", { class: "code-block" });
    const header = (this.header = makeElement(document, "div", { class: "code-header" }));
    const language = makeElement(document, "span", { class: "code-language" });
    language.textContent = block.language;
    header.append(language);
    if (block.label !== "") {
      header.append(makeLabel(document, block.label));
    }
    header.append(makeElement(document, "span", { class: "code-actions" }));
    const frame = (this.frame = makeElement(document, "pre", { tabindex: "0" }));
    const code = makeElement(document, "code");
    if (block.language !== "") code.setAttribute("class", `language-${block.language}`);
    this.text = new CodeText(code, context.options.highlighter, block.language);
    frame.append(code);
    this.element.append(header, frame);
    parent.append(this.element);
  }

  accepts(block: Block): boolean {
    return (
      block.kind === "code" &&
      block.isFenced === this.isFenced &&
      block.language === this.language &&
      block.label === this.label
    );
  }

  update(block: CodeBlock): void {
    this.text.update(block.content);
  }

  /** Finishes the first `count` lines; the next `update` comes without them. */
  finishLines(count: number): void {
    this.text.finishLines(count);
  }

  /** Sets the index among the code blocks of the reply, 0-based. */
  setIndex(index: number): void {
    if (index === this.index) return;
    this.index = index;
    this.element.setAttribute("data-block", String(index));
  }

  remove(): void {
    this.element.remove();
  }

  finish(): void {
    this.setIndex(this.context.finishedCodeBlocks++);
    for (const element of [this.element, this.frame, this.text.code]) sanitizeElement(element);
    sanitizeTree(this.header);
    this.text.finish();
    this.context.trackWork(this.text.settled);
    if (this.isFenced && this.language === "mermaid") this.context.drawDiagram(this.element);
    this.context.options.onCodeBlock?.(this.element, {
      index: this.index,
      language: this.language,
    });
  }

  codeViews(): CodeView[] {
    return [this];
  }
}

/** Returns the label of a block, mostly a path: where it is too long, its folders are cut first. */
function makeLabel(document: Document, text: string): HTMLElement {
  const label = makeElement(document, "span", { class: "code-label", title: text });
  const nameAt = text.lastIndexOf("/") + 1;
  for (const part of [text.slice(0, nameAt), text.slice(nameAt)]) {
    const element = makeElement(document, "span");
    element.textContent = part;
    label.append(element);
  }
  return label;
}
