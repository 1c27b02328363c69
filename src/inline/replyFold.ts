/**
 * Extracts the code of a reply during streaming. A fence always decides: lines returned before the
 * fence are withdrawn. Without a fence only clear code is used; prose never is. Works
 * on whole lines, so the result does not depend on the chunks of the stream.
 */
import { BlockChoice, isMain, isPatch, type ReplyBlock } from "./blockChoice";
import { withoutBlankEnds, type Surroundings } from "./blockLines";
import { ReplyBlockReader, startsWithTag, type Found, type Rejection } from "./blockReader";
import { closesFence, contentOf, innerFence, openingFence, type Fence } from "./fences";
import { hasLineNumber } from "./lineNumbers";
import { OpenLiterals } from "./openLiterals";
import { isPatchCommand, isPatchLabel, isReplaceMarker, startsPatch } from "./patch";
import { isLikeOneOf } from "./proof";
import { ProseFold } from "./proseFold";
import { withoutPath } from "../replyCode/filePath";

/** Properties of the document that the reply is for. */
export interface FoldOptions extends Partial<Surroundings> {
  /** True where prose and fences are content: Markdown and plain text. */
  readonly isProse: boolean;
  readonly languageId?: string;
  /** Path of the document; a first line of a block that only names this path is not code. */
  readonly path?: string;
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

/** Tags that models put directly before a fence. */
const TAG_BEFORE_FENCE = /^\s*(?:<[\w-]{1,40}(?: [^<>]{0,200})?>\s*){1,5}(?=`{3}|~{3})/;

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

  /** Lines outside of blocks. */
  private readonly bare: string[] = [];
  private readonly literals: OpenLiterals;
  private readonly prose: ProseFold;
  private hasWordsAround = false;
  private result: Rejection | undefined;
  private isEnded = false;
  private hasCutCode = false;
  private hasMore = false;

  constructor(private readonly options: FoldOptions) {
    const { target = [], before = [], after = [], languageId = "" } = options;
    this.reader = new ReplyBlockReader({ target, before, after }, languageId);
    this.choice = new BlockChoice({ target, before, after }, languageId);
    this.literals = new OpenLiterals(languageId);
    this.prose = new ProseFold(target, languageId);
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

  private takeRaw(raw: string): void {
    const line = this.reader.known.has(raw.trim()) ? raw : raw.replace(END_TOKEN, "");
    if (line !== raw && line.trim() === "") return;
    if (CLOSING_TOKEN.test(line) && !this.reader.known.has("</s>")) return;
    if (this.options.isProse) this.takeProse(line);
    else if (this.open !== undefined) this.takeInside(line, this.open);
    else this.takeOutside(line);
  }

  private takeOutside(line: string): void {
    const isContent = this.literals.isInside && /^\s/.test(line);
    const fence = isContent ? undefined : openingFence(line.replace(TAG_BEFORE_FENCE, ""));
    if (fence !== undefined) this.openBlock(fence);
    else if (startsPatch(line) && !this.reader.known.has(line.trim())) {
      this.takeInside(line, this.openBlock(undefined));
    } else {
      this.bare.push(line);
      this.literals.follow(line);
    }
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
      hasInnerMarks: false,
      isUnproven: label === "" && this.bare.some((line) => line.trim() !== ""),
      isTagged: false,
    };
    this.blocks.push(block);
    this.open = block;
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
    } else {
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

  private takeContent(line: string, block: ReplyBlock): void {
    const isFirst = line.trim() !== "" && block.lines.every((one) => one.trim() === "");
    if (isFirst && block.fence?.label === "" && this.isLabelLine(line)) return;
    const { path, target = [] } = this.options;
    if (isFirst && path !== undefined && this.isPathLine(line, path)) return;
    // Blank lines above the code belong to the fence, unless the code above begins with one too.
    if (block.lines.length === 0 && line.trim() === "" && target[0]?.trim() !== "") return;
    block.lines.push(line);
    const marks = block.fence?.mark.repeat(block.fence.length);
    if (marks !== undefined && line.includes(marks)) {
      block.hasInnerMarks ||= !this.reader.known.has(line.trim());
    }
    if (isFirst && this.needsWholeBlock(line)) block.isTagged = true;
    if (isFirst && isPatchCommand(line)) block.kind = "patch";
    else if (block.kind === "unknown" && line.trim() !== "") {
      const isPrompt = /^\s*\$ \S/.test(line);
      block.kind = isPrompt && !this.reader.known.has(line.trim()) ? "side" : "code";
    }
    if (block.kind === "code" && this.reader.looksPatched(line)) {
      block.kind = "patch";
      if (this.streamed === block) this.takeBack();
      this.streamed = undefined;
    }
    const isForeign = this.choice.isForeign(block);
    if (this.reader.isGap(line)) block.hasLeftOut = true;
    if (isFirst) block.isUnproven &&= !isLikeOneOf(target, line);
    const isHeld = block.isTagged || block.hasInnerMarks || block.isUnproven;
    if (block.kind !== "code" || isHeld || isForeign) return;
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

  /** Returns true for a first line that may belong to a diff, to JSON or to tags around code. */
  private needsWholeBlock(line: string): boolean {
    if (/^[-+](?:\s{2}|[^-+\d\s])/.test(line)) return true;
    const { languageId = "" } = this.options;
    if (this.reader.known.has(line.trim())) return false;
    if (hasLineNumber(line)) return true;
    return (
      startsWithTag(line, languageId) || (/^\s*\{\s*"/.test(line) && !/^json/.test(languageId))
    );
  }

  /** Returns true for the name of the document's language on the line below the opening fence. */
  private isLabelLine(line: string): boolean {
    const label = line.trim();
    return !this.reader.known.has(label) && this.choice.isLabelOfDocument(label);
  }

  /** Returns true for a comment that only names the document's file. */
  private isPathLine(line: string, path: string): boolean {
    return !this.reader.known.has(line.trim()) && withoutPath([line], [], path).length === 0;
  }

  private closeBlock(block: ReplyBlock): void {
    block.isClosed = true;
    this.open = undefined;
  }

  /** Returns the lines of the whole reply; sets the rejection if there are none. */
  private chosen(isWhole: boolean): Found | undefined {
    const isFilled = this.bare.some((line) => line.trim() !== "");
    const { blocks } = this;
    const [only, ...others] = blocks;
    // An open fence without a label may be the end of text above.
    const isStray = isFilled && others.length === 0 && only?.isClosed === false;
    if (only === undefined || (isStray && only.fence?.label === "")) {
      const below = only?.lines ?? [];
      if (below.every((line) => line.trim() === "")) return this.chosenBare(isWhole);
      this.result = { kind: "doubtful", lines: [...this.bare, ...below] };
      return undefined;
    }
    if (isFilled) this.hasWordsAround = true;
    const filled = blocks.filter(({ lines }) => lines.some((line) => line.trim() !== ""));
    const ranked = this.choice.ranked(filled.length > 0 ? filled : blocks);
    let rejection: Rejection | undefined;
    for (const block of ranked) {
      // The block for the document may follow.
      if (!isWhole && this.choice.isForeign(block)) continue;
      const found = this.reader.linesOf(block, ranked, isWhole);
      if ("kind" in found) rejection ??= found;
      else if (block.hasInnerMarks && !block.isClosed) {
        rejection ??= { kind: "doubtful", lines: block.lines };
      } else if ((!isMain(block) && !this.reader.isCode(block)) || this.choice.isOutput(block)) {
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

  /** Returns the lines of a reply without a fence: only what is proven to be code. */
  private chosenBare(isWhole: boolean): Found | undefined {
    const lines = withoutBlankEnds(this.bare);
    if (lines.length === 0 || !isWhole) {
      this.result = { kind: "no-code" };
      return undefined;
    }
    const found = this.reader.unwrapped(lines) ?? this.reader.proven(lines);
    if (!("kind" in found)) return found;
    this.result = found;
    return undefined;
  }

  private takeProse(line: string): void {
    this.show(this.prose.take(line));
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
