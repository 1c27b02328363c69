/** Table. A row is finished when another row follows, and is not rendered again. */
import type { Block, TableBlock } from "../markdown/blockTree";
import { makeElement } from "./dom";
import { InlineText } from "./inlineText";
import type { RenderContext } from "./renderContext";
import { sanitizeElement, sanitizeTree } from "./sanitize";
import type { Pass, View } from "./view";

interface Cell {
  readonly element: HTMLElement;
  readonly text: InlineText;
  /** Width class of the text. */
  width: string;
}

interface Row {
  readonly element: HTMLElement;
  readonly cells: readonly Cell[];
}

/**
 * Returns a class by the width of the text. Short text stays on one line and longer text gets a
 * minimum width. Otherwise the browser squeezes columns to one word or Chinese character a line.
 */
function widthClass(source: string): string {
  // A wide character counts as two.
  const wide = source.match(/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60]/g);
  const width = source.length + (wide?.length ?? 0);
  if (width <= 14) return "short-cell";
  return width <= 30 ? "medium-cell" : "long-cell";
}

export class TableView implements View {
  readonly element: HTMLElement;
  private readonly alignments: TableBlock["alignments"];
  private readonly head: Row;
  private body: HTMLElement | undefined;
  /** Body rows that may still change. */
  private readonly rows: Row[] = [];

  constructor(
    readonly context: RenderContext,
    parent: Element,
    block: TableBlock,
  ) {
    this.alignments = block.alignments;
    this.element = makeElement(context.document, "table");
    const head = makeElement(context.document, "thead");
    this.element.append(head);
    this.head = this.addRow(head, "th");
    parent.append(this.element);
  }

  private addRow(parent: Element, tag: string): Row {
    const element = makeElement(this.context.document, "tr");
    const cells = this.alignments.map((alignment) => {
      const cell = makeElement(
        this.context.document,
        tag,
        alignment === "" ? {} : { align: alignment },
      );
      element.append(cell);
      return { element: cell, text: new InlineText(this.context, cell, true), width: "" };
    });
    parent.appendChild(element);
    return { element, cells };
  }

  accepts(block: Block): boolean {
    return block.kind === "table" && block.alignments.join() === this.alignments.join();
  }

  update(block: TableBlock, pass: Pass): void {
    const [head, ...rows] = block.rows;
    const isDraft = pass.draft === block;
    this.updateRow(this.head, head ?? [], false);
    for (const row of this.rows.splice(rows.length)) row.element.remove();
    for (const [index, source] of rows.entries()) {
      if (this.body === undefined) {
        this.body = makeElement(this.context.document, "tbody");
        this.element.append(this.body);
      }
      const row = (this.rows[index] ??= this.addRow(this.body, "td"));
      this.updateRow(row, source, isDraft && index === rows.length - 1);
    }
    if (this.body !== undefined && this.body.childElementCount === 0) {
      this.body.remove();
      this.body = undefined;
    }
  }

  private updateRow(row: Row, sources: readonly string[], isDraft: boolean): void {
    for (const [index, cell] of row.cells.entries()) {
      const source = sources[index] ?? "";
      cell.text.update(source, isDraft);
      const width = widthClass(source);
      if (width === cell.width) continue;
      cell.width = width;
      cell.element.setAttribute("class", width);
    }
  }

  /** Finishes the first `count` rows; the next `update` comes without them. */
  finishRows(count: number): void {
    for (const row of this.rows.splice(0, count)) finishRow(row);
  }

  remove(): void {
    this.element.remove();
  }

  finish(): void {
    this.element.setAttribute("data-table", String(this.context.finishedTables++));
    finishRow(this.head);
    this.finishRows(this.rows.length);
    sanitizeElement(this.element);
    for (const part of this.element.children) sanitizeElement(part);
  }
}

function finishRow(row: Row): void {
  for (const { text } of row.cells) text.finish();
  sanitizeTree(row.element);
}
