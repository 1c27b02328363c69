/**
 * Converts lines of bare JSON to events of an event stream, so that NDJSON, and streams without
 * `data:`, use the same parser. In an event stream such a line is an unknown field, so no content
 * is lost. Also separates events that have a single line end between them, and reads indented lines.
 */
import { parseJson } from "../base/parseJson";
import { firstVisible } from "./sniffBody";
import { concatBytes } from "../base/concatBytes";

const OPENING_BRACE = 123;

/** An indented line is an unknown field in the standard, unless it can only be an event. */
const INDENT = /(?<=[\r\n])[ \t]{1,64}(?=\{|data: ?[[{])/g;
const UNCLEAR_INDENT = /(?<=[\r\n])[ \t]{1,64}(?:d(?:a(?:t(?:a(?:: ?)?)?)?)?)?$/;

/** Converts a text that arrives in pieces, split at any position. */
export class RawJsonLines {
  /** Blanks, and the start of `data:`, that the next piece decides; at the start of a line only. */
  private indent = "";
  private isAtIndent = true;
  private isLineStart = true;
  private isInJson = false;
  /** Last character of a line of JSON so far. */
  private lastInRewrite = "";
  /** Last character before the line ends at the current position, and the number of these. */
  private last = "";
  private lineEnds = 0;
  private isAfterCr = false;
  private hasSeveralLines = false;
  /** True in JSON of which each line has its own `data:`, as in the standard. */
  private hasDataLines = false;
  private hasSingleLineEnds = false;

  /** Returns the next piece, with each line that begins with `{` as an event. */
  toEvents(original: string): string {
    const unindented = this.withoutIndent(original);
    if (unindented === "") return unindented;
    const piece = this.separated(unindented);
    const isPlain =
      !this.isInJson &&
      !(this.isLineStart && piece.charCodeAt(0) === OPENING_BRACE) &&
      !piece.includes("\n{") &&
      !piece.includes("\r{");
    if (!isPlain) return this.rewrite(piece);
    this.isLineStart = isLineEnd(piece.charCodeAt(piece.length - 1));
    return piece;
  }

  /** Removes blanks and tabs before JSON, and before `data:` with JSON; holds them until it is clear. */
  private withoutIndent(original: string): string {
    const line = this.indent + original;
    const isPlain = !(this.isAtIndent && /^[ \t]/.test(line)) && !/[\r\n][ \t]/.test(line);
    const start = this.isAtIndent ? "\n" : "-";
    const text = isPlain ? line : (start + line).replace(INDENT, "").slice(1);
    this.indent = isPlain ? "" : (UNCLEAR_INDENT.exec(start + text)?.[0] ?? "");
    const piece = text.slice(0, text.length - this.indent.length);
    if (piece !== "") this.isAtIndent = isLineEnd(piece.charCodeAt(piece.length - 1));
    return piece;
  }

  /**
   * Adds a blank line between a line that ends with a brace and the next `data:` line, and `data:` to
   * the further lines of JSON that begins with a single `data:`.
   */
  private separated(piece: string): string {
    this.hasDataLines &&= this.lineEnds < 2;
    const isInside = this.hasSeveralLines || this.hasDataLines;
    const isOpen = this.lineEnds < 2 && (isInside || /[{}]/.test(this.last));
    const isPlain = !isOpen && !/\{[\r\n]|\}(?:\nd|\r)/.test(piece);
    let events = "";
    let from = isPlain ? piece.length : 0;
    while (from > 0 && isLineEnd(piece.charCodeAt(from - 1))) from--;
    if (from > 0) from--;
    for (let at = from; at < piece.length; at++) {
      const character = piece[at] ?? "";
      if (character === "\r" || (character === "\n" && !this.isAfterCr)) {
        this.lineEnds++;
      } else if (character !== "\n") {
        const added = this.lineEnds === 0 ? "" : this.atLineStart(character);
        if (added !== "") {
          events += piece.slice(from, at) + added;
          from = at;
        }
        this.last = character;
        this.lineEnds = 0;
      }
      this.isAfterCr = character === "\r";
    }
    return isPlain ? piece : events + piece.slice(from);
  }

  private atLineStart(character: string): string {
    this.hasSeveralLines &&= this.lineEnds === 1;
    this.hasDataLines &&= this.lineEnds === 1;
    if (this.lineEnds > 1) return "";
    if (character === "d") {
      this.hasDataLines ||= this.last === "{" && !this.hasSeveralLines;
      if (this.hasDataLines) return "";
      this.hasSingleLineEnds ||= this.last === "}";
      return this.last === "}" ? "\n" : "";
    }
    if (/[eir:]/.test(character)) return "";
    this.hasSeveralLines ||= this.last === "{";
    return this.hasSeveralLines ? "data:" : "";
  }

  /** Returns the line end that completes a last line of JSON, or a last event without a blank line. */
  end(): string {
    if (!this.isInJson && !this.hasSingleLineEnds) return "";
    this.isInJson = false;
    return "\n\n";
  }

  private rewrite(piece: string): string {
    let events = "";
    for (let at = 0; at < piece.length;) {
      if (this.isLineStart && piece.charCodeAt(at) === OPENING_BRACE) {
        events += "data:";
        this.isInJson = true;
      }
      let end = at;
      while (end < piece.length && !isLineEnd(piece.charCodeAt(end))) end++;
      this.isLineStart = end < piece.length;
      events += piece.slice(at, end + 1);
      const last = end > at ? piece[end - 1] : this.lastInRewrite;
      this.lastInRewrite = last ?? "";
      if (this.isLineStart && this.isInJson && last === "{") {
        // The further lines of indented JSON have `data:` by now.
        this.isInJson = false;
      } else if (this.isLineStart && this.isInJson) {
        events += piece.charCodeAt(end) === 13 ? "\n\n" : "\n";
        this.isInJson = false;
      }
      at = end + 1;
    }
    return events;
  }
}

/** Detects a body whose first line is a complete JSON value, followed by more. */
export class FirstJsonLine {
  private pieces: Uint8Array[] = [];
  private isJson: boolean | undefined;

  /** Returns true once visible characters follow the first line. */
  isFollowedBy(piece: Uint8Array): boolean {
    if (this.isJson === true) return firstVisible(piece) !== -1;
    if (this.isJson === false) return false;
    const start = this.pieces.length > 0 ? 0 : firstVisible(piece);
    if (start === -1) return false;
    const line = piece.subarray(start);
    const end = line.findIndex(isLineEnd);
    this.pieces.push(end === -1 ? line : line.subarray(0, end));
    if (end === -1) return false;
    this.isJson = parseJson(new TextDecoder().decode(concatBytes(this.pieces))) !== undefined;
    this.pieces = [];
    return this.isJson && firstVisible(line.subarray(end)) !== -1;
  }
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13;
}
