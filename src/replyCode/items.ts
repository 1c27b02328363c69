/** Finds declarations, members of classes, keys and items of lists by their form, in any language. */
import { CLOSER, OPENER } from "./flaws";
import { isImport } from "./imports";
import { outermost } from "./likeness";
import { endOfBody, indentOf, isBlank, lineAt, wordsOf } from "./lines";
import { commentText } from "./placeholders";

export interface Item {
  /** Names of the heads around it, each after a line end; empty for an outermost item. */
  readonly around: string;
  readonly name: string;
  readonly text: string;
  readonly depth: number;
  /** Index of the line. */
  readonly at: number;
  /** Function or class for code that may use the name; any other item is a member, key or value. */
  readonly isDeclared: boolean;
  isHead: boolean;
}

/** Declarations of functions and classes, tables, sections, blocks with a name, and tests. */
const DECLARATIONS = [
  /^(?:[\w@.()-]{1,40}\s{1,4}){0,6}?(?:function\*?|def[pn]?|defmodule|class|interface|type|enum|struct|trait|module|namespace|fn|func|fun|sub|proc|object|record|protocol|extension(?=\s\w+\son\b)|mixin|union|data(?!\sclass)|newtype|get)\s{1,4}(?:\([^()]{0,100}\)\s{0,4})?(?:<[^<>]{0,100}>\s{0,4})?([\w$.:-]{0,99}[\w$-][?!]?)/,
  /^(?:unsafe\s)?(impl\b[^{]{1,200}?)\s?\{$/,
  /^create\s(?:or replace\s)?(?:unique\s)?(?:table|view|index|function|procedure|trigger|type)\s(?:concurrently\s)?(?:if not exists\s)?([\w."`]{1,100})/i,
  /^[a-z]\w{0,30}\s("[^"{]{1,100}"(?:\s"[^"{]{1,100}")?)\s\{/,
  /^(?!impl|extension)[a-z]\w{0,30}\s([A-Z]\w{0,100})\s\{$/,
  /^(?:[\w@()]{1,30}\s){0,5}?va[lr]\s([\w$]{1,100})\s?:[^={]{1,100}\s\{$/,
  /^attr_(?:reader|writer|accessor)\s:(\w{1,100})/,
  /^([a-z_]\w{0,99}!?)\([\w\s,:.{}]{0,200}\)\s=\s/,
  /^#\s?define\s(\w{1,100})/,
  /^(---)$/,
  /^([\w-]{1,100})\s?(?:\(\)\s?\{?|\([^()]{0,200}\)\s->)$/,
  /^(<(?:script|style|template)\b)/,
  /^(\[{1,2}[\w."' -]{1,100}\]{1,2})$/,
  /^([\w$.]{1,80}\s?\(?\s?(?:"[^"]{1,200}"|'[^']{1,200}'|`[^`]{1,200}`)).{0,200}(?:=>\s?\{?|\bfunction\b.{0,100}\{|\bdo(?:\s\|[^|]{0,100}\|)?)$/,
  /^(?!select\s|SELECT\s)(?:[\w<>[\],.&*?:@]{1,60}\s{1,4}){1,6}?[*&]{0,2}(?!\$\()(operator\s?[^\w\s(]{1,3}|[\w$~:]{1,100})\s?\([^()"']{0,300}(?:\([^()]{0,100}\)[^()]{0,100}){0,5}\)[^()=;,]{0,100}(?:(?:\{|=>).{0,300})?$/,
];

const METHOD =
  /^(?:[\w@<>[\],.?]{1,60}\s){0,3}[#*]?(?!\$\()([\w$]{1,100}[?!]?)(?:<[^<>]{0,100}>)?\((?!\d)/;

/** Start of an element with lines of its own. */
const ELEMENT = /^(<[a-zA-Z][\w.:-]{0,40}(?:\s(?:id|name)="[^"]{0,80}")?)(?!.{0,1000}<\/)/;

/** Members, keys and items of a list. */
const MEMBERS = [
  /^([a-z_]{2,40}\s:\w{1,100})\b/,
  /^- (name:\s.{1,100})$/,
  /^([A-Z]{2,20})\s/,
  /^(?:[\w@]{1,30}\s{1,4}){0,5}?(?:const|let|var|val)\s{1,4}([\w$]{1,100})/,
  /^(?:- )?(["']?[\w$@./-]{1,80}["']?)\s?\??\s{0,20}(?::(?!:)|=(?![=>]))/,
  /^(?:[\w<>[\],.?&*@:]{1,60}\s{1,4}){1,6}([\w$]{1,100})\s?(?:;|=[^=>])/,
  /^([\w$]{1,80})\s{1,20}[\w*["$/.-]/,
];

export const STATEMENT =
  /^(?:if|else|elif|for|foreach|while|do|switch|case|try|catch|except|finally|with|return|throw|raise|yield|await|match|when|unless|until|loop|using|lock|defer|break|continue|pass|delete|new|assert|echo|print|require|puts)\b/;

/** Head of a body of statements: a function, a call with a function, or a statement. */
const BODY =
  /(?:\)[^(){}]{0,100}[{:]|[\w(]\([^"'(]{0,300}\)|=>\s?\{?|\bdo(?:\s\|[^|]{0,100}\|)?|->\s?\{?)$/;
/** Head of branches, which are the items of a list. */
const BRANCHES = /(?:^|\s)(?:(?:match|switch|when)\b.{1,200}[{:]|case\b.{1,200}\b(?:in|of))$/;
const FUNCTION = /\b(?:function|def[pn]?|fn|func|fun|sub|proc|method|begin)\b/i;
export const CLASS =
  /\b(?:class|interface|(?:enum|struct|union)(?!\s\w{1,100}[\s*]{1,3}\w{1,100}\()|trait|impl|object|record|protocol|extension)\s/;

export const DECORATOR = /^(?:@[\p{L}_]|#!?\[|\[[A-Z<]|template\s?<)/u;

/** Words of heads that name nothing. */
export const KEYWORD =
  /^(?:if|for|while|with|switch|else|elif|try|catch|return|function|def|fn|fun|func|class|const|let|val|var|public|private|static|async|await|in|of|as|new|this|self|not|and|or|is|int|string|void|end|do|then)$/;

const DECLARED_VALUE =
  /^(?:\w{1,30}\s){0,3}?(?:const|let|var|val|#define)\s(?:rec\s|mut\s)?(?:[[{(]\s?([^()]{1,200}?)\s?[\]})]\s?=|([\w$]{1,100}))|^([\w$]{1,100}(?:,\s?[\w$]{1,100}){0,9})(?:\s?:[^=]{0,100})?\s(?:=|<-)\s/;

/** Returns true if the lines below a head are statements, of which only declarations have a name. */
export function hasStatements(head: string): boolean {
  const text = head.trim();
  if (BRANCHES.test(text)) return false;
  if (CLASS.test(text) || /^(?:describe|context|suite|defmodule)\b/.test(text)) return false;
  return STATEMENT.test(text) || FUNCTION.test(text) || BODY.test(text);
}

/**
 * Returns the items of lines outside of bodies of functions.
 * @param isBody true if the outermost lines are statements
 */
export function itemsOf(lines: readonly string[], isBody: boolean): readonly Item[] {
  const items: Item[] = [];
  const open: { readonly depth: number; readonly path: string; readonly isBody: boolean }[] = [];
  let last: Item | undefined;
  for (const [at, line] of lines.entries()) {
    const text = line.trim();
    if (isBlank(line) || /^(?:\{|\/?>)$/.test(text) || CLOSER.test(line) || isImport(text))
      continue;
    const depth = indentOf([line]).length;
    if (last !== undefined && depth > last.depth) last.isHead = true;
    if (commentText(text) !== undefined || /^(?:@[\w.]+(?:\(.*)?|#?\[.*\])$/.test(text)) {
      if (!/^(?:---|\[[^=]*\])$/.test(text)) continue;
    }
    // The lines of a section are as deep as its head.
    const openDepth = /^\[.*\]$/.test(text) ? depth - 0.5 : depth;
    while ((open.at(-1)?.depth ?? -1) >= openDepth) open.pop();
    const { path: around, isBody: isInBody } = open.at(-1) ?? { path: "", isBody };
    const [ownName, isDeclared] = nameIn(text, isInBody);
    const name = ownName.replace(/^&/, around.slice(around.lastIndexOf("\n") + 1));
    const path = `${around}\n${name === "" ? text : name}`;
    const isDeepest = isInBody && around !== "";
    const opensBody = !BRANCHES.test(text) && (isDeepest || hasStatements(text));
    open.push({ depth: openDepth, path, isBody: opensBody });
    last = { around, name, text, depth, at, isDeclared, isHead: false };
    if (!isDeepest && (isDeclared || !isInBody)) items.push(last);
  }
  return items;
}

function nameIn(text: string, isBody: boolean): readonly [name: string, isDeclared: boolean] {
  if (STATEMENT.test(text)) return ["", false];
  for (const pattern of DECLARATIONS) {
    const name = pattern.exec(text)?.[1];
    if (name !== undefined) return [name, true];
  }
  if (isBody || /^- (?!name:\s)/.test(text)) return ["", false];
  if (text.startsWith("<")) return [ELEMENT.exec(text)?.[1] ?? "", false];
  const method = METHOD.exec(text)?.[1];
  if (method !== undefined) return [method, text.endsWith("{")];
  if (/[^,]\s?\{$/.test(text) && !/=|[:(]\s?\{$/.test(text))
    return [text.slice(0, -1).trim(), true];
  for (const pattern of MEMBERS) {
    const name = pattern.exec(text)?.[1];
    if (name !== undefined) return [name, false];
  }
  return ["", false];
}

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

/** Returns true for a comment or decorator, which belongs to the line below. */
export function isAttached(line: string): boolean {
  return isComment(line) || /^\* |\*\/$|-->$/.test(line.trim()) || DECORATOR.test(line.trim());
}

/** Returns true for a whole comment that is no import statement. */
export function isComment(line: string): boolean {
  return commentText(line.trim()) !== undefined && !isImport(line);
}

/** Returns the names of the constants and variables that lines declare. */
export function valuesIn(lines: readonly string[]): readonly string[] {
  const texts = lines.flatMap((line) => DECLARED_VALUE.exec(line.trim())?.slice(1) ?? []);
  // "{ a, b: c = 1 }" declares "a" and "c".
  const nameOf = (one: string) => [...wordsOf(one.split("=")[0] ?? "")].at(-1) ?? "";
  return texts.filter(Boolean).flatMap((text) => text.split(",").map(nameOf));
}
