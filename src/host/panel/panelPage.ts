import * as vscode from "vscode";
import { newId } from "../../base/id";
import { lazily } from "../../base/lazily";
import type { Log } from "../../base/log";
import { canBeInlined, pageHtml } from "./pageHtml";
import { readSettings } from "../settings/settings";
import { WebviewPage } from "./webviewPage";

/** Files that are inlined in every page. */
interface PageTexts {
  readonly script: string;
  readonly styles: string;
}

/** Makes the pages of a window; reads the files once, with the first page. */
export class PanelPages {
  private readonly texts: () => Promise<PageTexts>;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly log: Log,
  ) {
    const readText = async (...path: string[]) => {
      // eslint-disable-next-line no-restricted-syntax -- a file of the extension
      const bytes = await vscode.workspace.fs.readFile(this.uri(...path));
      const text = new TextDecoder().decode(bytes);
      if (!canBeInlined(text)) throw new Error(`${path.join("/")} cannot be inlined`);
      return text;
    };
    this.texts = lazily(async () => {
      const [script, icons, own] = await Promise.all([
        readText("dist", "webview", "boot.js"),
        readText("dist", "webview", "icons.css"),
        readText("dist", "webview", "panel.css"),
      ]);
      return { script, styles: `${icons}\n${own}` };
    });
  }

  /** Starts to read the files for a page that will be shown soon. */
  prepare(): void {
    this.texts().catch(() => undefined); // The page reports the failure.
  }

  get icon(): ReturnType<typeof tabIcon> {
    return tabIcon(this.extensionUri);
  }

  show(webview: vscode.Webview): WebviewPage {
    const roots = [this.uri("dist"), this.uri("media")];
    return new WebviewPage(webview, roots, () => this.page(webview), this.log);
  }

  /** Returns the page as HTML. Rejects if the extension's files cannot be read. */
  private async page(webview: vscode.Webview): Promise<string> {
    const { settings } = readSettings();
    return pageHtml({
      language: vscode.env.language,
      sendKey: settings.sendKey,
      fontSizePx: settings.fontSize,
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

/** Returns the extension's icon for tabs. VS Code draws it as a picture, where `currentColor` is black. */
export function tabIcon(extensionUri: vscode.Uri): { light: vscode.Uri; dark: vscode.Uri } {
  const inColor = (theme: string) =>
    vscode.Uri.joinPath(extensionUri, "media", `icon-${theme}.svg`);
  return { light: inColor("light"), dark: inColor("dark") };
}
