/** Follows a selection of a document by its lines while text above or inside it changes. */
import * as vscode from "vscode";
import type { Disposable } from "../../base/disposables";

/** Selection that moves with its lines until disposed. */
export class FollowedLines implements Disposable {
  private readonly listening: vscode.Disposable;

  constructor(
    readonly document: vscode.TextDocument,
    private selection: vscode.Selection,
  ) {
    this.listening = vscode.workspace.onDidChangeTextDocument((change) => this.follow(change));
  }

  /** Returns the selection where its lines are now. */
  get current(): vscode.Selection {
    const { anchor, active } = this.selection;
    const { document } = this;
    return new vscode.Selection(
      document.validatePosition(anchor),
      document.validatePosition(active),
    );
  }

  dispose(): void {
    this.listening.dispose();
  }

  private follow({ document, contentChanges }: vscode.TextDocumentChangeEvent): void {
    if (document !== this.document) return;
    for (const { range, text } of contentChanges) {
      const added = text.split("\n").length - 1 - (range.end.line - range.start.line);
      const { start, end, isEmpty, isReversed } = this.selection;
      const first = range.end.isBeforeOrEqual(start) ? start.translate(added) : start;
      const last = range.start.isBefore(end) && !isEmpty ? end.translate(added) : end;
      this.selection = isEmpty
        ? new vscode.Selection(first, first)
        : isReversed
          ? new vscode.Selection(last, first)
          : new vscode.Selection(first, last);
    }
  }
}
