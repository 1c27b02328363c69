import type { Disposables } from "../../base/disposables";
import type { Log } from "../../base/log";
import { Channel } from "../../protocol/channel";
import { hostReplySchema, type HostReply, type ToView } from "../../protocol/toView";
import { toHostSchema, type ToHost } from "../../protocol/toHost";
import type { ChatSession } from "../../chat/session";
import type { WebviewPage } from "./webviewPage";

/**
 * Opens a session for the page of a webview.
 * @param owned is disposed with the webview
 * @param focusMoved called with true when the page gets the focus, with false when it loses the focus
 *   or ends
 */
export function connectWebview(
  page: WebviewPage,
  openSession: (send: (message: ToView) => void) => ChatSession,
  owned: Disposables,
  log: Log,
  focusMoved: (isInside: boolean) => void,
): ChatSession {
  owned.add(page);
  const session = owned.add(openSession((message) => channel.send(message)));
  const channel = new Channel<ToView, ToHost, HostReply>({
    post: (envelope) => void page.webview.postMessage(envelope),
    incoming: toHostSchema,
    reply: hostReplySchema,
    handle: (message) => session.handle(message),
    log,
  });
  owned.add(session.onFocusMoved(focusMoved));
  owned.add({ dispose: () => channel.dispose() });
  owned.add({ dispose: () => focusMoved(false) });
  page.listen((data) => void channel.receive(data));
  return session;
}
