/**
 * Shared state of the views of a reply: parser, options, final definitions, and the finished
 * texts that wait for a definition.
 */
import type { Block } from "../markdown/blockTree";
import type { LinkReference, MarkdownParser } from "../markdown/parser";
import type { CodeHighlighter } from "./codeHighlighter";
import type { DiagramLabels } from "./diagrams/diagrams";
import type { RestOptions } from "./restNote";
import type { View } from "./view";

/** Finished text that is rendered again when a label in it is defined later. */
export interface RenderedText {
  renderAgain(): void;
}

/** Creates the view of a block and inserts its nodes at the end of `parent`. */
export type CreateView = (
  context: RenderContext,
  parent: Element,
  block: Block,
  isTight: boolean,
) => View;

export interface MarkdownOptions extends RestOptions {
  /** Called once for each code block when its index is final, to fill its `.code-actions`. */
  readonly onCodeBlock?: (element: HTMLElement, block: { index: number; language: string }) => void;
  /**
   * Level of the elements for the outermost headings, 1 to 6. A heading below another is one level
   * deeper, whatever levels its text leaves out. By default headings have the levels of the text.
   */
  readonly firstHeadingLevel?: number;
  /** Turns bare addresses into links; default true. */
  readonly autolinks?: boolean;
  /** Accessible names of task checkboxes; English by default. */
  readonly taskLabels?: { readonly open: string; readonly done: string };
  /** Texts of diagrams; English by default. */
  readonly diagramLabels?: DiagramLabels;
  /**
   * Cost of what is drawn of one outermost block, see blockLimit.ts; default `MAX_BLOCK_COST` of
   * src/markdown/limits.ts.
   */
  readonly maxBlockCost?: number;
  /** Syntax highlighter; none by default. */
  readonly highlighter?: CodeHighlighter;
}

/** Heading of a reply, with the heading that it is below. */
export interface PlacedHeading {
  /** In the text. */
  readonly level: number;
  /** Of the element. */
  readonly shownLevel: number;
  readonly above: PlacedHeading | undefined;
  readonly previous: PlacedHeading | undefined;
  isRemoved: boolean;
}

export class RenderContext {
  private lastHeading: PlacedHeading | undefined;
  private readonly references = new Map<string, LinkReference>();
  private readonly waitingTexts = new Map<string, Set<RenderedText>>();
  private readonly changedTexts = new Set<RenderedText>();

  finishedCodeBlocks = 0;
  finishedTables = 0;

  constructor(
    readonly document: Document,
    readonly parser: MarkdownParser,
    readonly options: MarkdownOptions,
    readonly createView: CreateView,
  ) {}

  /** Pending asynchronous work, such as highlighting. */
  private readonly pendingWork = new Set<Promise<void>>();

  private formulas: HTMLElement[] = [];

  /** Places a heading below the nearest earlier heading of a smaller level. */
  placeHeading(level: number): PlacedHeading {
    while (this.lastHeading?.isRemoved === true) this.lastHeading = this.lastHeading.previous;
    const previous = this.lastHeading;
    let above = previous;
    while (above !== undefined && (above.isRemoved || above.level >= level)) above = above.above;
    const { firstHeadingLevel } = this.options;
    const shownLevel =
      firstHeadingLevel === undefined ? level : above ? above.shownLevel + 1 : firstHeadingLevel;
    this.lastHeading = { level, shownLevel, above, previous, isRemoved: false };
    return this.lastHeading;
  }

  /**
   * Schedules the drawing of a finished formula, together with others finished in the same task.
   */
  drawFormula(element: HTMLElement): void {
    this.formulas.push(element);
    if (this.formulas.length > 1) return;
    const work = Promise.resolve()
      .then(() => import("./formulas"))
      .then(({ drawFormulas }) => {
        const elements = this.formulas;
        this.formulas = [];
        return drawFormulas(elements);
      })
      // The chunk could not be loaded; the formulas' source stays.
      .catch(() => undefined);
    this.trackWork(work);
  }

  /** Replaces a finished Mermaid block by its diagram. */
  drawDiagram(block: Element): void {
    const work = import("./diagrams/diagrams")
      .then(({ drawDiagram }) => drawDiagram(block, this.options.diagramLabels))
      // The chunk could not be loaded; the diagram's source stays.
      .catch(() => undefined);
    this.trackWork(work);
  }

  /** Delays the end of the stream until `work` is done. */
  trackWork(work: Promise<void>): void {
    this.pendingWork.add(work);
    void work.then(() => this.pendingWork.delete(work));
  }

  /** Resolves when all pending work is done; undefined if there is none. */
  get settled(): Promise<void> | undefined {
    return this.pendingWork.size === 0
      ? undefined
      : Promise.all(this.pendingWork).then(() => undefined);
  }

  /**
   * Registers a link definition. The first definition of a label wins (CommonMark 0.31, section
   * 4.7).
   */
  defineLink(label: string, reference: LinkReference): void {
    if (this.references.has(label)) return;
    this.references.set(label, reference);
    for (const text of this.waitingTexts.get(label) ?? []) this.changedTexts.add(text);
    this.waitingTexts.delete(label);
  }

  /** Counts blocks that are not drawn, so that the next ones have the numbers of the text. */
  skip({ codeBlocks, tables }: { readonly codeBlocks: number; readonly tables: number }): void {
    this.finishedCodeBlocks += codeBlocks;
    this.finishedTables += tables;
  }

  /** Parses inline source. `undefinedLabels` are the labels in it that have no definition yet. */
  parseInline(
    source: string,
    isTableCell = false,
  ): {
    tokens: ReturnType<MarkdownParser["inline"]>;
    undefinedLabels: string[];
  } {
    const undefinedLabels: string[] = [];
    const tokens = this.parser.inline(source, {
      isTableCell,
      reference: (label) => {
        const reference = this.references.get(label);
        if (reference !== undefined) return reference;
        undefinedLabels.push(label);
        return undefined;
      },
    });
    return { tokens, undefinedLabels };
  }

  /** Checks if any of these labels has been defined since. */
  hasAnyDefinition(labels: readonly string[]): boolean {
    return labels.some((label) => this.references.has(label));
  }

  /** Renders a finished text again when any of the labels is defined later. */
  renderAgainWhenDefined(text: RenderedText, labels: readonly string[]): void {
    for (const label of labels) {
      const waiting = this.waitingTexts.get(label);
      if (waiting === undefined) this.waitingTexts.set(label, new Set([text]));
      else waiting.add(text);
    }
  }

  get hasChangedTexts(): boolean {
    return this.changedTexts.size > 0;
  }

  /** Renders the texts whose labels were defined since, until `shouldPause` returns true after one. */
  renderChanged(shouldPause: () => boolean): void {
    for (const text of this.changedTexts) {
      this.changedTexts.delete(text);
      text.renderAgain();
      if (shouldPause()) return;
    }
  }
}
