/**
 * A block of a reply on its way into a document: the place it goes to, which follows what is typed
 * elsewhere, and the whole text with it, for the diff. Changes nothing by itself.
 */
import * as vscode from "vscode";
import { track, type TrackedRange } from "../../inline/trackedRange";
import { eolOf } from "../inline/editTarget";

/** Where a block goes: whole lines, 0-based, the end not included; or an empty span before a line. */
export interface LinesPlace {
  readonly startLine: number;
  readonly endLine: number;
  readonly lines: readonly string[];
}

/** One proposal; its owner tells it of its document's changes. */
export class Proposal {
  private range: TrackedRange;
  private readonly replacement: string;

  /** False once the lines it replaces were changed by somebody else. */
  isCurrent = true;

  constructor(
    readonly uri: vscode.Uri,
    readonly document: vscode.TextDocument,
    { startLine, endLine, lines }: LinesPlace,
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

  /** The document's whole text with the block in it. */
  get text(): string {
    const text = this.document.getText();
    const { start, text: replaced } = this.range;
    return text.slice(0, start) + this.replacement + text.slice(start + replaced.length);
  }

  /** True when the block stands there already, as it is. */
  get isEmpty(): boolean {
    return this.range.text === this.replacement;
  }

  /** Where the block begins: what is to be seen first. */
  get start(): vscode.Range {
    const { line } = this.document.positionAt(this.range.start);
    return new vscode.Range(line, 0, line, 0);
  }

  /** Follows one change of the document, which has been made. */
  follow(changes: readonly vscode.TextDocumentContentChangeEvent[]): void {
    for (const { rangeOffset, rangeLength, text } of changes) {
      const change = { offset: rangeOffset, length: rangeLength, text };
      const { kind, range } = track(this.range, change);
      this.range = range;
      if (kind !== "elsewhere") this.isCurrent = false;
    }
  }

  /** Writes the block into the document; false when VS Code refuses. */
  async write(): Promise<boolean> {
    const { document, range } = this;
    const edit = new vscode.WorkspaceEdit();
    const end = document.positionAt(range.start + range.text.length);
    const span = new vscode.Range(document.positionAt(range.start), end);
    edit.replace(document.uri, span, this.replacement);
    return vscode.workspace.applyEdit(edit);
  }
}
