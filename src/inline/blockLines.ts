/**
 * Converts the lines of a code block to lines for the edited range. Fills in left-out code and
 * removes lines that the model repeats from around the range.
 */
import { alignBlock, type AlignmentStep } from "./alignBlock";
import { indentOf, movedLine } from "./indentation";
import { isLeftOut } from "./leftOut";
import { isLikeOneOf, outerLines } from "./proof";

/** Edited lines and their context: whole lines without line ends. */
export interface Surroundings {
  /** Lines to rewrite; empty when new lines are generated. */
  readonly target: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Minimum number of letters and digits that proves a line was repeated, not written by chance. */
const MIN_LETTERS = 8;

/** Minimum share of a block that the file must contain for the block to count as the whole file. */
const MIN_FILE_SHARE = 0.5;

/**
 * Fills in the target's lines where a block marks them as left out.
 * @returns undefined where the left-out lines are ambiguous
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
    // Without target lines nothing can be filled in; only the surrounding lines may be left out.
    const lines = block.slice(first, last + 1);
    return lines.some(isGap) ? undefined : lines;
  }
  const inner = block.slice(first, last + 1);
  // Placeholders around a whole declaration stand for the lines around the target.
  if (inner.length < block.length && !inner.some(isGap) && isSameDeclaration(inner, target)) {
    return inner.map((line) => movedLine(line, indentOf(inner), indentOf(target)));
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
  // Target lines beyond the block's ends stay unless the block has other lines there.
  const isEnd = (anchor: AlignmentStep | undefined, line: number) =>
    anchor?.block === line && anchor.kind === "same";
  const isOpenAbove = isEnd(anchors[0], first);
  const isOpenBelow = isEnd(anchors.at(-1), last);
  const lastKept = steps.findLastIndex(({ kind }) => kind !== "gone");
  // Next to new lines, old lines at an end are no proof that these belong together.
  const hasOldAbove = block.slice(0, first).some(isGap) && isKeptOrGone(steps[0]);
  const hasOldBelow = block.slice(last + 1).some(isGap) && isKeptOrGone(steps.at(-1));
  if ((hasOldAbove && !isOpenAbove) || (hasOldBelow && !isOpenBelow)) return undefined;
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

/** Returns true for the whole new text of the target: no more of its outermost lines are missing. */
function isSameDeclaration(lines: readonly string[], target: readonly string[]): boolean {
  const [own, others] = [outerLines(lines), outerLines(withoutBlankEnds(target))];
  const [first, other] = [own?.[0], others?.[0]];
  if (own === undefined || others === undefined || first === undefined) return false;
  return own.length >= others.length && other !== undefined && isLikeOneOf([other], first);
}

function isKeptOrGone(step: AlignmentStep | undefined): boolean {
  return step?.kind === "left-out" || step?.kind === "gone";
}

function isInDocument({ document }: AlignmentStep): boolean {
  return document !== undefined;
}

/** Returns true for an excerpt that opens more brackets than it closes, unlike the other lines. */
export function isUnbalanced(lines: readonly string[], others: readonly string[]): boolean {
  return openBrackets(lines) !== 0 && openBrackets(others) === 0;
}

function openBrackets(lines: readonly string[]): number {
  const text = lines.join("\n").replaceAll(/"[^"\n]*"|'[^'\n]*'|`[^`]*`/g, "");
  return (text.match(/[{([]/g)?.length ?? 0) - (text.match(/[})\]]/g)?.length ?? 0);
}

/** Block without the lines around the edited range. */
export interface CutBlock {
  readonly lines: readonly string[];
  /** True when the block also changed lines around the edited range; these changes are dropped. */
  readonly isMoreChanged: boolean;
}

/** Removes lines that a block repeats from before and after the edited range. */
export function withoutSurroundings(
  block: readonly string[],
  { target, before, after }: Surroundings,
): CutBlock {
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

/**
 * Returns the number of lines at the block's start that repeat the last lines of the preceding
 * text.
 */
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

/** Returns the part for the edited range of a block that contains the whole file. */
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

/** Returns the lines without blank lines at both ends. */
export function withoutBlankEnds(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex(isFilled);
  return start === -1 ? [] : lines.slice(start, lines.findLastIndex(isFilled) + 1);
}
