/**
 * A file that a reply edits, and comparisons of lines of the reply with it: lines of the file, found
 * once, like the target, or repeated from around the target.
 */
import { CLOSER, OPENER } from "./flaws";
import type { IndentStyle } from "./indentation";
import { depthOf, isLikeOneOf, joined, outermost, parentsOf } from "./likeness";
import { indentOf, isBlank, withoutBlankEnds, wordsOf } from "./lines";
import { isLeftOut } from "./placeholders";
import { hasTags, isTag } from "./wrappers";

/** Text next to a selection that begins or ends inside a line. */
export interface SelectedPart {
  readonly before: string;
  readonly after: string;
}

/** File that a reply edits: whole lines without line ends. */
export interface EditedFile {
  readonly before: readonly string[];
  /** Lines to rewrite; empty when new lines are generated. */
  readonly target: readonly string[];
  readonly after: readonly string[];
  readonly languageId: string;
  /** Path as it is sent; a first line of a block that only names this path is not code. */
  readonly path?: string | undefined;
  /**
   * True if the target has lines of the file around the code that was asked for, because an earlier
   * reply changed them. A block then replaces the lines of which it is a new version.
   */
  readonly isWider?: boolean;
  readonly selectedPart?: SelectedPart | undefined;
  /** Indentation at the target; lines keep their own if missing. */
  readonly style?: IndentStyle | undefined;
}

export interface LinesAround {
  readonly above: number;
  readonly below: number;
}

/** Upper limit of lines above the target that are compared with the start of a block. */
const MAX_REPEATED = 50;

export class FileLines {
  readonly all: readonly string[];
  /** Range of the target in `all`, 0-based, end exclusive. */
  readonly start: number;
  readonly end: number;
  readonly hasTags: boolean;
  private readonly known: ReadonlySet<string>;
  private readonly outside: ReadonlySet<string>;
  /** All lines without their indentation. */
  private readonly text: string;
  /** Trimmed lines above that the target is deeper than, each deeper than the one before. */
  private readonly parents: ReadonlySet<string>;

  constructor(readonly file: EditedFile) {
    const { before, target, after, languageId } = file;
    this.all = [...before, ...target, ...after];
    this.text = joined(this.all);
    this.parents = new Set(parentsOf(before, indentOf(target).length));
    this.known = new Set(this.all.map((line) => line.trim()));
    this.outside = new Set([...before, ...after].map((line) => line.trim()));
    this.start = before.length;
    this.end = before.length + target.length;
    this.hasTags = hasTags(languageId) || this.all.some(isTag);
  }

  readonly isKnown = (line: string): boolean => this.known.has(line.trim());

  /** Returns true for a line above that only the target is deeper than, as the head of its function. */
  readonly isParent = (line: string): boolean => this.parents.has(line.trim());

  get languageId(): string {
    return this.file.languageId;
  }

  /** True for a document of prose, in which nothing is code. */
  get isProse(): boolean {
    return /^(?:markdown|plaintext|restructuredtext|asciidoc|mdx|latex|org)$/.test(
      this.file.languageId,
    );
  }

  get isGenerating(): boolean {
    return this.file.target.every(isBlank);
  }

  /** Returns true for a placeholder of left-out code. */
  readonly isGap = (line: string): boolean => {
    if (!isLeftOut(line) || this.isKnown(line)) return false;
    // A line of dots is the body of a function or class in Python.
    return !(/^\s+\.{3}\s*$/.test(line) && this.file.languageId === "python");
  };

  /** Returns true for lines of the file, at any depth. */
  isCopy(lines: readonly string[]): boolean {
    return this.text.includes(joined(lines));
  }

  /** Returns true for lines that the file has exactly once, at any depth; "end" and "}" show nothing. */
  isUnique(lines: readonly string[]): boolean {
    const text = joined(lines);
    const at = this.text.indexOf(text);
    const isTelling = lines.some((line) => /\p{L}/u.test(line) && !CLOSER.test(line));
    return isTelling && at !== -1 && !this.text.includes(text, at + 1);
  }

  /** Returns the share of the target's words that lines have, from 0 to 1. */
  share(lines: readonly string[]): number {
    const words = wordsOf(this.file.target.join("\n"));
    const newWords = wordsOf(lines.join("\n"));
    const common = [...words].filter((word) => newWords.has(word)).length;
    return words.size === 0 ? 0 : common / words.size;
  }

  /**
   * Returns true if lines are proven to be code for the target: each of the outermost lines is like
   * one of the target's, or begins with one of its tags.
   */
  isProven(lines: readonly string[]): boolean {
    const outer = outermost(lines);
    const targetOuter = outermost(this.file.target);
    // Markup in a string of code may have a label of its own.
    const tagOf = (line: string) => /^\s*<[\w-]{1,40}/.exec(line)?.[0].trim();
    const tags = new Set(targetOuter.map(tagOf));
    const isMarkup = outer.every((line) => tagOf(line) !== undefined && tags.has(tagOf(line)));
    return outer.length > 0 && (isMarkup || outer.every((line) => isLikeOneOf(targetOuter, line)));
  }

  /**
   * Returns true if each of the outermost lines begins with the first word of one of the target's. A
   * command or an output begins with another word than the line of code that holds its text.
   */
  beginsAlike(lines: readonly string[]): boolean {
    const firstWord = (line: string) => [...wordsOf(line)][0];
    const words = new Set(outermost(this.file.target).map(firstWord));
    return outermost(lines).every((line) => words.has(firstWord(line)));
  }

  /** Returns true for two blocks that are both a new version of the target. */
  areAlternatives(lines: readonly string[], others: readonly string[]): boolean {
    const isElsewhere = (line: string) => this.outside.has(line.trim()) && this.isUnique([line]);
    return (
      [lines, others].every((all) => this.isProven(all)) && !outermost(lines).some(isElsewhere)
    );
  }

  /** Returns true if lines begin, or end, with the target's line, which may also be the line next to it. */
  isLikeTarget(lines: readonly string[], end: 0 | -1): boolean {
    return lines.at(end)?.trim() === this.file.target.at(end)?.trim();
  }

  /**
   * Returns lines without those that repeat lines around the target: those directly above, the file's first
   * and last one, and those that the target is deeper than, up to the nearest. Without the nearest, the
   * same words may be new code, as a row inside a column of a row.
   */
  withoutRepeated(lines: readonly string[]): readonly string[] {
    if (this.isLikeTarget(lines, 0)) return lines;
    const [first = "", last = ""] = [lines[0]?.trim(), lines.at(-1)?.trim()];
    // What is around the target need not be less deep, as a namespace or the script of a page.
    const isOnly = (line: string, part: readonly string[]) =>
      [this.all, part].every((all) => all.filter((one) => one.trim() === line).length === 1);
    const hasEnds = () => isOnly(first, this.file.before) && isOnly(last, this.file.after);
    const isHead = OPENER.test(first) || first.startsWith("<");
    if (isHead && CLOSER.test(last) && lines[1]?.trim() !== "{" && hasEnds())
      return this.withoutRepeated(withoutBlankEnds(lines.slice(1, -1)));
    const [nearest] = this.parents;
    const textAt = (at: number) => this.file.before.at(at)?.trim();
    for (let count = Math.min(lines.length - 1, MAX_REPEATED); count > 0; count--) {
      const [start, below] = [lines.slice(0, count), lines.slice(count)];
      const heads = start.filter((line) => this.isParent(line));
      const depth = indentOf(heads.slice(-1)).length;
      const end = below.findLastIndex((line) => !isBlank(line) && depthOf([line]) > depth) + 1;
      const isInside =
        heads.at(-1)?.trim() === nearest &&
        end > 0 &&
        below.slice(end).every((line) => isBlank(line) || CLOSER.test(line)) &&
        depthOf(below.slice(0, end)) > depth;
      const isAbove =
        start.every((line, at) => line.trim() === textAt(at - count)) && this.isUnique(start);
      const isHead = start.every((line) => heads.includes(line) || line.trim() === "{");
      if (isInside && (isAbove || isHead))
        return this.withoutRepeated(withoutBlankEnds(below.slice(0, end)));
      if (isAbove) return withoutBlankEnds(below);
    }
    const file = withoutBlankEnds(this.all);
    const isFirst = first === file[0]?.trim() && this.isUnique([first]);
    if (!isFirst) return lines;
    const isOuter = indentOf(lines.slice(-1)) === indentOf(lines);
    const isLast = isOuter && last === file.at(-1)?.trim() && this.isUnique([last]);
    return withoutBlankEnds(lines.slice(1, isLast ? -1 : undefined));
  }

  /** Returns the depth of the first line that the file does not have outside the target. */
  depthOfNew(lines: readonly string[]): number {
    const isNew = (line: string) => !this.isGap(line) && !this.outside.has(line.trim());
    return indentOf([lines.find((line) => !isBlank(line) && isNew(line)) ?? ""]).length;
  }

  rangeOf({ above, below }: LinesAround): readonly string[] {
    return this.all.slice(this.start - above, this.end + below);
  }
}
