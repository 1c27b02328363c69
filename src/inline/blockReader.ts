/**
 * Makes the document's lines of a reply's code block: applies a diff, fills left-out code in, and takes off
 * what the block repeats from around the edited lines.
 */
import { isPatch, TEXT_LABELS, type ReplyBlock } from "./blockChoice";
import { withExcerpt, withLeftOut, withoutSurroundings, type Surroundings } from "./blockLines";
import { isLeftOut } from "./leftOut";
import { LineClassifier } from "./lineKind";
import { applyPatch, isSearchMarker, readPatch, startsPatch, type PatchSection } from "./patch";

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
    if (block.hasLeftOut) {
      return this.filledIn(block.lines) ?? { kind: "left-out" };
    }
    const dots = this.withPythonDots(block.lines);
    if (dots !== undefined) return { lines: dots, isPlaced: true, isPartial: false, isCut: false };
    const excerpt = withExcerpt(block.lines, target);
    if (excerpt !== undefined)
      return { lines: excerpt, isPlaced: true, isPartial: false, isCut: false };
    return this.cut(block.lines);
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
