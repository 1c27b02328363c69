/**
 * The panel in the side bar: gives each webview a page, a channel and a session, and lets all of
 * them go with it. The conversation lives elsewhere.
 */
import * as vscode from "vscode";
import { Disposables } from "../base/disposables";
import { describeError, type Log } from "../base/log";
import { Channel } from "../bridge/channel";
import {
  hostReplySchema,
  toHostSchema,
  type HostReply,
  type ToHost,
  type ToView,
} from "../bridge/messages";
import type { ChatSession } from "../chat/session";
import { CHAT_VIEW } from "./contributions";
import { pageRoots, panelPage } from "./panelPage";

/** Makes the session of one view. */
export type OpenSession = (send: (message: ToView) => void) => ChatSession;

/** The provider of the one view. */
export class ChatView implements vscode.WebviewViewProvider {
  private session: ChatSession | undefined;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly openSession: OpenSession,
    private readonly log: Log,
  ) {}

  resolveWebviewView(view: vscode.WebviewView): void {
    const owned = new Disposables();
    const { webview } = view;
    webview.options = { enableScripts: true, localResourceRoots: pageRoots(this.extensionUri) };
    const session = owned.add(this.openSession((message) => channel.send(message)));
    const channel = new Channel<ToView, ToHost, HostReply>({
      post: (envelope) => void webview.postMessage(envelope),
      incoming: toHostSchema,
      reply: hostReplySchema,
      handle: (message) => session.handle(message),
      log: this.log,
    });
    owned.add(webview.onDidReceiveMessage((data: unknown) => void channel.receive(data)));
    owned.add(
      view.onDidChangeVisibility(() => {
        if (!view.visible) session.disconnect();
      }),
    );
    this.session = session;
    owned.add({ dispose: () => channel.dispose() });
    view.onDidDispose(() => {
      if (this.session === session) this.session = undefined;
      owned.dispose();
    });
    webview.html = panelPage(webview, this.extensionUri);
  }

  /** Shows the panel with the caret in the composer. */
  async reveal(): Promise<void> {
    try {
      await vscode.commands.executeCommand(`${CHAT_VIEW}.focus`);
    } catch (error) {
      this.log.error(`view: could not be shown (${describeError(error)})`);
    }
    this.session?.focus();
  }

  /** Shows a new conversation in the panel. */
  async startNew(): Promise<void> {
    await this.reveal();
    await this.session?.startNew();
  }
}
