/**
 * Joins one webview to one session: page, channel, and both gone together. What kind of place the
 * webview stands in (side bar or editor tab) does not matter here.
 */
import * as vscode from "vscode";
import type { Disposables } from "../base/disposables";
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
import type { PanelPages } from "./panelPage";

/**
 * Gives the webview its page.
 * @param owned takes everything that has to go with the webview
 * @param focusMoved called each time the caret comes here (true) or leaves; leaves when it is gone
 */
export function joinWebview(
  webview: vscode.Webview,
  pages: PanelPages,
  openSession: (send: (message: ToView) => void) => ChatSession,
  owned: Disposables,
  log: Log,
  focusMoved: (isInside: boolean) => void,
): ChatSession {
  webview.options = { enableScripts: true, localResourceRoots: pages.roots };
  const session = owned.add(openSession((message) => channel.send(message)));
  const channel = new Channel<ToView, ToHost, HostReply>({
    post: (envelope) => void webview.postMessage(envelope),
    incoming: toHostSchema,
    reply: hostReplySchema,
    handle: (message) => {
      if (message.type === "focus-moved") focusMoved(message.isInside);
      return session.handle(message);
    },
    log,
  });
  owned.add({ dispose: () => channel.dispose() });
  owned.add(webview.onDidReceiveMessage((data: unknown) => void channel.receive(data)));
  let isGone = false;
  owned.add({
    dispose: () => {
      isGone = true;
      focusMoved(false);
    },
  });
  const show = (html: string) => {
    if (!isGone) webview.html = html;
  };
  pages.page(webview).then(show, (error: unknown) => {
    log.error(`view: its files could not be read (${describeError(error)})`);
    show(vscode.l10n.t("Core Chat's own files could not be read. Install the extension again."));
  });
  return session;
}
