/**
 * Judges the file that a change makes, whatever placed the lines. A reason is a fact about the file
 * before, the file after and the selection, so that it can be shown to the user.
 */
import { OPENER, withoutStrings } from "./flaws";
import type { FileLines, LinesAround } from "./fileLines";
import { hunksBetween } from "./hunks";
import { isImport } from "./imports";
import { CLASS, hasStatements, itemsOf, STATEMENT, type Item } from "./items";
import {
  depthOf,
  hasAllWords,
  isLikeOneOf,
  joined,
  lettersIn,
  MIN_SIMILARITY,
  outermost,
  similarity,
} from "./likeness";
import { depthAt, endOfBody, isBlank, isText, lineAt, wordsOf } from "./lines";
import { GOES_ON } from "./newLineIndent";
import { commentText, standingForCode } from "./placeholders";
import { breaksStructure, CONTINUES } from "./structure";
import { withEnd } from "./wrappers";

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

/** Upper limit of pairs of lines whose words are compared, some microseconds each. */
const MAX_COMPARED = 100_000;

/** Languages in which also the outermost lines are items. */
const LISTS =
  /^(?:jsonc?|ya?ml|toml|ini|properties|dotenv|makefile|css|scss|less|dockerfile|dockercompose|sql)$/;

/** Function or class that a line gives a name, and any other literal. */
const FUNCTION_VALUE =
  /[^=!<>]=\s?(?:async\s)?(?:\(.{0,200}=>|function\b|class\b|[\w$]{1,100}\s?=>)/;
const VALUE = /[^=!<>]=\s?(?:[([{]|new\b)|^[^=]{1,200}[^=!<>]=(?!=).{0,200}[{[(]$/;

/** Start of a line that gives a name to something, and the parameters of a head. */
const NAMES =
  /^\s*(?:(?:const|let|var|val|mut|for|import|from|auto|int|my|local|static|export|final|private|public)\s[^=:]{0,200}|[\w$]{1,100}\s?(?=[:=][^=:]))/;
const PARAMETERS = /\([^()]{0,300}\)(?=[^()]{0,100}(?:\{|=>|:|->)\s*$)/;

const DECLARED_VALUE =
  /^(?:\w{1,30}\s){0,3}?(?:const|let|var|val|#define)\s(?:[[{]\s?)?([\w$]{1,100})|^([\w$]{1,100})(?:\s?:[^=]{0,100})?\s(?:=|<-)\s/;

/** Names that are no keys, and no members of anything but the object itself. */
const USES = /(?<![.\w$]|->)[\w$]+\b(?!\s?:(?!:))|(?<=\b(?:this|self)\.)[\w$]+/g;
const MEMBER_USES = /(?<=(?:this|self)\.|->|@)[\w$]+/g;

/** Line with which a script or a document begins. */
const FIRST_LINE = /^(?:#!|<\?(?:php|xml)|<!doctype )/i;

/** Languages in which functions of one name differ in their parameters. */
const OVERLOADS = /^(?:cpp|cuda-cpp|csharp|java|kotlin|scala|swift|groovy)$/;

/** Key or signature, which has one value. */
const KEY = /^(["']?)[\w$./-]{1,80}\1\s{0,20}(?:::?|=)\s/;

const DECORATOR = /^(?:@[\p{L}_]|#!?\[|\[[A-Z<]|template\s?<)/u;

/** Name and type of the function below. */
const SIGNATURE = /^([a-z]\w{0,99})\s::?\s/;

/** Words of heads that name nothing. */
const KEYWORD =
  /^(?:if|for|while|with|switch|else|elif|try|catch|return|function|def|fn|fun|func|class|const|let|val|var|public|private|static|async|await|in|of|as|new|this|self|not|and|or|is|int|string|void|end|do|then)$/;

const trimmed = (lines: readonly string[]) => lines.map((line) => line.trim());

interface Replacement extends LinesAround {
  readonly lines: readonly string[];
}

/** Returns the reasons against a result; none for a result that can be written. */
export function reasonsAgainst(file: FileLines, replacement: Replacement): readonly Reason[] {
  const judge = new Judge(file, replacement);
  const names = judge.goneNames();
  const [text, comment, twice] = [judge.goneText(), judge.commentForCode(), judge.repeatedText()];
  const reasons: readonly (Reason | undefined)[] = [
    names.length > 0 ? { kind: "gone", names } : undefined,
    text === undefined ? undefined : { kind: "text-gone", text },
    comment === undefined ? undefined : { kind: "comment", text: comment.trim() },
    twice === undefined ? undefined : { kind: "twice", text: twice.trim() },
    breaksStructure(file, judge) ? { kind: "structure" } : undefined,
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

/** Returns true for a comment or decorator, which belongs to the line below. */
export function isAttached(line: string): boolean {
  return isComment(line) || /^\* |\*\/$|-->$/.test(line.trim()) || DECORATOR.test(line.trim());
}

/** Returns code without spaces, line ends and the commas that formatters put at the end of lists. */
export function withoutLayout(code: string): string {
  return code.replaceAll(/\s/g, "").replaceAll(/,(?=[)\]}])/g, "");
}

function isComment(line: string): boolean {
  return commentText(line.trim()) !== undefined && !isImport(line);
}

class Judge {
  readonly lines: readonly string[];
  readonly replaced: readonly string[];
  private readonly above: readonly string[];
  readonly below: readonly string[];
  readonly after: readonly string[];
  private readonly outer: readonly string[];
  private readonly newOuter: readonly string[];
  private readonly newTexts: ReadonlySet<string>;
  private readonly words: ReadonlySet<string>;
  private readonly newWords: ReadonlySet<string>;
  /** Words of lines that stay. */
  private readonly keptWords: ReadonlySet<string>;
  private readonly wordsAround: ReadonlySet<string>;

  constructor(
    private readonly file: FileLines,
    private readonly range: Replacement,
  ) {
    this.lines = range.lines;
    this.replaced = file.rangeOf(range);
    this.above = file.all.slice(0, file.start - range.above);
    this.below = file.all.slice(file.end + range.below);
    this.after = [...this.above, ...this.lines, ...this.below];
    this.outer = outermost(this.replaced);
    this.newOuter = outermost(this.lines);
    this.newTexts = new Set(trimmed(this.lines));
    this.words = wordsOf(this.replaced.join("\n"));
    this.newWords = wordsOf(this.lines.join("\n"));
    this.keptWords = wordsOf(this.replaced.filter((line) => this.isKept(line)).join("\n"));
    this.wordsAround = wordsOf([...this.above, ...this.below].join("\n"));
  }

  /** Returns the names of items that are gone although nothing shows that they were to go. */
  goneNames(): readonly string[] {
    const { file, lines, replaced, outer, newOuter } = this;
    const withoutComma = (line: string) => withEnd(line.trim(), "");
    const old = new Set(replaced.map(withoutComma));
    const added = lines.filter((line) => !isBlank(line) && !old.has(withoutComma(line)));
    // All lines of a statement without a change stay without the statement.
    const body = replaced.slice(1, endOfBody(replaced, 0));
    const isUnwrapped =
      STATEMENT.test(lineAt(replaced, 0).trim()) && joined(body) === joined(lines);
    const inner = isUnwrapped ? undefined : this.innerOnly();
    if (inner !== undefined) return [inner];
    const parent = this.parentAt(depthOf(replaced));
    const statement = this.goneStatement();
    if (statement !== undefined) return [statement];
    const isBody = parent === undefined ? !LISTS.test(file.languageId) : hasStatements(parent);
    const [items, newItems] = [itemsOf(replaced, isBody), itemsOf(lines, isBody)];
    const newNames = new Set(newItems.flatMap(({ name }) => [name, name.split(/[^\w\s]/).at(-1)]));
    // A member may have become a parameter of the head.
    const heads = newOuter.filter((line) => CLASS.test(line) && line.includes("("));
    const parameters = wordsOf(heads.map((line) => line.slice(line.indexOf("("))).join("\n"));
    const isUnchanged = (one: Item) => items.some(({ text }) => text === one.text);
    const isKept = ({ around, name, text, isDeclared }: Item) => {
      const versions = newItems.filter((one) => one.around === around && one.name === name);
      // Of several declarations with a name, those that come may be as before.
      if (isDeclared && versions.length > 0 && versions.every(isUnchanged))
        return versions.some((one) => one.text === text);
      // A member of a class of C++ may have become a function.
      const isNamed = newNames.has(name) || newNames.has(name.split("::").at(-1));
      return isNamed || (around !== "" && parameters.has(name));
    };
    const gone = items.filter(
      (item) => item.name !== "" && !isKept(item) && !this.isUnneeded(item),
    );
    const isOuter = ({ around }: Item) => around === "";
    const isNewCode = !replaced.some((line) => this.isKept(line));
    // ".a:hover" is another rule than ".a".
    const hasVariant = (item: Item) =>
      newItems.some(({ name }) => name.split(/(?=[:.\s>+~[,&])/)[0] === item.name);
    // Another target of a Makefile names what it needs.
    const isAnyUse = replaced.length === 1 || file.languageId === "makefile";
    // A member may be used by the name of what is around it, as `Temp.read()`.
    const around = parent === undefined ? undefined : itemsOf([parent], false)[0]?.name;
    const users = added.map((line) => (around ? line.replaceAll(`${around}.`, "") : line));
    const used = gone.filter(
      (item) =>
        isOuter(item) &&
        (isUsedIn(users, item, isAnyUse) || (item.isDeclared && isNewCode && hasVariant(item))),
    );
    const isTopLevel = depthOf(replaced) === 0 && !LISTS.test(file.languageId);
    const stays = new Set([...valuesIn(lines), ...newNames]);
    const isValueUsed = (name: string) =>
      !stays.has(name) && isUsedIn(added, { name, isDeclared: true }, false);
    const usedValues = isTopLevel ? valuesIn(outer).filter(isValueUsed) : [];
    const rows = isNewCode ? this.goneRows() : [];
    if (rows.length > 0) return rows;
    const decorator = added.length > 0 ? this.goneDecorator() : undefined;
    if (decorator !== undefined) return [decorator];
    if (used.length + usedValues.length > 0)
      return [...used.map(({ name }) => name), ...usedValues];
    // A change that only removes lines is a removal, unless one item stays and loses lines itself.
    const isShortened = newOuter.length === 1 && !joined(replaced).includes(joined(lines));
    const goneOuter = outer.filter((line) => lettersIn(line) > 0 && !lines.includes(line));
    if (added.length === 0) return isShortened ? trimmed(goneOuter) : [];
    const isCode = (line: string) => !isAttached(line) && lettersIn(line) > 0;
    const [only, ...others] = outer.filter(isCode);
    const isValue = (line: string) => VALUE.test(line) || FUNCTION_VALUE.test(line);
    const isHead = (item: Item) => item.isDeclared || item.isHead;
    const head = gone.find((item) => isHead(item) && item.text === only?.trim());
    // Another kind of class with another name, as an interface, is no new version.
    const kindOf = (item: Item | undefined) => CLASS.exec(item?.text ?? "")?.[0];
    const isOtherKind = (one: Item) =>
      kindOf(one) !== undefined && ![undefined, kindOf(one)].includes(kindOf(head));
    const hasHead =
      newOuter.some(isValue) ||
      newItems.some((one) => isOuter(one) && isHead(one) && !isOtherKind(one));
    if (head !== undefined && others.length === 0 && !hasHead) return [head.name];
    // Lines without a name of the old ones may be further ones.
    const words = [...this.words].filter((word) => word.length > 1 && !KEYWORD.test(word));
    const isNewText = words.length > 3 && !words.some((word) => this.newWords.has(word));
    if (isNewText && head !== undefined && !file.isProse && lines.length > 1) return trimmed(outer);
    // A declaration of another name replaces one if only the name changes, or members stay.
    const isNew = ({ name }: Item) => name !== "" && items.every((item) => item.name !== name);
    const newName = newItems.find((item) => isOuter(item) && isNew(item))?.name;
    const codeBelow = (all: readonly string[]) => joined(all.filter(isCode).slice(1));
    const staysOtherwise =
      valuesIn(newOuter).includes(head?.name ?? "") ||
      newItems.some((item) => item.name !== "" && !isNew(item)) ||
      codeBelow(lines) === codeBelow(replaced).replaceAll(head?.name ?? "", newName ?? "");
    const hasBody = head && isText(lineAt(replaced, head.at + 1));
    const isCodeHead = head?.isDeclared && hasBody && !LISTS.test(file.languageId);
    if (isCodeHead && others.length === 0 && !staysOtherwise) return [head.name];
    if (items.length * newItems.length > MAX_COMPARED) return [];
    const text = lines.join(" ");
    return [...new Set(items.map(({ around }) => around))].flatMap((around) => {
      if (newName !== undefined && around !== "") return [];
      const isInside = (item: Item) => item.around === around;
      const [inside, newInside] = [items.filter(isInside), newItems.filter(isInside)];
      const isLost = (item: Item) => {
        // "a b" may have become a part of "a".
        const isMerged = item.name.includes(" ") && hasAllWords(text, item.name);
        if (item.name !== "") return gone.includes(item) && !isMerged;
        return !newInside.some((one) => isVersion(item, one)) && !hasAllWords(text, item.text);
      };
      const isAdded = (one: Item) => !inside.some((item) => isVersion(item, one));
      const [lost, unknown] = [inside.filter(isLost), newInside.filter(isAdded)];
      if (newInside.length === 0 || (lost.length === 1 && lost[0]?.name === "")) return [];
      const isMissing = (item: Item) =>
        (item.isHead
          ? item.name !== ""
          : /^(?!<)./.test(item.name) || item.text.startsWith("- ")) && !this.hasTrace(item);
      const missing = unknown.length === 0 ? lost : lost.filter(isMissing);
      // A value is no new version of a function.
      const countOf = (all: readonly Item[]) => all.filter(({ isDeclared }) => isDeclared).length;
      const least = Math.max(lost.length - unknown.length, countOf(lost) - countOf(unknown));
      return least > 0 && missing.length >= least ? missing.map((one) => one.name || one.text) : [];
    });
  }

  /** Returns rows of a table, items of a list or clauses of a function, if fewer come and none stays. */
  private goneRows(): readonly string[] {
    const { outer, newOuter, file } = this;
    const formOf = (row: string) => {
      if (file.isProse && /^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(row)) return "list";
      const signs = row.match(/[;,|\t]/g) ?? [];
      return signs.length > 1 ? signs.join("") : itemsOf([row], true)[0]?.name;
    };
    const form = formOf(outer[0] ?? "");
    const isRewritten = (row: string) => {
      const words = [...wordsOf(row)];
      return words.filter((word) => this.words.has(word)).length >= words.length / 2;
    };
    const stays = form === undefined || (form === "list" && newOuter.some(isRewritten));
    const isFewer = newOuter.length > 0 && newOuter.length < outer.length;
    const isOther = (row: string) => formOf(row) !== form;
    return stays || !isFewer || [...outer, ...newOuter].some(isOther) ? [] : trimmed(outer);
  }

  /** Returns the decorator, the condition or the signature of a declaration that comes without one. */
  private goneDecorator(): string | undefined {
    const [old, added] = [trimmed(this.replaced), trimmed(this.lines)];
    const isAbove = (line: string) => DECORATOR.test(line) || line.startsWith("#if");
    const head = itemsOf(this.replaced, false).find(({ at, text, isDeclared }) => {
      const isBare = added.includes(text) && !isAbove(lineAt(added, added.indexOf(text) - 1));
      return isDeclared && isBare && isAbove(lineAt(old, at - 1));
    });
    const signed = (line: string) => SIGNATURE.exec(line)?.[1];
    const names = new Set(added.map(signed));
    const isUnsigned = (line: string) =>
      !names.has(signed(line)) && added.some((one) => one.startsWith(`${signed(line)} `));
    // A signature without the function below it.
    const nameOf = (line: string) => (SIGNATURE.test(line) ? "" : line.split(" ")[0]);
    const isUndefined = (line: string) =>
      names.has(nameOf(line)) && !added.some((one) => nameOf(one) === nameOf(line));
    return head ? old[head.at - 1] : old.find((line) => isUnsigned(line) || isUndefined(line));
  }

  /** Returns the head of a clause, or a query, in place of which another clause, or a definition, comes. */
  private goneStatement(): string | undefined {
    const { outer, newOuter, newWords, replaced, file } = this;
    const verbOf = ([line = ""]: readonly string[]) => /^\s*(\w+)/.exec(line)?.[1] ?? "";
    const [verb, newVerb] = [verbOf(outer), verbOf(newOuter)];
    const isDefinition = file.languageId === "sql" && /^(?:create|alter|drop)$/i.test(newVerb);
    // Functions of Elixir consist of clauses with one name. Nothing of the body comes.
    const body = wordsOf(replaced.filter((line) => !outer.includes(line)).join("\n"));
    const stays = [...body].some((word) => !KEYWORD.test(word) && newWords.has(word));
    const isClause = /^defp?$/.test(verb) && newVerb === verb && newOuter.length === 1;
    const isOther = isDefinition ? verb !== "" && !newWords.has(verb) : isClause && body.size > 0;
    return isOther && !stays ? lineAt(outer, 0).trim() : undefined;
  }

  private isKept(line: string): boolean {
    return lettersIn(line) > 2 && this.newTexts.has(line.trim());
  }

  /** Returns true if a line below an item stays, or a word that only the item and lines that go have. */
  private hasTrace({ at, isDeclared }: Item): boolean {
    const [head = "", ...body] = this.replaced.slice(at, endOfBody(this.replaced, at));
    const isTrace = (word: string) =>
      word.length > 1 &&
      this.newWords.has(word) &&
      !this.keptWords.has(word) &&
      !(isDeclared && this.wordsAround.has(word)) &&
      !KEYWORD.test(word);
    const old = trimmed(this.replaced);
    const isOnly = (line: string) => old.indexOf(line) === old.lastIndexOf(line);
    return (
      body.some((line) => this.isKept(line) && isOnly(line.trim())) ||
      [...wordsOf([head, ...body].join("\n"))].some(isTrace)
    );
  }

  /** Returns true for a declaration that only the replaced lines used and that only its file can use. */
  private isUnneeded({ name, text, depth }: Item): boolean {
    const { all, languageId } = this.file;
    const isModule = all.some((line) => /^(?:import|export)\b/.test(line));
    const isPrivate =
      /\bprivate\s|^#\w|^(?:defp|local)\s/.test(text) ||
      (depth === 0 &&
        ((/^(?:type|java)script/.test(languageId) && isModule && !/^export\b/.test(text)) ||
          (languageId === "shellscript" && lineAt(all, 0).startsWith("#!")) ||
          (languageId === "rust" && /^(?:(?:async|const|unsafe)\s)*fn\s/.test(text))));
    const usesIn = (lines: readonly string[]) => lines.filter((line) => wordsOf(line).has(name));
    const uses = usesIn(this.replaced).filter((line) => line.trim() !== text);
    const isInside = uses.length > 0 && depthOf(uses) > depth;
    return isPrivate && isInside && usesIn(this.after).length === 0;
  }

  /** Returns the rest of a line of which only a part has a new version. */
  goneText(): string | undefined {
    const { selectedPart, target } = this.file.file;
    const text = trimmed(this.lines).join("\n");
    const { above, below } = this.range;
    const names = new Set(itemsOf(this.lines, false).map(({ name }) => name));
    const outside = [
      ...this.replaced.slice(0, above),
      ...this.replaced.slice(this.replaced.length - below),
    ];
    const item = itemsOf(outside, false).find(({ name }) => !names.has(name));
    if (item !== undefined) return item.text;
    if (above + below > 0 || isBlank(text)) return undefined;
    const parts = Object.values(selectedPart ?? {}).map((part: string) => part.trim());
    const [line = "", next] = target;
    if (next !== undefined || selectedPart !== undefined || this.file.isProse)
      return parts.find((part) => !withoutLayout(text).includes(withoutLayout(part)));
    const [words, newWords] = [[...wordsOf(line)], wordsOf(text)];
    const isEnd = (at: number) => text.includes(line.match(/[\p{L}\p{N}_$]+|\S/gu)?.at(at) ?? "");
    const isPart = words.some((word) => newWords.has(word)) && ![0, -1].some(isEnd);
    return isPart ? line.trim() : undefined;
  }

  /** Returns a new comment in place of lines of code. */
  commentForCode(): string | undefined {
    const { lines, file } = this;
    for (const hunk of hunksBetween(trimmed(this.replaced), trimmed(lines))) {
      const end = hunk.proposedStart + hunk.proposedLines.length;
      const added = lines.slice(hunk.proposedStart, end).filter((line) => !file.isKnown(line));
      const comment = standingForCode(added, hunk.originalLines, lines.slice(end));
      if (comment !== undefined) return comment;
    }
    // A new comment alone above or below code.
    const isNew = (line: string) =>
      !file.isProse && isComment(line) && !file.isKnown(line) && !/\.\w+$/.test(line);
    const ends = [lines, lines.toReversed()];
    return ends.find(([first = "", next = "x"]) => isNew(first) && isBlank(next))?.[0];
  }

  /** Returns a line that the file would have twice although the reply only moves or repeats it. */
  repeatedText(): string | undefined {
    const isRepeated = (line: string) =>
      this.file.isParent(line) &&
      !this.replaced.includes(line) &&
      itemsOf([line], true)[0]?.isDeclared === true;
    return (
      this.newOuter.find(isRepeated) ??
      this.repeatedAbove() ??
      this.repeatedHead() ??
      this.repeatedNext() ??
      this.repeatedOpener()
    );
  }

  /** Returns a head or key that another one of the same parent repeats, and did not before. */
  private repeatedHead(): string | undefined {
    const repeatedIn = (lines: readonly string[]) => {
      const keys = itemsOf(lines, false).flatMap(({ around, name, text, isHead }) => {
        const [key] = this.file.languageId === "makefile" ? [] : (KEY.exec(text) ?? []);
        // Code outside of functions may give a variable several values.
        if (key !== undefined && (around !== "" || !key.includes("="))) return `${around}\n${key}`;
        // Overloads, and clauses of a function, which begin with its name, differ in their parameters.
        const differs = text.startsWith(name) || OVERLOADS.test(this.file.languageId);
        const isField = around !== "" && name !== "" && text.endsWith(";");
        return isHead || isField ? `${around}\n${differs || isField ? text : name}` : [];
      });
      return keys.filter((key, at) => keys.indexOf(key) < at);
    };
    const old = new Set(repeatedIn(this.file.all));
    const repeated = repeatedIn(this.after).find((key) => !old.has(key));
    return repeated?.slice(repeated.lastIndexOf("\n") + 1);
  }

  private parentAt(depth: number): string | undefined {
    return this.above.findLast((line) => isText(line) && depthAt([line]) < depth);
  }

  /** Returns true if the new lines declare what the outermost ones do, or export, which only those can. */
  private hasOuterName(): boolean {
    const isExport = (line: string) => /^\s*export\s(?!\w+=)/.test(line);
    if (this.newOuter.every(isExport)) return !this.replaced.slice(1).some(isExport);
    const [old, added] = [this.replaced, this.lines].map((all) =>
      itemsOf(all, false).filter(({ around, isDeclared }) => around === "" && isDeclared),
    );
    return added?.some(({ name }) => old?.some((one) => one.name === name)) === true;
  }

  /** Returns the first of the outermost lines, if the new ones begin inside them and have none. */
  private innerOnly(): string | undefined {
    const { lines, replaced, outer } = this;
    const inner = replaced.filter((line) => !isBlank(line) && !outer.includes(line));
    if (lines.length * outer.length > MAX_COMPARED) return undefined;
    const isFirst = (line: string) => FIRST_LINE.test(line) && !lines.includes(line);
    if (this.above.length === 0 && isFirst(lineAt(replaced, 0))) return replaced[0];
    const isEnd = ([first = ""]: readonly string[]) => GOES_ON.test(first) || CONTINUES.test(first);
    // A value, in brackets or tags, in place of the statement that uses it.
    const [old = "", first = ""] = trimmed(
      [outer, lines].flatMap(
        (all) => all.find((line) => !isBlank(line) && !isAttached(line)) ?? "",
      ),
    );
    const isTag = /^<[a-z>]/i.test(first) && /[({;]$/.test(old);
    const isValue = isTag || (/^[{[(]$/.test(first) && old.endsWith(first));
    const isOnlyValue = isValue && (STATEMENT.test(old) || VALUE.test(old));
    // No member of a class is a statement.
    const isStatement =
      /^\s*(?:return|throw|raise)\b/.test(this.newOuter[0] ?? "") &&
      outer.every((line) => isAttached(line) || itemsOf([line], false)[0]?.isDeclared);
    if ((isEnd(lines) && !isEnd(replaced)) || isOnlyValue || isStatement) return outer[0]?.trim();
    // Fewer lines with the words of all, as a conditional expression in place of branches.
    const hasWord = (word: string) => this.newWords.has(word) || KEYWORD.test(word);
    const isWhole = [...this.words].every(hasWord);
    if (isWhole || this.hasOuterName()) return undefined;
    // Keys that only something inside the lines has.
    const [items, newItems] = [replaced, lines].map((all) => itemsOf(all, false));
    const heads = items?.filter(({ name }) => name !== "").toReversed();
    const parents = new Map(heads?.map(({ name, around }) => [name, around]));
    const keys = (newItems ?? []).filter(({ around }) => around === "");
    const isInside = ({ name, text, isDeclared }: Item) =>
      !isDeclared && !FUNCTION_VALUE.test(text) && (parents.get(name) ?? "") !== "";
    if (keys.length > 0 && keys.every(isInside)) return outer[0]?.trim();
    const likeness = (all: readonly string[]) =>
      Math.max(0, ...all.map((line) => similarity(lineAt(lines, 0), line) || 0));
    if (likeness(inner) <= Math.max(MIN_SIMILARITY, likeness(outer))) return undefined;
    // A line that begins like a line is a new version of that line.
    const startOf = (line: string) => /^\W{0,3}[\w-]{1,100}/.exec(line.trim())?.[0];
    const isOuter = (line: string) =>
      isLikeOneOf(outer, line) || outer.some((one) => startOf(one) === startOf(line));
    return this.newOuter.some(isOuter) ? undefined : outer[0]?.trim();
  }

  /** Returns the comment or decorator above the range, if new lines begin with another one. */
  private repeatedAbove(): string | undefined {
    const [line = "", old = "", first = ""] = trimmed([
      this.above.at(-1) ?? "",
      lineAt(this.replaced, 0),
      lineAt(this.lines, 0),
    ]);
    if (isBlank(line) || old === first || isImport(line)) return undefined;
    if (!isAttached(line) || !isAttached(first) || isAttached(old)) return undefined;
    return line.slice(0, 2) === first.slice(0, 2) ? line : undefined;
  }

  /** Returns the line below the range, if a line is that line or has all its words. */
  private repeatedNext(): string | undefined {
    const { replaced, newOuter: outer } = this;
    const next = this.below.find((line) => !isBlank(line)) ?? "";
    if (DECORATOR.test(next.trim()) && lineAt(this.lines, this.lines.length - 1) !== next)
      return undefined;
    const words = [...wordsOf(next)].filter((word) => /\p{L}/u.test(word));
    const hasWords = (line: string) => words.every((word) => wordsOf(line).has(word));
    if (words.length > 1 && outer.some(hasWords) && !replaced.some(hasWords)) return next;
    const countIn = (all: readonly string[]) => all.filter((line) => line === next).length;
    return countIn(outer) > countIn(replaced) ? next : undefined;
  }

  /** Returns what is open around the range, if a line declares that, or is another head of its kind. */
  private repeatedOpener(): string | undefined {
    const { replaced, newOuter: outer } = this;
    const opener = this.parentAt(depthAt(this.lines)) ?? "";
    const isOpen = OPENER.test(opener) || this.above.at(-1)?.trim() === "{";
    if (!isOpen || isLikeOneOf(outer, lineAt(replaced, 0))) return undefined;
    const names = [...wordsOf(opener)].filter((word) => !KEYWORD.test(word));
    const hasName = (text: string, all = names) => all.some((name) => wordsOf(text).has(name));
    const newNames = names.filter((name) => !this.words.has(name));
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
}

/** Returns true for an item of the same name, or of mostly the same words if both have none. */
function isVersion(item: Item, other: Item): boolean {
  if (item.name !== "" || other.name !== "") return item.name === other.name;
  return item.text === other.text || similarity(item.text, other.text) > MIN_SIMILARITY;
}

/** Returns the names of the constants and variables that lines declare. */
function valuesIn(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => DECLARED_VALUE.exec(line.trim())?.slice(1) ?? []).filter(Boolean);
}

/** Returns true if lines use an item that they do not declare. */
function isUsedIn(
  lines: readonly string[],
  { name, isDeclared }: Pick<Item, "name" | "isDeclared">,
  isOnly: boolean,
): boolean {
  // A call with a function, as a test, has no name of its own.
  if (name.includes("(")) return false;
  const word = /^[\w$"]/.test(name) ? ([...wordsOf(name)].at(-1) ?? "") : "";
  const isUsed = (code: string) => {
    if (name.startsWith('"')) return wordsOf(code).has(word);
    if (/^[.#]/.test(name)) return code.includes(name) && !/[{,]$/.test(code);
    return code.match(isDeclared || isOnly ? USES : MEMBER_USES)?.includes(word) === true;
  };
  const hasValues = (line: string) => CLASS.test(line) || STATEMENT.test(line.trim());
  const codeOf = (line: string) =>
    isComment(line) ? "" : withoutStrings(line).replace(hasValues(line) ? "" : PARAMETERS, "");
  const declares = lines.some((line) => {
    const head = NAMES.exec(codeOf(line))?.[0].replace(/\b(?:extends|implements|where)\b.*/, "");
    return wordsOf(head ?? "").has(word);
  });
  return !declares && lines.some((line) => isUsed(codeOf(line)));
}
