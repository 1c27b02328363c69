/**
 * Takes the code out of a reply while it comes: fences and the prose around them go, whole lines
 * stay. Decides by whole lines alone, so the same reply gives the same lines however it is cut.
 * Knows nothing of the document the lines are for; indentation is indentation.ts.
 */

/** What the fold has to know about the document the reply is for. */
export interface FoldOptions {
  /** True where prose and fences are themselves the content: Markdown and plain text. */
  readonly isProse: boolean;
}

interface Fence {
  readonly mark: string;
  readonly length: number;
  readonly label: string;
}

/** Labels of the fence a model puts around a whole Markdown or plain text. */
const PROSE_LABELS = new Set(["", "md", "markdown", "text", "txt", "plaintext"]);

/** One reply, folded once. */
export class ReplyFold {
  private phase: "lead" | "fenced" | "bare" | "after" = "lead";
  private rest = "";
  private endsInReturn = false;
  /** Lines that may yet turn out to be prose before a fence, or blank lines at the end. */
  private held: string[] = [];
  private fence: Fence = { mark: "`", length: 3, label: "" };
  private nested = 0;
  private blocks = 0;
  private leadText: string[] = [];

  constructor(private readonly options: FoldOptions) {}

  /** True when the reply held more code blocks than the one that was taken. */
  get hasMoreBlocks(): boolean {
    return this.blocks > 1;
  }

  /** True when there was code, be it an empty block; final at the end. */
  get hasCode(): boolean {
    return this.phase !== "lead";
  }

  /** The reply's prose when it held no code at all; known at the end. */
  get proseInstead(): string | undefined {
    return this.leadText.length > 0 ? this.leadText.join("\n").trim() : undefined;
  }

  /** Takes the next piece; gives the code lines it completed, without their ends. */
  push(text: string): string[] {
    if (text === "") return [];
    // Looking into a line that only grows would copy all of it each time.
    const hasEnd = this.endsInReturn || /[\r\n]/.test(text);
    this.endsInReturn = text.endsWith("\r");
    this.rest += text;
    if (!hasEnd) return [];
    const found: string[] = [];
    const line = /\r\n|\n|\r(?!$)/g;
    let start = 0;
    for (let match = line.exec(this.rest); match !== null; match = line.exec(this.rest)) {
      this.take(this.rest.slice(start, match.index), found);
      start = match.index + match[0].length;
    }
    this.rest = this.rest.slice(start);
    return found;
  }

  /** The reply is over; gives the code lines that were still waiting. */
  end(): string[] {
    const found: string[] = [];
    const last = this.rest.replace(/\r$/, "");
    this.rest = "";
    // One or two lone marks at the very end are a closing fence that was cut.
    const isCutFence = this.phase === "fenced" && /^\s*(`{1,2}|~{1,2})$/.test(last);
    if (last !== "" && !isCutFence) this.take(last, found);
    if (this.phase === "lead") this.leadText = this.held;
    this.held = [];
    return found;
  }

  private take(line: string, found: string[]): void {
    switch (this.phase) {
      case "lead": {
        this.takeLead(line, found);
        return;
      }
      case "fenced": {
        this.takeFenced(line, found);
        return;
      }
      case "bare": {
        this.takeBare(line, found);
        return;
      }
      case "after":
        if (fenceOf(line)) this.blocks++;
        return;
      default:
        this.phase satisfies never;
    }
  }

  private takeLead(line: string, found: string[]): void {
    const fence = fenceOf(line);
    if (fence && this.isAround(fence)) {
      this.open(fence);
    } else if (line.trim() === "" || (!this.options.isProse && looksLikeProse(line))) {
      this.held.push(line);
    } else {
      this.phase = "bare";
      const lead = withoutBlankEnds(this.held);
      // "Here is the function:" before code without a fence is an introduction, not code.
      if (!/[:：]\s*$/.test(lead.at(-1) ?? "")) found.push(...withBlankStartCut(this.held));
      this.held = [];
      found.push(line);
    }
  }

  private takeFenced(line: string, found: string[]): void {
    const fence = fenceOf(line);
    const isSameMark = fence?.mark === this.fence.mark;
    if (fence && isSameMark && fence.label === "" && fence.length >= this.fence.length) {
      if (this.nested === 0) {
        this.phase = "after";
        return;
      }
      this.nested--;
    } else if (fence && isSameMark && fence.label !== "" && fence.length >= this.fence.length) {
      // A fence inside the fence, as in documentation that shows code.
      this.nested++;
    }
    found.push(line);
  }

  private takeBare(line: string, found: string[]): void {
    if (!this.options.isProse && fenceOf(line)) {
      this.phase = "after";
      this.held = [];
    } else if (line.trim() === "") {
      this.held.push(line);
    } else {
      found.push(...this.held, line);
      this.held = [];
    }
  }

  private open(fence: Fence): void {
    this.phase = "fenced";
    this.fence = fence;
    this.held = [];
    this.blocks++;
  }

  /** True for a fence around the answer; in a prose document it may be part of the answer. */
  private isAround(fence: Fence): boolean {
    if (!this.options.isProse) return true;
    const isFirst = this.held.every((line) => line.trim() === "");
    return isFirst && (fence.length > 3 || PROSE_LABELS.has(fence.label.toLowerCase()));
  }
}

function fenceOf(line: string): Fence | undefined {
  const match = /^\s*(`{3,}(?!`)|~{3,}(?!~))([^`]*)$/.exec(line);
  if (match === null) return undefined;
  const [, marks = "", info = ""] = match;
  const [label = ""] = info.trim().split(/\s/, 1);
  return { mark: marks.charAt(0), length: marks.length, label };
}

/** A sentence rather than a line of code: three words or Chinese, with a sentence's end. */
function looksLikeProse(line: string): boolean {
  const text = line.replaceAll(/`[^`]*`/g, "x").replaceAll(/\*\*|__/g, "");
  const sentence = text.trim().replace(/^(?:[-*•]|\d+[.)]|#{1,6})\s+/, "");
  if (/[;{}=<>\\|$@]/.test(sentence)) return false;
  if (/^\s/.test(line) && !/^\s*(?:[-*•]|\d+[.)])\s/.test(line)) return false;
  if (!/[.!?:,。！？：，…]["')”’]?$/.test(sentence)) return false;
  if (/^[\u3400-\u9fff]/u.test(sentence)) return true;
  return /^(?:\p{Lu}|here|sure|okay|ok)/u.test(sentence) && sentence.split(/\s+/).length >= 2;
}

function withoutBlankEnds(lines: readonly string[]): string[] {
  const end = lines.findLastIndex((line) => line.trim() !== "") + 1;
  return withBlankStartCut(lines.slice(0, end));
}

function withBlankStartCut(lines: readonly string[]): string[] {
  const start = lines.findIndex((line) => line.trim() !== "");
  return start === -1 ? [] : lines.slice(start);
}
