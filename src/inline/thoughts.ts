/**
 * Removes a model's thinking from its reply, line by line: `<think>…</think>`, `[THINK]…[/THINK]`,
 * channels (`<|channel|>analysis`). Either tag may be missing. Removes end-of-text tokens too.
 */
const NAMES =
  "(?:\\w+:)?(?:(?:ant)?think(?:ing)?|thoughts?|thought_process|reasoning|reflection|scratchpad)";
const OPENING = new RegExp(
  `^\\s*(?:<${NAMES}(?:\\s[^<>]*)?>|\\[THINK(?:ING)?\\]|(?:<\\|start\\|>assistant)?<\\|channel\\|>analysis)`,
  "i",
);
const FINAL_CHANNEL = "<\\|channel\\|>final[^<|>]*<\\|message\\|>";
const CLOSING_TAG = `</${NAMES}>|\\[/THINK(?:ING)?\\]`;
const CLOSING = new RegExp(`(?<![\`"'])(?:${CLOSING_TAG})(?![\`"'])|${FINAL_CHANNEL}`, "i");
const CLOSING_ALONE = new RegExp(`^\\s*(?:${CLOSING_TAG})\\s*$`, "i");

/** Tokens at the end of a turn that some servers leave in the text. */
const END_TOKENS = /(?:<\|[a-z_]{2,20}\|>|<｜[^｜\s]{2,40}｜>|<end_of_turn>)\s*$/;

/** Longest line that is checked for a tag, in UTF-16 units. */
const MAX_LINE = 10_000;

/** Line of the reply without thoughts. */
export interface FilteredLine {
  /** Undefined where nothing of the line is left. */
  readonly line: string | undefined;
  /** True when everything before the line was a thought without an opening tag. */
  readonly isOnlyThoughtBefore: boolean;
}

/** Filters the lines of a single reply. */
export class ThoughtFilter {
  private isInside = false;
  private wasOpened = false;

  /** True when the reply held thoughts. */
  hasThought = false;

  /**
   * @param isInCode true inside a fence, where a tag is code
   * @param known trimmed lines of the document
   */
  read(line: string, isInCode: boolean, known: ReadonlySet<string>): FilteredLine {
    const isTagged = /[<[]/.test(line) && line.length <= MAX_LINE && !known.has(line.trim());
    if (!isTagged) return this.kept(line);
    const text = line.replace(END_TOKENS, "");
    if (text !== line) {
      const isEmpty = text.trim() === "";
      return isEmpty
        ? { line: undefined, isOnlyThoughtBefore: false }
        : this.withoutTags(text, isInCode);
    }
    return this.withoutTags(line, isInCode);
  }

  private withoutTags(line: string, isInCode: boolean): FilteredLine {
    if (!this.isInside && isInCode) {
      const isEnd = CLOSING_ALONE.test(line) && !this.wasOpened;
      if (!isEnd) return this.kept(line);
      this.hasThought = true;
      return { line: undefined, isOnlyThoughtBefore: true };
    }
    let rest = line;
    let isOnlyThoughtBefore = false;
    for (;;) {
      if (!this.isInside && OPENING.test(rest)) {
        this.isInside = true;
        this.wasOpened = true;
        this.hasThought = true;
        rest = rest.replace(OPENING, "");
      }
      const end = CLOSING.exec(rest);
      if (end === null) break;
      if (!this.isInside && !this.wasOpened) isOnlyThoughtBefore = true;
      this.isInside = false;
      this.hasThought = true;
      rest = rest.slice(end.index + end[0].length);
    }
    const hasChanged = rest !== line;
    const left = this.isInside || (hasChanged && rest.trim() === "") ? undefined : rest;
    return { line: left, isOnlyThoughtBefore };
  }

  private kept(line: string): FilteredLine {
    return { line: this.isInside ? undefined : line, isOnlyThoughtBefore: false };
  }
}
