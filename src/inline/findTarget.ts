/**
 * Finds where a code block of a reply belongs in a document, and what the lines there would be with it:
 * first exactly, then by what surrounds the changed lines. Where more than one place fits, or none, a
 * person is asked; that is the host's.
 */
import { alignBlock, type BlockAlignment } from "./alignBlock";
import { changedSpan } from "./hunks";
import { IndentMatcher, indentOf } from "./indentation";
import { isLeftOut } from "./leftOut";
import { applyPatch, type PatchSection } from "./patch";

/** A place for a block. Lines are 0-based, the end is not included. */
export interface BlockTarget {
  readonly startLine: number;
  readonly endLine: number;
  /** What would stand there. */
  readonly lines: readonly string[];
  /** How much of the block's substance stands there already, 0 to 1. */
  readonly share: number;
}

/** How the document indents. */
export interface DocumentIndent {
  readonly usesTabs: boolean;
  readonly size: number;
}

/** A place has to hold at least so much of the block already. */
const MIN_SHARE = 0.4;

/** A second place at least so much like the block as the first makes the person choose. */
const RIVAL = 0.95;

/** Places that are looked for; more could not be told apart in a list. */
const MAX_PLACES = 4;

/** Stands for document lines that belong to a place found before; no block has such a line. */
const TAKEN = "\0";

/** The lines of a block without the empty ones around them. */
export function blockLines(text: string): string[] {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  while (lines.length > 0 && lines.at(-1)?.trim() === "") lines.pop();
  while (lines.length > 0 && lines[0]?.trim() === "") lines.shift();
  return lines;
}

/**
 * Where the block belongs, the best place first: one when it is clear, several that are as good, or
 * none. Nothing is found for a block that says what it leaves out but not where.
 */
export function findTargets(
  document: readonly string[],
  block: readonly string[],
  indent: DocumentIndent,
): BlockTarget[] {
  const places: BlockTarget[] = [];
  const left = [...document];
  let best = 0;
  while (places.length < MAX_PLACES) {
    const laid = alignBlock(block, left);
    if (laid === undefined || laid.share < MIN_SHARE || laid.score < best * RIVAL) break;
    const place = placeFrom(laid, document, block, indent);
    if (place === undefined) break;
    best ||= laid.score;
    places.push(place);
    left.fill(TAKEN, place.startLine, place.endLine);
  }
  return places;
}

/** The place of a diff: from its first changed line to its last; undefined where it does not fit. */
export function placeForPatch(
  document: readonly string[],
  sections: readonly PatchSection[],
): BlockTarget | undefined {
  const patched = applyPatch(sections, document);
  if (patched === undefined) return undefined;
  const { start, originalEnd, proposedEnd } = changedSpan(document, patched.lines);
  // A line beside the change, so that no place is empty.
  const from = start === originalEnd ? Math.max(0, start - 1) : start;
  const to = from === originalEnd ? originalEnd + 1 : originalEnd;
  const lines = patched.lines.slice(from, proposedEnd + (to - originalEnd));
  return { startLine: from, endLine: to, lines, share: 1 };
}

/** A class, or its like in other languages, that lines can be added to. */
export interface ClassEnd {
  readonly name: string;
  /** 0-based line before which a new member goes. */
  readonly line: number;
  /** Leading blanks of its members. */
  readonly indent: string;
}

const CLASS =
  /^(\s*)(?:[\w@]+ ){0,5}?(?:class|interface|struct|impl|trait|enum|object|module|extension|protocol|record) (?:<[^>]*> ?)?([\w$.:]+)/;

/** Lines that are members of a class: a method, or a field with modifiers. */
const MEMBER =
  /^\s*(?:@\w+|def \w+\((?:self|cls)\b|(?:(?:public|private|protected|internal|static|async|override|readonly|abstract|final|virtual|get|set) )+[\w#[]|(?!if|for|while|switch|function|catch|with)[\w$#]+\([^)]*\)\s*(?::[^={]+)?\{\s*$)/;

/** The classes a block of members can be added to; none for a block of anything else. */
export function classesForBlock(
  document: readonly string[],
  block: readonly string[],
  { usesTabs, size }: DocumentIndent,
): ClassEnd[] {
  if (!MEMBER.test(block.find((line) => !/^\s*(?:\/\/|\/?\*|#|$)/.test(line)) ?? "")) return [];
  const found: ClassEnd[] = [];
  for (const [index, line] of document.entries()) {
    const match = line.length > 300 ? null : CLASS.exec(line);
    if (match === null) continue;
    const [, own = "", name = ""] = match;
    const isDeeper = (text: string) => text.trim() === "" || indentOf([text]).length > own.length;
    const after = document.slice(index + 1);
    const count = after.findIndex((text) => !isDeeper(text) && !/^\s*\{\s*$/.test(text));
    const body = count === -1 ? after : after.slice(0, count);
    const lastFilled = body.findLastIndex((text) => text.trim() !== "");
    const member = body.find((text) => text.trim() !== "" && text.trim() !== "{");
    const indent = member ? indentOf([member]) : own + (usesTabs ? "\t" : " ".repeat(size));
    found.push({ name, line: index + 2 + lastFilled, indent });
  }
  return found;
}

/** The block as it would stand at a place of its own, indented as the line it goes to. */
export function indentedBlock(
  block: readonly string[],
  base: string,
  { usesTabs, size }: DocumentIndent,
): string[] {
  const matcher = new IndentMatcher({ base, usesTabs, size });
  return block.map((line) => matcher.match(line));
}

function placeFrom(
  { steps, share }: BlockAlignment,
  document: readonly string[],
  block: readonly string[],
  indent: DocumentIndent,
): BlockTarget | undefined {
  const taken = steps.flatMap((step) => (step.document === undefined ? [] : [step.document]));
  const startLine = taken[0];
  const lastLine = taken.at(-1);
  const anchor = steps.find(
    ({ kind, block: at }) =>
      (kind === "same" || kind === "reworded") && (block[at ?? 0] ?? "").trim() !== "",
  );
  if (startLine === undefined || lastLine === undefined || anchor === undefined) return undefined;
  const shift = shifter(
    indentOf([block[anchor.block ?? 0] ?? ""]),
    indentOf([document[anchor.document ?? 0] ?? ""]),
    block,
    indent,
  );
  const lines: string[] = [];
  for (const step of steps) {
    const own = step.document === undefined ? undefined : document[step.document];
    if (step.kind === "left-out") lines.push(own ?? "");
    else if (step.block !== undefined) {
      const line = shift(step.block);
      // What is the same keeps the document's blanks at its end.
      lines.push(own !== undefined && own.trimEnd() === line.trimEnd() ? own : line);
    }
  }
  return { startLine, endLine: lastLine + 1, lines, share };
}

/** Gives the block's lines the document's indentation, learnt where the two meet. */
function shifter(
  from: string,
  to: string,
  block: readonly string[],
  indent: DocumentIndent,
): (at: number) => string {
  const of = (at: number) => block[at] ?? "";
  const usesOther = block.some((line) => (indent.usesTabs ? /^ {2}/ : /^\t/).test(line));
  if (usesOther) {
    const first = indentOf(block.filter((line) => !isLeftOut(line)));
    const isDeeper = first.startsWith(from) ? first.slice(from.length) : "";
    const base = isDeeper === "" ? to : to + (indent.usesTabs ? "\t" : " ".repeat(indent.size));
    const moved = indentedBlock(block, base, indent);
    return (at) => moved[at] ?? "";
  }
  if (to.startsWith(from)) {
    const extra = to.slice(from.length);
    return (at) => (of(at).trim() === "" ? of(at) : extra + of(at));
  }
  if (from.startsWith(to)) {
    const extra = from.slice(to.length);
    return (at) => (of(at).startsWith(extra) ? of(at).slice(extra.length) : of(at).trimStart());
  }
  return of;
}
