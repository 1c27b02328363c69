import { t } from "@vscode/l10n";
import texWords from "./texWords.json";

/** Upper limit of a sentence, in UTF-16 units. */
const MAX_SENTENCE_LENGTH = 400;

/** Length of a line that is announced, in UTF-16 units. */
const MAX_LINE_LENGTH = 2000;

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^\s`]*)/;

/**
 * Turns streamed Markdown into finished sentences without syntax, and each code block into a
 * phrase. Works line by line; not a Markdown parser.
 */
export class SpokenText {
  private readonly segmenter: Intl.Segmenter;
  /** Unfinished line without its announced part. */
  private line = "";
  private isMidLine = false;
  private prose = "";
  /** Lines of an unfinished formula between "$$" lines. */
  private formula: string[] | undefined;
  private fence: { readonly marks: string; readonly language: string; lines: number } | undefined;

  /** @param language BCP 47 tag; the browser's default applies to an unknown tag */
  constructor(language: string) {
    this.segmenter = segmenterFor(language);
  }

  push(text: string): string[] {
    const spoken: string[] = [];
    const lines = (this.line + text).split("\n");
    this.line = lines.pop() ?? "";
    for (const line of lines) {
      this.readLine(line, spoken);
      this.isMidLine = false;
    }
    this.readAhead(spoken);
    return spoken;
  }

  end(): string[] {
    const spoken: string[] = [];
    if (this.line !== "") this.readLine(this.line, spoken);
    this.line = "";
    this.isMidLine = false;
    this.closeFence(spoken);
    this.closeFormula(spoken);
    this.finishProse(spoken);
    return spoken;
  }

  /** Reads the finished sentences of the unfinished line. */
  private readAhead(spoken: string[]): void {
    if (this.fence || this.formula) return;
    if (!this.isMidLine && /^\s*(?:[`~|$]|$)/.test(this.line)) return;
    const isEndless = this.line.length > MAX_SENTENCE_LENGTH;
    const unfinished = isEndless ? "" : (this.sentencesOf(this.line).pop() ?? "");
    const whole = this.line.slice(0, this.line.length - unfinished.length);
    if (whole === "") return;
    this.readProse(whole, spoken);
    this.finishProse(spoken);
    this.line = unfinished;
    this.isMidLine = true;
  }

  private readLine(line: string, spoken: string[]): void {
    if (this.isMidLine) {
      this.readProse(line, spoken);
      return;
    }
    const fence = FENCE.exec(line);
    if (this.fence) {
      const marks = fence?.[1] ?? "";
      if (marks.startsWith(this.fence.marks) && fence?.[2] === "") this.closeFence(spoken);
      else this.fence.lines += 1;
      return;
    }
    if (line.trim() === "$$") {
      this.finishProse(spoken);
      if (this.formula) this.closeFormula(spoken);
      else this.formula = [];
      return;
    }
    if (this.formula) {
      this.formula.push(line);
      return;
    }
    if (fence?.[1] !== undefined) {
      this.finishProse(spoken);
      this.fence = { marks: fence[1], language: fence[2] ?? "", lines: 0 };
      return;
    }
    this.readProse(line, spoken);
  }

  private readProse(text: string, spoken: string[]): void {
    const line = text.slice(0, MAX_LINE_LENGTH);
    const isBlockStart = !this.isMidLine && /^\s*(#{1,6}\s|[-*+]\s|\d+[.)]\s|\||>)/.test(line);
    if (isBlockStart || (!this.isMidLine && line.trim() === "")) this.finishProse(spoken);
    const plain = withoutSyntax(line);
    if (plain !== "") this.prose += this.prose === "" ? plain : ` ${plain}`;
    this.readSentences(spoken);
  }

  /** Reads every sentence but the last, which may be unfinished. */
  private readSentences(spoken: string[]): void {
    const sentences = this.sentencesOf(this.prose);
    this.prose = sentences.pop() ?? "";
    for (const sentence of sentences) spoken.push(sentence.trim());
    if (this.prose.length > MAX_SENTENCE_LENGTH) this.finishProse(spoken);
  }

  private finishProse(spoken: string[]): void {
    for (const sentence of this.sentencesOf(this.prose)) spoken.push(sentence.trim());
    this.prose = "";
  }

  /** Splits text into sentences; keeps the number of a list item with its text. */
  private sentencesOf(text: string): string[] {
    if (text === "") return [];
    const sentences: string[] = [];
    let number = "";
    for (const { segment } of this.segmenter.segment(text)) {
      if (/^\s*\d+[.)]\s*$/.test(segment)) number += segment;
      else {
        sentences.push(number + segment);
        number = "";
      }
    }
    return number === "" ? sentences : [...sentences, number];
  }

  private closeFormula(spoken: string[]): void {
    if (this.formula === undefined) return;
    spoken.push(t("formula: {0}", readableFormula(this.formula.join(" "))));
    this.formula = undefined;
  }

  private closeFence(spoken: string[]): void {
    if (this.fence === undefined) return;
    const { language, lines } = this.fence;
    const name = language === "" ? t("plain text") : language;
    spoken.push(
      lines === 1
        ? t("code block, {0}, 1 line", name)
        : t("code block, {0}, {1} lines", name, lines),
    );
    this.fence = undefined;
  }
}

function segmenterFor(language: string): Intl.Segmenter {
  const options = { granularity: "sentence" } as const;
  try {
    return new Intl.Segmenter(language, options);
  } catch {
    return new Intl.Segmenter(undefined, options); // Not a valid language tag.
  }
}

/** TeX commands of other spoken forms than their names. */
const TEX_WORDS: Readonly<Record<string, string>> = texWords;

/** Returns a formula without the syntax of TeX. */
function readableFormula(source: string): string {
  return source
    .replace(/\\(?:text|mathrm|mathbf|mathit|operatorname)\s*\{([^{}]*)\}/g, "$1")
    .replace(/\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}/g, "($1) / ($2)")
    .replace(/\\sqrt\s*\{([^{}]*)\}/g, "√($1)")
    .replace(/\\([a-z]+)/gi, (_, name: string) => ` ${TEX_WORDS[name] ?? name} `)
    .replace(/\\[,;:! ]/g, " ")
    .replace(/[{}\\$]/g, " ")
    .replace(/_/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

const INLINE_FORMULA = /\$\$?([^$]+)\$\$?/g;

/** Signs of TeX: text between dollars without them may be between two prices. */
const TEX_SIGN = /[\\^_]/;

function withoutSyntax(line: string): string {
  const text = line.trim();
  if (/^[-|:=*_ ]{2,}$/.test(text)) return ""; // A thematic break, a setext underline or a table's delimiter row.
  return text
    .replace(INLINE_FORMULA, (whole, source: string) =>
      TEX_SIGN.test(source) ? readableFormula(source) : whole,
    )
    .replace(/^\s*(?:>\s?)*\s*(?:#{1,6}\s+|[-*+]\s+(?:\[[ xX]\]\s+)?)?/, "")
    .replace(/!?\[([^[\]]*)\]\([^()]*(?:\([^()]*\)[^()]*)?\)/g, "$1")
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim())
    .join(", ")
    .replace(/(\*\*|__|~~|`+)/g, "")
    .replace(/(^|\W)[*_]([^\s*_](?:[^*_]*[^\s*_])?)[*_](?=\W|$)/g, "$1$2")
    .trim();
}
