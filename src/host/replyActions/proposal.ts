/**
 * Proposed change of a document by a code block: the target range, which follows other changes, and
 * the resulting text for the diff. Changes the document only in `write`.
 */
import * as vscode from "vscode";
import { track, type TrackedRange } from "../../edit/trackedRange";
import { eolOf } from "../inline/editTarget";

/** Target of a block: whole lines, 0-based, end exclusive; or an empty range before a line. */
export interface LineTarget {
  readonly startLine: number;
  readonly endLine: number;
  readonly lines: readonly string[];
}

/** Proposal for a document; the owner reports changes of the document. */
export class Proposal {
  private range: TrackedRange;
  private readonly replacement: string;

  /** False after another change of the replaced lines. */
  isCurrent = true;

  constructor(
    readonly uri: vscode.Uri,
    readonly document: vscode.TextDocument,
    { startLine, endLine, lines }: LineTarget,
  ) {
    const eol = eolOf(document);
    const isInsertion = startLine === endLine;
    const isAtEnd = startLine >= document.lineCount;
    const start = isAtEnd
      ? document.lineAt(document.lineCount - 1).range.end
      : new vscode.Position(startLine, 0);
    const end = isInsertion ? start : document.lineAt(endLine - 1).range.end;
    const text = lines.join(eol);
    this.replacement = !isInsertion ? text : isAtEnd ? eol + text : text + eol;
    this.range = {
      start: document.offsetAt(start),
      text: document.getText(new vscode.Range(start, end)),
    };
  }

  get target(): vscode.Uri {
    return this.document.uri;
  }

  /** Whole text of the document with the block applied. */
  get text(): string {
    const text = this.document.getText();
    const { start, text: replaced } = this.range;
    return text.slice(0, start) + this.replacement + text.slice(start + replaced.length);
  }

  /** True if the document already contains the block unchanged. */
  get isEmpty(): boolean {
    return this.range.text === this.replacement;
  }

  /** Start of the block, to be revealed first. */
  get start(): vscode.Range {
    const { line } = this.document.positionAt(this.range.start);
    return new vscode.Range(line, 0, line, 0);
  }

  /** Applies a change that the document already contains. */
  applyChanges(changes: readonly vscode.TextDocumentContentChangeEvent[]): void {
    for (const { rangeOffset, rangeLength, text } of changes) {
      const change = { offset: rangeOffset, length: rangeLength, text };
      const { kind, range } = track(this.range, change);
      this.range = range;
      if (kind !== "elsewhere") this.isCurrent = false;
    }
  }

  /** Writes the block into the document; false if VS Code refuses. */
  async write(): Promise<boolean> {
    const { document, range } = this;
    const edit = new vscode.WorkspaceEdit();
    const end = document.positionAt(range.start + range.text.length);
    const span = new vscode.Range(document.positionAt(range.start), end);
    edit.replace(document.uri, span, this.replacement);
    return vscode.workspace.applyEdit(edit);
  }
}
