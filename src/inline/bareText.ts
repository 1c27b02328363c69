/**
 * Classifies reply text outside fences. Lines that are clearly code are returned as they arrive. At
 * the end the rest is code with surrounding prose, prose only, or text for the user to decide on.
 */
import { withoutBlankEnds } from "./blockLines";
import { LineClassifier, type LineContext, type LineKind } from "./lineKind";

/** Code of a text without a fence. */
export interface BareCode {
  readonly lines: readonly string[];
  readonly hasWordsAround: boolean;
}

export class BareText {
  private readonly all: string[] = [];
  private readonly kinds: LineKind[] = [];
  private readonly classifier: LineClassifier;
  private mode: "waiting" | "streaming" | "held" = "waiting";
  /** Number of lines returned so far. */
  private given = 0;
  /** Number of lines that are not blank. */
  private filledCount = 0;
  private hasCode = false;
  /** True when held-back lines may or may not be code; some of them are sentences. */
  private isWordWaiting = false;
  private isProseWaiting = false;

  /** @param isGap returns true for a placeholder of left-out code */
  constructor(
    private readonly context: LineContext,
    private readonly isGap: (line: string) => boolean,
  ) {
    this.classifier = new LineClassifier(context);
  }

  get lines(): readonly string[] {
    return this.all;
  }

  get isFilled(): boolean {
    return this.filledCount > 0;
  }

  /** True when a line is clearly code. */
  get hasCodeLine(): boolean {
    return this.hasCode;
  }

  /** Returns true for a fence that is content, because it is inside a comment or string of code. */
  isInLiteral(fence: string): boolean {
    const isCode = this.mode === "streaming" && !this.isProseWaiting;
    return this.classifier.isInLiteral && (isCode || /^\s*\*\s/.test(fence));
  }

  get hasGiven(): boolean {
    return this.given > 0;
  }

  /** Accepts a line; returns the lines that are clearly code and come next. */
  take(line: string): readonly string[] {
    const kind = this.classifier.classify(line);
    this.all.push(line);
    this.kinds.push(kind);
    this.hasCode ||= kind === "code";
    if (line.trim() !== "") this.filledCount++;
    // JSON around an answer or a diff without its header is only recognizable at the end.
    const isWrapped =
      this.filledCount === 1 && /^\s*(?:\{\s*(?:"|$)|\[\s*\{)|^[-+](?:\s{2}|[^-+\d\s])/.test(line);
    if (this.isGap(line) || (isWrapped && !this.context.known.has(line.trim()))) this.mode = "held";
    else if (this.mode === "streaming") return this.stream(line, kind);
    else if (this.mode === "waiting" && (kind === "code" || kind === "neutral")) {
      // A single line of code may be a quotation above the answer.
      if (this.filledCount < 2 || !this.hasCodeLine) return [];
      this.mode = "streaming";
      return this.give();
    } else this.mode = "held";
    return [];
  }

  /**
   * Returns the code of the whole text; `doubtful` if the user must decide, `words` for prose only.
   */
  code(): BareCode | "doubtful" | "words" {
    const { all, kinds } = this;
    const kindAt = (index: number) => kinds[index] ?? "neutral";
    const lineAt = (index: number) => all[index] ?? "";
    const isFilledAt = (index: number) => lineAt(index).trim() !== "";
    const isCodeAt = (index: number) =>
      kindAt(index) === "code" || (kindAt(index) === "neutral" && isFilledAt(index));
    const indexes = [...all.keys()];
    const hasEvidence = indexes.some(
      (index) => kindAt(index) === "code" || /^\s*(?:\/\/|\/\*|<!--)/.test(lineAt(index)),
    );
    const first = indexes.find(isCodeAt);
    const last = indexes.findLast(isCodeAt);
    if (first === undefined || last === undefined || !hasEvidence) {
      return kinds.includes("prose") || !this.isFilled ? "words" : "doubtful";
    }
    const lead = indexes.slice(0, first).filter(isFilledAt);
    if (!this.isIntroduction(lead, first)) return "doubtful";
    for (let index = first; index < last; index++) {
      if (kindAt(index) === "prose" && !/^\s/.test(lineAt(index))) return "doubtful";
    }
    let end = last;
    while (end + 1 < all.length && isFilledAt(end + 1) && kindAt(end + 1) === "unclear") end++;
    const tail = indexes.slice(end + 1).filter(isFilledAt);
    if (tail.some((index) => kindAt(index) !== "prose")) return "doubtful";
    const around = [...lead, ...tail];
    const isQuoted = first === end && around.length > 0 && !this.isAnnounced(lead);
    if (isQuoted) return "doubtful";
    return { lines: all.slice(first, end + 1), hasWordsAround: around.length > 0 };
  }

  /** Returns true for prose before the code at `first`: "Here it is:", or a separate paragraph. */
  private isIntroduction(lead: readonly number[], first: number): boolean {
    const last = lead.at(-1);
    if (last === undefined || this.isAnnounced(lead)) return true;
    const isWords = (index: number) =>
      this.kinds[index] === "prose" || /^\p{Lu}[\p{L}\s'’,-]*$/u.test(this.all[index] ?? "");
    return last < first - 1 && lead.every(isWords);
  }

  /** Returns true for prose that ends with a colon. */
  private isAnnounced(lead: readonly number[]): boolean {
    const last = lead.at(-1) ?? 0;
    const text = this.all[last] ?? "";
    const isCode = /^\s|[<>(){}[\]=;\\"']|^(?:case|default|public|private|protected)\b/.test(text);
    const isSpoken = this.kinds[last] === "prose" || !isCode;
    return lead.length > 0 && isSpoken && /[:：][\s*_]*$/.test(text);
  }

  private stream(line: string, kind: LineKind): readonly string[] {
    if (kind === "code") {
      if (!this.isProseWaiting) return this.give();
      this.mode = "held";
    } else if (kind !== "neutral") {
      this.isWordWaiting = true;
      this.isProseWaiting ||= kind === "prose" && !/^\s/.test(line);
    } else if (line.trim() !== "" && !this.isWordWaiting) return this.give();
    return [];
  }

  private give(): readonly string[] {
    const lines = this.all.slice(this.given);
    const isFirst = this.given === 0;
    this.given = this.all.length;
    this.isWordWaiting = false;
    return isFirst ? withoutBlankEnds(lines) : lines;
  }
}
