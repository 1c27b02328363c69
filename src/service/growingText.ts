import { TextDigest } from "./textDigest";

/** Longest text that a model may plausibly repeat, in UTF-8 bytes. */
const MAX_REPEATED_BYTES = 16;

/** Number of the same block in a row that is a repeated word. */
const MAX_HELD = 3;

/**
 * Text of a reply, measured. A block may repeat all text so far: in each block, or once. Other blocks
 * that begin with all text so far are repeated words. Holds such a block until the next one decides.
 */
export class GrowingText extends TextDigest {
  private hasDelta = false;
  private pieces = 0;
  private firstChars = 0;
  /** Blocks that may repeat all text so far, and the last of them. */
  private held = "";
  private whole = "";
  /** Number of signs for a repetition of all text; two are a proof. */
  private signs = 0;

  get isEmpty(): boolean {
    return this.chars + this.held.length === 0;
  }

  newPartOf(source: "delta" | "message" | undefined, text: string): string {
    if (text === "") return "";
    const isAfterDelta = this.hasDelta;
    this.hasDelta ||= source === "delta";
    if (this.held !== "") {
      if (!text.startsWith(this.whole)) return this.release() + text;
    } else if (this.chars === 0 || text.length < this.chars || !this.isBeginningOf(text)) {
      if (this.pieces++ === 0) this.firstChars = text.length;
      return text;
    }
    const isLonger = text.length > Math.max(this.chars, this.whole.length);
    const isLong = this.bytes > MAX_REPEATED_BYTES;
    // "ha", "haha" is a repeated word at any length.
    const isSameWord = text.startsWith(text.slice(this.firstChars));
    const isProof =
      source === "message"
        ? isAfterDelta || isLong || (isLonger && !isSameWord)
        : isLong && !isSameWord;
    if (isProof) this.signs = 2;
    else if (isLonger && !isSameWord) this.signs++;
    if (this.signs >= 2) {
      this.held = this.whole = "";
      return text.slice(this.chars);
    }
    this.held += text;
    this.whole = text;
    return this.held.length < MAX_HELD * text.length ? "" : this.release();
  }

  /** Returns the held text: nothing proves that the service repeats itself. */
  release(): string {
    const { held } = this;
    if (held !== "") this.pieces++;
    this.held = this.whole = "";
    this.signs = 0;
    return held;
  }
}
