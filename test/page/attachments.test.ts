/** Tests the chips of attachments: names, removal by keyboard, and sending without text. */
import assert from "node:assert/strict";
import type { AttachmentView } from "../../src/protocol/views";
import { question, readyPanel, reply } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const attachments: AttachmentView[] = [
  { id: "a1", kind: "file", label: "src/parser.ts", detail: "41-58" },
  { id: "a2", kind: "picture", label: "screen.png", detail: "2560×1440" },
];

describe("attachments in the composer", () => {
  const open = usePanel();

  it("are a named list with a remove button each", async () => {
    const host = await open({ shown: { attachments } });
    const list = host.page.getByRole("list", { name: "Attachments" });
    assert.deepEqual(await list.getByRole("listitem").allInnerTexts(), [
      "src/parser.ts\n41-58",
      "screen.png\n2560×1440",
    ]);
    await host.page.getByRole("button", { name: "Remove attachment src/parser.ts" }).press("Enter");
    const { conversationId, attachmentId } = await host.waitFor("attachment-removed");
    assert.deepEqual([conversationId, attachmentId], ["c1", "a1"]);
    await host.send({ type: "attachments-changed", attachments: attachments.slice(1) });
    const next = host.page.getByRole("button", { name: "Remove attachment screen.png" });
    assert.ok(await next.evaluate((button) => button === document.activeElement));
    await next.press("Enter");
    await host.send({ type: "attachments-changed", attachments: [] });
    await list.waitFor({ state: "detached" });
    const text = host.page.getByRole("textbox", { name: "Message" });
    assert.ok(await text.evaluate((box) => box === document.activeElement));
  });

  it("leave the conversation and the text visible, however many there are", async () => {
    const many = Array.from({ length: 30 }, (_, n) => ({ ...attachments[0]!, id: `a${n}` }));
    const { page } = await open({ widthPx: 250, heightPx: 500, shown: { attachments: many } });
    await page.getByRole("list", { name: "Attachments" }).waitFor();
    const log = await page.getByRole("log").boundingBox();
    const send = await page.getByRole("button", { name: "Send", exact: true }).boundingBox();
    assert.ok(log !== null && log.height > 150, `the conversation has ${log?.height} px`);
    assert.ok(send !== null && send.y + send.height <= 500, `Send is at ${send?.y} px`);
  });

  it("show the rules of the project, which can be opened, removed and added again", async () => {
    const rules = {
      kind: "rules" as const,
      label: "Project rules",
      detail: "2 files · ~120 tokens",
    };
    const tooltip = "Project rules\nAGENTS.md\nweb/AGENTS.md";
    const host = await open({ shown: { panel: { rules: { ...rules, tooltip, isOn: true } } } });
    const list = host.page.getByRole("list", { name: "Attachments" });
    assert.deepEqual(await list.getByRole("listitem").allInnerTexts(), [
      "Project rules\n2 files · ~120 tokens",
    ]);
    await host.page.getByRole("button", { name: "Project rules 2 files" }).click();
    await host.waitFor("rules-opened");
    await host.page.getByRole("button", { name: "Remove attachment Project rules" }).press("Enter");
    assert.equal((await host.waitFor("rules-switched")).isOn, false);
    await host.send({
      type: "panel-changed",
      panel: { ...readyPanel, rules: { ...rules, tooltip, isOn: false } },
    });
    await host.page.getByRole("button", { name: "Add Project rules" }).waitFor();
    assert.deepEqual(await list.getByRole("listitem").allInnerTexts(), [
      "Project rules\nnot included",
    ]);
  });

  it("are offered for the lines that a reply about a picture quotes from an error", async () => {
    const trace =
      "```\nTypeError: lines is not iterable\n    at total (/app/shop/cart.ts:6:11)\n```\n";
    const references = [{ kind: "file" as const, label: "cart.ts:6", detail: "shop" }];
    const host = await open({ answer: { isAccepted: true, references } });
    const chip = { kind: "picture" as const, label: "screen.png", detail: "" };
    for (const chips of [[], [chip]]) {
      const messages = [question("q1", "Why?", { chips }), reply("r1", "", { isStreaming: true })];
      await host.show({ messages, panel: { isRunning: true } });
      await host.stream("r1", 0, [trace]);
      await host.endStreaming();
    }
    await host.page.getByRole("button", { name: "cart.ts:6" }).waitFor();
    assert.deepEqual(
      host.receivedOf("places-asked").map(({ text }) => text),
      [trace],
    );
    await host.page.getByRole("textbox", { name: "Message", exact: true }).press("Tab");
    const { query, index } = await host.waitFor("reference-picked");
    assert.deepEqual([query, index], [0, 0]);
    await host.page.getByRole("button", { name: "cart.ts:6" }).waitFor({ state: "detached" });
  });
});
