/**
 * The panel's files as VS Code serves them, and the page made of them for one webview.
 */
import * as vscode from "vscode";
import { newId } from "../../base/id";
import { lazily } from "../../base/lazily";
import type { Log } from "../../base/log";
import { canStandInPage, pageHtml } from "./pageHtml";
import { WebviewPage } from "./webviewPage";

/** What stands in every page. */
interface PageTexts {
  readonly script: string;
  readonly styles: string;
}

/** The pages of one window; their files are read once, when the first page is wanted. */
export class PanelPages {
  private readonly texts: () => Promise<PageTexts>;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly log: Log,
  ) {
    const read = async (...path: string[]) => {
      const bytes = await vscode.workspace.fs.readFile(this.uri(...path));
      const text = new TextDecoder().decode(bytes);
      if (!canStandInPage(text)) throw new Error(`${path.join("/")} cannot stand in the page`);
      return text;
    };
    this.texts = lazily(async () => {
      const [script, icons, own] = await Promise.all([
        read("dist", "webview", "main.js"),
        read("dist", "webview", "icons.css"),
        read("media", "panel.css"),
      ]);
      return { script, styles: `${icons}\n${own}` };
    });
  }

  /** Begins to read the files, for a page that is about to be wanted. */
  prepare(): void {
    this.texts().catch(() => undefined); // Whoever wants the page is told.
  }

  /** The extension's mark, for tabs. */
  get icon(): vscode.Uri {
    return this.uri("media", "icon.svg");
  }

  /** Gives a webview its page. */
  show(webview: vscode.Webview): WebviewPage {
    const roots = [this.uri("dist"), this.uri("media")];
    return new WebviewPage(webview, roots, () => this.page(webview), this.log);
  }

  /** The whole page as HTML. Rejects when the extension's own files cannot be read. */
  private async page(webview: vscode.Webview): Promise<string> {
    return pageHtml({
      language: vscode.env.language,
      nonce: newId() + newId(),
      ownSource: webview.cspSource,
      baseUrl: `${webview.asWebviewUri(this.uri("dist", "webview")).toString()}/`,
      strings: vscode.l10n.bundle ?? {},
      ...(await this.texts()),
    });
  }

  private uri(...path: string[]): vscode.Uri {
    return vscode.Uri.joinPath(this.extensionUri, ...path);
  }
}
