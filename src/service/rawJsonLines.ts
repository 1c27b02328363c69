/**
 * Turns lines that are JSON by themselves into events of an event stream, so that NDJSON, and
 * streams in which the service forgot `data:`, are read by the same parser. In an event stream such
 * a line is an unknown field and says nothing, so nothing else is lost.
 */
import { firstVisible } from "./sniffBody";
import { joined } from "./bodyReader";

const OPENING_BRACE = 123;

/** Follows one text that comes in pieces cut anywhere. */
export class RawJsonLines {
  private isLineStart = true;
  private isInJson = false;

  /** The next piece, with each line that begins with `{` made an event of its own. */
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

  /** What ends a line of JSON that has no line end. */
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

/** Detects a body whose first line is JSON by itself and is followed by more. */
export class FirstJsonLine {
  private pieces: Uint8Array[] = [];
  private isJson: boolean | undefined;

  /** Returns true once something visible follows; false while, or because, it is one document. */
  isFollowedIn(piece: Uint8Array): boolean {
    if (this.isJson === true) return firstVisible(piece) !== -1;
    if (this.isJson === false) return false;
    const start = this.pieces.length > 0 ? 0 : firstVisible(piece);
    if (start === -1) return false;
    const line = piece.subarray(start);
    const end = line.findIndex(isLineEnd);
    this.pieces.push(end === -1 ? line : line.subarray(0, end));
    if (end === -1) return false;
    this.isJson = isJson(new TextDecoder().decode(joined(this.pieces)));
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
