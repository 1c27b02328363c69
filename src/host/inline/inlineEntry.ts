/**
 * A pending edit and its document: converts document events for the session and disposes both
 * together.
 */
import type * as vscode from "vscode";
import { DisposableOwner } from "../../base/disposables";
import type { EditSession } from "../../edit/editSession";
import type { PendingEdit } from "../../edit/pendingEdit";
import type { WriteConcern } from "../access/writeAccess";
import type { DocumentSink } from "./documentSink";
import { eolOf } from "./editTarget";

/** Schemes of documents that are never dirty; for these, a clean state does not mean a reload. */
const NEVER_DIRTY = new Set(["untitled", "vscode-notebook-cell", "vscode-interactive-input"]);

/**
 * Returns true for text reloaded from disk (another branch, another program, "Revert File"). Only a
 * reload, or an undo to the saved text, leaves a changed document clean.
 */
function isReload({ document, reason, contentChanges }: vscode.TextDocumentChangeEvent): boolean {
  const isClean = !document.isDirty && contentChanges.length > 0;
  return isClean && reason === undefined && !NEVER_DIRTY.has(document.uri.scheme);
}

/** Edit in its document; lenses and the compared original refer to its `id`. */
export class InlineEntry extends DisposableOwner {
  private eol;
  /** 0-based first line of the range. */
  private line: number;
  /** Last instruction of the user; empty for a restored edit. */
  instruction = "";
  /** True if the document had unsaved text at the last event. */
  isUnsaved: boolean;

  constructor(
    readonly id: string,
    readonly edit: PendingEdit,
    private readonly sink: DocumentSink,
    /** Hidden characters that the file had before. */
    readonly hiddenKinds: ReadonlySet<string>,
  ) {
    super();
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

  /** Concern about the file that the user accepted before the answer was written. */
  get accepted(): WriteConcern | undefined {
    return this.sink.accepted;
  }

  set accepted(concern: WriteConcern | undefined) {
    this.sink.accepted = concern;
  }

  /** True if the user declined that the answer makes the file a sensitive one. */
  get isDeclined(): boolean {
    return this.sink.checked.isDeclined;
  }

  /** 0-based first line of the current range. */
  get startLine(): number {
    return this.document.positionAt(this.session.startOffset).line;
  }

  /** 0-based last line of the current range, inclusive. */
  get endLine(): number {
    return this.startLine + this.session.proposedLines.length - 1;
  }

  /** True if a 0-based line is in the range. */
  includesLine(line: number): boolean {
    return line >= this.startLine && line <= this.endLine;
  }

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

  /**
   * Continues in the document of a renamed file; false if the text differs from the old document.
   */
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
}
