/** Read-only documents with generated text, such as requests and reports. */
import * as vscode from "vscode";
import { DisposableOwner } from "../../base/disposables";

/** The documents of one URI scheme; the path of a URI is the document's name. */
export class VirtualDocuments extends DisposableOwner {
  private readonly changes = this.owned.add(new vscode.EventEmitter<vscode.Uri>());

  /**
   * @param scheme of the URIs, used by these documents only
   * @param textOf returns the text of a document; undefined if it is no longer available
   */
  constructor(
    private readonly scheme: string,
    textOf: (name: string) => string | undefined,
  ) {
    super();
    this.owned.add(
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        onDidChange: this.changes.event,
        provideTextDocumentContent: ({ path }) =>
          textOf(path.slice(1)) ?? vscode.l10n.t("This document is no longer available."),
      }),
    );
  }

  /** Shows a document in an editor; the extension of `name` decides its language. */
  async show(name: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.uriOf(name));
    await vscode.window.showTextDocument(document, { preview: true });
  }

  /** Makes VS Code read the text of a document again. */
  update(name: string): void {
    this.changes.fire(this.uriOf(name));
  }

  uriOf(name: string): vscode.Uri {
    return vscode.Uri.from({ scheme: this.scheme, path: `/${name}` });
  }
}
