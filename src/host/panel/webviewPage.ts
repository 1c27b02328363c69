/** Shows a page in a webview and buffers its messages until there is a listener. */
import * as vscode from "vscode";
import { Disposables, type Disposable } from "../../base/disposables";
import { describeError, type Log } from "../../base/log";

export class WebviewPage implements Disposable {
  private readonly owned = new Disposables();
  private readonly buffered: unknown[] = [];
  private listener: ((data: unknown) => void) | undefined;
  private hasEnded = false;
  private resolveFirstMessage = () => {};
  /** Resolves with the first message of the page; never if the page fails to load. */
  readonly hasSentMessage = new Promise<void>((resolve) => (this.resolveFirstMessage = resolve));

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
    this.owned.add(webview.onDidReceiveMessage((data: unknown) => this.receive(data)));
    void this.load(html);
  }

  /** True after the webview was closed. */
  get isDisposed(): boolean {
    return this.hasEnded;
  }

  /** Sets the only listener; buffered messages are delivered first. */
  listen(listener: (data: unknown) => void): void {
    this.listener = listener;
    for (const data of this.buffered.splice(0)) listener(data);
  }

  dispose(): void {
    this.hasEnded = true;
    this.owned.dispose();
  }

  private receive(data: unknown): void {
    this.resolveFirstMessage();
    if (this.listener) this.listener(data);
    else this.buffered.push(data);
  }

  private async load(readHtml: () => Promise<string>): Promise<void> {
    const html = await readHtml().catch((error: unknown) => {
      this.log.error(`view: its files could not be read (${describeError(error)})`);
      return vscode.l10n.t("Core Chat's files could not be read. Reinstall the extension.");
    });
    if (!this.hasEnded) this.webview.html = html;
  }
}
