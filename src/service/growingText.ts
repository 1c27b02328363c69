import { TextDigest } from "./textDigest";

/** Longest text that a model may plausibly repeat, in UTF-16 units. */
const MAX_REPEATED_CHARS = 16;

/** Text of a reply, measured; a `message` may repeat all text so far, in the last block or in each. */
export class GrowingText extends TextDigest {
  private hasMessageText = false;
  /** True if each `message` holds all text so far; undefined before the second message. */
  private isCumulative: boolean | undefined;

  /** Returns the new part of the text of a block. */
  newPartOf(source: "delta" | "message" | undefined, text: string): string {
    if (source !== "message" || text === "") return text;
    const { chars } = this;
    const isFirst = !this.hasMessageText;
    this.hasMessageText = true;
    if (chars === 0 || this.isCumulative === false) return text;
    if (!this.isBeginningOf(text)) {
      if (!isFirst) this.isCumulative ??= false;
      return text;
    }
    // A repeated short text is a repeated word, unless deltas came first.
    const isSameWord = text.length === chars && chars <= MAX_REPEATED_CHARS;
    if (isSameWord && !isFirst && this.isCumulative === undefined) return text;
    if (!isFirst) this.isCumulative = true;
    return text.slice(chars);
  }
}
