/** Tests an empty conversation: questions about the open code, and the latest conversations. */
import assert from "node:assert/strict";
import type { AttachmentView, PanelView } from "../../src/protocol/views";
import { poll, question, reply, type FakeHost } from "./support/fakeHost";
import { historyRow } from "./support/historyRow";
import { usePanel } from "./support/panelSuite";

const AUTOMATIC: NonNullable<PanelView["automatic"]> = {
  kind: "file",
  label: "src/shop/cart.ts",
  detail: "13-23, 2 problems",
  id: "s1",
  isOn: true,
};

const ROWS = [
  historyRow("c7", "Retry with a countdown"),
  historyRow("c8", "A long reply", { isRunning: true }),
];

async function suggestions({ page }: FakeHost): Promise<string[]> {
  const buttons = page.getByRole("list", { name: "Suggested questions" }).getByRole("button");
  await buttons.first().waitFor();
  return buttons.allInnerTexts();
}

describe("an empty conversation", () => {
  const open = usePanel();

  it("suggests whole questions about the selected lines", async () => {
    const host = await open({ shown: { panel: { automatic: AUTOMATIC } } });
    assert.deepEqual(await suggestions(host), [
      "Explain cart.ts:13-23",
      "Find bugs in cart.ts:13-23",
      "Write tests for cart.ts:13-23",
      "Ask about a screenshot…",
      "What can I do here?",
    ]);
    await host.page.getByRole("button", { name: "Explain cart.ts:13-23" }).click();
    const box = host.page.getByRole("textbox", { name: "Message" });
    await poll(() => box.evaluate((element) => element === document.activeElement), "focus");
    assert.equal(await box.inputValue(), "Explain cart.ts:13-23");
  });

  it("attaches the open file when nothing is selected and its question is chosen", async () => {
    const openFile = { name: "cart.ts", uri: "file:///project/src/cart.ts" };
    const host = await open({ shown: { panel: { openFile } } });
    assert.equal((await suggestions(host))[0], "Explain cart.ts");
    await host.page.getByRole("button", { name: "Find bugs in cart.ts" }).click();
    assert.deepEqual((await host.waitFor("files-dropped")).uris, [openFile.uri]);
    const box = host.page.getByRole("textbox", { name: "Message" });
    assert.equal(await box.inputValue(), "Find bugs in cart.ts");
  });

  it("suggests nothing about code that is not sent", async () => {
    for (const more of [{ isOn: false }, { isOn: false, leftOut: "secrets" as const }]) {
      const host = await open({ shown: { panel: { automatic: { ...AUTOMATIC, ...more } } } });
      assert.deepEqual(await suggestions(host), [
        "Explain this project",
        "Review my changes",
        "Ask about a screenshot…",
        "What can I do here?",
      ]);
    }
  });

  it("attaches what its questions are about; another one replaces it unless it was changed", async () => {
    const host = await open();
    const box = host.page.getByRole("textbox", { name: "Message" });
    let askedCount = 0;
    const suggest = async (name: string, label: string, others: AttachmentView[] = []) => {
      await host.page.getByRole("button", { name }).click();
      askedCount += 1;
      const { source } = await host.waitFor("files-asked", askedCount);
      const chip = { id: label, kind: "folder" as const, label, detail: "" };
      await host.send({ type: "attachments-changed", attachments: [...others, chip] });
      await host.answerWaiting({ isAccepted: true });
      return { source, chip, text: await box.inputValue() };
    };
    host.answer = "none";
    const first = await suggest("Review my changes", "Changes");
    assert.deepEqual([first.source, first.text], ["changes", "Review my changes"]);
    const second = await suggest("Explain this project", "Project");
    assert.deepEqual([second.source, second.text], ["project", "Explain this project"]);
    const removed = () => host.receivedOf("attachment-removed").map((one) => one.attachmentId);
    assert.deepEqual(removed(), ["Changes"]);
    // Another attachment is a change, so both stay.
    const added = [second.chip, { ...second.chip, id: "x", label: "a.ts" }];
    await host.send({ type: "attachments-changed", attachments: added });
    const third = await suggest("Review my changes", "Changes", added);
    assert.equal(third.text, "Explain this project");
    await box.fill("Explain this project to me");
    await suggest("Explain this project", "Project", [...added, third.chip]);
    assert.equal(await box.inputValue(), "Explain this project to me");
    assert.deepEqual(removed(), ["Changes"]);
  });

  it("shows the latest conversations and opens one", async () => {
    const host = await open();
    await host.waitFor("recent-asked");
    const recent = host.page.getByRole("region", { name: "Recent conversations" });
    assert.equal(await recent.count(), 0);
    await host.send({ type: "recent-shown", rows: ROWS });
    await recent.getByRole("button", { name: "A long reply Running" }).waitFor();
    await recent.getByRole("button", { name: "Retry with a countdown 14:02" }).click();
    assert.equal((await host.waitFor("conversation-opened")).conversationId, "c7");
  });

  it("requests suggestions for each empty conversation, but not with messages or without a key", async () => {
    const host = await open();
    await host.waitFor("recent-asked");
    await host.send({ type: "recent-shown", rows: ROWS });
    await host.show({ conversationId: "c2" });
    await host.waitFor("recent-asked", 2);
    assert.equal(await host.page.getByText("Recent conversations").count(), 0);
    const talk = [question("q1", "Why?"), reply("r1", "Because.")];
    const other = await open({ shown: { messages: talk } });
    await other.page.locator("article").first().waitFor();
    assert.deepEqual(other.receivedOf("recent-asked"), []);
    const setup = [{ id: "key" as const, isDone: false, title: "API key", detail: "None." }];
    const unset = await open({ shown: { panel: { setup } } });
    await unset.page.getByText("None.").waitFor();
    assert.deepEqual(unset.receivedOf("recent-asked"), []);
  });
});
