/** Tests messages that are left out, the meter's popover and the summary above the messages. */
import assert from "node:assert/strict";
import type { SummaryView } from "../../src/protocol/sendingMessages";
import type { FakeHost } from "./support/fakeHost";
import { question, reply, meterOf } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const METER = meterOf({
  history: 28_000,
  next: { messages: 3, pictures: 1, summaryTokens: 9_000 },
});

const TALK = [
  question("q1", "How much is it?"),
  reply("r1", "Nine."),
  question("q2", "And now?"),
  reply("r2", "Ten."),
];

const SUMMARY: SummaryView = {
  state: "draft",
  text: "The user asked for a price.",
  messageCount: 2,
  beforeId: "q2",
  excerpts: 1,
  pictures: 0,
};

describe("what is sent", () => {
  const open = usePanel();

  async function openFull(): Promise<FakeHost> {
    const host = await open({ shown: { messages: TALK } });
    await host.send({ type: "meter-changed", meter: METER });
    return host;
  }

  it("is named by the meter before something is left out, with the cost of a summary", async () => {
    const host = await openFull();
    const { page } = host;
    const ring = page.locator(".context-ring > .icon-button");
    assert.match((await ring.getAttribute("title")) ?? "", /3 older messages, 1 picture/);
    await ring.press("Enter");
    await page.getByText("1 request, about 9k tokens").waitFor();
    await page.getByRole("button", { name: "Summarize older messages" }).press("Enter");
    await host.waitFor("summary-asked");
  });

  it("is marked on its message, whose menu sends it again", async () => {
    const host = await open({ shown: { messages: TALK } });
    const { page } = host;
    for (const id of ["q1", "r2"]) {
      const message = page.locator(`[data-message-id="${id}"]`);
      await host.send({ type: "sending-shown", leftOut: [{ messageId: id }], summaries: [] });
      await message.getByText("not sent").waitFor();
      await page.evaluate(() => {
        document.addEventListener("contextmenu", ({ target }) => {
          const holder = (target as Element).closest<HTMLElement>("[data-vscode-context]");
          document.title = holder?.dataset.vscodeContext ?? "";
        });
      });
      await message.getByRole("button", { name: "Message menu" }).press("Enter");
      const menu = JSON.parse(await page.title()) as Record<string, unknown>;
      assert.deepEqual([menu["coreChat.sending"], menu.messageId], ["left-out", id]);
    }
  });

  it("has a summary that is edited, used and undone", async () => {
    const host = await open({ shown: { messages: TALK } });
    await host.send({ type: "sending-shown", leftOut: [], summaries: [SUMMARY] });
    const { page } = host;
    const card = page.getByRole("region", { name: "Summary of 2 messages" });
    await card.getByText("Not in the summary: 1 code block").waitFor();
    await card.getByRole("button", { name: "Edit" }).press("Enter");
    await card.getByRole("textbox").fill("A price was asked for.");
    await card.getByRole("button", { name: "Use summary" }).press("Enter");
    assert.equal((await host.waitFor("summary-used")).text, "A price was asked for.");
    const used = { ...SUMMARY, id: "s1", state: "used" as const };
    await host.send({ type: "sending-shown", leftOut: [], summaries: [used] });
    await card.getByRole("button", { name: "Undo" }).press("Enter");
    assert.equal((await host.waitFor("summary-undone")).summaryId, "s1");
  });

  it("has no summary that is too long or empty", async () => {
    const host = await open({ shown: { messages: TALK } });
    const { page } = host;
    for (const text of ["", "word ".repeat(3_000)]) {
      const summaries = [{ ...SUMMARY, text }];
      await host.send({ type: "sending-shown", leftOut: [], summaries });
      const use = page.getByRole("button", { name: "Use summary" });
      await use.waitFor();
      assert.equal(await use.isDisabled(), true);
      await page.getByRole("button", { name: "Try again" }).waitFor();
    }
  });

  it("is summarized with a command, also before the ring is shown", async () => {
    const host = await open({ shown: { messages: TALK } });
    await host.send({ type: "meter-changed", meter: { ...METER, history: 10 } });
    await host.send({ type: "navigation-asked", command: "summarize" });
    await host.waitFor("summary-asked");
  });
});
