/**
 * The lines of a code block as they are to stand in the edited lines: diffs applied, left-out code filled
 * in, and lines that the model repeats from around the edited ones taken off.
 */
import { alignBlock, type AlignmentStep } from "./alignBlock";
import { indentOf, movedLine } from "./indentation";
import { isLeftOut } from "./leftOut";

/** The edited lines, and what stands around them; whole lines without their ends. */
export interface Surroundings {
  /** Lines to be rewritten; empty where new ones are generated. */
  readonly target: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** So many letters and digits make it certain that a line was repeated and not written anew. */
const MIN_LETTERS = 8;

/** At least so much of an excerpt has to stand in the target. */
const MIN_EXCERPT_SHARE = 0.4;

/** At least so much of a block has to stand in the file for it to be the file. */
const MIN_FILE_SHARE = 0.5;

/**
 * Fills the target's lines in where a block says it leaves them out.
 * @returns undefined where it is not clear which lines are meant
 */
export function withLeftOut(
  block: readonly string[],
  target: readonly string[],
  isGap: (line: string) => boolean = isLeftOut,
): readonly string[] | undefined {
  const first = block.findIndex((line) => !isGap(line) && line.trim() !== "");
  const last = block.findLastIndex((line) => !isGap(line) && line.trim() !== "");
  if (first === -1) return undefined;
  if (target.every((line) => line.trim() === "")) {
    // Nothing is there to fill in: what stands around the new lines may be left out, nothing else.
    const lines = block.slice(first, last + 1);
    return lines.some(isGap) ? undefined : lines;
  }
  const laid = alignBlock(block, target, { isGap, isWhole: true });
  const steps = laid?.steps ?? [];
  const isAnchor = ({ kind, block: at }: AlignmentStep) =>
    (kind === "same" || kind === "reworded") && (block[at ?? 0] ?? "").trim() !== "";
  const anchors = steps.filter(isAnchor);
  if (anchors.length === 0) return undefined;
  const anchor = anchors[0];
  const from = indentOf([block[anchor?.block ?? 0] ?? ""]);
  const to = indentOf([target[anchor?.document ?? 0] ?? ""]);
  // Lines of the target beyond the block's ends are its own unless the block has others there.
  const isOpenAbove = anchors[0]?.block === first || block.slice(0, first).some(isGap);
  const isOpenBelow = anchors.at(-1)?.block === last || block.slice(last).some(isGap);
  const lastKept = steps.findLastIndex(({ kind }) => kind !== "gone");
  const lines: string[] = [];
  if (isOpenAbove) lines.push(...target.slice(0, steps.find(isInDocument)?.document));
  for (const [index, { kind, block: own, document }] of steps.entries()) {
    const isKept = kind === "left-out" || (kind === "gone" && index > lastKept && isOpenBelow);
    if (isKept) lines.push(target[document ?? 0] ?? "");
    else if (own !== undefined && !isGap(block[own] ?? "")) {
      lines.push(movedLine(block[own] ?? "", from, to));
    }
  }
  return lines;
}

function isInDocument({ document }: AlignmentStep): boolean {
  return document !== undefined;
}

/**
 * Puts a block into the target that is only a part of it: some of its inner lines, as deep as they are there.
 * @returns undefined for any other block
 */
export function withExcerpt(
  block: readonly string[],
  target: readonly string[],
): readonly string[] | undefined {
  const own = withoutBlankEnds(block);
  if (own.length >= target.length || leastIndent(own) <= leastIndent(target)) return undefined;
  const laid = alignBlock(own, target);
  if (laid === undefined || laid.share < MIN_EXCERPT_SHARE) return undefined;
  const found = laid.steps.flatMap(({ document }) => (document === undefined ? [] : [document]));
  const [start, end] = [found[0], found.at(-1)];
  if (start === undefined || end === undefined) return undefined;
  const others = [...target.slice(0, start), ...target.slice(end + 1)];
  const rival = alignBlock(own, others);
  if (rival !== undefined && rival.score >= laid.score) return undefined;
  return [...target.slice(0, start), ...own, ...target.slice(end + 1)];
}

function leastIndent(lines: readonly string[]): number {
  return Math.min(...lines.filter(isFilled).map((line) => indentOf([line]).length));
}

/** A block without the lines around the edited ones. */
export interface CutBlock {
  readonly lines: readonly string[];
  /** True when the block changed lines around the edited ones too; these changes are left out. */
  readonly isMoreChanged: boolean;
}

/** Takes off the lines that a block repeats from before and after the edited ones. */
export function withoutSurroundings(
  block: readonly string[],
  { target, before, after }: Surroundings,
): CutBlock {
  const between = betweenAll(block, before, after);
  if (between !== undefined) return { lines: between, isMoreChanged: false };
  const whole = wholeFile(block, { target, before, after });
  if (whole !== undefined) return whole;
  const isOwn = (line: string | undefined) => {
    const first = target.find((one) => one.trim() !== "");
    return first !== undefined && line?.trim() === first.trim();
  };
  const firstLine = block.find((line) => line.trim() !== "");
  const head = isOwn(firstLine) ? 0 : repeatedHead(block, before);
  const rest = block.slice(head);
  const lastOwn = target.findLast((line) => line.trim() !== "");
  const lastLine = rest.findLast((line) => line.trim() !== "");
  const isOwnEnd = lastOwn !== undefined && lastOwn.trim() === lastLine?.trim();
  const tail =
    isOwnEnd && head === 0
      ? 0
      : repeatedHead(rest.toReversed(), after.toReversed(), head > 0 ? 0 : MIN_LETTERS);
  if (head === 0 && tail === 0) return { lines: block, isMoreChanged: false };
  const lines = rest.slice(0, rest.length - tail);
  if (lines.every((line) => line.trim() === "") && target.length > 0) {
    return { lines: block, isMoreChanged: false };
  }
  return { lines: withoutBlankEnds(lines), isMoreChanged: false };
}

/** Returns the lines of a block between all lines before and all lines after the edited ones. */
function betweenAll(
  block: readonly string[],
  before: readonly string[],
  after: readonly string[],
): readonly string[] | undefined {
  const [own, above, below] = [filled(block), filled(before), filled(after)];
  if (above.length === 0 || below.length === 0) return undefined;
  const inner = own.slice(above.length, own.length - below.length);
  const isAround =
    inner.length > 0 &&
    above.every(({ text }, index) => own[index]?.text === text) &&
    below.every(({ text }, index) => own[own.length - below.length + index]?.text === text);
  const [first, last] = [inner[0], inner.at(-1)];
  return isAround && first && last ? block.slice(first.index, last.index + 1) : undefined;
}

/** How many lines at the block's start are the last ones of the text before. */
function repeatedHead(
  block: readonly string[],
  before: readonly string[],
  minLetters = MIN_LETTERS,
): number {
  const own = filled(block);
  const others = filled(before);
  for (let start = Math.max(0, others.length - own.length); start < others.length; start++) {
    const run = others.slice(start);
    if (!run.every(({ text }, index) => text === own[index]?.text)) continue;
    const letters = run.reduce((sum, { text }) => sum + lettersIn(text), 0);
    const last = own[run.length - 1];
    if (letters >= minLetters && last !== undefined) return last.index + 1;
  }
  return 0;
}

/** A block that is the whole file: the part of it that is for the edited lines. */
function wholeFile(
  block: readonly string[],
  { target, before, after }: Surroundings,
): CutBlock | undefined {
  const own = filled(block);
  const file = [...before, ...target, ...after];
  const others = filled(file);
  const isAtStart = before.some(isFilled) && own[0]?.text === others[0]?.text;
  const isAtEnd = after.some(isFilled) && own.at(-1)?.text === others.at(-1)?.text;
  const hasBefore = before.some(isFilled);
  const hasAfter = after.some(isFilled);
  if (!(isAtStart || !hasBefore) || !(isAtEnd || !hasAfter) || !(isAtStart || isAtEnd)) {
    return undefined;
  }
  const laid = alignBlock(block, file);
  if (laid === undefined || laid.share < MIN_FILE_SHARE) return undefined;
  const start = before.length;
  const end = start + target.length;
  let from = 0;
  let to = block.length;
  let found = 0;
  for (const { kind, block: at, document } of laid.steps) {
    if (at === undefined || document === undefined || (block[at] ?? "").trim() === "") continue;
    if (document < start) from = at + 1;
    else if (document >= end) to = Math.min(to, at);
    if ((document < start || document >= end) && kind === "same") {
      found += lettersIn(block[at] ?? "");
    }
  }
  if (from >= to || found < 2 * MIN_LETTERS) return undefined;
  const isMoreChanged = laid.steps.some(({ kind, block: at }) => {
    if (at === undefined || (at >= from && at < to)) return false;
    return (kind === "new" || kind === "reworded") && (block[at] ?? "").trim() !== "";
  });
  return { lines: withoutBlankEnds(block.slice(from, to)), isMoreChanged };
}

interface FilledLine {
  readonly text: string;
  readonly index: number;
}

function filled(lines: readonly string[]): FilledLine[] {
  return lines
    .map((line, index) => ({ text: line.trim(), index }))
    .filter(({ text }) => text !== "");
}

function isFilled(line: string): boolean {
  return line.trim() !== "";
}

function lettersIn(text: string): number {
  return text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
}

/** Returns the lines without the blank ones at both ends. */
export function withoutBlankEnds(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex(isFilled);
  return start === -1 ? [] : lines.slice(start, lines.findLastIndex(isFilled) + 1);
}
