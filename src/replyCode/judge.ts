/**
 * Judges the file that a change makes, whatever placed the lines. A reason is a fact about the file
 * before, the file after and the selection, so that it can be shown to the user.
 */
import { Change, trimmed, type Replacement } from "./change";
import type { FileLines } from "./fileLines";
import { GoneNames } from "./goneNames";
import { hunksBetween } from "./hunks";
import { itemsOf, valuesIn, type Item } from "./items";
import { outermost } from "./likeness";
import { isBlank, wordsOf } from "./lines";
import { standingForCode } from "./placeholders";
import { repeatedText } from "./repeatedText";
import { breaksStructure } from "./structure";

/** Reason why a result may not be what the user asked for. Texts are of the file or of the reply. */
export type Reason =
  /** Declarations, members or items that the file no longer has, in order. */
  | { readonly kind: "gone"; readonly names: readonly string[] }
  /** Text next to the selected part of a line, or a line outside the selection. */
  | { readonly kind: "text-gone"; readonly text: string }
  /** Line, decorator or comment that the file would have twice. */
  | { readonly kind: "twice"; readonly text: string }
  /** Comment that stands for code. */
  | { readonly kind: "comment"; readonly text: string }
  /** Name that the lines use and only another block of the reply declares. */
  | { readonly kind: "missing"; readonly name: string }
  /** Brackets, JSON or nesting that do not fit the lines around. */
  | { readonly kind: "structure" };

/** Returns the reasons against a result; none for a result that can be written. */
export function reasonsAgainst(file: FileLines, replacement: Replacement): readonly Reason[] {
  const change = new Change(file, replacement);
  const names = new GoneNames(change).all();
  const [text, comment] = [goneText(change), commentForCode(change)];
  const twice = repeatedText(change);
  const reasons: readonly (Reason | undefined)[] = [
    names.length > 0 ? { kind: "gone", names } : undefined,
    text === undefined ? undefined : { kind: "text-gone", text },
    comment === undefined ? undefined : { kind: "comment", text: comment.trim() },
    twice === undefined ? undefined : { kind: "twice", text: twice.trim() },
    breaksStructure(change) ? { kind: "structure" } : undefined,
  ];
  return reasons.filter((reason) => reason !== undefined);
}

/** Returns the first name that lines use, a block declares and the file does not have. */
export function missingName(
  file: FileLines,
  lines: readonly string[],
  block: readonly string[],
): string | undefined {
  const [used, words] = [wordsOf(lines.join("\n")), wordsOf(file.all.join("\n"))];
  const declared = new Set(itemsOf(lines, true).map(({ name }) => name));
  const isMissing = (name: string) => used.has(name) && !words.has(name) && !declared.has(name);
  const isField = ({ text }: Item) => /^(?:private|protected|public|readonly|static)\b/.test(text);
  const items = [...itemsOf(block, true), ...itemsOf(block, false).filter(isField)];
  return [...items.map(({ name }) => name), ...valuesIn(outermost(block))].find(isMissing);
}

/** Returns code without spaces, line ends and the commas that formatters put at the end of lists. */
export function withoutLayout(code: string): string {
  return code.replaceAll(/\s/g, "").replaceAll(/,(?=[)\]}])/g, "");
}

/** Returns the rest of a line of which only a part has a new version. */
function goneText({ file, lines, replaced, range }: Change): string | undefined {
  const { selectedPart, target } = file.file;
  const text = trimmed(lines).join("\n");
  const { above, below } = range;
  const names = new Set(itemsOf(lines, false).map(({ name }) => name));
  const outside = [...replaced.slice(0, above), ...replaced.slice(replaced.length - below)];
  const item = itemsOf(outside, false).find(({ name }) => !names.has(name));
  if (item !== undefined) return item.text;
  if (above + below > 0 || isBlank(text)) return undefined;
  const parts = Object.values(selectedPart ?? {}).map((part: string) => part.trim());
  const [line = "", next] = target;
  if (next !== undefined || selectedPart !== undefined || file.isProse)
    return parts.find((part) => !withoutLayout(text).includes(withoutLayout(part)));
  const [words, newWords] = [[...wordsOf(line)], wordsOf(text)];
  const isEnd = (at: number) => text.includes(line.match(/[\p{L}\p{N}_$]+|\S/gu)?.at(at) ?? "");
  const isPart = words.some((word) => newWords.has(word)) && ![0, -1].some(isEnd);
  return isPart ? line.trim() : undefined;
}

/** Returns a new comment in place of lines of code. */
function commentForCode({ file, lines, replaced }: Change): string | undefined {
  for (const hunk of hunksBetween(trimmed(replaced), trimmed(lines))) {
    const end = hunk.proposedStart + hunk.proposedLines.length;
    const added = lines.slice(hunk.proposedStart, end).filter((line) => !file.isKnown(line));
    const comment = standingForCode(added, hunk.originalLines, lines.slice(end));
    if (comment !== undefined) return comment;
  }
  return undefined;
}
