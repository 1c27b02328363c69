/**
 * Plain text after the length limit of Markdown, in pieces with separate layout. With a single
 * piece, each addition would repeat the layout of the whole text.
 */
import { makeElement } from "./dom";
import { PLAIN_PIECE_CLASS } from "./styles";

/** Maximum length of a piece in UTF-16 units. A piece ends after a line if possible. */
const PIECE_LENGTH = 32 * 1024;

export class PlainRest {
  private readonly frame: HTMLElement;
  /** Last piece, which still grows. */
  private last: Text | undefined;

  constructor(container: HTMLElement) {
    this.frame = makeElement(container.ownerDocument, "pre", {
      class: "plain-rest",
      tabindex: "0",
    });
    container.append(this.frame);
  }

  append(text: string): void {
    let at = 0;
    while (at < text.length) {
      const last = this.last ?? this.addPiece();
      const space = PIECE_LENGTH - last.length;
      if (text.length - at <= space) {
        last.appendData(text.slice(at));
        return;
      }
      const end = pieceEnd(text, at, at + space);
      last.appendData(text.slice(at, end));
      this.last = undefined;
      at = end;
    }
  }

  private addPiece(): Text {
    const document = this.frame.ownerDocument;
    const piece = makeElement(document, "div", { class: PLAIN_PIECE_CLASS });
    this.last = document.createTextNode("");
    piece.append(this.last);
    this.frame.append(piece);
    return this.last;
  }
}

/**
 * Returns the end of a piece: after the last line before `limit`, else at `limit`, but not inside a
 * surrogate pair.
 */
function pieceEnd(text: string, start: number, limit: number): number {
  const line = text.lastIndexOf("\n", limit - 1) + 1;
  if (line > start) return line;
  const isPair = /[\ud800-\udbff]/.test(text.charAt(limit - 1));
  return isPair ? limit - 1 : limit;
}
