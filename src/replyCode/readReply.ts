/**
 * Reads the code for a file from a reply, while the reply arrives. Lines that are clearly code are
 * returned at once. At the end, every block is read as a candidate and the best one counts; what
 * is not clear is never written. Works on whole lines, so the result does not depend on the chunks
 * of the stream.
 */
import { ANSI_SEQUENCES } from "../base/ansi";
import { ReplyBlocks, type ReplyBlock } from "./blocks";
import { CandidateReader, type Candidate, type Rejection } from "./candidates";
import type { Fence } from "./fences";
import { importsFile, isOtherPath, namesOtherFile } from "./filePath";
import type { EditedFile } from "./fileLines";
import { IndentMatcher } from "./indentation";
import { missingName, type Reason } from "./judge";
import { labelKind } from "./labels";
import { depthOf, isLikeOneOf, joined } from "./likeness";
import { END_TOKEN, isBlank, lineAt, withoutBlankEnds } from "./lines";
import { isPatch, isSearchMarker, startsPatch } from "./patch";
import { sectionsOf } from "./patchParts";
import { hasLineNumber } from "./wrappers";

export interface ReplyOptions extends EditedFile {
  /** True where prose and fences are content: Markdown and plain text. */
  readonly isProse: boolean;
}

/** Lines to append to the lines returned before; `isRestart` withdraws all previous lines first. */
export interface ReadStep {
  readonly isRestart: boolean;
  readonly lines: readonly string[];
}

/** Minimum difference of the share of the target's words by which a later block is preferred. */
const CLEARLY_MORE = 0.25;

const TEXT_FENCE = /^(?:md|markdown|mdx|rst|asciidoc|adoc|text|txt|plaintext|plain|)$/;

/** Sentence, label of a button, or a lone fence. */
const PROSE =
  /^(?:`{3}.{0,20}|copy code|复制代码|\p{L}[\p{L}\p{N}\p{P}]{0,40}\s.{0,1000}[\p{L}\p{N})`*][.:!?]|.{0,1000}[。：！？])$/iu;

const rankOfReading = ({ reasons = [], isBelow }: Candidate) =>
  reasons.length > 0 ? 2 : Number(isBelow ?? false);

export class ReplyReader {
  private readonly blocks: ReplyBlocks;
  private readonly reader: CandidateReader;
  private rest = "";
  private endsInReturn = false;
  private shown: string[] = [];
  /** ReplyBlock whose lines are returned while it arrives; `held` if none of its further lines are. */
  private streamed:
    { readonly block: ReplyBlock; matcher: IndentMatcher; isHeld: boolean } | undefined;
  private readonly unclear = new Set<ReplyBlock>();
  /** Lines for the file; undefined before the end, and if there are none. */
  candidate: Candidate | undefined;
  /** Reason why there is no code; final at the end. */
  rejection: Rejection | undefined;
  /** What speaks against the lines of the best block, if they are rejected for that. */
  reasons: readonly Reason[] = [];
  /** The two best readings of a complete reply that is not clear, best first. */
  readings: readonly Candidate[] = [];
  /** True when the reply held more code than the lines used. */
  hasMoreBlocks = false;
  /** False for a reply that was cut inside its code; final at the end. */
  isCodeWhole = false;

  constructor(private readonly options: ReplyOptions) {
    this.reader = new CandidateReader(options);
    this.blocks = new ReplyBlocks({
      isKnown: this.reader.lines.isKnown,
      isAround: (fence) => !options.isProse || this.isAroundText(fence),
      hasInner: true,
    });
  }

  get hasBlocks(): boolean {
    return this.blocks.blocks.some(({ isEmpty }) => !isEmpty);
  }

  /** True when the reply held more text than the lines used; final at the end. */
  get hasLeftOut(): boolean {
    return this.hasMoreBlocks || this.blocks.hasText;
  }

  push(text: string): ReadStep {
    // A check of a line that only grows would copy the whole line for each chunk.
    const hasEnd = this.endsInReturn || /[\r\n]/.test(text);
    if (text !== "") this.endsInReturn = text.endsWith("\r");
    this.rest += text;
    if (!hasEnd) return { isRestart: false, lines: [] };
    const complete = this.rest.split(/\r\n|\n|\r(?!$)/);
    this.rest = complete.pop() ?? "";
    const lines = complete.flatMap((line) => this.readLine(line));
    for (const line of lines) this.shown.push(line);
    return { isRestart: false, lines };
  }

  /**
   * Ends the reply; returns the lines that were still held back.
   * @param isWhole false for a reply that was cut: only lines that are clear are used then
   */
  end(isWhole = true): ReadStep {
    const last = this.rest.replace(/\r$/, "");
    this.rest = "";
    this.isCodeWhole = isWhole || (this.hasBlocks && this.blocks.open === undefined);
    if (!this.isCodeWhole) return this.endCut();
    // One or two lone marks at the very end are an incomplete fence.
    if (last !== "" && !/^\s*(?:`{1,2}|~{1,2})$/.test(last)) this.readLine(last);
    const chosen = this.chosen();
    if (typeof chosen === "string") {
      this.rejection = chosen;
      if (chosen !== "doubtful") this.reasons = [];
      this.readings = this.twoReadings();
    } else {
      this.candidate = chosen;
      this.reasons = [];
    }
    const lines = typeof chosen === "string" ? [] : chosen.lines;
    const isContinued = this.shown.every((line, at) => line === lines[at]);
    const step = {
      isRestart: !isContinued,
      lines: lines.slice(isContinued ? this.shown.length : 0),
    };
    this.shown = [...lines];
    return step;
  }

  /** Keeps the lines of a cut reply that were clear when they arrived. */
  private endCut(): ReadStep {
    const { streamed, shown } = this;
    if (streamed === undefined || shown.length === 0) {
      this.rejection = "no-code";
      return { isRestart: shown.length > 0, lines: [] };
    }
    this.candidate = { lines: shown, above: 0, below: 0, isPartial: streamed.isHeld };
    this.hasMoreBlocks = streamed.isHeld;
    return { isRestart: false, lines: [] };
  }

  /** Reads a line; returns the lines of the file that are clear by now. */
  private readLine(raw: string): readonly string[] {
    const { isKnown, all } = this.reader.lines;
    // Only a file that has control sequences of terminals gets more of them.
    const isColored = raw.includes("\u001b") && !all.some((one) => one.includes("\u001b"));
    const plain = isColored ? raw.replaceAll(ANSI_SEQUENCES, "") : raw;
    const line = isKnown(plain) ? plain : plain.replace(END_TOKEN, "");
    const added = this.blocks.push(line);
    if (added === undefined) return [];
    const { block, content, isFirst } = added;
    if (isFirst && !this.isClear(block, content)) this.unclear.add(block);
    if (this.unclear.has(block) || block.isEmpty) return [];
    this.streamed ??= { block, matcher: this.newMatcher(), isHeld: false };
    const { streamed } = this;
    if (streamed.block !== block || streamed.isHeld) return [];
    if (this.mayEndCode(content, block)) {
      streamed.isHeld = true;
      return [];
    }
    if (isFirst && this.reader.withoutHead([content]).length === 0) return [];
    return [streamed.matcher.match(content)];
  }

  private newMatcher(): IndentMatcher {
    const { style = { base: "", usesTabs: false, size: 4 }, target } = this.options;
    return new IndentMatcher({ ...style, target });
  }

  /** Returns true if a block whose first line is this is code for the file, as it stands. */
  private isClear(block: ReplyBlock, line: string): boolean {
    const { languageId, target, isProse } = this.options;
    const { fence } = block;
    if (fence === undefined || this.options.isWider) return false;
    const kind = labelKind(fence.label, languageId);
    if (kind === "patch" || (!isProse && (kind === "foreign" || kind === "side"))) return false;
    const isAlike = isLikeOneOf(target, line);
    if (!isProse && fence.label === "" && block.isBelowText && !isAlike) return false;
    if (this.reader.lines.isParent(line)) return false;
    if (this.reader.lines.isKnown(line)) return true;
    if (hasLineNumber(line) || startsPatch(line) || isSearchMarker(line)) return false;
    // The line may begin JSON, tags around the code, or a diff.
    return isAlike || !/^\s*(?:[{<$[]|[-+]{1,3}[^\d\s-]|[-+]\s{2}|\*{3} |@@)/.test(line);
  }

  /** Returns true for a line that may be a mark of the reply instead of code. */
  private mayEndCode(line: string, block: ReplyBlock): boolean {
    const { isGap, isKnown } = this.reader.lines;
    return block.hasMarksInside || isGap(line) || (line.startsWith("+") && !isKnown(line));
  }

  /** Returns the code of the whole reply. */
  private chosen(): Candidate | Rejection {
    const { blocks } = this.blocks;
    const filled = blocks.filter(({ isEmpty }) => !isEmpty);
    const isEmptied =
      blocks.length > 0 && filled.length === 0 && blocks.every(({ isClosed }) => isClosed);
    if (isEmptied) return this.reader.literal([]);
    if (this.options.isProse) return this.judged(this.chosenText(filled));
    const [first] = filled;
    if (first === undefined) return this.judged(this.chosenBare());
    const searched = this.searched(filled);
    if (searched !== undefined) return this.judged(searched);
    const patches = filled.filter((block) => this.isPatch(block));
    let rejection: Rejection | undefined;
    for (const block of this.ranked(filled)) {
      const used = patches.includes(block) ? patches : [block];
      const candidate = this.readBlock(block, used);
      if (typeof candidate === "string") {
        rejection ??= candidate;
        continue;
      }
      const unusedBlocks = filled.filter((one) => !used.includes(one));
      const changed = this.withOthers(candidate, block, unusedBlocks);
      const judged = this.judged(changed);
      // Blocks that contradict each other leave none to use.
      if (typeof judged !== "string" || judged === changed) return judged;
      rejection ??= judged;
    }
    return rejection ?? "no-code";
  }

  /** Returns the reading of a part of the lines, as they are, and the lines in its place. */
  private searched(blocks: readonly ReplyBlock[]): Candidate | undefined {
    const code = blocks.filter((block) => this.rankOf(block) < 2 && !this.isPatch(block));
    const [old, lines] = code.map((block) => withoutBlankEnds(block.lines));
    return old && lines && code.length === 2 ? this.reader.replacedPart(old, lines) : undefined;
  }

  /** Rejects lines against which something speaks. */
  private judged(candidate: Candidate | Rejection): Candidate | Rejection {
    if (typeof candidate === "string") return candidate;
    const all = this.reader.reasonsAgainst(candidate);
    // A block of the old lines says that the other one is the new version of all of them.
    const old = joined(this.options.target);
    const hasOldLines = this.blocks.blocks.some(({ lines }) => joined(lines) === old);
    const reasons = all.filter(({ kind }) => kind !== "gone" || !hasOldLines);
    if (reasons.length === 0) return candidate;
    if (this.reasons.length === 0) this.reasons = reasons;
    return "doubtful";
  }

  /** Adds the imports and the further changes of other blocks, and records if those hold more. */
  private withOthers(
    read: Candidate,
    used: ReplyBlock,
    others: readonly ReplyBlock[],
  ): Candidate | Rejection {
    const further = others.map((block) => ({ block, lines: withoutBlankEnds(block.lines) }));
    const code = further.filter(({ block }) => this.rankOf(block) < 2 && !this.isPatch(block));
    for (const { block, lines } of code) {
      const isOther =
        block.fence?.label !== used.fence?.label ||
        /^(?:package|namespace)\b/.test(lineAt(lines, 0)) ||
        joined(lines) === joined(read.lines);
      const name = isOther ? undefined : missingName(this.reader.lines, read.lines, lines);
      if (name === undefined) continue;
      this.reasons = [{ kind: "missing", name }];
      return "doubtful";
    }
    const isAlternative = further.some(
      ({ block, lines }) =>
        this.rankOf(block) <= this.rankOf(used) &&
        !this.isPatch(block) &&
        this.reader.isAlternative(read, lines),
    );
    if (isAlternative) return "doubtful";
    const { candidate, isAll } = this.reader.withOthers(
      read,
      code.map(({ lines }) => lines),
    );
    this.hasMoreBlocks = read.isPartial || !isAll || code.length < further.length;
    return candidate;
  }

  private readBlock(block: ReplyBlock, used: readonly ReplyBlock[]): Candidate | Rejection {
    const { lines, fence, isClosed, hasMarksInside, isBelowText } = block;
    const filled = withoutBlankEnds(lines);
    if (this.isPatch(block)) {
      return this.reader.patched(used.flatMap((one) => sectionsOf(one.lines))) ?? "diff";
    }
    if (hasMarksInside && !isClosed) return "doubtful";
    const candidate = this.reader.read(lines);
    if (typeof candidate === "string") return candidate;
    if (this.options.isProse) return candidate;
    const isOutput =
      fence?.label === "" && isBelowText && this.reader.lines.share(filled) < CLEARLY_MORE;
    const isCode = this.rankOf(block) < 2;
    const isAlike =
      candidate.isUnwrapped === true && this.reader.lines.share(candidate.lines) >= CLEARLY_MORE;
    const isProven = this.reader.lines.isProven(filled) && this.reader.lines.beginsAlike(filled);
    return !isOutput && (isCode || isAlike || isProven) ? candidate : "doubtful";
  }

  private isPatch({ fence, lines }: ReplyBlock): boolean {
    return labelKind(fence?.label ?? "diff", "") === "patch" || isPatch(lines);
  }

  private ranked(blocks: readonly ReplyBlock[]): readonly ReplyBlock[] {
    const [first, ...others] = blocks;
    if (first === undefined) return [];
    const best = others.reduce((one, later) => (this.isBetter(later, one) ? later : one), first);
    const rankOf = (block: ReplyBlock) => (block === best ? -1 : this.rankOf(block));
    return blocks.toSorted((one, other) => rankOf(one) - rankOf(other));
  }

  /** Returns 0 for code of the file's language, 1 for code that may be, more for other code. */
  private rankOf({ fence, lineAbove, lines }: ReplyBlock): number {
    const { path = "" } = this.options;
    const isOther = path !== "" && isOtherPath(lineAt(withoutBlankEnds(lines), 0), path);
    if (isOther || namesOtherFile(lineAbove, path) || lines.some((line) => importsFile(line, path)))
      return 3;
    const kind = labelKind(fence?.label ?? "diff", this.options.languageId);
    return { own: 0, patch: 0, near: 1, open: 1, foreign: 2, side: 3 }[kind];
  }

  private isBetter(later: ReplyBlock, earlier: ReplyBlock): boolean {
    const rank = this.rankOf(earlier) - this.rankOf(later);
    if (rank !== 0) return rank > 0;
    const { lines } = this.reader;
    const isCopyBefore = lines.isCopy(earlier.lines);
    if (lines.isCopy(later.lines) !== isCopyBefore) return isCopyBefore;
    // Only the code for the target has its depth.
    const depth = depthOf(this.options.target);
    const isInPlace = ({ lines: code }: ReplyBlock) => depth > 0 && depthOf(code) === depth;
    if (isInPlace(later) !== isInPlace(earlier)) return isInPlace(later);
    return lines.share(later.lines) >= lines.share(earlier.lines) + CLEARLY_MORE;
  }

  private twoReadings(): readonly Candidate[] {
    const { blocks, all } = this.blocks;
    const filled = blocks.filter(({ isEmpty }) => !isEmpty);
    const texts: (readonly string[])[] = this.ranked(filled).map(({ lines }) => lines);
    if (texts.length === 0) texts.push(this.options.isProse ? all : this.withoutProse(all));
    if (texts.length === 0 || this.options.isProse) texts.push(all);
    const textOf = ({ lines, above, below }: Candidate) => [above, below, ...lines].join("\n");
    const readings = texts.flatMap((lines) => this.reader.readings(lines));
    return readings
      .filter((one, at) => readings.findIndex((other) => textOf(other) === textOf(one)) === at)
      .toSorted((one, other) => rankOfReading(one) - rankOfReading(other))
      .slice(0, 2);
  }

  /** Returns lines without sentences, labels and fences around the code. */
  private withoutProse(lines: readonly string[]): readonly string[] {
    const isCode = (line: string) =>
      !isBlank(line) && (this.reader.lines.isKnown(line) || !PROSE.test(line.trim()));
    return lines.slice(lines.findIndex(isCode), lines.findLastIndex(isCode) + 1);
  }

  /** Returns the code of a reply without a fence, if it is proven. */
  private chosenBare(): Candidate | Rejection {
    const text = withoutBlankEnds(this.blocks.text);
    if (text.length === 0) return "no-code";
    const [, code] = /^`([^`]{1,1000})`$/.exec(text.join("\n").trim()) ?? [];
    const hasMark = this.reader.lines.all.some((line) => line.includes("`"));
    const all = code === undefined || hasMark ? text : [code];
    const candidate = this.reader.read(all);
    if (typeof candidate === "string") return candidate;
    const isProven = isPatch(all) || this.reader.lines.isProven(candidate.lines);
    this.blocks.text.length = 0;
    return isProven ? candidate : "doubtful";
  }

  /** Returns the text of a reply for a document of prose, in which fences are content too. */
  private chosenText(blocks: readonly ReplyBlock[]): Candidate | Rejection {
    const { all, text } = this.blocks;
    const whole = withoutBlankEnds(all);
    const outside = this.reader.lines.share(text);
    const best = this.ranked(blocks).find(({ lines }) => this.reader.lines.share(lines) >= outside);
    if (best !== undefined) {
      this.hasMoreBlocks = blocks.length > 1;
      const further = blocks.filter(
        ({ lines }) => lines !== best.lines && !this.reader.lines.isCopy(lines),
      );
      if (further.length > 0) return "doubtful";
      // Further fences of three marks may belong to the text or follow it.
      return this.blocks.hasTextFence ? "doubtful" : this.readBlock(best, [best]);
    }
    if (whole.length === 0) return "no-code";
    if (isPatch(whole)) return this.reader.read(whole);
    const filled = whole.filter((line) => !isBlank(line));
    const target = this.options.target.filter((line) => !isBlank(line));
    const isSame = (at: number) => filled.at(at)?.trim() === target.at(at)?.trim();
    if (!isSame(0) || !isSame(-1)) return "doubtful";
    text.length = 0;
    return this.reader.read(whole);
  }

  /** Returns true for a fence around an answer, which may also be part of the answer. */
  private isAroundText(fence: Fence): boolean {
    const { label, length } = fence;
    if (length > 3 || labelKind(label, "") === "patch") return true;
    // Plain text has no fences of its own.
    if (this.options.languageId === "plaintext") return true;
    return TEXT_FENCE.test(label) && (label !== "" || !this.blocks.hasText);
  }
}
