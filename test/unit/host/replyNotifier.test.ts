import assert from "node:assert/strict";
import type { LiveConversation } from "../../../src/chat/conversation/liveConversation";
import { ReplyNotifier } from "../../../src/host/panel/replyNotifier";
import { startService, type ReferenceService } from "../../service/server";
import { PanelRig, type Page } from "../../support/chat/panelRig";

/** A window of VS Code with a panel, and real conversations. */
class Window {
  shownId: string | undefined;
  hasFocus = true;
  isOn = true;
  badge = 0;
  readonly messages: string[] = [];
  readonly notifier = new ReplyNotifier({
    isOn: () => this.isOn,
    isShown: (id) => id === this.shownId,
    isFocused: () => this.hasFocus,
    showBadge: (count) => (this.badge = count),
    offerReply: ({ live }, isFailed) =>
      this.messages.push(`${live.conversation.id} ${isFailed ? "failed" : "ready"}`),
  });

  show(id: string | undefined): void {
    this.shownId = id;
    if (id !== undefined) this.notifier.noteShown(id);
  }

  /** Ends the last reply of a conversation as if it had taken this time. */
  end(live: LiveConversation, seconds: number): void {
    const replyId = live.path().at(-1)!.id;
    this.notifier.replyEnded({ live, replyId, durationMs: seconds * 1_000 });
  }
}

describe("the notification of a reply that ended", () => {
  let service: ReferenceService;

  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  async function withReply(text = "a question") {
    const rig = new PanelRig(service.url);
    const page: Page = await rig.openPage();
    const window = new Window();
    rig.conversations.onReplyEnded((end) => window.notifier.replyEnded(end));
    window.show(page.shown.conversationId);
    return {
      rig,
      page,
      window,
      ask: async () => {
        await page.askToEnd(text);
        await new Promise((resolve) => setTimeout(resolve)); // The ending is reported after the message.
        return page.session.live!;
      },
    };
  }

  it("is a badge while the panel is hidden, until the conversation is shown", async () => {
    const { window, page, ask } = await withReply();
    window.show(undefined);
    await ask();
    assert.equal(window.badge, 1);
    window.show(page.shown.conversationId);
    assert.equal(window.badge, 0);
  });

  it("is a badge while another conversation is shown, one for each conversation", async () => {
    const { window, ask } = await withReply();
    window.show("another");
    await ask();
    await ask();
    assert.equal(window.badge, 1);
    window.show("a third");
    assert.equal(window.badge, 1);
  });

  it("is nothing while the conversation is visible and the window has the focus", async () => {
    const { window, ask } = await withReply();
    const live = await ask();
    window.end(live, 60);
    assert.deepEqual([window.badge, window.messages], [0, []]);
  });

  it("is a message if the window has no focus and the reply took over 20 s", async () => {
    const { window, ask } = await withReply();
    const live = await ask();
    window.hasFocus = false;
    window.end(live, 20);
    assert.deepEqual(window.messages, []);
    window.end(live, 20.1);
    assert.deepEqual(window.messages, [`${live.conversation.id} ready`]);
  });

  it("is nothing after Stop, with the setting never, and for answers in the editor", async () => {
    const { window, rig, page, ask } = await withReply();
    const live = await ask();
    window.show("another");
    window.hasFocus = false;
    window.isOn = false;
    window.end(live, 60);
    window.isOn = true;
    await page.ask("/fault slow-start");
    await page.post({ type: "stop-asked" });
    await page.until(() => page.lastReply?.isStreaming === false);
    window.end(live, 60);
    const other = rig.conversations.create();
    const { id } = other.conversation;
    await other.askQuestion([{ kind: "text", text: "in the editor" }]);
    while (rig.conversations.isRunning(id)) await new Promise((resolve) => setTimeout(resolve, 5));
    window.end(other, 60);
    assert.deepEqual([window.badge, window.messages], [0, []]);
  });
});
