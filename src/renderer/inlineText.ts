/**
 * The text of one block (or table cell) on the page: its source, its nodes, and how to render it again
 * when a definition comes late.
 */
import { completeInline } from "./inlineDraft";
import { MAX_TEXT_LENGTH } from "../markdown/limits";
import { inlineNodes, patchInline, plainNode, type InlineNode, type TaskBox } from "./inlineNodes";
import type { Page } from "./page";

export class InlineText {
  #source: string | undefined;
  #isDraft = false;
  #task: "open" | "done" | undefined;
  #missed: readonly string[] = [];
  #hasFormula = false;
  #nodes: readonly InlineNode[] = [];

  /** Text goes to the end of `parent`; nothing is added until the first `update`. */
  constructor(
    readonly page: Page,
    public parent: Element,
    readonly isTableCell = false,
  ) {}

  /** Length of the source in UTF-16 units. */
  get length(): number {
    return this.#source?.length ?? 0;
  }

  /** Shows the source; a draft is the open end of the reply, shown as if what it opens were closed. */
  update(source: string, isDraft: boolean, task?: "open" | "done"): void {
    const isSame = source === this.#source && isDraft === this.#isDraft && task === this.#task;
    if (isSame && !this.page.knowsAny(this.#missed)) return;
    this.#source = source;
    this.#task = task;
    this.#isDraft = isDraft;
    this.#render(isDraft ? completeInline(source) : source);
  }

  /** The text will not change any more, except by a definition that it waits for. */
  finish(): void {
    if (this.#hasFormula) for (const element of this.elements) this.#drawFormulas(element);
    if (this.#missed.length > 0) this.page.waitFor(this, this.#missed);
  }

  #drawFormulas(element: Element): void {
    if (element.matches("span.math")) this.#drawFormula(element);
    for (const inner of element.querySelectorAll("span.math")) this.#drawFormula(inner);
  }

  #drawFormula(element: Element): void {
    // Drawn once: a late definition may render the text again.
    if (element.childElementCount === 0) this.page.drawFormula(element as HTMLElement);
  }

  renderAgain(): void {
    this.#render(this.#source ?? "");
    this.finish();
  }

  /** Takes its nodes off the page. */
  remove(): void {
    for (const { node } of this.#nodes) node?.parentNode?.removeChild(node);
    this.#nodes = [];
    this.#source = undefined;
  }

  /** Its elements at this level. */
  get elements(): Element[] {
    return this.#nodes.flatMap(({ node }) => (node instanceof Element ? [node] : []));
  }

  /** The element that holds its nodes now. */
  get holder(): Element {
    return this.#nodes[0]?.node?.parentElement ?? this.parent;
  }

  #read(source: string): InlineNode[] {
    this.#missed = [];
    if (source.length > MAX_TEXT_LENGTH) return [plainNode(source)];
    const { tokens, missed } = this.page.readInline(source, this.isTableCell);
    this.#missed = missed;
    this.#hasFormula = tokens.some((token) => token.type === "math_inline");
    return inlineNodes(tokens, this.#taskBox);
  }

  get #taskBox(): TaskBox | undefined {
    if (this.#task === undefined) return undefined;
    const { taskLabels } = this.page.options;
    return this.#task === "done"
      ? { isDone: true, label: taskLabels?.done ?? "Done" }
      : { isDone: false, label: taskLabels?.open ?? "Not done" };
  }

  #render(source: string): void {
    const nodes = this.#read(source);
    const last = this.#nodes.at(-1)?.node;
    // A tight paragraph's text moves into an element of its own when the list turns loose.
    const parent = last?.parentElement ?? this.parent;
    patchInline(parent, this.#nodes, nodes, last?.nextSibling ?? null);
    this.#nodes = nodes;
  }
}
