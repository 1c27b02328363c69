/**
 * Screenshots in a chat session: the picture is attached, and only failures are reported to the
 * user.
 */
import assert from "node:assert/strict";
import type { PictureFile } from "../../../src/chat/view/editorContext";
import type { NoticeView } from "../../../src/protocol/views";
import { PanelRig, type Page } from "../../support/chat/panelRig";
import { madePng } from "../../support/pictures/madePng";

type Capture = PictureFile | NoticeView | undefined;

describe("a screenshot in a chat", () => {
  async function open(take: (signal: AbortSignal) => Promise<Capture>) {
    const rig = new PanelRig("http://127.0.0.1:1");
    rig.pictureHost.takeScreenshot = (_platform, signal) => take(signal);
    const page = await rig.openPage();
    const ask = () =>
      page.post({
        type: "screenshot-asked",
        conversationId: page.conversationId,
        platform: "linux",
      });
    return { page, ask };
  }

  /** Answers the job that checks the picture, as a page does if the browser can decode it. */
  async function decode(page: Page): Promise<void> {
    await page.until(() => page.last("picture-job") !== undefined);
    const { jobId } = page.last("picture-job")!;
    await page.post({ type: "picture-drawn", jobId, index: 0, count: 1, bytes: new Uint8Array() });
  }

  it("is attached unchanged, and the composer gets the focus", async () => {
    const bytes = madePng(12, 8);
    const { page, ask } = await open(() => Promise.resolve({ name: "Screenshot.png", bytes }));
    const captured = ask();
    await decode(page);
    await captured;
    const [attachment] = page.shown.attachments;
    assert.deepEqual([attachment?.label, attachment?.detail], ["Screenshot.png", "12×8 whole"]);
    assert.ok(page.last("focus-asked"));
  });

  it("that was canceled changes nothing", async () => {
    const { page, ask } = await open(() => Promise.resolve(undefined));
    const count = page.received.length;
    await ask();
    assert.equal(page.received.length, count);
  });

  it("that failed shows the reason", async () => {
    const notice: NoticeView = { tone: "warning", text: "scrot failed" };
    const { page, ask } = await open(() => Promise.resolve(notice));
    await ask();
    assert.deepEqual(page.last("notice-shown")?.notice, notice);
  });

  it("replaces one whose tool is still open", async () => {
    const signals: AbortSignal[] = [];
    const { page, ask } = await open(async (signal) => {
      signals.push(signal);
      if (signals.length > 1) return { tone: "info", text: "second" };
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return { tone: "info", text: "first" };
    });
    await Promise.all([ask(), ask()]);
    const texts = page.received.flatMap((message) =>
      message.type === "notice-shown" ? [message.notice.text] : [],
    );
    assert.deepEqual(texts, ["second"]);
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true, false],
    );
  });
});
