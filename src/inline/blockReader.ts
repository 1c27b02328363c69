/**
 * Converts a reply's code block to lines of the document. Applies a diff, fills in left-out code,
 * and removes lines that the block repeats from around the edited range.
 */
import { isPatch, TEXT_LABELS, type ReplyBlock } from "./blockChoice";
import {
  withExcerpt,
  withLeftOut,
  withoutBlankEnds,
  withoutSurroundings,
  type Surroundings,
} from "./blockLines";
import { indentOf } from "./indentation";
import { isLeftOut } from "./leftOut";
import { isWrapperTag, LineClassifier, withoutEntities, withoutLineNumbers } from "./lineKind";
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

  newClassifier(): LineClassifier {
    return new LineClassifier({ languageId: this.languageId, known: this.known });
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
    const classifier = this.newClassifier();
    const kinds = lines.map((line) => classifier.classify(line));
    return kinds.includes("code") && !kinds.includes("prose");
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
    const numbered = withoutLineNumbers(block.lines, target);
    const lines = withoutEntities(numbered, this.languageId);
    const wrapped = this.unwrapped(lines);
    if (wrapped !== undefined) return wrapped;
    if (block.hasLeftOut) return this.filledIn(lines) ?? { kind: "left-out" };
    const dots = this.withPythonDots(lines);
    if (dots !== undefined) return { lines: dots, isPlaced: true, isPartial: false, isCut: false };
    const excerpt = withExcerpt(lines, target);
    if (excerpt !== undefined)
      return { lines: excerpt, isPlaced: true, isPartial: false, isCut: false };
    // Blank lines at the end of an unclosed fence belong to the reply's end, not to the code.
    const { length } = block.isClosed ? lines : lines.join("\n").trimEnd().split("\n");
    return this.cut(lines.slice(0, length));
  }

  /**
   * Unwraps an answer in JSON, or a diff without its header.
   * @returns undefined for any other text, and for JSON where the document is JSON or a script
   */
  unwrapped(lines: readonly string[]): Found | Rejection | undefined {
    const inner = this.withoutTags(lines);
    if (inner !== undefined) return this.unwrapped(inner) ?? this.cut(inner);
    const own = withoutBlankEnds(lines);
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

  /** Returns the lines between tags around an answer; undefined without such tags. */
  private withoutTags(lines: readonly string[]): readonly string[] | undefined {
    const own = withoutBlankEnds(lines);
    const [first = "", last = ""] = [own[0], own.at(-1)];
    const isTag = (line: string) => isWrapperTag(line, this.languageId);
    if (own.length < 2 || !isTag(first) || !isTag(last) || this.known.has(first.trim())) {
      return undefined;
    }
    return withoutBlankEnds(own.slice(1, -1));
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

  /** Replaces a line of dots with the target's lines, if the target has more than dots. */
  private withPythonDots(lines: readonly string[]): readonly string[] | undefined {
    const isDots = (line: string) => line.trim() === "..." && !this.known.has("...");
    if (this.languageId !== "python" || !lines.some(isDots)) return undefined;
    if (this.surroundings.target.length === 0) return undefined;
    const filled = withLeftOut(lines, this.surroundings.target, isDots);
    return filled !== undefined && filled.length > lines.length ? filled : undefined;
  }

  /** Returns the block without lines repeated from around the edited range. */
  cut(block: readonly string[]): Found {
    const { lines, isMoreChanged } = withoutSurroundings(block, this.surroundings);
    return { lines, isPlaced: false, isPartial: isMoreChanged, isCut: lines !== block };
  }
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
