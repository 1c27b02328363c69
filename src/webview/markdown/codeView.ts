/**
 * A code block on the page: a header with the language and room for actions, and the code as text.
 * While a fence is open only new lines are added; colours are highlight/'s.
 */
import type { Block, CodeBlock } from "../../markup/blockTree";
import { make } from "./dom";
import type { Page } from "./page";
import { sanitiseTree } from "./sanitise";

export class CodeView {
  readonly element: HTMLElement;
  readonly #code: HTMLElement;
  readonly #language: string;
  readonly #label: string;
  readonly #isFenced: boolean;
  /** The code that may still change: its node and what it says. */
  #node: Text;
  #text = "";
  #index = -1;

  constructor(
    readonly page: Page,
    parent: Element,
    before: Node | null,
    block: CodeBlock,
  ) {
    const { document } = page;
    this.#language = block.language;
    this.#label = block.label;
    this.#isFenced = block.isFenced;
    this.element = make(document, "div", { class: "code-block" });
    const header = make(document, "div", { class: "code-header" });
    const language = make(document, "span", { class: "code-language" });
    language.textContent = block.language;
    header.append(language);
    if (block.label !== "") {
      const label = make(document, "span", { class: "code-label" });
      label.textContent = block.label;
      header.append(label);
    }
    header.append(make(document, "span", { class: "code-actions" }));
    const frame = make(document, "pre", { tabindex: "0" });
    this.#code = make(document, "code");
    if (block.language !== "") this.#code.setAttribute("class", `language-${block.language}`);
    this.#node = document.createTextNode("");
    this.#code.append(this.#node);
    frame.append(this.#code);
    this.element.append(header, frame);
    parent.insertBefore(this.element, before);
  }

  accepts(block: Block): boolean {
    return (
      block.kind === "code" &&
      block.isFenced === this.#isFenced &&
      block.language === this.#language &&
      block.label === this.#label
    );
  }

  update(block: CodeBlock): void {
    const text = block.content;
    if (text === this.#text) return;
    if (text.startsWith(this.#text)) this.#node.appendData(text.slice(this.#text.length));
    else this.#node.data = text;
    this.#text = text;
  }

  /** The first lines of what may still change are final; the next `update` comes without them. */
  finishLines(count: number): void {
    let end = 0;
    for (let line = 0; line < count; line++) end = this.#text.indexOf("\n", end) + 1;
    this.#node = this.#node.splitText(end);
    this.#text = this.#text.slice(end);
  }

  /** Tells its place among the reply's code blocks, 0-based. */
  number(index: number): void {
    if (index === this.#index) return;
    this.#index = index;
    this.element.setAttribute("data-block", String(index));
  }

  remove(): void {
    this.element.remove();
  }

  finish(): void {
    this.number(this.page.finishedCodeBlocks++);
    this.#code.normalize();
    sanitiseTree(this.element);
    this.page.options.onCodeBlock?.(this.element, {
      index: this.#index,
      language: this.#language,
    });
  }

  codeViews(): CodeView[] {
    return [this];
  }
}
