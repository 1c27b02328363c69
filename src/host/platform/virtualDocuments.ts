/**
 * Read-only documents that are made when they are looked at: requests and reports.
 */
import * as vscode from "vscode";
import { Disposables, type Disposable } from "../../base/disposables";

/** Gives a document's text by the name in its URI. */
export class VirtualDocuments implements Disposable {
  private readonly owned = new Disposables();
  private readonly changes = this.owned.add(new vscode.EventEmitter<vscode.Uri>());

  /**
   * @param scheme of the URIs, for this kind of document alone
   * @param textOf the text of a document; undefined when it is not kept any more
   */
  constructor(
    private readonly scheme: string,
    textOf: (name: string) => string | undefined,
  ) {
    this.owned.add(
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        onDidChange: this.changes.event,
        provideTextDocumentContent: ({ path }) =>
          textOf(path.slice(1)) ?? vscode.l10n.t("This is not kept any more."),
      }),
    );
  }

  /** Shows one in an editor; `name` ends in the extension its language goes by. */
  async show(name: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.uri(name));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  /** The name of the document in the active editor, if it is one of these. */
  activeName(): string | undefined {
    const uri = vscode.window.activeTextEditor?.document.uri;
    return uri?.scheme === this.scheme ? uri.path.slice(1) : undefined;
  }

  /** Says that a document's text is another one now. */
  changed(name: string): void {
    this.changes.fire(this.uri(name));
  }

  dispose(): void {
    this.owned.dispose();
  }

  private uri(name: string): vscode.Uri {
    return vscode.Uri.from({ scheme: this.scheme, path: `/${name}` });
  }
}
