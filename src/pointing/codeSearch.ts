/** Chooses the texts by which code of a mark can be found, and the lines that have them. */
import { namesIn, textsAbout } from "./codePlace";

/** Upper limits: texts, lines with a text that identifies any, and the length of a searched line. */
const MAX_TEXTS = 40;
const MAX_LINES = 5;
const MAX_LENGTH = 1_000;

const QUOTED = /"([^"\n]{2,100})"|“([^“”\n]{2,100})”|‘([^‘’\n]{2,100})’|「([^「」\n]{2,100})」/g;
/** Punctuation between the parts of a label, and its words. */
const BETWEEN_PARTS = /[^\p{L}\p{N}\s.]+|\.(?!\d)/u;
const WORD = /[\p{L}\p{N}_$.]{3,}/gu;

interface SearchText {
  readonly text: string;
  /** 0 for the label and what the reply quotes or names for it, 1 for parts of the label, 2 for words. */
  readonly rank: number;
}

/** A file and a 1-based line. */
type MatchingLine<File> = readonly [file: File, line: number];

/** Searches files, one after the other, for the texts that a reply has about a mark. */
export class CodeSearch<File> {
  private readonly texts: readonly SearchText[];
  private readonly lines = new Map<SearchText, MatchingLine<File>[]>();

  constructor(label: string, reply: string) {
    const about = textsAbout(label, reply);
    const quoted = about.flatMap((text) =>
      [...text.matchAll(QUOTED)].flatMap((all) => all.slice(1)),
    );
    const ranked = [[label, ...quoted, ...about.flatMap(namesIn)], label.split(BETWEEN_PARTS)];
    const all = [...ranked, label.match(WORD) ?? []].flatMap((texts, rank) =>
      texts.map((text?: string) => ({ text: (text ?? "").trim().toLowerCase(), rank })),
    );
    this.texts = all
      .filter(({ text }, at) => text.length > 1 && all.findIndex((one) => one.text === text) === at)
      .slice(0, MAX_TEXTS);
  }

  addFile(file: File, lines: readonly string[]): void {
    const lowerLines = lines.map((line) => line.slice(0, MAX_LENGTH).toLowerCase());
    for (const searched of this.texts) {
      const matching = this.lines.get(searched) ?? [];
      this.lines.set(searched, matching);
      for (const [index, line] of lowerLines.entries()) {
        if (matching.length > MAX_LINES) break;
        if (hasText(line, searched.text)) matching.push([file, index + 1]);
      }
    }
  }

  /** Returns at most 5 lines: of the texts of the first rank that has some, the rarest and longest first. */
  best(): readonly MatchingLine<File>[] {
    const counted = [...this.lines].filter(([, { length }]) => length > 0 && length <= MAX_LINES);
    const first = Math.min(...counted.map(([{ rank }]) => rank));
    const lines = counted
      .filter(([{ rank }]) => rank === first)
      .sort(([a, ofA], [b, ofB]) => ofA.length - ofB.length || b.text.length - a.text.length)
      .flatMap(([, matching]) => matching);
    const isFirst = ([file, line]: MatchingLine<File>, at: number) =>
      lines.findIndex((other) => file === other[0] && line === other[1]) === at;
    return lines.filter(isFirst).slice(0, MAX_LINES);
  }
}

/** True if the line has the text, not as a part of a longer word of Latin letters. */
function hasText(line: string, text: string): boolean {
  for (let at = line.indexOf(text); at >= 0; at = line.indexOf(text, at + 1)) {
    const starts = /^\W/.test(text) || !/\w/.test(line.charAt(at - 1));
    const ends = /\W$/.test(text) || !/\w/.test(line.charAt(at + text.length));
    if (starts && ends) return true;
  }
  return false;
}
