/**
 * Text of a reply outside fences. Gives lines that are plainly code as they come; of the rest, tells at the
 * end whether it is code with words around it, words alone, or something for the user to decide.
 */
import { withoutBlankEnds } from "./blockLines";
import { LineClassifier, type LineContext, type LineKind } from "./lineKind";

/** The code of a text without a fence. */
export interface BareCode {
  readonly lines: readonly string[];
  readonly hasWordsAround: boolean;
}

/** Collects the lines, in order. */
export class BareText {
  private readonly all: string[] = [];
  private readonly kinds: LineKind[] = [];
  private readonly classifier: LineClassifier;
  private mode: "waiting" | "streaming" | "held" = "waiting";
  /** Number of lines that were given. */
  private given = 0;
  /** Lines wait of which it is not clear whether they are code; some of them are sentences. */
  private isWordWaiting = false;
  private isProseWaiting = false;

  /** @param isGap true for a line that stands for left-out code */
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
    return this.all.some((line) => line.trim() !== "");
  }

  get isStreaming(): boolean {
    return this.mode === "streaming";
  }

  get hasGiven(): boolean {
    return this.given > 0;
  }

  /** Takes a line; gives those that are plainly code and come next. */
  take(line: string): readonly string[] {
    const kind = this.classifier.classify(line);
    this.all.push(line);
    this.kinds.push(kind);
    const isFirst = this.all.every((one) => one === line || one.trim() === "");
    // JSON around an answer, a diff without its header: only the end shows which it is.
    const isWrapped = isFirst && /^\s*(?:\{\s*(?:"|$)|\[\s*\{)|^[-+](?:\s{2}|[^-+\d\s])/.test(line);
    if (this.isGap(line) || (isWrapped && !this.context.known.has(line.trim()))) this.mode = "held";
    else if (this.mode === "streaming") return this.stream(line, kind);
    else if (this.mode === "waiting" && kind === "code") {
      this.mode = "streaming";
      return this.give();
    } else if (kind !== "neutral") this.mode = "held";
    return [];
  }

  /** The code of the whole text; `doubtful` where the user has to say, `words` where there is none. */
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
    return { lines: all.slice(first, end + 1), hasWordsAround: lead.length + tail.length > 0 };
  }

  /** True for words before the code at `first`: "Here it is:", or a paragraph of their own. */
  private isIntroduction(lead: readonly number[], first: number): boolean {
    const last = lead.at(-1);
    if (last === undefined) return true;
    const isSpoken = this.kinds[last] === "prose" || !/[<>(){}[\]=;\\]/.test(this.all[last] ?? "");
    if (isSpoken && /[:：][\s*_]*$/.test(this.all[last] ?? "")) return true;
    const isWords = (index: number) =>
      this.kinds[index] === "prose" || /^\p{Lu}[\p{L}\s'’,-]*$/u.test(this.all[index] ?? "");
    return last < first - 1 && lead.every(isWords);
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
