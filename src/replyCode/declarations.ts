/** Finds declarations and the lines below them, without knowing the language. */
import { CLOSER, OPENER } from "./flaws";
import { itemsOf } from "./items";
import { isAttached } from "./judge";
import { outermost } from "./likeness";
import { endOfBody, indentOf, isBlank, lineAt } from "./lines";

/**
 * Returns the only declaration of a file with the name of the only one of a block, which has all its
 * lines; undefined if there is none. 0-based lines, end exclusive.
 */
export function declarationOf(file: readonly string[], block: readonly string[]) {
  const headsIn = (lines: readonly string[]) =>
    itemsOf(lines, false).filter(({ name, isHead, isDeclared }) => name && (isHead || isDeclared));
  const [first] = headsIn(block);
  const outer = outermost(block).filter((line) => !isAttached(line));
  const [head, ...rivals] = headsIn(file).filter(({ name }) => name === first?.name);
  if (head === undefined || outer.length !== 1 || outer[0]?.trim() !== first?.text)
    return undefined;
  // A function of another depth may not be the method of that name.
  const startOf = (text: string) =>
    [text.split(head.name)[0], /\((?:self|cls)\b/.test(text)].join();
  const isAlike = first?.depth === head.depth || startOf(first?.text ?? "") === startOf(head.text);
  if (rivals.length > 0 || !isAlike) return undefined;
  for (let { at } = head; ;) {
    const end = endOfBody(file, at);
    at = file.findIndex((line, index) => index >= end && !isBlank(line));
    const last = lineAt(file, at);
    if (!CLOSER.test(last) || indentOf([last]).length !== head.depth)
      return { startLine: head.at, endLine: end };
    // The end of parameters on lines of their own opens the body.
    if (!OPENER.test(last)) return { startLine: head.at, endLine: at + 1 };
  }
}
