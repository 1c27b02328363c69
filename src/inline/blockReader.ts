/**
 * Converts a reply's code block to lines of the document. Applies a diff, fills in left-out code,
 * and removes lines that the block repeats from around the edited range.
 */
import { isPatch, TEXT_LABELS, type ReplyBlock } from "./blockChoice";
import {
  withLeftOut,
  withoutBlankEnds,
  withoutSurroundings,
  type Surroundings,
} from "./blockLines";
import { indentOf } from "./indentation";
import { isLeftOut } from "./leftOut";
import { withoutLineNumbers } from "./lineNumbers";
import { isProvenCode } from "./proof";
import {
  applyPatch,
  findPatch,
  isSearchMarker,
  isTaggedDiff,
  readPatch,
  startsPatch,
  type PatchSection,
} from "./patch";

/** Reasons why a reply yields no lines. The reply text itself is not included. */
export type Rejection =
  /** Prose only. */
  | { readonly kind: "no-code" }
  /** Unfenced text that may be code. */
  | { readonly kind: "doubtful"; readonly lines: readonly string[] }
  /** Diff that does not match the lines, or left-out code that cannot be filled in. */
  | { readonly kind: "diff" | "left-out" };

/** Lines found in a reply, and flags for everything dropped from them. */
export interface Found {
  readonly lines: readonly string[];
  readonly isPlaced: boolean;
  /** True when other changes of the reply were dropped. */
  readonly isPartial: boolean;
  /** True when lines were removed because the document already has them. */
  readonly isCut: boolean;
}

/** Compares code blocks with the lines of a document. */
export class ReplyBlockReader {
  /** Trimmed lines of the target and its surroundings. */
  readonly known: ReadonlySet<string>;
  private readonly knownTarget: ReadonlySet<string>;

  constructor(
    private readonly surroundings: Surroundings,
    private readonly languageId: string,
  ) {
    const { target, before, after } = surroundings;
    const trimmed = (lines: readonly string[]) => lines.map((line) => line.trim());
    this.knownTarget = new Set(trimmed(target));
    this.known = new Set([...this.knownTarget, ...trimmed(before), ...trimmed(after)]);
  }

  /** Returns true for a diff line in a block that is not labelled as a diff. */
  looksPatched(line: string): boolean {
    if (this.known.has(line.trim())) return false;
    if (isSearchMarker(line) || startsPatch(line)) return true;
    const [tag, text] = [line.charAt(0), line.slice(1).trim()];
    if (tag === "-") return this.knownTarget.has(text) && /[\p{L}\p{N}]{3}/u.test(text);
    return tag === "+" && /^\+ ?[\s\p{L}_$@#/(]/u.test(line) && this.surroundings.target.length > 0;
  }

  /** Returns true for a placeholder of left-out code. */
  isGap(line: string): boolean {
    if (!isLeftOut(line) || this.known.has(line.trim())) return false;
    // A line of dots is a statement in Python.
    return !(/^\s*\.{3}\s*$/.test(line) && this.languageId === "python");
  }

  /** Returns true for document code in a block that is labelled as text or as a command. */
  isCode({ fence, lines }: ReplyBlock): boolean {
    if (lines.every((line) => line.trim() === "")) return true;
    if (fence === undefined || !TEXT_LABELS.has(fence.label)) return false;
    return isProvenCode(lines, this.surroundings.target);
  }

  linesOf(block: ReplyBlock, all: readonly ReplyBlock[], isWhole: boolean): Found | Rejection {
    const { target } = this.surroundings;
    if (block.kind === "patch") {
      const patches = all.filter(isPatch);
      if (!isWhole && patches.some(({ isClosed }) => !isClosed)) return { kind: "diff" };
      const patched = this.patched(patches);
      return patched ?? { kind: "diff" };
    }
    if (block.isTagged && !block.isClosed && !isWhole) return { kind: "diff" };
    if (isTaggedDiff(block.lines) && !block.lines.every((line) => this.known.has(line.trim()))) {
      return this.patched([block]) ?? { kind: "diff" };
    }
    const lines = withoutLineNumbers(block.lines, target);
    const wrapped = this.unwrapped(lines, true);
    if (wrapped !== undefined) return wrapped;
    if (block.hasLeftOut) return this.filledIn(lines) ?? { kind: "left-out" };
    // Blank lines at the end of an unclosed fence belong to the reply's end, not to the code.
    const { length } = block.isClosed ? lines : lines.join("\n").trimEnd().split("\n");
    return this.cut(lines.slice(0, length));
  }

  /**
   * Unwraps an answer in JSON, or a diff without its header.
   * @returns undefined for any other text, and for JSON where the document is JSON or a script
   */
  unwrapped(lines: readonly string[], isFenced = false): Found | Rejection | undefined {
    const inner = this.withoutTags(withoutBlankEnds(lines));
    if (inner !== undefined) {
      return this.unwrapped(inner, isFenced) ?? (isFenced ? this.cut(inner) : this.proven(inner));
    }
    const own = withoutBlankEnds(lines);
    if (this.isChat(own)) return { kind: "doubtful", lines: own };
    if (isTaggedDiff(own)) {
      const patches = findPatch(own);
      const patched = patches && applyPatch(patches, this.surroundings.target);
      if (patched === undefined) return { kind: "diff" };
      return { lines: patched.lines, isPlaced: true, isPartial: patched.isPartial, isCut: false };
    }
    if (!/^\s*[{[]/.test(own[0] ?? "") || /^(?:json|jsonc|jsonl|yaml)$/.test(this.languageId)) {
      return undefined;
    }
    const value = parseJson(own.join("\n"));
    if (value === undefined) return undefined;
    const code = codeIn(value);
    if (code === undefined) return { kind: "doubtful", lines: own };
    return this.cut(withoutBlankEnds(code.split(/\r\n|\r|\n/)));
  }

  /** Returns the lines of a text without a fence, if they are proven to be code. */
  proven(lines: readonly string[]): Found | Rejection {
    if (!isProvenCode(lines, this.surroundings.target)) return { kind: "doubtful", lines };
    if (!lines.some((line) => this.isGap(line))) return this.cut(lines);
    return this.filledIn(lines) ?? { kind: "left-out" };
  }

  /**
   * Returns the lines with left-out code filled in; undefined where the left-out lines are
   * ambiguous.
   */
  filledIn(block: readonly string[]): Found | undefined {
    const { target } = this.surroundings;
    const isGap = (line: string) => this.isGap(line);
    const own = this.withoutOuterLines(block);
    if (own.length < block.length && !own.some(isGap)) return { ...this.cut(own), isCut: true };
    const lines = withLeftOut(own, target, isGap);
    const isCut = own.length < block.length;
    return lines && { lines, isPlaced: true, isPartial: false, isCut };
  }

  /** Returns true for lines that only chat can have written: tags, and code escaped for HTML. */
  private isChat(lines: readonly string[]): boolean {
    if (MARKUP.test(this.languageId)) return false;
    const isNew = (line: string) => !this.known.has(line.trim());
    const isEscaped = (line: string) => /&[lg]t;/.test(line.replaceAll(/"[^"]*"|'[^']*'/g, ""));
    return lines.some((line) => isNew(line) && (isEscaped(line) || ONLY_TAG.test(line)));
  }

  /** Returns the lines between tags around an answer; undefined without such tags. */
  private withoutTags(lines: readonly string[]): readonly string[] | undefined {
    if (MARKUP.test(this.languageId) || this.known.has(lines[0]?.trim() ?? "")) return undefined;
    const [, , inner] = TAGGED.exec(lines.join("\n").trim()) ?? [];
    return inner === undefined ? undefined : withoutBlankEnds(inner.split("\n"));
  }

  private patched(blocks: readonly ReplyBlock[]): Found | undefined {
    const { target } = this.surroundings;
    for (const isStrict of [false, true]) {
      const sections: PatchSection[] = [];
      for (const { lines } of blocks) sections.push(...(readPatch(lines, isStrict) ?? []));
      const patched = applyPatch(sections, target);
      if (patched === undefined) continue;
      return {
        lines: patched.lines,
        isPlaced: target.some((line) => line.trim() !== ""),
        isPartial: patched.isPartial,
        isCut: false,
      };
    }
    return undefined;
  }

  /**
   * Removes lines that only repeat the file around the target: "class Cart {", a placeholder and
   * the method.
   */
  private withoutOuterLines(block: readonly string[]): readonly string[] {
    const isIn = (lines: readonly string[]) => {
      const around = new Set(lines.map((line) => line.trim()));
      return (line: string) => around.has(line.trim()) && !this.knownTarget.has(line.trim());
    };
    const isAbove = isIn(this.surroundings.before);
    const isBelow = isIn(this.surroundings.after);
    const isEmpty = (line: string) => line.trim() === "" || this.isGap(line);
    const start = block.findIndex((line) => !isEmpty(line) && !isAbove(line));
    if (start === -1) return block;
    const indent = indentOf([block[start] ?? ""]).length;
    const isOuter = (line: string) => !isEmpty(line) && indentOf([line]).length < indent;
    const hasGap = (lines: readonly string[]) => lines.some((line) => this.isGap(line));
    const head = block.slice(0, start);
    const isRepeated = head.some(isOuter) || (!head.every(isEmpty) && hasGap(head));
    const first = isRepeated ? start : 0;
    const isTail = (line: string) =>
      isEmpty(line) ||
      (isRepeated ? isOuter(line) : isBelow(line) && /[\p{L}\p{N}]{4}/u.test(line));
    const end = block.findLastIndex((line) => !isTail(line)) + 1;
    const tail = block.slice(end);
    const isTailRepeated = end > start && !tail.every(isEmpty) && (isRepeated || hasGap(tail));
    return block.slice(first, isTailRepeated ? end : block.length);
  }

  /** Returns the block without lines repeated from around the edited range. */
  cut(block: readonly string[]): Found {
    const { lines, isMoreChanged } = withoutSurroundings(block, this.surroundings);
    return { lines, isPlaced: false, isPartial: isMoreChanged, isCut: lines !== block };
  }
}

/** Languages in which tags are code. */
const MARKUP =
  /html|xml|xsl|svg|vue|svelte|astro|php|react|javascript|handlebars|razor|erb|blade|jsx|tsx/;

/** Text in a pair of tags. */
const TAGGED = /^<([a-zA-Z][\w-]{0,40})(?: [^<>\n]{0,200})?>([^]*)<\/\1>$/;

const ONLY_TAG = /^\s*<\/?[a-zA-Z][\w-]{0,40}(?: [^<>]{0,200})?>\s*$/;

/** Returns true for a line that begins with a tag where tags are no code. */
export function startsWithTag(line: string, languageId: string): boolean {
  return !MARKUP.test(languageId) && /^\s*<[a-zA-Z][\w-]{0,40}(?: [^<>]{0,200})?>/.test(line);
}

/** Property names under which models put code into a JSON answer. */
const CODE_KEYS =
  /^(?:(?:new|updated|rewritten|final)?_?(?:code|text|content|lines)|replacement|answer|result|output|response)$/i;

function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? (value ?? undefined) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the code of a JSON answer; undefined unless exactly one property is named as code. */
function codeIn(value: unknown): string | undefined {
  const codes = Object.entries(value as object).filter(
    (entry): entry is [string, string] => CODE_KEYS.test(entry[0]) && typeof entry[1] === "string",
  );
  return codes.length === 1 ? codes[0]?.[1] : undefined;
}
