/**
 * Plain text after the length limit of Markdown, in pieces with separate layout. With a single
 * piece, each addition would repeat the layout of the whole text.
 */
import { makeElement } from "./dom";
import { PIECE_LENGTH, pieceEnd } from "./pieces";
import { RestNote, type RestOptions } from "./restNote";
import { PLAIN_PIECE_CLASS } from "./styles";

export class PlainRest {
  private readonly frame: HTMLElement;
  /** Last piece, which still grows. */
  private last: Text | undefined;

  constructor(container: HTMLElement, options: RestOptions) {
    const document = container.ownerDocument;
    const note = new RestNote(document, options);
    note.show(({ plain }) => plain);
    this.frame = makeElement(document, "pre", { class: "plain-rest", tabindex: "0" });
    container.append(note.element, this.frame);
  }

  append(text: string): void {
    let at = 0;
    while (at < text.length) {
      const last = this.last ?? this.addPiece();
      const space = PIECE_LENGTH - last.length;
      const end = pieceEnd(text, at, space);
      last.appendData(text.slice(at, end));
      if (end - at === space || end < text.length) this.last = undefined;
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
