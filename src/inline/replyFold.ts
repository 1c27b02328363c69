/**
 * Extracts the code of a reply during streaming. A fence always decides: lines returned before the
 * fence are withdrawn. Without a fence only clear code is used; prose never is. Works
 * on whole lines, so the result does not depend on the chunks of the stream.
 */
import { BareText } from "./bareText";
import { BlockChoice, isMain, isPatch, type ReplyBlock } from "./blockChoice";
import { withoutBlankEnds, type Surroundings } from "./blockLines";
import { ReplyBlockReader, type Found, type Rejection } from "./blockReader";
import {
  closesFence,
  codeBeforeClosing,
  contentOf,
  fenceAfterWords,
  innerFence,
  oneLineBlock,
  openingFence,
  textAfterClosing,
  type Fence,
} from "./fences";
import {
  explanationTag,
  hasLineNumber,
  isMarkup,
  isShellCommand,
  isWrapperTag,
  LineClassifier,
  withoutEntities,
  withoutWrapperTags,
} from "./lineKind";
import { isPatchLabel, isReplaceMarker, startsPatch } from "./patch";
import { ProseFold } from "./proseFold";

/** Properties of the document that the reply is for. */
export interface FoldOptions extends Partial<Surroundings> {
  /** True where prose and fences are content: Markdown and plain text. */
  readonly isProse: boolean;
  readonly languageId?: string;
}

/** Lines to append to the lines returned before; `isRestart` withdraws all previous lines first. */
export interface FoldStep {
  readonly isRestart: boolean;
  readonly lines: readonly string[];
  /** True when the lines already have the document's indentation. */
  readonly isPlaced: boolean;
}

const NO_STEP: FoldStep = { isRestart: false, lines: [], isPlaced: false };

/** Incomplete line that may start a marker of a diff or of left-out code. */
const CUT_MARK =
  /^(?:[-+<=>]{2,9}(?: \w*)?|\s*(?:\/\/|#|--|;|%|\/\*|<!--|\{\/\*)\s*(?:\.{1,2}|[.…].{0,80})?)$/;

/** Token at the end of a turn that some servers leave in the text. */
const END_TOKEN = /(?:<\|[a-z_]{2,20}\|>|<｜[^｜\s]{2,40}｜>|<end_of_turn>|<eos>|\[\/INST\])\s*$/;

/** The same token, which is a tag in HTML. */
const CLOSING_TOKEN = /^\s*<\/s>\s*$/;

/** Extracts the code of a single reply. */
export class ReplyFold {
  private readonly reader: ReplyBlockReader;
  private rest = "";
  private endsInReturn = false;

  private shown: string[] = [];
  private isRestart = false;
  private fresh: string[] = [];

  private readonly choice: BlockChoice;
  private readonly blocks: ReplyBlock[] = [];
  private open: ReplyBlock | undefined;
  /** Fences that are open in the open block, outermost first. */
  private inner: Fence[] = [];
  /** Block whose lines are shown during streaming. */
  private streamed: ReplyBlock | undefined;

  /** Classifies the lines of the open block. */
  private classifier: LineClassifier;

  private readonly bare: BareText;
  private readonly prose: ProseFold;
  private hasWordsAround = false;
  /** True after a tag that models put around an answer. */
  private isWrapped = false;
  /** Tag of the explanation around the current line. */
  private explanation: string | undefined;

  private result: Rejection | undefined;
  private isEnded = false;
  private hasCutCode = false;
  private hasMore = false;

  constructor(private readonly options: FoldOptions) {
    const { target = [], before = [], after = [], languageId = "" } = options;
    this.reader = new ReplyBlockReader({ target, before, after }, languageId);
    this.choice = new BlockChoice({ target, before, after }, languageId);
    this.bare = this.newBareText();
    this.prose = new ProseFold(target, languageId);
    this.classifier = this.reader.newClassifier();
  }

  /** True when the reply held more code than the lines used. */
  get hasMoreBlocks(): boolean {
    return this.hasMore;
  }

  /** True when the reply held code, even an empty block; final at the end. */
  get hasCode(): boolean {
    return this.isEnded && this.result === undefined;
  }

  /** Reason why there is no code; final at the end. */
  get rejection(): Rejection | undefined {
    return this.result;
  }

  /** True when the reply held more text than the lines used; final at the end. */
  get hasLeftOut(): boolean {
    const hasWords = this.hasWordsAround || this.prose.hasWordsAround;
    return hasWords || this.hasMore || this.hasCutCode;
  }

  /** Accepts the next chunk of the reply. */
  push(text: string): FoldStep {
    if (text === "") return NO_STEP;
    // A check of a line that only grows would copy the whole line for each chunk.
    const hasEnd = this.endsInReturn || /[\r\n]/.test(text);
    this.endsInReturn = text.endsWith("\r");
    this.rest += text;
    if (!hasEnd) return NO_STEP;
    const line = /\r\n|\n|\r(?!$)/g;
    let start = 0;
    for (let match = line.exec(this.rest); match !== null; match = line.exec(this.rest)) {
      this.takeRaw(this.rest.slice(start, match.index));
      start = match.index + match[0].length;
    }
    this.rest = this.rest.slice(start);
    return this.step(false);
  }

  /**
   * Ends the reply; returns the lines that were still held back.
   * @param isWhole false for a reply that was cut: unclear lines are not used then
   */
  end(isWhole = true): FoldStep {
    const last = this.rest.replace(/\r$/, "");
    this.rest = "";
    // One or two lone marks at the very end are an incomplete fence.
    const isCut =
      /^\s*(?:`{1,2}|~{1,2})$/.test(last) ||
      (this.open !== undefined && CUT_MARK.test(last) && !isReplaceMarker(last));
    const isCutShort = !isWhole && this.isUnclearStart(last);
    if (last !== "" && !isCut && !isCutShort) this.takeRaw(last);
    this.isEnded = true;
    if (this.options.isProse) return this.endProse(isWhole);
    const found = this.chosen(isWhole);
    const lines = found?.lines ?? [];
    this.hasMore ||= found?.isPartial ?? false;
    this.hasCutCode = found?.isCut ?? false;
    this.showWhole(lines, found?.isPlaced ?? false);
    return this.step(found?.isPlaced ?? false);
  }

  /** Returns true for the start of a line that may become a sentence, a marker or a placeholder. */
  private isUnclearStart(line: string): boolean {
    const { open } = this;
    if (this.options.isProse) return /^\s*(?:[<`~[(…]|\.\.)/.test(line);
    if (open === undefined) return true;
    if (open.lines.every((one) => one.trim() === "") && open.fence?.label === "") return true;
    if (line.includes("```") || line.includes("~~~") || /[`~]$/.test(line.trimEnd())) return true;
    return !/[\p{L}\p{N}]/u.test(line) || /^\s*(?:\/[/*]|<!--|--|[#%;$'<>=]|\{\/\*)/.test(line);
  }

  private step(isPlaced: boolean): FoldStep {
    const { isRestart, fresh: lines } = this;
    this.isRestart = false;
    this.fresh = [];
    return { isRestart, lines, isPlaced };
  }

  private show(lines: readonly string[]): void {
    for (const line of lines) {
      this.shown.push(line);
      this.fresh.push(line);
    }
  }

  private takeBack(): void {
    if (this.shown.length === 0) return;
    this.shown = [];
    this.fresh = [];
    this.isRestart = true;
  }

  private newBareText(): BareText {
    const { languageId = "" } = this.options;
    return new BareText({ languageId, known: this.reader.known }, (line) =>
      this.reader.isGap(line),
    );
  }

  private takeRaw(raw: string): void {
    const line = this.reader.known.has(raw.trim()) ? raw : raw.replace(END_TOKEN, "");
    if (line !== raw && line.trim() === "") return;
    if (
      CLOSING_TOKEN.test(line) &&
      !this.reader.known.has("</s>") &&
      !isMarkup(this.options.languageId ?? "")
    )
      return;
    if (this.options.isProse) this.takeProse(line);
    else if (this.open !== undefined) this.takeInside(line, this.open);
    else this.takeOutside(line);
  }

  private takeOutside(raw: string): void {
    const line = this.withoutTags(raw);
    if (line === undefined) {
      this.hasWordsAround = true;
      return;
    }
    const fence = this.bare.isInLiteral(line) ? undefined : openingFence(line);
    if (fence !== undefined) {
      this.openBlock(fence);
      return;
    }
    const one = oneLineBlock(line);
    if (one !== undefined) {
      const block = this.openBlock({ mark: "`", length: 3, label: "", indent: 0, isQuoted: false });
      this.takeInside(one, block);
      this.closeBlock(block);
      return;
    }
    const late = fenceAfterWords(line);
    const isIntroduced = late !== undefined && /[:：]$/.test(late.words);
    if (
      late !== undefined &&
      (isIntroduced || this.reader.newClassifier().classify(late.words) !== "code")
    ) {
      this.takeBare(late.words);
      this.openBlock(late.fence);
      return;
    }
    if (startsPatch(line) && !this.reader.known.has(line.trim())) {
      this.takeInside(line, this.openBlock(undefined));
      return;
    }
    this.takeBare(line);
  }

  /**
   * Returns a line outside blocks without the tags around the answer; undefined for a line that
   * only holds tags or an explanation.
   */
  private withoutTags(line: string): string | undefined {
    const { languageId = "" } = this.options;
    if (this.explanation !== undefined && openingFence(line) !== undefined) {
      this.explanation = undefined;
    }
    if (this.explanation !== undefined) {
      if (line.includes(`</${this.explanation}>`)) this.explanation = undefined;
      return undefined;
    }
    if (this.reader.known.has(line.trim())) return line;
    let text = withoutWrapperTags(line, languageId);
    const isAtStart = !this.bare.isFilled && this.blocks.length === 0;
    if (text.trim() !== "" && !this.isWrapped && !isAtStart) text = line;
    this.isWrapped ||= text !== line;
    const tag = explanationTag(text, languageId);
    if (tag !== undefined && !text.includes(`</${tag}>`)) this.explanation = tag;
    const isOnlyTag = text !== line && text.trim() === "";
    return tag !== undefined || isOnlyTag ? undefined : text;
  }

  private openBlock(fence: Fence | undefined): ReplyBlock {
    const { label = "" } = fence ?? {};
    const isDiff = fence === undefined || isPatchLabel(label);
    const kind = isDiff ? "patch" : (this.choice.kindOf(label) ?? "unknown");
    const block: ReplyBlock = {
      fence,
      lines: [],
      kind,
      isClosed: false,
      hasLeftOut: false,
      isTagged: false,
      isSpoken: false,
      isSuspect: label === "" && this.bare.hasCodeLine && this.blocks.length === 0,
    };
    this.blocks.push(block);
    this.open = block;
    this.classifier = this.reader.newClassifier();
    this.inner = [];
    return block;
  }

  private takeInside(line: string, block: ReplyBlock): void {
    const { fence } = block;
    if (fence === undefined) {
      // An unfenced diff continues until a fence opens or the reply ends.
      if (openingFence(line) !== undefined) {
        this.closeBlock(block);
        this.takeOutside(line);
      } else block.lines.push(line);
      return;
    }
    const content = contentOf(line, fence);
    const around = this.inner.at(-1);
    if (around !== undefined && closesFence(content, around)) this.inner.pop();
    else if (around === undefined && closesFence(line, fence)) {
      this.closeBlock(block);
      return;
    } else if (around === undefined && this.closesWithText(content, fence, block)) return;
    else {
      const wrapped = openingFence(line);
      if (wrapped !== undefined && !block.lines.some((one) => one.trim() !== "")) {
        // The fence only wraps another block: use the inner fence.
        block.fence = wrapped;
        if (block.kind === "side") block.kind = "unknown";
        return;
      }
      const inner = innerFence(content);
      const isInner = inner?.mark === fence.mark && inner.length >= fence.length;
      // Fence inside a fence, as in documentation that shows code.
      if (isInner && inner.label !== "") this.inner.push(inner);
    }
    this.takeContent(content, block);
  }

  /** Closes the block at a line that also holds code before the fence, or text after the fence. */
  private closesWithText(line: string, fence: Fence, block: ReplyBlock): boolean {
    if (this.reader.known.has(line.trim())) return false;
    const code = codeBeforeClosing(line, fence);
    if (code !== undefined) {
      this.takeContent(code, block);
      this.closeBlock(block);
      return true;
    }
    const text = textAfterClosing(line, fence);
    if (text === undefined) return false;
    if (!text.startsWith("<") && this.reader.newClassifier().classify(text) !== "prose") {
      return false;
    }
    this.closeBlock(block);
    this.takeOutside(text);
    return true;
  }

  private takeContent(line: string, block: ReplyBlock): void {
    const isFirst = line.trim() !== "" && block.lines.every((one) => one.trim() === "");
    if (isFirst && block.fence?.label === "" && this.isLabelLine(line)) return;
    block.lines.push(line);
    if (block.fence?.label === "") this.checkSpoken(line, block);
    if (isFirst && this.needsWholeBlock(line)) block.isTagged = true;
    if (block.kind === "unknown" && line.trim() !== "") {
      const isPrompt = /^\s*\$ \S/.test(line);
      const isCommand =
        isPrompt || (isShellCommand(line) && this.options.languageId !== "shellscript");
      block.kind = isCommand && !this.reader.known.has(line.trim()) ? "side" : "code";
    }
    if (block.kind === "code" && this.reader.looksPatched(line)) {
      block.kind = "patch";
      if (this.streamed === block) this.takeBack();
      this.streamed = undefined;
    }
    const isForeign = this.choice.isForeign(block);
    const isHeld = block.isSuspect || block.isTagged || block.isSpoken;
    if (block.kind !== "code" || isHeld || isForeign) return;
    if (this.reader.isGap(line)) block.hasLeftOut = true;
    if (block.hasLeftOut) {
      this.streamed ??= block;
      return;
    }
    if (this.streamed === undefined) {
      this.takeBack();
      this.streamed = block;
      this.show(block.lines);
    } else if (this.streamed === block) this.show([line]);
  }

  /** Detects output and error texts, which models put into a fence above the code. */
  private checkSpoken(line: string, block: ReplyBlock): void {
    const kind = this.classifier.classify(line);
    if (kind === "prose" && this.streamed !== block) block.isSpoken = true;
    else if (kind === "code") block.isSpoken = false;
  }

  /** Returns true for sentences in a fence where the lines to rewrite are code. */
  private isOutput({ isSpoken, isTagged, kind, lines }: ReplyBlock): boolean {
    const { target = [], languageId = "" } = this.options;
    const isCode = isTagged || kind === "patch";
    if (!isSpoken || isCode || !lines.some(isSentence) || /tex|html|xml/.test(languageId))
      return false;
    const classifier = new LineClassifier({ languageId, known: new Set() });
    return !target.some((line) => classifier.classify(line) === "prose");
  }

  /** Returns true for a first line that may belong to a diff, to JSON or to tags around code. */
  private needsWholeBlock(line: string): boolean {
    if (/^[-+](?:\s{2}|[^-+\d\s])/.test(line)) return true;
    const { languageId = "" } = this.options;
    if (this.reader.known.has(line.trim())) return false;
    if (hasLineNumber(line)) return true;
    return isWrapperTag(line, languageId) || (/^\s*\{\s*"/.test(line) && !/^json/.test(languageId));
  }

  /** Returns true for the name of the document's language on the line below the opening fence. */
  private isLabelLine(line: string): boolean {
    const label = line.trim();
    return !this.reader.known.has(label) && this.choice.isLabelOfDocument(label);
  }

  private closeBlock(block: ReplyBlock): void {
    block.isClosed = true;
    this.open = undefined;
  }

  private takeBare(line: string): void {
    if (line.trim() !== "" && this.blocks.length > 0) this.hasWordsAround = true;
    if (this.blocks.length === 0) this.show(this.bare.take(line));
  }

  /** Returns the lines of the whole reply; sets the rejection if there are none. */
  private chosen(isWhole: boolean): Found | undefined {
    const blocks = this.blocks.filter((block) => !this.isStray(block));
    if (blocks.length === 0) return this.chosenBare(isWhole);
    if (this.bare.isFilled) this.hasWordsAround = true;
    const filled = blocks.filter(({ lines }) => lines.some((line) => line.trim() !== ""));
    const ranked = this.choice.ranked(filled.length > 0 ? filled : blocks);
    let rejection: Rejection | undefined;
    for (const block of ranked) {
      // The block for the document may follow.
      if (!isWhole && (this.choice.isForeign(block) || block.isSpoken)) continue;
      const found = this.reader.linesOf(block, ranked, isWhole);
      if ("kind" in found) rejection ??= found;
      else if ((!isMain(block) && !this.reader.isCode(block)) || this.isOutput(block)) {
        rejection ??= { kind: "doubtful", lines: withoutBlankEnds(block.lines) };
      } else {
        const used = block.kind === "patch" ? ranked.filter(isPatch) : [block];
        const others = filled.filter((one) => !used.includes(one));
        this.hasMore = others.length > 0;
        return found;
      }
    }
    this.result = rejection ?? { kind: "no-code" };
    return undefined;
  }

  /**
   * Returns true for the closing fence of code without an opening fence, and for text after such a
   * fence.
   */
  private isStray(block: ReplyBlock): boolean {
    if (block.isClosed) return false;
    const isEmpty = block.lines.every((line) => line.trim() === "");
    if (isEmpty && block.fence?.label === "" && this.bare.isFilled) return true;
    if (!block.isSuspect) return false;
    const classifier = this.reader.newClassifier();
    return block.lines.every((line) => {
      const kind = classifier.classify(line);
      return kind === "prose" || kind === "unclear" || line.trim() === "";
    });
  }

  private chosenBare(isWhole: boolean): Found | undefined {
    const { bare } = this;
    if (!isWhole && bare.hasGiven) {
      return { lines: [...this.shown], isPlaced: false, isPartial: false, isCut: false };
    }
    const code = isWhole ? bare.code() : "words";
    const wrapped = isWhole ? this.reader.unwrapped(bare.lines) : undefined;
    if (wrapped !== undefined) {
      if (!("kind" in wrapped)) {
        this.hasWordsAround = true;
        return wrapped;
      }
      this.result = wrapped;
    } else if (code === "words") this.result = { kind: "no-code" };
    else if (code === "doubtful") {
      this.result = { kind: "doubtful", lines: withoutBlankEnds(bare.lines) };
    } else {
      this.hasWordsAround ||= code.hasWordsAround;
      const lines = withoutEntities(code.lines, this.options.languageId ?? "");
      const hasGap = lines.some((line) => this.reader.isGap(line));
      if (!hasGap) return this.reader.cut(lines);
      const found = this.reader.filledIn(lines);
      if (found !== undefined) return found;
      this.result = { kind: "left-out" };
    }
    return undefined;
  }

  private takeProse(line: string): void {
    const lines = this.prose.take(line);
    if (lines === "restart") this.takeBack();
    else this.show(lines);
  }

  private endProse(isWhole: boolean): FoldStep {
    const found = this.prose.end(isWhole);
    if ("rejection" in found) {
      this.result = found.rejection;
      this.takeBack();
      return this.step(false);
    }
    this.showWhole(found.lines, found.isPlaced);
    return this.step(found.isPlaced);
  }

  /** Shows the final lines; withdraws the lines shown before if they are not their beginning. */
  private showWhole(lines: readonly string[], isPlaced: boolean): void {
    const isContinued =
      !isPlaced &&
      lines.length >= this.shown.length &&
      this.shown.every((line, index) => line === lines[index]);
    if (!isContinued) this.takeBack();
    this.show(isContinued ? lines.slice(this.shown.length) : lines);
  }
}

/** Returns true for several words; "DONE!" may be code of any kind. */
function isSentence(line: string): boolean {
  const hasWords = line.trim().split(/\s+/, 4).length === 4;
  return hasWords || /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]{5}/u.test(line);
}
