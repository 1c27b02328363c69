/**
 * Text of a block or table cell: its source and its nodes. Renders again when a late definition
 * arrives.
 */
import { proseOf, rightToLeftLead } from "../markdown/direction";
import { completeInline } from "./inlineDraft";
import { MAX_TEXT_LENGTH } from "../markdown/limits";
import {
  inlineNodes,
  patchInline,
  plainPieces,
  type InlineNode,
  type TaskBox,
} from "./inlineNodes";
import type { RenderContext } from "./renderContext";
import { installStyles, RIGHT_TO_LEFT_RULES } from "./styles";

export class InlineText {
  private source: string | undefined;
  private isDraft = false;
  private task: "open" | "done" | undefined;
  private undefinedLabels: readonly string[] = [];
  private hasFormula = false;
  /** Surplus of letters from right to left; undefined before the first text. */
  private lead: number | undefined;
  private isRightToLeft = false;
  private nodes: readonly InlineNode[] = [];

  /** Adds nodes at the end of `parent`, from the first `update` on. */
  constructor(
    readonly context: RenderContext,
    public parent: Element,
    readonly isTableCell = false,
  ) {}

  /** Shows the source. A draft is the open end of the reply; its unclosed marks are completed. */
  update(source: string, isDraft: boolean, task?: "open" | "done"): void {
    const isSame = source === this.source && isDraft === this.isDraft && task === this.task;
    if (isSame && !this.context.hasAnyDefinition(this.undefinedLabels)) return;
    this.source = source;
    this.task = task;
    this.isDraft = isDraft;
    this.render(isDraft ? completeInline(source) : source);
  }

  /** Finishes the text. Only a late definition may change it afterwards. */
  finish(): void {
    if (this.hasFormula) for (const element of this.elements) this.drawFormulas(element);
    if (this.undefinedLabels.length > 0)
      this.context.renderAgainWhenDefined(this, this.undefinedLabels);
  }

  private drawFormulas(element: Element): void {
    if (element.matches("span.math")) this.drawFormula(element);
    for (const inner of element.querySelectorAll("span.math")) this.drawFormula(inner);
  }

  private drawFormula(element: Element): void {
    // A late definition renders the text again; the formula may be drawn already.
    if (element.childElementCount === 0) this.context.drawFormula(element as HTMLElement);
  }

  renderAgain(): void {
    this.render(this.source ?? "");
    this.finish();
  }

  remove(): void {
    this.setDirection(false);
    this.lead = undefined;
    for (const { node } of this.nodes) node?.parentNode?.removeChild(node);
    this.nodes = [];
    this.source = undefined;
  }

  /** Top-level elements of the text. */
  get elements(): Element[] {
    return this.nodes.flatMap(({ node }) => (node instanceof Element ? [node] : []));
  }

  get container(): Element {
    return this.nodes[0]?.node?.parentElement ?? this.parent;
  }

  private parse(source: string): InlineNode[] {
    this.undefinedLabels = [];
    if (source.length > MAX_TEXT_LENGTH) {
      this.updateLead(source);
      return plainPieces(source);
    }
    const { tokens, undefinedLabels } = this.context.parseInline(source, this.isTableCell);
    this.undefinedLabels = undefinedLabels;
    this.updateLead(proseOf(tokens));
    this.hasFormula = tokens.some((token) => token.type === "math_inline");
    return inlineNodes(tokens, this.taskBox);
  }

  private get taskBox(): TaskBox | undefined {
    if (this.task === undefined) return undefined;
    const { taskLabels } = this.context.options;
    return this.task === "done"
      ? { isDone: true, label: taskLabels?.done ?? "Done" }
      : { isDone: false, label: taskLabels?.open ?? "Not completed" };
  }

  private render(source: string): void {
    const nodes = this.parse(source);
    const last = this.nodes.at(-1)?.node;
    // The text of a tight paragraph moves into a new element when its list becomes loose.
    const parent = last?.parentElement ?? this.parent;
    patchInline(parent, this.nodes, nodes, last?.nextSibling ?? null);
    this.nodes = nodes;
    // Only the first text of a list item decides.
    const first = nodes[0]?.node;
    if (first === undefined) this.setDirection(false);
    else if (first.parentNode?.firstChild === first) this.setDirection((this.lead ?? 0) > 0);
  }

  /** Follows a small surplus only at the end of the text, so that a text that arrives turns once. */
  private updateLead(prose: string): void {
    const lead = rightToLeftLead(prose);
    if (!this.isDraft || this.lead === undefined || Math.abs(lead) > 1 / 3) this.lead = lead;
  }

  private setDirection(isRightToLeft: boolean): void {
    if (isRightToLeft === this.isRightToLeft) return;
    this.isRightToLeft = isRightToLeft;
    if (isRightToLeft) {
      installStyles(this.container.ownerDocument, RIGHT_TO_LEFT_RULES);
      this.container.setAttribute("dir", "rtl");
    } else this.container.removeAttribute("dir");
  }
}
