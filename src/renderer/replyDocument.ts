/**
 * Renders a reply that grows: accepts text in any pieces and keeps the DOM equal to the whole text
 * so far. Each render parses only the open part; finished blocks leave it and their nodes do not
 * change again. stream.ts schedules the renders, cut.ts decides which blocks are finished.
 */
import { isDocument } from "../base/documentFence";
import type {
  Block,
  CodeBlock,
  ContainerBlock,
  RootBlock,
  TableBlock,
} from "../markdown/blockTree";
import { MAX_BLOCK_COST, MAX_MARKDOWN_LENGTH } from "../markdown/limits";
import { createParser, type MarkdownParser } from "../markdown/parser";
import { BlockLimit, NOTHING_BEFORE, type OmittedRows, type OpenPart } from "./blockLimit";
import { CodeView } from "./codeView";
import { ContainerView } from "./containerView";
import { createView } from "./createView";
import { findCut, lastLeaf, NO_PLACEHOLDER, withoutPlaceholder, type Placeholder } from "./cut";
import { shownLines } from "./draftLines";
import { ListView } from "./listView";
import { RenderContext, type MarkdownOptions } from "./renderContext";
import { PlainRest } from "./plainRest";
import { RootView } from "./rootView";
import { TableView } from "./tableView";
import type { Pass, View } from "./view";

/**
 * Length of an open part, in UTF-16 units, from which it is parsed only after growing by `GROWTH`.
 */
const LONG_OPEN_PART = 4_096;

/**
 * Share of a long open part that must be new before the next parse. Keeps the total cost linear.
 */
const GROWTH = 1 / 16;

/** Number of lines from which the first lines of indented code are finished while more follow. */
const MANY_CODE_LINES = 200;

/** Length of a reply, in UTF-16 units, from which the browser skips what is off screen. */
const LONG_REPLY = 8_192;

/**
 * Parsers by their `autolinks` option. All replies share them: creating a parser takes longer than
 * rendering a short reply.
 */
const parsers = new Map<boolean, MarkdownParser>();

function parserFor(autolinks: boolean): MarkdownParser {
  const parser = parsers.get(autolinks) ?? createParser({ autolinks });
  parsers.set(autolinks, parser);
  return parser;
}

export class ReplyDocument {
  private readonly context: RenderContext;
  private readonly root: RootView;
  /** Complete lines of the open part, after the lines of the placeholder. */
  private lines: string[] = [];
  private linesLength = 0;
  /** Last line, without a line end yet. */
  private partial = "";
  private placeholder = NO_PLACEHOLDER;
  /** Table whose finished rows are omitted from `lines`; `line` is an index of `lines`. */
  private omittedRows: OmittedRows | undefined;
  /** Line of the reply minus index of `lines`. */
  private removedLines = 0;
  /** Drawn part of the outermost block that `lines` continue. */
  private before = NOTHING_BEFORE;
  private readonly limit: BlockLimit;
  private openLeaf: Block["kind"] | undefined;
  private newLineCount = 0;
  private unparsedLength = 0;
  private totalLength = 0;
  /** View of the text after the length limit. */
  private plainRest: PlainRest | undefined;
  private isEnded = false;

  constructor(
    readonly container: HTMLElement,
    private readonly options: MarkdownOptions,
  ) {
    const parser = parserFor(options.autolinks ?? true);
    this.context = new RenderContext(container.ownerDocument, parser, options, createView);
    this.root = new RootView(this.context, container);
    this.limit = new BlockLimit(options.maxBlockCost ?? MAX_BLOCK_COST);
  }

  /** Adds text with normalized line ends. Nothing is shown before `render`. */
  append(text: string): void {
    if (text === "") return;
    if (this.plainRest !== undefined) {
      this.plainRest.append(text);
      return;
    }
    if (this.totalLength + text.length > MAX_MARKDOWN_LENGTH) {
      this.appendAcrossLimit(text);
      return;
    }
    this.appendLines(text);
  }

  private appendLines(text: string): void {
    if (this.totalLength < LONG_REPLY && this.totalLength + text.length >= LONG_REPLY) {
      this.root.becomeLong();
    }
    this.totalLength += text.length;
    this.unparsedLength += text.length;
    const pieces = text.split("\n");
    const last = pieces.pop() ?? "";
    for (const piece of pieces) {
      const line = this.partial + piece;
      this.partial = "";
      this.lines.push(line);
      this.linesLength += line.length + 1;
      this.newLineCount++;
    }
    this.partial += last;
  }

  /**
   * Ends the Markdown before the line that crosses the limit; shows that line and the rest as plain
   * text.
   */
  private appendAcrossLimit(text: string): void {
    const remaining = MAX_MARKDOWN_LENGTH - this.totalLength;
    const lastBreak = remaining > 0 ? text.lastIndexOf("\n", remaining - 1) : -1;
    const plainText = lastBreak < 0 ? this.partial + text : text.slice(lastBreak + 1);
    if (lastBreak < 0) this.partial = "";
    else this.appendLines(text.slice(0, lastBreak + 1));
    this.finishMarkdown();
    this.plainRest = new PlainRest(this.container, this.options);
    this.plainRest.append(plainText);
  }

  /**
   * Shows all text so far. The open end is shown as a draft. Work that may wait stops when `shouldPause`
   * returns true; `continueLate` does the rest.
   */
  render(shouldPause?: () => boolean): void {
    if (!this.isEnded && this.unparsedLength > 0) this.renderOpen();
    this.continueLate(shouldPause);
  }

  /** Shows finished blocks only, for text that more text follows before the next frame. */
  finishBlocks(): void {
    if (!this.isEnded && this.newLineCount > 0 && this.isDue) this.finishLines();
  }

  /** True unless a long open part has grown too little for another parse. */
  private get isDue(): boolean {
    const length = this.linesLength + this.partial.length;
    return length <= LONG_OPEN_PART || this.unparsedLength >= length * GROWTH;
  }

  private renderOpen(): void {
    if (!this.isDue) return;
    if (this.newLineCount > 0) this.finishLines();
    this.unparsedLength = 0;
    this.showOpen();
    this.numberCodeBlocks();
  }

  /** Shows all text as final and finishes every view. */
  end(shouldPause?: () => boolean): void {
    if (!this.isEnded) this.finishMarkdown();
    this.continueLate(shouldPause);
  }

  /** True if work was paused. */
  get isPaused(): boolean {
    return this.context.hasChangedTexts;
  }

  /** Continues paused work until it is done or `shouldPause` returns true. */
  continueLate(shouldPause: () => boolean = () => false): void {
    this.context.renderChanged(shouldPause);
  }

  /**
   * Resolves when asynchronous work (colors, formulas, diagrams) is done; undefined if there is
   * none.
   */
  get settled(): Promise<void> | undefined {
    return this.context.settled;
  }

  private finishMarkdown(): void {
    this.isEnded = true;
    const { root, definitions } = this.parse([...this.lines, this.partial]);
    this.registerDefinitions(root, definitions, Infinity);
    this.updateViews(root, { draft: undefined, isFinishing: false, isWhole: true });
    this.root.finish();
    this.lines = [];
    this.partial = "";
  }

  private get openPart(): OpenPart {
    const { before, omittedRows: omitted, removedLines } = this;
    return { before, omitted, removedLines };
  }

  /** Shows a tree as far as it is drawn. */
  private updateViews(root: RootBlock, pass: Pass): void {
    const { root: drawn, undrawn } = this.limit.limit(root, this.openPart);
    // The last leaf that is drawn is not the open one.
    const isCut = undrawn.has(root.children.length - 1);
    this.root.update(drawn, isCut ? { ...pass, isFinishing: false } : pass);
    this.root.showRests(undrawn);
  }

  private parse(lines: readonly string[]) {
    const { omittedRows, isEnded } = this;
    const env = { ...(omittedRows && { omitted: omittedRows }), isOpen: !isEnded };
    const { root, definitions } = this.context.parser.blocks(lines.join("\n"), env);
    return { root: withoutPlaceholder(root, this.placeholder), definitions };
  }

  /**
   * Finishes the blocks that complete lines have ended and removes their lines from the open part.
   */
  private finishLines(): void {
    this.newLineCount = 0;
    const { root, definitions } = this.parse([...this.lines, ""]);
    const cut = findCut(root, (depth) => this.listIsLoose(depth));
    const { line } = cut;
    this.openLeaf = this.openLeafKind(lastLeaf(root));
    const isNew = line > this.placeholder.lines.length;
    if (isNew) this.registerDefinitions(root, definitions, line);
    this.updateViews(root, { draft: undefined, isFinishing: true, isWhole: true });
    const open = this.openPart;
    if (isNew) {
      const { before, undrawn } = this.limit.afterCut(root, cut, open);
      this.finishViews(root, cut.path);
      this.context.skip(undrawn);
      this.before = before;
      this.removeLines(line, cut.placeholder);
    }
    const leaf = lastLeaf(root);
    if (leaf !== undefined) this.finishLeafLines(root, leaf, open, isNew ? this.droppedLines : 0);
  }

  /** Number of lines that the last `removeLines` removed in front of the remaining ones. */
  private droppedLines = 0;

  private removeLines(line: number, placeholder: Placeholder): void {
    const linesBelow = this.lines.slice(line);
    this.droppedLines = line - placeholder.lines.length;
    this.removedLines += this.droppedLines;
    this.lines = [...placeholder.lines, ...linesBelow];
    this.placeholder = placeholder;
    if (this.omittedRows !== undefined) {
      const moved = this.omittedRows.line - this.droppedLines;
      this.omittedRows =
        this.omittedRows.line < line ? undefined : { ...this.omittedRows, line: moved };
    }
    this.updateLinesLength();
  }

  private updateLinesLength(): void {
    this.linesLength = this.lines.reduce((sum, line) => sum + line.length + 1, 0);
  }

  /** Returns the kind of the last leaf if the next line may continue it. */
  private openLeafKind(leaf: Block | undefined): Block["kind"] | undefined {
    if (leaf === undefined || leaf.end < this.lines.length) return undefined;
    return leaf.kind === "code" && isFenceClosed(leaf) ? undefined : leaf.kind;
  }

  /**
   * Finishes the lines of an open fence or table before its last line.
   *
   * @param open state of the parse with this leaf
   * @param shift number of lines that were removed since the parse
   */
  private finishLeafLines(root: RootBlock, leaf: Block, open: OpenPart, shift: number): void {
    const isOpen = leaf.end - shift === this.lines.length;
    if (!isOpen || (leaf.kind !== "code" && leaf.kind !== "table")) return;
    const view = this.deepestView();
    const shown = lastLeaf(this.limit.limit(root, open).root);
    const isDrawn = shown?.kind === leaf.kind && shown.start === leaf.start;
    const head = leaf.start - shift;
    let count: number;
    if (leaf.kind === "code" && !leaf.isFenced) {
      count = leaf.end - leaf.start - 1;
      // The last line alone is code as well, because no paragraph precedes.
      if (count < MANY_CODE_LINES || head !== this.placeholder.lines.length) return;
      if (!isDrawn || !(view instanceof CodeView) || !view.accepts(leaf)) return;
      view.update(leaf);
      view.finishLines(count);
      this.lines.splice(head, count);
    } else if (leaf.kind === "code") {
      count = leaf.end - leaf.start - 2;
      if (isFenceClosed(leaf) || count < 1) return;
      // Any fence inside a document may turn out to close it.
      if (isDocument(`${leaf.language} ${leaf.label}`) && /`{3}|~{3}/.test(leaf.content)) return;
      // Without the next line, "``` a|b" could become the head of a table.
      if (this.lines[head]?.includes("|") === true) return;
      if (!isDrawn || !(view instanceof CodeView) || !view.accepts(leaf)) return;
      view.update(leaf);
      view.finishLines(count);
      this.lines.splice(head + 1, count);
    } else {
      count = leaf.rows.length - 2;
      if (count < 1) return;
      if (isDrawn) {
        if (!(view instanceof TableView) || !view.accepts(leaf)) return;
        view.update(shown as TableBlock, { draft: undefined, isFinishing: false, isWhole: true });
        view.finishRows(count);
      }
      this.omittedRows = { ...this.limit.omitRows(root, leaf, count, open), line: head };
      // A blank line in front of the last row stays: that row may be the head of another table.
      count = (leaf.lines[count] ?? 0) - leaf.start - 1;
      this.lines.splice(head + 2, count);
    }
    this.removedLines += count;
    this.updateLinesLength();
  }

  private deepestView(): View | undefined {
    let view: View | undefined = this.root;
    while (view instanceof ContainerView) view = view.children.at(-1);
    return view;
  }

  private listIsLoose(depth: number): boolean {
    let view: View | undefined = this.root;
    for (let at = 0; at < depth && view instanceof ContainerView; at++) view = view.children.at(-1);
    return view instanceof ListView && view.isLoose;
  }

  private finishViews(root: RootBlock, path: readonly number[]): void {
    let container: ContainerView | undefined = this.root;
    let block: ContainerBlock | undefined = root;
    for (const [depth, count] of path.entries()) {
      if (container === undefined || block === undefined) return;
      container.finishChildren(count);
      if (container instanceof ListView && (count > 0 || depth < path.length - 1)) {
        container.isContinued = true;
      }
      const next: View | undefined = container.children[0];
      const child: Block | undefined = block.children[count];
      container = next instanceof ContainerView ? next : undefined;
      block = child !== undefined && "children" in child ? child : undefined;
    }
  }

  /** Registers the link definitions before `line`. */
  private registerDefinitions(
    root: RootBlock,
    definitions: ReturnType<RenderContext["parser"]["blocks"]>["definitions"],
    line: number,
  ): void {
    const visit = (container: ContainerBlock) => {
      for (const block of container.children) {
        if (block.kind === "definition" && block.end <= line) {
          const reference = definitions.get(block.label);
          if (reference !== undefined) this.context.defineLink(block.label, reference);
        } else if ("children" in block) visit(block);
      }
    };
    visit(root);
  }

  private showOpen(): void {
    const lines = shownLines(this.lines, this.partial, this.openLeaf);
    const root = withOpenFormula(this.parse(lines).root);
    const leaf = lastLeaf(root);
    // A paragraph whose last line is whole may continue on the next.
    const end = leaf?.kind === "paragraph" ? this.lines.length : lines.length;
    const draft = leaf !== undefined && leaf.end >= Math.min(end, lines.length) ? leaf : undefined;
    this.updateViews(root, { draft, isFinishing: false, isWhole: false });
  }

  private numberCodeBlocks(): void {
    let index = this.context.finishedCodeBlocks;
    for (const view of this.root.codeViews()) view.setIndex(index++);
  }
}

/** Checks if the closing marks of a fence are among its lines. */
function isFenceClosed({ isFenced, content, start, end }: CodeBlock): boolean {
  return isFenced && content.split("\n").length - 1 !== end - start - 1;
}

/**
 * Replaces an unclosed formula at the end by a formula block, so that its source is not shown as
 * text.
 */
function withOpenFormula<Container extends ContainerBlock>(container: Container): Container {
  const last: Block | undefined = container.children.at(-1);
  if (last === undefined) return container;
  let shown: Block = last;
  if ("children" in last) shown = withOpenFormula(last);
  else if (last.kind === "text" && last.formula !== undefined) {
    shown = { kind: "math", start: last.start, end: last.end, content: last.formula };
  }
  return shown === last
    ? container
    : { ...container, children: [...container.children.slice(0, -1), shown] };
}
