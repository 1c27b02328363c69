/**
 * Makes the document's lines of a reply's code block: applies a diff, fills left-out code in, and takes off
 * what the block repeats from around the edited lines.
 */
import { isPatch, TEXT_LABELS, type ReplyBlock } from "./blockChoice";
import {
  withExcerpt,
  withLeftOut,
  withoutBlankEnds,
  withoutSurroundings,
  type Surroundings,
} from "./blockLines";
import { isLeftOut } from "./leftOut";
import { LineClassifier } from "./lineKind";
import {
  applyPatch,
  findPatch,
  isSearchMarker,
  isTaggedDiff,
  readPatch,
  startsPatch,
  type PatchSection,
} from "./patch";

/** Reasons why a reply's code is not in the lines; what the reply says is in the reply. */
export type Rejection =
  /** Words alone. */
  | { readonly kind: "no-code" }
  /** Text without a fence that may be code. */
  | { readonly kind: "doubtful"; readonly lines: readonly string[] }
  /** A diff that does not fit the lines, or left-out code that cannot be filled in. */
  | { readonly kind: "diff" | "left-out" };

/** Lines that were found, and what was left out of them. */
export interface Found {
  readonly lines: readonly string[];
  readonly isPlaced: boolean;
  /** True when other changes of the reply were left out. */
  readonly isPartial: boolean;
  /** True when lines were taken off that the document has already. */
  readonly isCut: boolean;
}

/** The lines of one document that blocks are compared with. */
export class ReplyBlockReader {
  /** All lines, trimmed. */
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

  /** A line of a diff in a block that is not said to be one. */
  looksPatched(line: string): boolean {
    if (this.known.has(line.trim())) return false;
    if (isSearchMarker(line) || startsPatch(line)) return true;
    const [tag, text] = [line.charAt(0), line.slice(1).trim()];
    if (tag === "-") return this.knownTarget.has(text) && /[\p{L}\p{N}]{3}/u.test(text);
    return tag === "+" && /^\+ ?[\s\p{L}_$@#/(]/u.test(line) && this.surroundings.target.length > 0;
  }

  /** True for a line that stands for left-out code. */
  isGap(line: string): boolean {
    if (!isLeftOut(line) || this.known.has(line.trim())) return false;
    // Dots alone are a statement in Python.
    return !(/^\s*\.{3}\s*$/.test(line) && this.languageId === "python");
  }

  /** A block that is said to be text, or a command, and is code for the document. */
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
    const wrapped = this.unwrapped(block.lines);
    if (wrapped !== undefined) return wrapped;
    if (block.hasLeftOut) {
      return this.filledIn(block.lines) ?? { kind: "left-out" };
    }
    const dots = this.withPythonDots(block.lines);
    if (dots !== undefined) return { lines: dots, isPlaced: true, isPartial: false, isCut: false };
    const excerpt = withExcerpt(block.lines, target);
    if (excerpt !== undefined)
      return { lines: excerpt, isPlaced: true, isPartial: false, isCut: false };
    // Blank lines at the end of an unclosed fence end the reply, not the code.
    const { length } = block.isClosed ? block.lines : block.lines.join("\n").trimEnd().split("\n");
    return this.cut(block.lines.slice(0, length));
  }

  /**
   * Reads an answer that is JSON or a diff without its header.
   * @returns undefined for any other text, and for JSON where the document is JSON or a script
   */
  unwrapped(lines: readonly string[]): Found | Rejection | undefined {
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

  /** Lines with the left-out code filled in; undefined where it is not clear which is meant. */
  filledIn(block: readonly string[]): Found | undefined {
    const { target } = this.surroundings;
    const lines = withLeftOut(block, target, (line) => this.isGap(line));
    return lines && { lines, isPlaced: true, isPartial: false, isCut: false };
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

  /** Dots alone stand for the target's lines where these are more than dots. */
  private withPythonDots(lines: readonly string[]): readonly string[] | undefined {
    const isDots = (line: string) => line.trim() === "..." && !this.known.has("...");
    if (this.languageId !== "python" || !lines.some(isDots)) return undefined;
    if (this.surroundings.target.length === 0) return undefined;
    const filled = withLeftOut(lines, this.surroundings.target, isDots);
    return filled !== undefined && filled.length > lines.length ? filled : undefined;
  }

  /** Lines without those that are repeated from around the edited ones. */
  cut(block: readonly string[]): Found {
    const { lines, isMoreChanged } = withoutSurroundings(block, this.surroundings);
    return { lines, isPlaced: false, isPartial: isMoreChanged, isCut: lines !== block };
  }
}

/** Names under which models put code into a JSON answer. */
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

/** Returns the only text of a JSON answer that is named as code. */
function codeIn(value: unknown): string | undefined {
  const codes = Object.entries(value as object).filter(
    (entry): entry is [string, string] => CODE_KEYS.test(entry[0]) && typeof entry[1] === "string",
  );
  return codes.length === 1 ? codes[0]?.[1] : undefined;
}
