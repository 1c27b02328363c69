/**
 * Reads a code block as lines of the edited file. Each reading is a candidate: lines that replace a
 * range of the file around the target. Candidates are compared by the file that they make.
 */
import { isProvenAlignment, skipsLines } from "./alignmentSteps";
import { alignBlock, MAX_PAIRS, REACH, type AlignmentStep } from "./alignBlock";
import { withoutPath } from "./filePath";
import { CLOSER } from "./flaws";
import { findTargets, targetFrom, type BlockTarget } from "./findTarget";
import { FileLines, type EditedFile, type LinesAround } from "./fileLines";
import { furtherPlaces } from "./furtherBlocks";
import { placed } from "./indentation";
import { changedSpan } from "./hunks";
import { isImport, splitImports, withImports } from "./imports";
import { hasStatements, isAttached, itemsOf } from "./items";
import { reasonsAgainst, withoutLayout, type Reason } from "./judge";
import { labelKind } from "./labels";
import { depthOf, isLikeOneOf, joined, lettersIn, MIN_SIMILARITY, outermost } from "./likeness";
import { indentOf, isBlank, lineAt, withoutBlankEnds, wordsOf } from "./lines";
import { applyPatch, isPatch, type PatchSection } from "./patch";
import { newLines, sectionsOf } from "./patchParts";
import {
  FIRST_LINES,
  hasEntities,
  isEscaped,
  isTag,
  stringsIn,
  TAGGED,
  withEnd,
  withoutLineNumbers,
} from "./wrappers";

export interface Candidate extends LinesAround {
  readonly lines: readonly string[];
  /** True if the reply holds more changes than the lines. */
  readonly isPartial: boolean;
  /** True for the text of JSON or of tags around it. */
  readonly isUnwrapped?: boolean;
  /** True for the lines of a diff, which says itself what goes. */
  readonly isDiff?: boolean | undefined;
  /** True for lines below the selection, which stays. */
  readonly isBelow?: boolean;
  /** What speaks against the lines, for a reading that is shown. */
  readonly reasons?: readonly Reason[];
}

/** Reason why a block is no code for the file. */
export type Rejection =
  | "no-code"
  | "doubtful"
  | "diff"
  /** Left-out code that cannot be filled in. */
  | "left-out";

function inTarget(lines: readonly string[]): Candidate {
  return { lines, above: 0, below: 0, isPartial: false };
}

/** Reads the blocks of a reply to a single file. */
export class CandidateReader {
  readonly lines: FileLines;

  constructor(private readonly file: EditedFile) {
    this.lines = new FileLines(file);
  }

  read(block: readonly string[]): Candidate | Rejection {
    const lines = this.withoutHead(block);
    if (isPatch(lines)) return this.patched(sectionsOf(lines)) ?? "diff";
    const unwrapped = this.unwrapped(withoutLineNumbers(lines, this.file.target));
    if (unwrapped === undefined) return "doubtful";
    // A body of Python that goes on below a line of dots leaves out lines there.
    const isGap = (line: string, at: number) =>
      /^\s+\.{3}$/.test(line) &&
      indentOf([line]) === indentOf(unwrapped.lines.slice(at + 1)) &&
      this.file.languageId === "python";
    if (unwrapped.lines.some(isGap)) return "left-out";
    const plain = this.plain(unwrapped.lines);
    if (typeof plain === "string") return plain;
    return { ...this.withSeparator(plain), isUnwrapped: unwrapped.isUnwrapped };
  }

  /** Returns the file after a block that has a clear place in it; the reason for any other block. */
  fileAfter(block: readonly string[]): readonly string[] | Rejection | "unclear" {
    const candidate = this.read(block);
    if (typeof candidate === "string") return candidate;
    return this.isAccepted(candidate) ? this.fileWith(candidate) : "unclear";
  }

  reasonsAgainst(candidate: Candidate): readonly Reason[] {
    const isStated = ({ kind }: Reason) => kind === "gone" || kind === "text-gone";
    return reasonsAgainst(this.lines, candidate).filter(
      (reason) => candidate.isDiff !== true || !isStated(reason),
    );
  }

  /** Returns a candidate for JSON that ends with a comma if the lines that it replaces do. */
  private withSeparator(candidate: Candidate): Candidate {
    const { lines } = candidate;
    const { languageId } = this.file;
    const lastOf = (all: readonly string[]) => withoutBlankEnds(all).at(-1) ?? "";
    const last = lastOf(lines);
    const old = lastOf(this.lines.rangeOf(candidate));
    const isItem = /,\s*$/.test(old);
    // The body of a branch in Rust needs no comma.
    const isArm = languageId === "rust" && /=>\s*\{$/.test(outermost(lines).at(-1) ?? "");
    if (old === "" || last === "" || isArm || (!isItem && !/^json/.test(languageId)))
      return candidate;
    const comma = isItem ? "," : "";
    return { ...candidate, lines: lines.with(lines.lastIndexOf(last), withEnd(last, comma)) };
  }

  /** Returns the readings of a block that is not clear, best first. */
  readings(block: readonly string[]): readonly Candidate[] {
    const lines = this.withoutHead(block);
    const plain = isPatch(lines) ? newLines(lines) : withoutLineNumbers(lines, this.file.target);
    if (plain.every(isBlank)) return [];
    const code = this.unwrapped(plain)?.lines ?? plain;
    const { isWider, before, target } = this.file;
    const literal = this.literal(code);
    // The comment or the decorators above may be replaced too.
    const above = before.length - 1 - before.findLastIndex((line) => !isAttached(line));
    const best = isWider ? [] : [this.best(code)];
    const readings = [...best, ...this.placesOf(code), { ...literal, above }, literal];
    return [
      ...readings.map((one) => ({ ...one, reasons: this.reasonsAgainst(one) })),
      { ...inTarget([...target, "", ...literal.lines]), isBelow: true },
    ];
  }

  /** Returns a candidate for lines in place of the selected part; undefined if they are whole. */
  private inPart(lines: readonly string[]): Candidate | undefined {
    const { selectedPart } = this.file;
    const literal = this.literal(lines);
    const text = literal.lines.join("\n").trim();
    if (selectedPart === undefined || this.isAccepted(literal)) return undefined;
    const { before, after } = selectedPart;
    const isInText = (part: string) => withoutLayout(text).includes(withoutLayout(part));
    if ([before, after].some((part) => lettersIn(part) > 0 && isInText(part))) return undefined;
    const isEnded = /^[;,]/.test(after) && text.endsWith(after.charAt(0));
    // The name of an attribute or of an argument, which is before the part.
    const ends = [...before.matchAll(/\b\w/g)].map(({ index }) => before.slice(index));
    const repeated = ends.find((end) => text.startsWith(end)) ?? "";
    const part = text.slice(repeated.length, isEnded ? -1 : undefined);
    const candidate = inTarget(`${before}${part}${after}`.split("\n"));
    return this.isAccepted(candidate) ? candidate : undefined;
  }

  /** Returns the target with other lines or words in place of a part that it has exactly once. */
  replacedPart(old: readonly string[], lines: readonly string[]): Candidate | undefined {
    const [part, all] = [joined(old), joined(this.file.target)];
    const change = [
      ...old.map((line) => ({ tag: "-" as const, text: line })),
      ...lines.map((line) => ({ tag: "+" as const, text: line })),
    ];
    if (all.includes(part)) {
      const patched = this.patched([[change]]);
      return patched && { ...patched, isDiff: false };
    }
    const parts = this.file.target.join("\n").split(lineAt(old, 0).trim());
    const isWord = old.length === 1 && lines.length === 1 && parts.length === 2;
    return isWord ? inTarget(parts.join(lineAt(lines, 0).trim()).split("\n")) : undefined;
  }

  /** Applies diffs whose lines the file has exactly once. */
  patched(sections: readonly PatchSection[]): Candidate | undefined {
    const { start, end, all: file } = this.lines;
    const result = applyPatch(sections, file, { start, end });
    return result && this.fromFile(result.lines, { isPartial: result.isPartial, isDiff: true });
  }

  private fromFile(
    result: readonly string[],
    { isPartial, isDiff }: Pick<Candidate, "isPartial" | "isDiff">,
  ): Candidate {
    const { start, end, all: file } = this.lines;
    const changed = changedSpan(file, result);
    const from = Math.min(start, changed.start);
    const to = Math.max(end, changed.originalEnd);
    const lines = result.slice(from, result.length - (file.length - to));
    return { lines, above: start - from, below: to - end, isPartial, isDiff };
  }

  literal(lines: readonly string[]): Candidate {
    const { style, target } = this.file;
    const moved = style ? placed(lines, { ...style, target }) : lines;
    return inTarget(this.lines.isGenerating ? this.separated(moved) : moved);
  }

  /** Returns a declaration in place of an empty line, with the empty lines around that others have. */
  private separated(lines: readonly string[]): readonly string[] {
    const { before, target, after } = this.file;
    const depth = indentOf(lines);
    const parent = before.findLast((line) => !isBlank(line) && indentOf([line]) < depth);
    const isBody = parent === undefined || hasStatements(parent);
    const isSibling = (line = "") =>
      indentOf([line]) === depth && itemsOf([line], isBody).some(({ isDeclared }) => isDeclared);
    if (target.length === 0 || !lines.some((line) => isSibling(line))) return lines;
    const blanksBelow = (all: readonly string[]) =>
      all.length - 1 - all.findLastIndex((line) => !isBlank(line));
    const [above, below] = [blanksBelow(before), blanksBelow(after.toReversed())];
    const isAbove = isSibling(after[below]);
    const sibling = before.findLastIndex((line) => isSibling(line));
    const usual = blanksBelow(before.slice(0, Math.max(0, sibling)));
    const empty = (count: number) => Array<string>(Math.max(0, count)).fill("");
    const least = Math.max(usual, Number(isAbove && below === 0));
    return [
      ...empty(sibling === -1 ? 0 : least - above),
      ...lines,
      ...empty(isAbove ? least - below : 0),
    ];
  }

  /** Returns true for lines that may be meant in place of a candidate or with it. */
  isAlternative(candidate: Candidate, lines: readonly string[]): boolean {
    if (this.lines.isCopy(lines) || joined(lines) === joined(candidate.lines)) return false;
    if (this.lines.areAlternatives(lines, candidate.lines)) return true;
    const { style = { usesTabs: false, size: 4 } } = this.file;
    const replaced = this.lines.rangeOf(candidate);
    const heads = outermost(candidate.lines);
    const isWhole = outermost(replaced).every((line) => isLikeOneOf(heads, line));
    return !isWhole && findTargets(replaced, lines, style).length === 1;
  }

  /** Removes the lines above the code that only name its language or its file. */
  withoutHead(block: readonly string[]): readonly string[] {
    const { languageId, path = "" } = this.file;
    const lines = withoutBlankEnds(block);
    const [first = ""] = lines;
    const isLabel = /^[a-z][\w+#-]*$/i.test(first) && labelKind(first, languageId) === "own";
    const isStart =
      first.trim() === FIRST_LINES[languageId] &&
      this.lines.start > 0 &&
      !this.lines.isLikeTarget(lines, 0);
    if (isStart || (isLabel && !this.lines.isKnown(first))) return this.withoutHead(lines.slice(1));
    return withoutPath(lines, this.lines.all, path);
  }

  /** Returns code in JSON or tags, or the lines themselves; undefined if unclear. */
  private unwrapped(
    lines: readonly string[],
    isUnwrapped = false,
  ): { readonly lines: readonly string[]; readonly isUnwrapped: boolean } | undefined {
    const { languageId } = this.file;
    const text = lines.join("\n").trim();
    const [, tag, inner] = this.lines.hasTags ? [] : (TAGGED.exec(text) ?? []);
    const isOfFile = this.lines.all.some((line) => line.includes(`<${tag}`));
    if (inner !== undefined && !isOfFile)
      return this.unwrapped(withoutBlankEnds(inner.split("\n")), true);
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
    if (this.file.isWider) return this.within(lines);
    if (lines.some(this.lines.isGap)) return this.filledIn(lines) ?? "left-out";
    const best = this.inPart(lines) ?? this.withOwnImports(lines);
    if (best === undefined) return "doubtful";
    const reasons = this.reasonsAgainst(best);
    if (reasons.every(({ kind }) => kind === "text-gone")) return best;
    const [only, ...others] = this.placesOf(lines).filter((place) => this.isAccepted(place));
    // Lines that begin like the target may be all that shall stay.
    const isWhole =
      this.lines.isLikeTarget(lines, 0) && reasons.every(({ kind }) => kind === "gone");
    if (only === undefined || others.length > 0 || isWhole) return best;
    return this.isPartOfTarget(lines, only, reasons) ? only : best;
  }

  /** Returns true if a block cannot replace the whole target, or repeats a head inside. */
  private isPartOfTarget(
    block: readonly string[],
    { lines }: Candidate,
    reasons: readonly Reason[],
  ): boolean {
    const { target } = this.file;
    const { start, originalEnd } = changedSpan(target, lines);
    const words = wordsOf(block.join("\n"));
    const oldWords = wordsOf(target.slice(start, originalEnd).join("\n"));
    const gone = reasons.flatMap((reason) => (reason.kind === "gone" ? reason.names : []));
    if (gone.some((name) => words.has(name))) return true;
    const countIn = (all: readonly string[], line: string) =>
      all.filter((one) => one.trim() === line.trim()).length;
    const isHead = (line: string) =>
      lettersIn(line) > 0 && countIn(lines, line) <= countIn(target, line);
    const isInlined = gone.some((name) => oldWords.has(name) && !words.has(name));
    return outermost(block).some(isHead) && joined(lines) !== joined(target) && !isInlined;
  }

  private isAccepted(candidate: Candidate): boolean {
    return this.reasonsAgainst(candidate).length === 0;
  }

  /** Returns the better reading, with the imports at the start of the lines added to the file's. */
  private withOwnImports(lines: readonly string[]): Candidate | undefined {
    const best = this.best(lines);
    const { imports, rest } = splitImports(lines);
    const { before, target } = this.file;
    const isInPlace = before.every(isBlank) || target.some(isImport);
    if (best.above > 0 || imports.length === 0 || rest.length === 0 || isInPlace) return best;
    return this.withImports(this.best(rest), imports);
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

  private placesOf(block: readonly string[]): readonly Candidate[] {
    const { target, style = { usesTabs: false, size: 4 } } = this.file;
    return findTargets(target, block, style).map(({ startLine, endLine, lines }) =>
      inTarget(target.toSpliced(startLine, endLine - startLine, ...lines)),
    );
  }

  /** Returns a candidate with import statements added to the file's; undefined if it has none. */
  private withImports(
    candidate: Candidate,
    imports: readonly (readonly string[])[],
  ): Candidate | undefined {
    const { before, after } = this.file;
    const merged = withImports(before.slice(0, before.length - candidate.above), imports);
    const result = merged && [...merged, ...candidate.lines, ...after.slice(candidate.below)];
    return result && this.fromFile(result, candidate);
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
    const changed =
      places.length === 0 ? candidate : this.fromFile(this.fileWith(candidate, places), candidate);
    if (imports.length === 0) return { candidate: changed, isAll };
    const result = this.withImports(changed, imports);
    return { candidate: result ?? changed, isAll: isAll && result !== undefined };
  }

  private fileWith(
    { lines, above, below }: Candidate,
    places: readonly BlockTarget[] = [],
  ): readonly string[] {
    const { all, start, end } = this.lines;
    return [{ startLine: start - above, endLine: end + below, lines }, ...places]
      .sort((one, other) => other.startLine - one.startLine)
      .reduce<readonly string[]>(
        (file, one) => file.toSpliced(one.startLine, one.endLine - one.startLine, ...one.lines),
        all,
      );
  }

  /** Returns the better of two readings: only new lines, or lines with some of the file's around. */
  private best(lines: readonly string[]): Candidate {
    const aligned = this.aligned(lines);
    const stripped = this.literal(this.lines.withoutRepeated(lines));
    // Lines from the target's first line to its last are all of it.
    const isTarget =
      this.lines.isLikeTarget(lines, 0) &&
      this.lines.isLikeTarget(lines, -1) &&
      !CLOSER.test(lineAt(lines, lines.length - 1));
    if (aligned === undefined || isTarget) return stripped;
    const isBroken = this.reasonsAgainst(this.literal(lines)).some(
      ({ kind }) => kind === "structure",
    );
    return (aligned.isTelling || isBroken) && this.isAccepted(aligned.candidate)
      ? aligned.candidate
      : stripped;
  }

  /**
   * Reads a block with placeholders. Those around the target's new text stand for the rest of the
   * file; those between unchanged lines of the target for the lines between them.
   */
  private filledIn(block: readonly string[]): Candidate | undefined {
    const [only, ...others] = this.newPartsOf(block);
    // A placeholder that is deeper than the text above stands for lines of the target.
    const below = block.slice(block.lastIndexOf(only?.at(-1) ?? "") + 1);
    const next = below.find((line) => !isBlank(line)) ?? "";
    const isInside = this.lines.isGap(next) && depthOf([next]) > this.lines.depthOfNew(block);
    if (only !== undefined && others.length === 0 && !isInside) {
      const candidate = this.best(only);
      const [outer, oldOuter] = [candidate.lines, this.lines.rangeOf(candidate)].map(outermost);
      // The placeholder may stand for lines that are missing.
      const isWhole =
        (outer ?? []).length >= (oldOuter ?? []).length &&
        this.lines.share(candidate.lines) >= MIN_SIMILARITY;
      if (isWhole || this.lines.isGenerating) return candidate;
    }
    return this.lines.isGenerating ? undefined : this.aligned(block)?.candidate;
  }

  /** Returns the parts of a block between its placeholders that are no text from outside the target. */
  private newPartsOf(block: readonly string[]): readonly (readonly string[])[] {
    const { before, after } = this.file;
    const outside = joined(before) + joined(after);
    const depth = this.lines.depthOfNew(block);
    const isContext = (lines: readonly string[]) =>
      (this.lines.isUnique(lines) || indentOf(lines).length < depth) &&
      outside.includes(joined(lines));
    const gaps = block.flatMap((line, at) => (this.lines.isGap(line) ? at : []));
    return [...gaps, block.length]
      .map((end, index) => withoutBlankEnds(block.slice((gaps[index - 1] ?? -1) + 1, end)))
      .filter((lines) => lines.length > 0 && !isContext(lines));
  }

  /**
   * Returns the block in place of the file's lines that it repeats, with placeholders filled in.
   * Lines outside the target stay, except for imports and for a block that has the whole file. It is
   * telling if the block repeats a line from around the target that the file has exactly once.
   */
  private aligned(block: readonly string[]) {
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
    const alignment = alignBlock(block, file, { isGap: fileLines.isGap, covers });
    if (alignment === undefined || skipsLines(alignment.steps, file, covers)) return undefined;
    const { steps } = alignment;
    const isFilled = steps.some(({ kind }) => kind === "left-out");
    if (hasGap && !(isFilled && isProvenAlignment(block, file, steps))) return undefined;
    const { style, target } = this.file;
    const indent = style && { ...style, target };
    const place = targetFrom(alignment, file, block, indent, isOutside);
    if (place === undefined) return undefined;
    const { startLine: start, endLine: end, lines } = place;
    const isWhole =
      fileLines.all.slice(0, from + start).every(isBlank) &&
      fileLines.all.slice(from + end).every(isBlank);
    const outside = steps.filter(({ document = covers.start }) => isOutside(document));
    if (!isWhole && outside.some(({ kind }) => kind === "reworded" || kind === "gone"))
      return undefined;
    const repeated = outside.filter(({ kind }) => kind === "same");
    // A block that reaches beyond the target begins or ends there with a line of the file.
    const blockSteps = steps.filter((step) => step.block !== undefined);
    const isRepeated = (step: AlignmentStep | undefined) => repeated.some((one) => one === step);
    if (start < covers.start && !isWhole && !isRepeated(blockSteps[0])) return undefined;
    if (end > covers.end && !isRepeated(blockSteps.at(-1))) return undefined;
    return {
      candidate: { ...inTarget(lines), above: covers.start - start, below: end - covers.end },
      isTelling: repeated.some((step) => fileLines.isUnique([lineAt(file, step.document)])),
    };
  }
}
