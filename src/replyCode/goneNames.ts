/**
 * Finds the declarations, members and items that a change removes although nothing shows that they
 * were to go.
 */
import { trimmed, type Change } from "./change";
import {
  CLASS,
  DECORATOR,
  hasStatements,
  isAttached,
  isComment,
  itemsOf,
  KEYWORD,
  STATEMENT,
  valuesIn,
  type Item,
} from "./items";
import { CONTINUES, withoutStrings } from "./flaws";
import {
  depthOf,
  hasAllWords,
  isLikeOneOf,
  joined,
  lettersIn,
  MIN_SIMILARITY,
  similarity,
} from "./likeness";
import { depthAt, endOfBody, indentOf, isBlank, isText, lineAt, wordsOf } from "./lines";
import { GOES_ON } from "./newLineIndent";
import { withEnd } from "./wrappers";

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
  /^\s*(?:(?:const|let|var|val|mut|for|import|from|auto|int|my|local|static|export|final|private|public)\s[^=:]{0,200}|[\w$]{1,100}\s?(?=[:=][^=:])|[^\s()][^()]{0,200}(?=\s->(?:\s|$)))/;
const PARAMETERS = /\([^()]{0,300}\)(?=[^()]{0,100}(?:\{|=>|:|->)\s*$)/;

/** Parameters of which one declares a member too, in TypeScript and PHP. */
const MEMBER_PARAMETERS = /\([^()]{0,500}\b(?:public|protected|private|readonly)\s[^()]{0,500}\)/g;

/** Names that are no keys, and no members of anything but the object itself. */
const USES = /(?<![.\w$]|->)[\w$]+\b(?!\s?:(?!:))|(?<=\b(?:this|self)\.)[\w$]+/g;
const MEMBER_USES = /(?<=(?:this|self)\.|->|@)[\w$]+/g;

/** Line with which a script or a document begins. */
const FIRST_LINE = /^(?:#!|<\?(?:php|xml)|<!doctype )/i;

/** Name and type of the function below. */
const SIGNATURE = /^([a-z]\w{0,99})\s::?\s/;

export class GoneNames {
  /** New lines that are not blank, and no old ones but for a comma. */
  private readonly added: readonly string[];
  private readonly items: readonly Item[];
  private readonly newItems: readonly Item[];
  private readonly newNames: ReadonlySet<string | undefined>;
  /** Items with a name that have no new version. */
  private readonly gone: readonly Item[];
  /** Words of lines that stay. */
  private readonly keptWords: ReadonlySet<string>;
  private readonly wordsAround: ReadonlySet<string>;
  /** Head above that the lines are deeper than. */
  private readonly parent: string | undefined;
  private readonly isNewCode: boolean;

  constructor(private readonly change: Change) {
    const { lines, replaced, file, newOuter } = change;
    const withoutComma = (line: string) => withEnd(line.trim(), "");
    const old = new Set(replaced.map(withoutComma));
    this.added = lines.filter((line) => !isBlank(line) && !old.has(withoutComma(line)));
    this.parent = change.parentAt(depthOf(replaced));
    const isBody =
      this.parent === undefined ? !LISTS.test(file.languageId) : hasStatements(this.parent);
    const [items, newItems] = [itemsOf(replaced, isBody), itemsOf(lines, isBody)];
    const newNames = new Set(newItems.flatMap(({ name }) => [name, name.split(/[^\w\s]/).at(-1)]));
    // A member may have become a parameter of the class, or of its constructor.
    const heads = newOuter.filter((line) => CLASS.test(line) && line.includes("("));
    const parameters = wordsOf(heads.map((line) => line.slice(line.indexOf("("))).join("\n"));
    const members = wordsOf([...lines.join("\n").matchAll(MEMBER_PARAMETERS)].join("\n"));
    const isUnchanged = (one: Item) => items.some(({ text }) => text === one.text);
    const isKept = ({ around, name, text, isDeclared }: Item) => {
      const versions = newItems.filter((one) => one.around === around && one.name === name);
      // Of several declarations with a name, those that come may be as before.
      if (isDeclared && versions.length > 0 && versions.every(isUnchanged))
        return versions.some((one) => one.text === text);
      // A member of a class of C++ may have become a function.
      const isNamed = newNames.has(name) || newNames.has(name.split("::").at(-1));
      // The text in a call, as a query, may have got longer.
      const isLonger =
        /["'`]$/.test(name) && newItems.some((one) => one.name.startsWith(name.slice(0, -1)));
      return isNamed || isLonger || members.has(name) || (around !== "" && parameters.has(name));
    };
    this.gone = items.filter((item) => item.name !== "" && !isKept(item));
    [this.items, this.newItems, this.newNames] = [items, newItems, newNames];
    this.isNewCode = !replaced.some((line) => change.isKept(line));
    this.keptWords = wordsOf(replaced.filter((line) => change.isKept(line)).join("\n"));
    this.wordsAround = wordsOf([...change.above, ...change.below].join("\n"));
  }

  /** Returns the names, or texts, of what is gone unasked; none for a change that can be made. */
  all(): readonly string[] {
    const names = this.namesByRule();
    const { replaced, outer, newOuter } = this.change;
    // Lines that are all as deep as lines inside the old ones have lost the head.
    const indent = indentOf(newOuter);
    const isInside =
      indent.length > depthOf(replaced) && replaced.some((line) => indentOf([line]) === indent);
    return names.length === 0 && isInside ? trimmed(outer.slice(0, 1)) : names;
  }

  private namesByRule(): readonly string[] {
    const text = this.innerOnly() ?? this.goneStatement() ?? this.goneReturn();
    if (text !== undefined) return [text];
    const rows = this.isNewCode ? [...this.goneRows(), ...this.goneMembers()] : [];
    if (rows.length > 0) return rows;
    const decorator = this.added.length > 0 ? this.goneDecorator() : undefined;
    if (decorator !== undefined) return [decorator];
    const used = this.usedNames();
    if (used.length > 0) return used;
    if (this.added.length === 0) return this.goneOuter();
    const names = this.goneHead();
    return names.length > 0 ? names : this.goneInside();
  }

  /** Returns the outermost items that are gone although the new lines use them. */
  private usedNames(): readonly string[] {
    const { lines, replaced, outer, file, below } = this.change;
    // Another target of a Makefile names what it needs.
    const isAnyUse = replaced.length === 1 || file.languageId === "makefile";
    // ".a:hover" is another rule than ".a".
    const hasVariant = (item: Item) =>
      this.newItems.some(({ name }) => name.split(/(?=[:.\s>+~[,&])/)[0] === item.name);
    const isUsed = (item: Item) =>
      (!isCall(item) && isUsedIn(this.added, item, isAnyUse)) ||
      (item.isDeclared && this.isNewCode && hasVariant(item));
    const used = this.gone.filter((item) => isOuter(item) && isUsed(item));
    const stays = new Set([...valuesIn(lines), ...this.newNames]);
    const depth = depthOf(replaced);
    // What is below in the same body uses a variable that no line declares any more.
    const end = below.findIndex((line) => !isBlank(line) && depthAt([line]) < depth);
    const users = [depth === 0 ? this.added : [], end === -1 ? below : below.slice(0, end)];
    const isValueUsed = (name: string) =>
      !stays.has(name) && users.some((all) => isUsedIn(all, { name, isDeclared: true }, false));
    const usedValues = LISTS.test(file.languageId) ? [] : valuesIn(outer).filter(isValueUsed);
    return [...used.map(({ name }) => name), ...usedValues];
  }

  /**
   * Returns the outermost lines that go, if lines only go. That is a removal, unless one item stays and
   * loses lines itself.
   */
  private goneOuter(): readonly string[] {
    const { lines, replaced, outer, newOuter } = this.change;
    const isShortened = newOuter.length === 1 && !joined(replaced).includes(joined(lines));
    const isGone = (line: string) => lettersIn(line) > 0 && !lines.includes(line);
    return isShortened ? trimmed(outer.filter(isGone)) : [];
  }

  /** Returns the only outermost declaration, if what comes is no new version of it. */
  private goneHead(): readonly string[] {
    const { lines, replaced, outer, newOuter, file } = this.change;
    // The keys of a section are as deep as its head.
    const isInside = (line: string) =>
      LISTS.test(file.languageId) &&
      this.items.some((item) => item.text === line.trim() && !isOuter(item));
    const [only, ...others] = outer.filter((line) => isCode(line) && !isInside(line));
    const isHead = (item: Item) => item.isDeclared || item.isHead;
    const head = this.gone.find((item) => isHead(item) && item.text === only?.trim());
    if (head === undefined) return [];
    // Another kind of class with another name, as an interface, is no new version.
    const kindOf = ({ text }: Item) => CLASS.exec(text)?.[0];
    const isOtherKind = (one: Item) =>
      kindOf(one) !== undefined && ![undefined, kindOf(one)].includes(kindOf(head));
    const hasHead =
      newOuter.some((line) => VALUE.test(line) || FUNCTION_VALUE.test(line)) ||
      this.newItems.some((one) => isOuter(one) && isHead(one) && !isOtherKind(one));
    if (others.length === 0 && !hasHead) return [head.name];
    // A declaration of another name replaces one if only the name changes, or members stay.
    const codeBelow = (all: readonly string[]) => joined(all.filter(isCode).slice(1));
    const staysOtherwise =
      valuesIn(newOuter).includes(head.name) ||
      this.newItems.some((item) => item.name !== "" && !this.isNew(item)) ||
      codeBelow(lines) === codeBelow(replaced).replaceAll(head.name, this.newName ?? "");
    const hasBody = isText(lineAt(replaced, head.at + 1));
    return head.isDeclared && hasBody && others.length === 0 && !staysOtherwise ? [head.name] : [];
  }

  private isNew({ name }: Item): boolean {
    return name !== "" && this.items.every((item) => item.name !== name);
  }

  /** Name of the first new outermost item. */
  private get newName(): string | undefined {
    return this.newItems.find((item) => isOuter(item) && this.isNew(item))?.name;
  }

  /** Returns the items that are gone from a parent in which fewer new ones come. */
  private goneInside(): readonly string[] {
    const { items, newItems, newName } = this;
    if (items.length * newItems.length > MAX_COMPARED) return [];
    const text = this.change.lines.join(" ");
    return [...new Set(items.map(({ around }) => around))].flatMap((around) => {
      const isInside = (item: Item) => item.around === around;
      const [inside, newInside] = [items.filter(isInside), newItems.filter(isInside)];
      const stays = inside.some((item) => newInside.some((one) => isVersion(item, one)));
      if (newName !== undefined && around !== "" && stays) return [];
      const isLost = (item: Item) => {
        // "a b" may have become a part of "a".
        const isMerged = item.name.includes(" ") && hasAllWords(text, item.name);
        if (item.name !== "") return this.gone.includes(item) && !isMerged;
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
    const { outer, newOuter, file } = this.change;
    const formOf = (row: string) => {
      if (file.isProse && /^\s*(?:[-*+]|\d{1,9}[.)])\s/.test(row)) return "list";
      const signs = row.match(/[;,|\t]/g) ?? [];
      return signs.length > 1 ? signs.join("") : itemsOf([row], true)[0]?.name;
    };
    const form = formOf(outer[0] ?? "");
    const isRewritten = (row: string) => {
      const words = [...wordsOf(row)];
      return words.filter((word) => this.change.words.has(word)).length >= words.length / 2;
    };
    const stays = form === undefined || (form === "list" && newOuter.some(isRewritten));
    const isFewer = newOuter.length > 0 && newOuter.length < outer.length;
    const isOther = (row: string) => formOf(row) !== form;
    return stays || !isFewer || [...outer, ...newOuter].some(isOther) ? [] : trimmed(outer);
  }

  /** Returns the members in place of which only members with another name and another value come. */
  private goneMembers(): readonly string[] {
    const isMember = (item: Item) =>
      isOuter(item) &&
      !(item.isDeclared && item.isHead) &&
      /^[^<]/.test(item.name) &&
      !isCall(item);
    const [members, added] = [this.items.filter(isMember), this.newItems.filter(isMember)];
    const valueOf = ({ name, text }: Item) => [...wordsOf(text.replace(name, ""))];
    const isRenamed = (item: Item, one: Item) => {
      const [old, name] = [lettersOf(item.name), lettersOf(one.name)];
      const [value, newValue] = [valueOf(item).join(), valueOf(one).join()];
      return old.includes(name) || name.includes(old) || (value !== "" && value === newValue);
    };
    const isGone = (item: Item) =>
      this.gone.includes(item) && !added.some((one) => isRenamed(item, one));
    return added.length > 0 && members.every(isGone) ? members.map(({ name }) => name) : [];
  }

  /** Returns the decorator, the condition or the signature of a declaration that comes without one. */
  private goneDecorator(): string | undefined {
    const [old, added] = [trimmed(this.change.replaced), trimmed(this.change.lines)];
    const isAbove = (line: string) => DECORATOR.test(line) || line.startsWith("#if");
    const head = itemsOf(this.change.replaced, false).find(({ at, text, isDeclared }) => {
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
    const { outer, newOuter, newWords, replaced, file } = this.change;
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

  /** Returns the statement that returned a value at the end, if no new line ends the function. */
  private goneReturn(): string | undefined {
    const { lines, outer, file } = this.change;
    const last = outer.slice(1).at(-1)?.trim() ?? "";
    const isEnd = (line: string) => /\b(?:return|throw|raise|yield|exit|panic)\b|=>/.test(line);
    const isImplicit = /^(?:ruby|rust|elixir|r|scala|julia|perl|coffeescript)$/.test(
      file.languageId,
    );
    return /^return\s[^;]/.test(last) && !isImplicit && !lines.some(isEnd) ? last : undefined;
  }

  /** Returns true if a line below an item stays, or a word that only the item and lines that go have. */
  private hasTrace({ at, isDeclared }: Item): boolean {
    const [head = "", ...body] = this.change.replaced.slice(
      at,
      endOfBody(this.change.replaced, at),
    );
    const isTrace = (word: string) =>
      word.length > 1 &&
      this.change.newWords.has(word) &&
      !this.keptWords.has(word) &&
      !(isDeclared && this.wordsAround.has(word)) &&
      !KEYWORD.test(word);
    const old = trimmed(this.change.replaced);
    const isOnly = (line: string) => old.indexOf(line) === old.lastIndexOf(line);
    return (
      body.some((line) => this.change.isKept(line) && isOnly(line.trim())) ||
      [...wordsOf([head, ...body].join("\n"))].some(isTrace)
    );
  }

  /** Returns the first of the outermost lines, if the new ones begin inside them and have none. */
  private innerOnly(): string | undefined {
    const { lines, replaced, outer, newOuter, words, newWords, above } = this.change;
    // All lines of a statement without a change stay without the statement.
    const body = replaced.slice(1, endOfBody(replaced, 0));
    if (STATEMENT.test(lineAt(replaced, 0).trim()) && joined(body) === joined(lines))
      return undefined;
    const inner = replaced.filter((line) => !isBlank(line) && !outer.includes(line));
    if (lines.length * outer.length > MAX_COMPARED) return undefined;
    const isFirst = (line: string) => FIRST_LINE.test(line) && !lines.includes(line);
    if (above.length === 0 && isFirst(lineAt(replaced, 0))) return replaced[0];
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
      /^\s*(?:return|throw|raise)\b/.test(newOuter[0] ?? "") &&
      outer.every((line) => isAttached(line) || itemsOf([line], false)[0]?.isDeclared);
    if ((isEnd(lines) && !isEnd(replaced)) || isOnlyValue || isStatement) return outer[0]?.trim();
    // Fewer lines with the words of all, as a conditional expression in place of branches.
    const hasWord = (word: string) => newWords.has(word) || KEYWORD.test(word);
    const isWhole = [...words].every(hasWord);
    if (isWhole) return undefined;
    const likeness = (all: readonly string[]) =>
      Math.max(0, ...all.map((line) => similarity(lineAt(lines, 0), line) || 0));
    if (likeness(inner) <= Math.max(MIN_SIMILARITY, likeness(outer))) return undefined;
    // A line that begins like a line is a new version of that line.
    const startOf = (line: string) => /^\W{0,3}[\w-]{1,100}/.exec(line.trim())?.[0];
    const isOuter = (line: string) =>
      isLikeOneOf(outer, line) || outer.some((one) => startOf(one) === startOf(line));
    return newOuter.some(isOuter) ? undefined : outer[0]?.trim();
  }
}

function isOuter({ around }: Item): boolean {
  return around === "";
}

/** Returns true for a call, which declares nothing. */
function isCall({ name, text, isDeclared }: Item): boolean {
  return !isDeclared && text.startsWith(`${name}(`);
}

function lettersOf(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}

function isCode(line: string): boolean {
  return !isAttached(line) && lettersIn(line) > 0;
}

/** Returns true for an item of the same name, or of mostly the same words if both have none. */
function isVersion(item: Item, other: Item): boolean {
  if (item.name !== "" || other.name !== "") return item.name === other.name;
  return item.text === other.text || similarity(item.text, other.text) > MIN_SIMILARITY;
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
