/**
 * Reads a code block as lines of the edited file. Each reading is a candidate: lines that replace a
 * range of the file around the target. Candidates are compared by the file that they make.
 */
import { isProvenAlignment, skipsLines } from "./alignmentSteps";
import { alignBlock, MAX_PAIRS, REACH, type AlignmentStep } from "./alignBlock";
import { outerHeads, repeatsHead, takesLinesBelow } from "./declarations";
import { withoutPath } from "./filePath";
import { findTargets, type BlockTarget } from "./findTarget";
import { flawsOf, OPENER, unpaired } from "./flaws";
import { FileLines, type EditedFile, type LinesAround } from "./fileLines";
import { furtherPlaces } from "./furtherBlocks";
import { placed } from "./indentation";
import { changedSpan, hunksBetween } from "./hunks";
import { isImport, splitImports, withImports } from "./imports";
import { labelKind } from "./labels";
import {
  depthOf,
  hasAllWords,
  isLikeOneOf,
  joined,
  MIN_SIMILARITY,
  outerLines,
  outermost,
  similarity,
} from "./likeness";
import { indentOf, isBlank, lineAt, withoutBlankEnds, wordsOf } from "./lines";
import { applyPatch, findPatch, newLines, readPatch } from "./patch";
import { commentText, standForCode } from "./placeholders";
import {
  hasEntities,
  isEscaped,
  isTag,
  stringsIn,
  TAGGED,
  withEnd,
  withoutComments,
  withoutLineNumbers,
} from "./wrappers";

/** Lines that replace a range of the file. */
export interface Candidate extends LinesAround {
  readonly lines: readonly string[];
  /** True if the reply holds more changes than the lines. */
  readonly isPartial: boolean;
  /** True for the text of JSON or of tags around it. */
  readonly isUnwrapped?: boolean;
}

/** Reason why a block is no code for the file. */
export type Rejection =
  | "no-code"
  /** Text that may be code. */
  | "doubtful"
  /** Diff that does not match the file. */
  | "diff"
  /** Left-out code that cannot be filled in. */
  | "left-out";

/** Block with lines of the file around the target. */
interface Aligned {
  readonly candidate: Candidate;
  /** True if the block repeats a line from around the target that the file has exactly once. */
  readonly isTelling: boolean;
}

/** Upper limit of pairs of lines whose words are compared, some microseconds each. */
const MAX_COMPARED = 100_000;

/** Reads the blocks of a reply to a single file. */
export class CandidateReader {
  readonly lines: FileLines;

  constructor(private readonly file: EditedFile) {
    this.lines = new FileLines(file);
  }

  /** Returns the reading of a block, or of a whole reply without a block. */
  read(block: readonly string[]): Candidate | Rejection {
    const lines = this.withoutHead(block);
    if (this.isPatch(lines)) return this.patched([lines]) ?? "diff";
    const unwrapped = this.unwrapped(withoutLineNumbers(lines, this.file.target));
    if (unwrapped === undefined) return "doubtful";
    const plain = this.plain(unwrapped.lines);
    if (typeof plain === "string") return plain;
    const candidate = this.withSeparator(plain);
    const isBroken = this.breaksJson(candidate) || this.closesMore(candidate);
    if (isBroken || this.repeatsLines(candidate)) return "doubtful";
    return { ...candidate, isUnwrapped: unwrapped.isUnwrapped };
  }

  /** Returns a candidate for JSON that ends with a comma if the lines that it replaces do. */
  private withSeparator(candidate: Candidate): Candidate {
    const { lines } = candidate;
    const lastOf = (all: readonly string[]) => withoutBlankEnds(all).at(-1) ?? "";
    const last = lastOf(lines);
    const old = lastOf(this.lines.rangeOf(candidate));
    const isItem = /,\s*$/.test(old);
    if (old === "" || last === "" || (!isItem && !/^json/.test(this.file.languageId)))
      return candidate;
    const comma = isItem ? "," : "";
    return { ...candidate, lines: lines.with(lines.lastIndexOf(last), withEnd(last, comma)) };
  }

  private breaksJson(candidate: Candidate): boolean {
    if (!/^jsonc?$/.test(this.file.languageId)) return false;
    const isJson = (lines: readonly string[]) =>
      stringsIn(withoutComments(lines.join("\n"))) !== undefined;
    return isJson(this.lines.all) && !isJson(this.lines.withLines(candidate.lines, candidate));
  }

  /** Returns true if the lines close brackets around them that the replaced lines leave open. */
  private closesMore(candidate: Candidate): boolean {
    const replaced = this.lines.rangeOf(candidate);
    return unpaired(candidate.lines, false).closers > unpaired(replaced, false).closers;
  }

  /** Returns true if the file would have lines twice that the reply only moves. */
  private repeatsLines(candidate: Candidate): boolean {
    const { lines, above } = candidate;
    const { all } = this.lines;
    const start = this.lines.start - above;
    const changed = { start, end: start + lines.length };
    const result = this.lines.withLines(lines, candidate);
    return (
      repeatsHead(all, result) ||
      takesLinesBelow(all, result, changed) ||
      (above === 0 && this.hasParent(lines)) ||
      this.repeatsNextLine(candidate) ||
      this.repeatsOpener(candidate)
    );
  }

  /** Returns true if a line is the line below the range, or has all its words. */
  private repeatsNextLine(candidate: Candidate): boolean {
    const replaced = this.lines.rangeOf(candidate);
    const outer = outermost(candidate.lines);
    const [next = ""] = withoutBlankEnds(this.file.after.slice(candidate.below));
    const words = [...wordsOf(next)].filter((word) => /\p{L}/u.test(word));
    const hasWords = (line: string) => words.every((word) => wordsOf(line).has(word));
    if (words.length > 1 && outer.some(hasWords) && !replaced.some(hasWords)) return true;
    const countIn = (lines: readonly string[]) => lines.filter((line) => line === next).length;
    return countIn(outer) > countIn(replaced);
  }

  /** Returns true if a line names what is open around the range, in place of the range's first line. */
  private repeatsOpener(candidate: Candidate): boolean {
    const replaced = this.lines.rangeOf(candidate);
    const outer = outermost(candidate.lines);
    const depth = depthOf(candidate.lines);
    const opener = this.file.before
      .slice(0, this.lines.start - candidate.above)
      .findLast((line) => !isBlank(line) && indentOf([line]).length < depth);
    if (opener === undefined || !OPENER.test(opener)) return false;
    if (isLikeOneOf(outer, lineAt(replaced, 0))) return false;
    const replacedWords = wordsOf(replaced.join("\n"));
    const names = [...wordsOf(opener)].filter((word) => !replacedWords.has(word));
    const least = this.lines.isGenerating ? names.length : 1;
    const hasNames = (line: string) =>
      names.filter((name) => wordsOf(line).has(name)).length >= least;
    return names.length > 0 && outer.some(hasNames);
  }

  /**
   * Returns true if lines have the head around the target. Below the target's new version the same
   * words are another head, as a further "if err != nil {".
   */
  private hasParent(lines: readonly string[]): boolean {
    const at = lines.findIndex(this.lines.isParent);
    const outer = outerLines(this.file.target);
    const hasOwn = (some: readonly string[]) => some.some((line) => isLikeOneOf(outer, line));
    return at !== -1 && (hasOwn(lines.slice(at)) || !hasOwn(lines.slice(0, at)));
  }

  /** Returns the readings of a block that is not clear, best first. */
  readings(block: readonly string[]): readonly Candidate[] {
    const lines = this.withoutHead(block);
    const plain = this.isPatch(lines)
      ? newLines(lines)
      : withoutLineNumbers(lines, this.file.target);
    if (plain.every(isBlank)) return [];
    const code = this.unwrapped(plain)?.lines ?? plain;
    const best = this.best(code);
    const places = this.file.isWider || this.lacksHeads(best) ? this.placesOf(code) : [best];
    return [...places, this.literal(code)];
  }

  /** Returns true for a block that is a diff. */
  isPatch(lines: readonly string[]): boolean {
    return findPatch(lines) !== undefined;
  }

  /** Applies diffs whose lines the file has exactly once. */
  patched(blocks: readonly (readonly string[])[]): Candidate | undefined {
    const { start, end, all: file } = this.lines;
    const result = applyPatch(
      blocks.flatMap((lines) => readPatch(lines) ?? []),
      file,
      { start, end },
    );
    if (result === undefined) return undefined;
    const changed = changedSpan(file, result.lines);
    const from = Math.min(start, changed.start);
    const to = Math.max(end, changed.originalEnd);
    return {
      lines: result.lines.slice(from, result.lines.length - (file.length - to)),
      above: start - from,
      below: to - end,
      isPartial: result.isPartial,
    };
  }

  /** Returns a candidate with these lines in place of the target. */
  literal(lines: readonly string[]): Candidate {
    const { style, target } = this.file;
    const moved = style ? placed(lines, { ...style, target }) : lines;
    return { lines: moved, above: 0, below: 0, isPartial: false };
  }

  /**
   * Returns true for lines that may be meant in place of a candidate or with it: another new version
   * of the target, a new version of replaced lines of which the candidate has none, or lines that the
   * candidate takes out of the file.
   */
  isAlternative(candidate: Candidate, lines: readonly string[]): boolean {
    if (this.lines.isCopy(lines) || joined(lines) === joined(candidate.lines)) return false;
    if (this.lines.areAlternatives(lines, candidate.lines) || this.hasRestOf(candidate, lines))
      return true;
    const { style = { usesTabs: false, size: 4 } } = this.file;
    const replaced = this.lines.rangeOf(candidate);
    const heads = outermost(candidate.lines);
    const isWhole = outermost(replaced).every((line) => isLikeOneOf(heads, line));
    return !isWhole && findTargets(replaced, lines, style).length === 1;
  }

  /** Returns true if other lines have a line that a candidate takes out of the file. */
  private hasRestOf(candidate: Candidate, others: readonly string[]): boolean {
    const [staying, moved] = [joined(candidate.lines), joined(others)];
    return this.lines.rangeOf(candidate).some((line) => {
      const text = joined([line]);
      return moved.includes(text) && !staying.includes(text) && this.lines.isUnique([line]);
    });
  }

  /** Removes the lines above the code that only name its language or its file. */
  withoutHead(block: readonly string[]): readonly string[] {
    const { languageId, path = "" } = this.file;
    const lines = withoutBlankEnds(block);
    const [first = ""] = lines;
    const isLabel = /^[a-z][\w+#-]*$/i.test(first) && labelKind(first, languageId) === "own";
    if (isLabel && !this.lines.isKnown(first)) return this.withoutHead(lines.slice(1));
    return withoutPath(lines, this.lines.all, path);
  }

  /** Returns code in JSON or tags, or the lines themselves; undefined if unclear. */
  private unwrapped(
    lines: readonly string[],
    isUnwrapped = false,
  ): { readonly lines: readonly string[]; readonly isUnwrapped: boolean } | undefined {
    const { languageId } = this.file;
    const text = lines.join("\n").trim();
    const [, , inner] = this.lines.hasTags ? [] : (TAGGED.exec(text) ?? []);
    if (inner !== undefined) return this.unwrapped(withoutBlankEnds(inner.split("\n")), true);
    // Lines that only chat can have written.
    const isChat = (line: string) =>
      isEscaped(line) || (!this.lines.hasTags && (isTag(line) || hasEntities(line)));
    if (lines.some((line) => !this.lines.isKnown(line) && isChat(line))) return undefined;
    const values = /^json/.test(languageId) ? undefined : stringsIn(text);
    if (values === undefined) return { lines, isUnwrapped };
    const [code, ...others] = values.filter((value) => value.includes("\n"));
    if (code === undefined || others.length > 0) return undefined;
    return { lines: withoutBlankEnds(code.split(/\r\n|\r|\n/)), isUnwrapped: true };
  }

  private plain(lines: readonly string[]): Candidate | Rejection {
    if (this.file.isWider || this.isFragment(lines)) return this.within(lines);
    if (lines.some(this.lines.isGap)) return this.filledIn(lines) ?? "left-out";
    const best = this.best(lines);
    // A comment in place of code may be a placeholder, and a declaration that is missing may be left
    // out; only the user can know.
    if (this.losesCode(best) || this.hasCommentAlone(lines) || this.lacksHeads(best)) {
      return "doubtful";
    }
    const { imports, rest } = splitImports(lines);
    const { before, target } = this.file;
    const isInPlace = before.every(isBlank) || splitImports(target).imports.length > 0;
    if (best.above > 0 || imports.length === 0 || rest.length === 0 || isInPlace) return best;
    return this.withImports(this.best(rest), imports) ?? "doubtful";
  }

  /** Returns true for a block that begins inside the target, without any of its outermost lines. */
  private isFragment(block: readonly string[]): boolean {
    const { target } = this.file;
    const outer = outermost(target);
    const outerSet = new Set(outer);
    const inner = target.filter((line) => !isBlank(line) && !outerSet.has(line));
    const [first = ""] = block;
    const likeness = (others: readonly string[]) =>
      others.reduce((most, other) => Math.max(most, similarity(first, other)), 0);
    if (block.length * outer.length > MAX_COMPARED) return false;
    const isInner = likeness(inner) > Math.max(MIN_SIMILARITY, likeness(outer));
    // A line with all words of a head is a new version of that head, as one with an expression.
    const heads = outerHeads(target).filter((head) => wordsOf(head).size > 1);
    const isHead = (line: string) => heads.some((head) => hasAllWords(line, head));
    return isInner && !block.some((line) => isLikeOneOf(outer, line) || isHead(line));
  }

  /** Returns a candidate for the only lines of the target of which the block is a new version. */
  private within(block: readonly string[]): Candidate | Rejection {
    const [only, ...others] = this.placesOf(block);
    if (only === undefined || others.length > 0) return "doubtful";
    const { target } = this.file;
    const steps = alignBlock(block, target)?.steps ?? [];
    return block.some(this.lines.isGap) && !isProvenAlignment(block, target, steps)
      ? "left-out"
      : only;
  }

  /** Returns a candidate for each place of the target that a block may be a new version of. */
  private placesOf(block: readonly string[]): readonly Candidate[] {
    const { target, style = { usesTabs: false, size: 4 } } = this.file;
    return findTargets(target, block, style).map(({ startLine, endLine, lines }) => ({
      lines: target.toSpliced(startLine, endLine - startLine, ...lines),
      above: 0,
      below: 0,
      isPartial: false,
    }));
  }

  /** Returns a candidate with import statements added to the file's; undefined if it has none. */
  private withImports(
    candidate: Candidate,
    imports: readonly (readonly string[])[],
  ): Candidate | undefined {
    const { above, lines } = candidate;
    const before = this.file.before.slice(0, this.lines.start - above);
    const merged = withImports(before, imports);
    if (merged === undefined) return undefined;
    const { start } = changedSpan(before, merged);
    return {
      ...candidate,
      lines: [...merged.slice(start), ...lines],
      above: above + before.length - start,
    };
  }

  /**
   * Returns a candidate with what other blocks change elsewhere in the file: import statements, and the
   * only lines of which a block is a new version. `isAll` is false if a block was left out.
   */
  withOthers(
    candidate: Candidate,
    blocks: readonly (readonly string[])[],
  ): { readonly candidate: Candidate; readonly isAll: boolean } {
    const parts = blocks.map((block) => ({ block, ...splitImports(block) }));
    const isImports = ({ rest }: { readonly rest: readonly string[] }) => rest.length === 0;
    const further = parts.filter((one) => !isImports(one)).map(({ block }) => block);
    const imports = parts.filter(isImports).flatMap((one) => one.imports);
    const places = furtherPlaces(further, this.lines, candidate, this.file.style);
    const isAll = places.length === further.length;
    const changed = this.withPlaces(candidate, places);
    if (imports.length === 0) return { candidate: changed, isAll };
    const result = this.withImports(changed, imports);
    return { candidate: result ?? changed, isAll: isAll && result !== undefined };
  }

  /** Returns a candidate with further changed lines of the file. */
  private withPlaces(candidate: Candidate, places: readonly BlockTarget[]): Candidate {
    const { all, start, end } = this.lines;
    const { lines, above, below } = candidate;
    const target = { startLine: start - above, endLine: end + below, lines };
    const sorted = [target, ...places].sort((one, other) => one.startLine - other.startLine);
    const changed = sorted.flatMap((place, at) => [
      ...place.lines,
      ...all.slice(place.endLine, sorted[at + 1]?.startLine ?? place.endLine),
    ]);
    return {
      ...candidate,
      lines: changed,
      above: start - (sorted[0] ?? target).startLine,
      below: (sorted.at(-1) ?? target).endLine - end,
    };
  }

  /** Returns the better of two readings: only new lines, or lines with some of the file's around. */
  private best(lines: readonly string[]): Candidate {
    const aligned = this.aligned(lines);
    const literal = this.literal(lines);
    const stripped = this.literal(this.lines.withoutRepeated(this.lines.withoutParents(lines)));
    if (aligned === undefined) return stripped;
    const better = this.flaws(literal) - this.flaws(aligned.candidate);
    return better > 0 || (better === 0 && aligned.isTelling) ? aligned.candidate : stripped;
  }

  /** Returns the number of flaws that a candidate adds to the file. */
  flaws({ lines, above, below }: Candidate): number {
    const replaced = this.lines.rangeOf({ above, below });
    const pairs = unpaired(lines, this.lines.hasTags);
    const old = unpaired(replaced, this.lines.hasTags);
    const unequal = Math.abs(pairs.closers - old.closers) + Math.abs(pairs.openers - old.openers);
    return unequal + Math.max(0, flawsOf(lines) - flawsOf(replaced));
  }

  /** Returns true if a new comment stands in place of lines of code. */
  private losesCode(candidate: Candidate): boolean {
    const { lines } = candidate;
    const trimmed = (all: readonly string[]) => all.map((line) => line.trim());
    return hunksBetween(trimmed(this.lines.rangeOf(candidate)), trimmed(lines)).some((hunk) => {
      const end = hunk.proposedStart + hunk.proposedLines.length;
      const added = lines
        .slice(hunk.proposedStart, end)
        .filter((line) => !this.lines.isKnown(line));
      return standForCode(added, hunk.originalLines, lines.slice(end));
    });
  }

  /** Returns true if all declarations of a candidate are new versions of some of the replaced ones. */
  private lacksHeads(candidate: Candidate): boolean {
    const heads = outerHeads(this.lines.rangeOf(candidate));
    const newHeads = outerHeads(candidate.lines);
    const matched = heads.filter((head) => isLikeOneOf(newHeads, head));
    return (
      newHeads.length > 0 && matched.length === newHeads.length && matched.length < heads.length
    );
  }

  /** Returns true if a new comment stands alone between a parent of the target and its code. */
  private hasCommentAlone(block: readonly string[]): boolean {
    const lines = this.lines.withoutParents(block);
    const isNew = (line: string) =>
      commentText(line.trim()) !== undefined && !this.lines.isKnown(line);
    const isAlone = ([first = "", next = ""]: readonly string[]) => isNew(first) && isBlank(next);
    return lines !== block && (isAlone(lines) || isAlone(lines.toReversed()));
  }

  /**
   * Reads a block with placeholders. Those around the target's new text stand for the rest of the
   * file; those between unchanged lines of the target for the lines between them.
   */
  private filledIn(block: readonly string[]): Candidate | undefined {
    const segments = this.segmentsOf(block);
    const newParts = segments.filter(({ isContext }) => !isContext);
    const [only] = newParts;
    if (only !== undefined && newParts.length === 1) {
      const depth = this.lines.depthOfNew(only.lines);
      const ends = [...block.slice(0, only.start), ...block.slice(only.end)].filter(
        this.lines.isGap,
      );
      const isInside = ends.some(
        (line) => indentOf([line]).length > depth && !this.lines.isGenerating,
      );
      const candidate = this.best(only.lines);
      if (!isInside && this.keepsOuterLines(candidate)) return candidate;
    }
    return this.lines.isGenerating ? undefined : this.aligned(block)?.candidate;
  }

  /** Returns true if no declaration of the replaced lines is missing from a candidate. */
  private keepsOuterLines(candidate: Candidate): boolean {
    const newLines = outerLines(candidate.lines);
    const oldLines = outerLines(this.lines.rangeOf(candidate));
    // A declaration with another name and other words may be a new one next to the target.
    const words = [...wordsOf(lineAt(oldLines, 0))];
    const isKept =
      newLines.some((line) => words.every((word) => wordsOf(line).has(word))) ||
      this.lines.share(candidate.lines) >= MIN_SIMILARITY;
    return this.lines.isGenerating || (newLines.length >= oldLines.length && isKept);
  }

  /** Divides a block at its placeholders; context is text of the file outside the target. */
  private segmentsOf(block: readonly string[]) {
    const { before, after } = this.file;
    const outside = joined(before) + joined(after);
    const depth = this.lines.depthOfNew(block);
    const segments: { lines: readonly string[]; start: number; end: number; isContext: boolean }[] =
      [];
    for (let start = 0; start < block.length; start++) {
      const length = block.slice(start).findIndex(this.lines.isGap);
      const end = length === -1 ? block.length : start + length;
      const lines = withoutBlankEnds(block.slice(start, end));
      const isTelling = this.lines.isUnique(lines) || indentOf(lines).length < depth;
      const isContext = isTelling && outside.includes(joined(lines));
      if (lines.length > 0) segments.push({ lines, start, end, isContext });
      start = end;
    }
    return segments;
  }

  /**
   * Returns the block in place of the file's lines that it repeats, with placeholders filled in.
   * Lines outside the target stay, except for imports and for a block that has the whole file.
   */
  private aligned(block: readonly string[]): Aligned | undefined {
    return this.alignedWith(block, false) ?? this.alignedWith(block, true);
  }

  private alignedWith(block: readonly string[], keepsOthers: boolean): Aligned | undefined {
    const { lines: fileLines } = this;
    const hasGap = block.some(fileLines.isGap);
    // Of a large file, only the lines around the target can be compared.
    const most = Math.floor((MAX_PAIRS / block.length - (fileLines.end - fileLines.start)) / 2);
    const margin = hasGap ? most : Math.min(most, REACH * block.length);
    if (!(margin > 0)) return undefined;
    const from = Math.max(0, fileLines.start - margin);
    const file = fileLines.all.slice(from, fileLines.end + margin);
    const covers = { start: fileLines.start - from, end: fileLines.end - from };
    const isOutside = (at: number) => at < covers.start || at >= covers.end;
    const isFixed = (at: number) => keepsOthers && isOutside(at) && !isImport(lineAt(file, at));
    const steps = alignBlock(block, file, { isGap: fileLines.isGap, covers, isFixed })?.steps;
    if (steps === undefined || skipsLines(steps, file, covers)) return undefined;
    const isFilled = steps.some(({ kind }) => kind === "left-out");
    if (hasGap && !(isFilled && isProvenAlignment(block, file, steps))) return undefined;
    // An empty line outside the target shows nothing.
    const used = steps.flatMap(({ document: at }) =>
      at === undefined || (isOutside(at) && isBlank(lineAt(file, at))) ? [] : [at],
    );
    const start = Math.min(covers.start, used[0] ?? covers.start);
    const end = Math.max(covers.end, (used.at(-1) ?? -1) + 1);
    const isWhole =
      fileLines.all.slice(0, from + start).every(isBlank) &&
      fileLines.all.slice(from + end).every(isBlank);
    const outside = steps.filter(({ document = covers.start }) => isOutside(document));
    if (!isWhole && outside.some(({ kind }) => kind === "reworded")) return undefined;
    const repeated = outside.filter(({ kind }) => kind === "same");
    // A block that reaches beyond the target begins or ends there with a line of the file.
    const blockSteps = steps.filter((step) => step.block !== undefined);
    const isRepeated = (step: AlignmentStep | undefined) => repeated.some((one) => one === step);
    if (start < covers.start && !isWhole && !isRepeated(blockSteps[0])) return undefined;
    if (end > covers.end && !isRepeated(blockSteps.at(-1))) return undefined;
    const { style, target } = this.file;
    const base = indentOf([lineAt(file, start)]);
    const moved = style ? placed(block, { ...style, base, target }) : block;
    // Lines that close what the block repeats around the target stay outside.
    const isOuter = start < covers.start && base.length < indentOf(target).length;
    const depth = indentOf(block.slice(0, 1)).length;
    const lastInner = steps.findLastIndex(
      (step) => indentOf([lineAt(block, step.block)]).length > depth,
    );
    const lines = steps.flatMap(({ kind, block: at, document = -1 }, index) => {
      if (kind === "left-out" || (kind === "same" && isOutside(document)))
        return [lineAt(file, document)];
      if (kind === "gone")
        return isOutside(document) && document >= start ? [lineAt(file, document)] : [];
      return isOuter && index > lastInner ? [] : [lineAt(moved, at)];
    });
    return {
      candidate: { lines, above: covers.start - start, below: end - covers.end, isPartial: false },
      isTelling: repeated.some((step) => fileLines.isUnique([lineAt(file, step.document)])),
    };
  }
}
