/**
 * A webview that has its page before anybody listens: what the page says meanwhile is kept and told
 * then, in order.
 */
import * as vscode from "vscode";
import { Disposables, type Disposable } from "../../base/disposables";
import { describeError, type Log } from "../../base/log";

/** One webview's page; dispose it with the webview. */
export class WebviewPage implements Disposable {
  private readonly owned = new Disposables();
  private readonly unheard: unknown[] = [];
  private listener: ((data: unknown) => void) | undefined;
  private isGone = false;
  private tellSpoken = () => {};
  /** Resolves when the page has said its first word; never if it cannot. */
  readonly hasSpoken = new Promise<void>((resolve) => (this.tellSpoken = resolve));

  /**
   * @param roots folders the page may load from
   * @param html rejects when the extension's own files cannot be read
   */
  constructor(
    readonly webview: vscode.Webview,
    roots: readonly vscode.Uri[],
    html: () => Promise<string>,
    private readonly log: Log,
  ) {
    webview.options = { enableScripts: true, localResourceRoots: roots };
    this.owned.add(webview.onDidReceiveMessage((data: unknown) => this.hear(data)));
    void this.give(html);
  }

  /** True when the webview was gone before anybody listened. */
  get isDisposed(): boolean {
    return this.isGone;
  }

  /** Tells everything the page says, also what it said before; there is one listener. */
  listen(listener: (data: unknown) => void): void {
    this.listener = listener;
    for (const data of this.unheard.splice(0)) listener(data);
  }

  dispose(): void {
    this.isGone = true;
    this.owned.dispose();
  }

  private hear(data: unknown): void {
    this.tellSpoken();
    if (this.listener) this.listener(data);
    else this.unheard.push(data);
  }

  private async give(page: () => Promise<string>): Promise<void> {
    const html = await page().catch((error: unknown) => {
      this.log.error(`view: its files could not be read (${describeError(error)})`);
      return vscode.l10n.t("Core Chat's own files could not be read. Install the extension again.");
    });
    if (!this.isGone) this.webview.html = html;
  }
}
