/**
 * One pending edit and the document it is in: turns the document's events into the session's, and
 * lets everything go together.
 */
import type * as vscode from "vscode";
import { Disposables, type Disposable } from "../../base/disposables";
import type { EditSession } from "../../inline/editSession";
import type { PendingEdit } from "../../inline/pendingEdit";
import type { DocumentSink } from "./documentSink";
import { eolOf } from "./editTarget";

/** Documents whose changes never make them unsaved: being clean says nothing about their source. */
const NEVER_DIRTY = new Set(["untitled", "vscode-notebook-cell", "vscode-interactive-input"]);

/**
 * True for text read from the disk again (another branch, another program, "Revert File"): only
 * then, and with an undo to what was saved, a document has changed and is clean.
 */
function isReload({ document, reason, contentChanges }: vscode.TextDocumentChangeEvent): boolean {
  const isClean = !document.isDirty && contentChanges.length > 0;
  return isClean && reason === undefined && !NEVER_DIRTY.has(document.uri.scheme);
}

/** An edit in its document; `id` is known to lenses and to the compared original. */
export class InlineEntry implements Disposable {
  private readonly owned = new Disposables();
  private eol;
  /** The 0-based line the range starts at. */
  private line: number;
  /** True when the document held text that was on no disk when we last heard of it. */
  isUnsaved: boolean;

  constructor(
    readonly id: string,
    readonly edit: PendingEdit,
    private readonly sink: DocumentSink,
  ) {
    this.owned.add(edit);
    this.eol = eolOf(sink.document);
    this.line = this.startLine;
    this.isUnsaved = sink.document.isDirty;
  }

  get session(): EditSession {
    return this.edit.session;
  }

  get document(): vscode.TextDocument {
    return this.sink.document;
  }

  /** 0-based line of the range's start, now. */
  get startLine(): number {
    return this.document.positionAt(this.session.startOffset).line;
  }

  /** 0-based line of the range's end, inclusive. */
  get endLine(): number {
    return this.startLine + this.session.proposedLines.length - 1;
  }

  /** True when a 0-based line is in the range. */
  holds(line: number): boolean {
    return line >= this.startLine && line <= this.endLine;
  }

  /** Takes in what happened to the document. */
  documentChanged(event: vscode.TextDocumentChangeEvent): void {
    const { document, session } = this;
    this.isUnsaved = document.isDirty;
    const eol = eolOf(document);
    if (eol !== this.eol) {
      this.eol = eol;
      const start = document.offsetAt(document.lineAt(this.line).range.start);
      session.rebase(start, eol, document.version);
      return;
    }
    session.documentChanged(
      document.version,
      event.contentChanges.map(({ rangeOffset, rangeLength, text }) => ({
        offset: rangeOffset,
        length: rangeLength,
        text,
      })),
      isReload(event),
    );
    this.line = this.startLine;
  }

  /** Goes on in the document of a renamed file; false when its text is not that of before. */
  adopt(document: vscode.TextDocument): boolean {
    const { session } = this;
    const text = session.proposedLines.join(this.eol);
    const start = session.startOffset;
    const isSame =
      eolOf(document) === this.eol && document.getText().slice(start, start + text.length) === text;
    if (!isSame) return false;
    this.sink.document = document;
    session.rebase(start, this.eol, document.version);
    return true;
  }

  dispose(): void {
    this.owned.dispose();
  }
}
