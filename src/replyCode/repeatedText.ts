/** Finds lines that a file would have twice although the reply only moves or repeats them. */
import { trimmed, type Change } from "./change";
import { OPENER } from "./flaws";
import { isImport } from "./imports";
import { CLASS, DECORATOR, isAttached, itemsOf, KEYWORD, STATEMENT, type Item } from "./items";
import { isLikeOneOf } from "./likeness";
import { depthAt, isBlank, lineAt, wordsOf } from "./lines";

/** Languages in which functions of one name differ in their parameters. */
const OVERLOADS = /^(?:cpp|cuda-cpp|csharp|java|kotlin|scala|swift|groovy)$/;

/** Key or signature, which has one value. */
const KEY = /^(["']?)[\w$./-]{1,80}\1\s{0,20}(?:::?|=)\s/;

/** Returns a line that the file would have twice although the reply only moves or repeats it. */
export function repeatedText(change: Change): string | undefined {
  const { file, replaced, newOuter } = change;
  const isRepeated = (line: string) =>
    file.isParent(line) &&
    !replaced.includes(line) &&
    itemsOf([line], true)[0]?.isDeclared === true;
  return (
    newOuter.find(isRepeated) ??
    repeatedAbove(change) ??
    repeatedHead(change) ??
    repeatedNext(change) ??
    repeatedOpener(change)
  );
}

/** Returns a head or key that another one of the same parent repeats, and did not before. */
function repeatedHead({ file, after }: Change): string | undefined {
  const repeatedIn = (lines: readonly string[]) => {
    const keys = itemsOf(lines, false).flatMap(({ around, name, text, isHead }) => {
      const [key] = file.languageId === "makefile" ? [] : (KEY.exec(text) ?? []);
      // Code outside of functions may give a variable several values.
      if (key !== undefined && (around !== "" || !key.includes("="))) return `${around}\n${key}`;
      // Overloads, and clauses of a function, which begin with its name, differ in their parameters.
      const differs = text.startsWith(name) || OVERLOADS.test(file.languageId);
      const isField = around !== "" && name !== "" && text.endsWith(";");
      return isHead || isField ? `${around}\n${differs || isField ? text : name}` : [];
    });
    return keys.filter((key, at) => keys.indexOf(key) < at);
  };
  const old = new Set(repeatedIn(file.all));
  const repeated = repeatedIn(after).find((key) => !old.has(key));
  return repeated?.slice(repeated.lastIndexOf("\n") + 1);
}

/** Returns the comment or decorator above the range, if new lines begin with another one. */
function repeatedAbove({ above, replaced, lines }: Change): string | undefined {
  const [line = "", old = "", first = ""] = trimmed([
    above.at(-1) ?? "",
    lineAt(replaced, 0),
    lineAt(lines, 0),
  ]);
  if (isBlank(line) || old === first || isImport(line)) return undefined;
  if (!isAttached(line) || !isAttached(first) || isAttached(old)) return undefined;
  return line.slice(0, 2) === first.slice(0, 2) ? line : undefined;
}

/** Returns the line below the range, if a line is that line or has all its words. */
function repeatedNext({ lines, replaced, newOuter: outer, below }: Change): string | undefined {
  const next = below.find((line) => !isBlank(line)) ?? "";
  if (DECORATOR.test(next.trim()) && lineAt(lines, lines.length - 1) !== next) return undefined;
  const words = [...wordsOf(next)].filter((word) => /\p{L}/u.test(word));
  const hasWords = (line: string) => words.every((word) => wordsOf(line).has(word));
  if (words.length > 1 && outer.some(hasWords) && !replaced.some(hasWords)) return next;
  const countIn = (all: readonly string[]) => all.filter((line) => line === next).length;
  return countIn(outer) > countIn(replaced) ? next : undefined;
}

/** Returns what is open around the range, if a line declares that, or is another head of its kind. */
function repeatedOpener(change: Change): string | undefined {
  const { lines, replaced, newOuter: outer, words, above } = change;
  const opener = change.parentAt(depthAt(lines)) ?? "";
  const isOpen = OPENER.test(opener) || above.at(-1)?.trim() === "{";
  if (!isOpen || isLikeOneOf(outer, lineAt(replaced, 0))) return undefined;
  const names = [...wordsOf(opener)].filter((word) => !KEYWORD.test(word));
  const hasName = (text: string, all = names) => all.some((name) => wordsOf(text).has(name));
  const newNames = names.filter((name) => !words.has(name));
  const startOf = (line: string) => STATEMENT.exec(line.trim())?.[0];
  const isHead = (line: string) => {
    if (startOf(line) !== undefined)
      return startOf(line) === startOf(opener) && hasName(line, newNames);
    // "items.each {" is a call, and a constructor has the name of its class.
    const isOther = ({ name, isDeclared }: Item) =>
      isDeclared && !/^\w+\.\w/.test(name) && CLASS.test(line) === CLASS.test(opener);
    const declared = itemsOf([line], false).filter(isOther);
    return declared.some(({ name }) => hasName(CLASS.test(line) ? line : name));
  };
  return outer.some(isHead) ? opener : undefined;
}
