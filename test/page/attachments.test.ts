/**
 * The chips of what goes with the question: named, removable by keyboard, and enough to send.
 */
import assert from "node:assert/strict";
import type { AttachmentView } from "../../src/bridge/views";
import { usePanel } from "./support/panelSuite";

const attachments: AttachmentView[] = [
  { id: "a1", kind: "file", label: "src/parser.ts", detail: "41-58" },
  { id: "a2", kind: "picture", label: "screen.png", detail: "2560×1440" },
];

describe("attachments in the composer", () => {
  const open = usePanel();

  it("are a named list with a button for each that takes it away", async () => {
    const host = await open({ shown: { attachments } });
    const list = host.page.getByRole("list", { name: "Attachments" });
    assert.deepEqual(await list.getByRole("listitem").allInnerTexts(), [
      "src/parser.ts\n41-58",
      "screen.png\n2560×1440",
    ]);
    await host.page.getByRole("button", { name: "Remove attachment src/parser.ts" }).press("Enter");
    const { conversationId, attachmentId } = await host.waitFor("attachment-removed");
    assert.deepEqual([conversationId, attachmentId], ["c1", "a1"]);
    await host.say({ type: "attachments-changed", attachments: attachments.slice(1) });
    const next = host.page.getByRole("button", { name: "Remove attachment screen.png" });
    assert.ok(await next.evaluate((button) => button === document.activeElement));
    await next.press("Enter");
    await host.say({ type: "attachments-changed", attachments: [] });
    await list.waitFor({ state: "detached" });
    const text = host.page.getByRole("textbox", { name: "Message" });
    assert.ok(await text.evaluate((box) => box === document.activeElement));
  });

  it("can be sent without a word", async () => {
    const host = await open({ shown: { attachments } });
    await host.page.getByRole("button", { name: "Send", exact: true }).click();
    assert.equal((await host.waitFor("question-asked")).text, "");
  });
});
