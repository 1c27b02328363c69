/**
 * Joins one webview to one session: page, channel, and both gone together. What kind of place the
 * webview stands in (side bar or editor tab) does not matter here.
 */
import type * as vscode from "vscode";
import type { Disposables } from "../base/disposables";
import type { Log } from "../base/log";
import { Channel } from "../bridge/channel";
import {
  hostReplySchema,
  toHostSchema,
  type HostReply,
  type ToHost,
  type ToView,
} from "../bridge/messages";
import type { ChatSession } from "../chat/session";
import { pageRoots, panelPage } from "./panelPage";

/** Gives the webview its page; `owned` takes everything that has to go with the webview. */
export function joinWebview(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  openSession: (send: (message: ToView) => void) => ChatSession,
  owned: Disposables,
  log: Log,
): ChatSession {
  webview.options = { enableScripts: true, localResourceRoots: pageRoots(extensionUri) };
  const session = owned.add(openSession((message) => channel.send(message)));
  const channel = new Channel<ToView, ToHost, HostReply>({
    post: (envelope) => void webview.postMessage(envelope),
    incoming: toHostSchema,
    reply: hostReplySchema,
    handle: (message) => session.handle(message),
    log,
  });
  owned.add({ dispose: () => channel.dispose() });
  owned.add(webview.onDidReceiveMessage((data: unknown) => void channel.receive(data)));
  webview.html = panelPage(webview, extensionUri);
  return session;
}
