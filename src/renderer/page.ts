/**
 * What the views of one reply share: the parser, the definitions that are final so far, and who waits
 * for a definition that has not come. Holds no nodes of its own.
 */
import type { Block } from "../markdown/blockTree";
import type { LinkReference, MarkupParser } from "../markdown/parser";
import type { CodeHighlighter } from "./codeHighlighter";
import type { DiagramLabels } from "./diagrams/diagrams";
import { FootnoteList } from "./footnoteList";
import type { View } from "./view";

/** A finished text that is rendered again when a label it refers to is defined later. */
export interface RenderedText {
  /** UTF-16 units of the source. */
  readonly length: number;
  renderAgain(): void;
}

/** Creates the view of a block and inserts its nodes before `before`, or at the end of `parent`. */
export type CreateView = (
  page: Page,
  parent: Element,
  before: Node | null,
  block: Block,
  isTight: boolean,
) => View;

/** What the app may ask of a stream; everything is optional. */
export interface MarkdownOptions {
  /** Called once for each code block when its place is certain, to fill its `.code-actions`. */
  readonly onCodeBlock?: (element: HTMLElement, block: { index: number; language: string }) => void;
  /** Set before the ids of footnotes, so that several replies can be in one document; default "". */
  readonly idPrefix?: string;
  /** Whether bare addresses become links; default true. */
  readonly autolinks?: boolean;
  /** Names of the boxes of tasks for screen readers; English by default. */
  readonly taskLabels?: { readonly open: string; readonly done: string };
  /** What is said of diagrams; English by default. */
  readonly diagramLabels?: DiagramLabels;
  /** What gives code its colours; false for none. By default the document has one of its own. */
  readonly highlighter?: CodeHighlighter | false;
}

/** Texts that are longer wait for the end before a late definition changes them, in UTF-16 units. */
const MAX_TEXT_FOR_LATE_CHANGE = 8_192;

/** Sets labels of footnotes apart from those of links, which hold no line ends. */
const FOOTNOTE_KEY = "\n";

function footnoteKey(label: string): string {
  return FOOTNOTE_KEY + label;
}

export class Page {
  readonly #references = new Map<string, LinkReference>();
  readonly #footnotes = new Set<string>();
  readonly #waiting = new Map<string, Set<RenderedText>>();
  readonly #changed = new Set<RenderedText>();

  readonly footnotes: FootnoteList;
  /** Whether footnotes came or went, so that their numbers have to be written again. */
  hasNewFootnotes = false;
  /** Finished definitions of footnotes by label, in the order in which they came. */
  readonly footnoteElements = new Map<string, Element>();
  /** Code blocks that are finished; the live ones follow. */
  finishedCodeBlocks = 0;

  constructor(
    readonly document: Document,
    readonly parser: MarkupParser,
    readonly options: MarkdownOptions,
    readonly createView: CreateView,
    readonly highlighter: CodeHighlighter | undefined,
    container: HTMLElement,
  ) {
    this.footnotes = new FootnoteList(container);
  }

  /** What is still going on after the last text, such as colouring. */
  readonly #work = new Set<Promise<void>>();

  #formulas: HTMLElement[] = [];

  /** Has a finished formula drawn, together with others finished now. */
  drawFormula(element: HTMLElement): void {
    this.#formulas.push(element);
    if (this.#formulas.length > 1) return;
    const work = Promise.resolve()
      .then(() => import("./formulas"))
      .then(({ drawFormulas }) => {
        const elements = this.#formulas;
        this.#formulas = [];
        return drawFormulas(elements);
      })
      // The chunk cannot be loaded: the formulas' source says the same.
      .catch(() => undefined);
    this.waitUntil(work);
  }

  /** Has a finished code block shown as the diagram it describes. */
  drawDiagram(block: Element): void {
    const work = import("./diagrams/diagrams")
      .then(({ drawDiagram }) => drawDiagram(block, this.options.diagramLabels))
      // The chunk cannot be loaded: the diagram's source says the same.
      .catch(() => undefined);
    this.waitUntil(work);
  }

  /** Has `end` wait for something. */
  waitUntil(work: Promise<void>): void {
    this.#work.add(work);
    void work.then(() => this.#work.delete(work));
  }

  /** Resolves when nothing is going on any more; undefined if nothing is. */
  get rest(): Promise<void> | undefined {
    return this.#work.size === 0 ? undefined : Promise.all(this.#work).then(() => undefined);
  }

  /** Takes a definition for good; the first of a label wins, as CommonMark asks. */
  defineLink(label: string, reference: LinkReference): void {
    if (this.#references.has(label)) return;
    this.#references.set(label, reference);
    this.#wake(label);
  }

  /** The same for a footnote's label; false if there is one already. */
  defineFootnote(label: string): boolean {
    if (this.#footnotes.has(label)) return false;
    this.#footnotes.add(label);
    this.hasNewFootnotes = true;
    this.#wake(footnoteKey(label));
    return true;
  }

  #wake(key: string): void {
    for (const text of this.#waiting.get(key) ?? []) this.#changed.add(text);
    this.#waiting.delete(key);
  }

  /** Takes the finished definition of a footnote; a second one of the same label is dropped. */
  takeFootnote(label: string, element: Element): void {
    this.hasNewFootnotes = true;
    if (this.footnoteElements.has(label)) this.footnotes.remove(element);
    else this.footnoteElements.set(label, element);
  }

  /** Reads inline source; `missed` are the labels it asked for in vain. */
  readInline(
    source: string,
    isTableCell = false,
  ): { tokens: ReturnType<MarkupParser["inline"]>; missed: string[] } {
    const missed: string[] = [];
    const tokens = this.parser.inline(source, {
      isTableCell,
      reference: (label) => {
        const found = this.#references.get(label);
        if (found === undefined) missed.push(label);
        return found;
      },
      hasFootnote: (label) => {
        if (this.#footnotes.has(label)) {
          this.hasNewFootnotes = true;
          return true;
        }
        missed.push(footnoteKey(label));
        return false;
      },
    });
    return { tokens, missed };
  }

  /** Whether one of the labels that a text asked for in vain has been defined since. */
  knowsAny(labels: readonly string[]): boolean {
    return labels.some((label) =>
      label.startsWith(FOOTNOTE_KEY)
        ? this.#footnotes.has(label.slice(FOOTNOTE_KEY.length))
        : this.#references.has(label),
    );
  }

  /** Has a finished text rendered again should one of the labels be defined later. */
  waitFor(text: RenderedText, labels: readonly string[]): void {
    for (const label of labels) {
      const waiting = this.#waiting.get(label);
      if (waiting === undefined) this.#waiting.set(label, new Set([text]));
      else waiting.add(text);
    }
  }

  /** Renders again what waited for the labels defined since; very long texts only at the end. */
  renderChanged(isEnd: boolean): void {
    for (const text of this.#changed) {
      if (!isEnd && text.length > MAX_TEXT_FOR_LATE_CHANGE) continue;
      this.#changed.delete(text);
      text.renderAgain();
    }
  }
}
