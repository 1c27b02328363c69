/** A change of a file: the lines that it replaces, the new ones, and the words of both. */
import type { FileLines, LinesAround } from "./fileLines";
import { lettersIn, outermost } from "./likeness";
import { depthAt, isText, wordsOf } from "./lines";

/** New lines in place of the target and of some lines around it. */
export interface Replacement extends LinesAround {
  readonly lines: readonly string[];
}

export class Change {
  readonly lines: readonly string[];
  readonly replaced: readonly string[];
  readonly above: readonly string[];
  readonly below: readonly string[];
  /** The whole file after the change. */
  readonly after: readonly string[];
  /** Outermost lines before and after the change. */
  readonly outer: readonly string[];
  readonly newOuter: readonly string[];
  readonly words: ReadonlySet<string>;
  readonly newWords: ReadonlySet<string>;
  private readonly newTexts: ReadonlySet<string>;

  constructor(
    readonly file: FileLines,
    readonly range: Replacement,
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
  }

  /** Returns true for a line with text that the new lines have too. */
  isKept(line: string): boolean {
    return lettersIn(line) > 2 && this.newTexts.has(line.trim());
  }

  /** Returns the nearest line above that is less deep; undefined for none. */
  parentAt(depth: number): string | undefined {
    return this.above.findLast((line) => isText(line) && depthAt([line]) < depth);
  }
}

export function trimmed(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.trim());
}
