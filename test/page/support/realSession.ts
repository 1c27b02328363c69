/** Connects the panel's page to a real chat session over a line with a delay. */
import type { PanelRig, Page as SessionPage } from "../../support/chat/panelRig";
import type { OpenOptions } from "./fakeHost";

/** Returns a session and the options with which a page is opened for it. */
export async function realSession(
  rig: PanelRig,
  delayMs: number,
): Promise<{ session: SessionPage; options: OpenOptions }> {
  const session = await rig.openPage();
  const handle: OpenOptions["handle"] = (message, host) => {
    session.forward ??= (sent) => void host.send(sent);
    return session.post(message);
  };
  return { session, options: { delayMs, handle } };
}
