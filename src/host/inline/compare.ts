/**
 * Opens VS Code's diff between a document before an edit and the current document. The left side is
 * computed from the document, so it follows other changes.
 */
import * as vscode from "vscode";
import { DisposableOwner } from "../../base/disposables";
import { ORIGINAL_SCHEME } from "../platform/contributions";
import { pathOf } from "../platform/sourceText";
import type { InlineEntry } from "./inlineEntry";

/** Provides the original documents of the diffs and keeps them up to date. */
export class Compare extends DisposableOwner {
  private readonly changes = this.owned.add(new vscode.EventEmitter<vscode.Uri>());
  /** Last text of each original, so that the original stays readable after the edit ends. */
  private readonly lastTexts = new Map<string, string>();

  constructor(private readonly entryOf: (id: string) => InlineEntry | undefined) {
    super();
    this.owned.add(
      vscode.workspace.registerTextDocumentContentProvider(ORIGINAL_SCHEME, {
        onDidChange: this.changes.event,
        provideTextDocumentContent: ({ query }) => this.textOf(query),
      }),
    );
    this.owned.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.scheme === ORIGINAL_SCHEME) this.lastTexts.delete(uri.query);
      }),
    );
  }

  /** Opens the diff of an edit. */
  async show(entry: InlineEntry): Promise<void> {
    const { uri } = entry.document;
    const title = vscode.l10n.t("{0}: Before ↔ After Edit", pathOf(uri));
    await vscode.commands.executeCommand("vscode.diff", this.uriOf(entry), uri, title);
  }

  /** Updates the original after an edit or its document changed. */
  changed(entry: InlineEntry): void {
    if (this.lastTexts.has(entry.id)) this.changes.fire(this.uriOf(entry));
  }

  private uriOf(entry: InlineEntry): vscode.Uri {
    return vscode.Uri.from({
      scheme: ORIGINAL_SCHEME,
      path: entry.document.uri.path,
      query: entry.id,
    });
  }

  private textOf(id: string): string {
    const entry = this.entryOf(id);
    if (entry !== undefined) {
      const { document, session } = entry;
      const eol = document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
      const text = document.getText();
      const end = session.startOffset + session.proposedLines.join(eol).length;
      const before = session.originalLines.join(eol);
      this.lastTexts.set(id, text.slice(0, session.startOffset) + before + text.slice(end));
    }
    return this.lastTexts.get(id) ?? "";
  }
}
