/**
 * Converts lines of bare JSON to events of an event stream, so that NDJSON, and streams without
 * `data:`, use the same parser. In an event stream such a line is an unknown field, so no content
 * is lost.
 */
import { firstVisible } from "./sniffBody";
import { concatBytes } from "../base/concatBytes";

const OPENING_BRACE = 123;

/** Converts a text that arrives in pieces, split at any position. */
export class RawJsonLines {
  private isLineStart = true;
  private isInJson = false;

  /** Returns the next piece, with each line that begins with `{` as an event. */
  toEvents(piece: string): string {
    if (piece === "") return piece;
    const isPlain =
      !this.isInJson &&
      !(this.isLineStart && piece.charCodeAt(0) === OPENING_BRACE) &&
      !piece.includes("\n{") &&
      !piece.includes("\r{");
    if (!isPlain) return this.rewrite(piece);
    this.isLineStart = isLineEnd(piece.charCodeAt(piece.length - 1));
    return piece;
  }

  /** Returns the line end that completes a last line of JSON. */
  end(): string {
    if (!this.isInJson) return "";
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
      if (this.isLineStart && this.isInJson) {
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
    this.isJson = isJson(new TextDecoder().decode(concatBytes(this.pieces)));
    this.pieces = [];
    return this.isJson && firstVisible(line.subarray(end)) !== -1;
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13;
}
