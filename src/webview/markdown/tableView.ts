/**
 * A table on the page. Rows are added as they come; rows that another one follows are finished and
 * never built again.
 */
import type { Block, TableBlock } from "../../markup/blockTree";
import type { CodeView } from "./codeView";
import { make } from "./dom";
import { InlineText } from "./inlineText";
import type { Page } from "./page";
import { sanitiseElement, sanitiseTree } from "./sanitise";
import type { Pass } from "./view";

interface Row {
  readonly element: HTMLElement;
  readonly cells: readonly InlineText[];
}

export class TableView {
  readonly #element: HTMLElement;
  readonly #alignments: TableBlock["alignments"];
  readonly #head: Row;
  #body: HTMLElement | undefined;
  /** Rows of the body that may still change. */
  readonly #rows: Row[] = [];

  constructor(
    readonly page: Page,
    parent: Element,
    before: Node | null,
    block: TableBlock,
  ) {
    this.#alignments = block.alignments;
    this.#element = make(page.document, "table");
    const head = make(page.document, "thead");
    this.#element.append(head);
    this.#head = this.#addRow(head, "th");
    parent.insertBefore(this.#element, before);
  }

  #addRow(parent: Element, tag: string): Row {
    const element = make(this.page.document, "tr");
    const cells = this.#alignments.map((alignment) => {
      const cell = make(this.page.document, tag, alignment === "" ? {} : { align: alignment });
      element.append(cell);
      return new InlineText(this.page, cell);
    });
    parent.appendChild(element);
    return { element, cells };
  }

  accepts(block: Block): boolean {
    return block.kind === "table" && block.alignments.join() === this.#alignments.join();
  }

  update(block: TableBlock, pass: Pass): void {
    const [head, ...rows] = block.rows;
    const isDraft = pass.draft === block;
    this.#updateRow(this.#head, head ?? [], false);
    for (const row of this.#rows.splice(rows.length)) row.element.remove();
    for (const [index, source] of rows.entries()) {
      if (this.#body === undefined) {
        this.#body = make(this.page.document, "tbody");
        this.#element.append(this.#body);
      }
      const row = (this.#rows[index] ??= this.#addRow(this.#body, "td"));
      this.#updateRow(row, source, isDraft && index === rows.length - 1);
    }
    if (this.#body !== undefined && this.#body.childElementCount === 0) {
      this.#body.remove();
      this.#body = undefined;
    }
  }

  #updateRow(row: Row, sources: readonly string[], isDraft: boolean): void {
    for (const [index, cell] of row.cells.entries()) cell.update(sources[index] ?? "", isDraft);
  }

  /** The first rows of what may still change are final; the next `update` comes without them. */
  finishRows(count: number): void {
    for (const row of this.#rows.splice(0, count)) finishRow(row);
  }

  remove(): void {
    this.#element.remove();
  }

  finish(): void {
    finishRow(this.#head);
    this.finishRows(this.#rows.length);
    sanitiseElement(this.#element);
    for (const part of this.#element.children) sanitiseElement(part);
  }

  codeViews(): CodeView[] {
    return [];
  }
}

function finishRow(row: Row): void {
  for (const cell of row.cells) cell.finish();
  sanitiseTree(row.element);
}
