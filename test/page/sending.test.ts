/** Tests the list of what is sent, the meter's popover and the summary above the messages. */
import assert from "node:assert/strict";
import type { SendingListView, SummaryView } from "../../src/protocol/sendingMessages";
import { violationsInEveryTheme } from "./support/everyTheme";
import type { FakeHost } from "./support/fakeHost";
import { question, reply } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const METER = {
  system: 0,
  history: 28_000,
  files: 0,
  pictures: 0,
  question: 0,
  budget: 32_000,
  leftOut: "",
  next: { messages: 3, pictures: 1, summaryTokens: 9_000 },
  olderPictures: 0,
  olderPicturesLeftOut: [],
};

const TALK = [
  question("q1", "How much is it?"),
  reply("r1", "Nine."),
  question("q2", "And now?"),
  reply("r2", "Ten."),
];

const LIST: SendingListView = {
  messages: [
    { id: "q1", role: "user", label: "How much is it?", tokens: 40, status: "sent", pictures: [] },
    { id: "r1", role: "assistant", label: "Nine.", tokens: 900, status: "left-out", pictures: [] },
    {
      id: "q2",
      role: "user",
      label: "And now?",
      tokens: 20,
      status: "sent",
      pictures: [{ key: "abc", label: "shot.png", tokens: 1_200, status: "kept" }],
    },
  ],
  fixedTokens: 100,
  budget: 32_000,
  canUndo: true,
};

const SUMMARY: SummaryView = {
  state: "draft",
  text: "The user asked for a price.",
  messageCount: 2,
  beforeId: "q2",
  excerpts: ["q1"],
  pictures: [],
};

describe("what is sent", () => {
  const open = usePanel();

  async function openFull(list = LIST): Promise<FakeHost> {
    const host = await open({ shown: { messages: TALK } });
    host.answer = { isAccepted: true, sending: list };
    await host.send({ type: "meter-changed", meter: METER });
    return host;
  }

  async function openList(list = LIST): Promise<FakeHost> {
    const host = await openFull(list);
    await host.page.locator(".context-ring > .icon-button").press("Enter");
    await host.page.getByRole("button", { name: "Choose what is sent" }).press("Enter");
    await host.page.getByRole("dialog", { name: "Choose what is sent" }).waitFor();
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

  it("is chosen in the list by keyboard, and undone with Ctrl+Z", async () => {
    const host = await openList();
    const { page } = host;
    const row = page.getByRole("group", { name: "You: How much is it?" });
    await row.getByRole("button", { name: "Leave out" }).press("Enter");
    const { messageId, choice } = await host.waitFor("sending-chosen");
    assert.deepEqual([messageId, choice], ["q1", "left-out"]);
    const picture = page.getByRole("group", { name: "shot.png" });
    await picture.getByRole("button", { name: "Always send", pressed: true }).press("Enter");
    const ended = await host.waitFor("sending-chosen", 2);
    assert.deepEqual([ended.messageId, ended.picture, ended.choice], ["q2", "abc", null]);
    await page.keyboard.press("Control+z");
    await host.waitFor("sending-undone");
  });

  it("is more than the limit: the list reports it", async () => {
    const host = await openList({ ...LIST, fixedTokens: 40_000 });
    await host.page.getByRole("alert").getByText("more than the limit").waitFor();
  });

  it("is shown on the message", async () => {
    const host = await open({ shown: { messages: TALK } });
    const choices = [{ messageId: "q1", choice: "left-out" as const }];
    await host.send({ type: "sending-shown", choices, summaries: [] });
    await host.page.locator('[data-message-id="q1"]').getByText("not sent").waitFor();
    const context = await host.page
      .locator('[data-message-id="q1"]')
      .getAttribute("data-vscode-context");
    assert.match(context ?? "", /"coreChat.sending":"left-out"/);
  });

  it("has a summary that is edited, used and undone", async () => {
    const host = await open({ shown: { messages: TALK } });
    await host.send({ type: "sending-shown", choices: [], summaries: [SUMMARY] });
    const { page } = host;
    const card = page.getByRole("region", { name: "Summary of 2 messages" });
    await card.getByRole("button", { name: "1 code block" }).waitFor();
    await card.getByRole("button", { name: "Edit" }).press("Enter");
    await card.getByRole("textbox").fill("A price was asked for.");
    await card.getByRole("button", { name: "Use summary" }).press("Enter");
    assert.equal((await host.waitFor("summary-used")).text, "A price was asked for.");
    const used = { ...SUMMARY, id: "s1", state: "used" as const };
    await host.send({ type: "sending-shown", choices: [], summaries: [used] });
    await card.getByRole("button", { name: "Undo" }).press("Enter");
    assert.equal((await host.waitFor("summary-undone")).summaryId, "s1");
  });

  it("has a summary whose last edit is saved when another conversation is shown", async () => {
    const host = await openFull();
    await host.send({ type: "sending-shown", choices: [], summaries: [SUMMARY] });
    const card = host.page.getByRole("region", { name: "Summary of 2 messages" });
    await card.getByRole("button", { name: "Edit" }).press("Enter");
    await card.getByRole("textbox").fill("A price was asked for.");
    await host.show({ conversationId: "c2" });
    const { conversationId, text } = await host.waitFor("summary-edited");
    assert.deepEqual([conversationId, text], ["c1", "A price was asked for."]);
  });

  it("has a summary that names the code it does not hold, and leads to it", async () => {
    const nested = "````md\n```ts\nx\n```\n````\n\n1. First:\n\n   - ```sh\n     ls\n     ```\n";
    const messages = [...TALK];
    messages[1] = reply("r1", nested);
    messages[3] = reply("r2", "```\nnot in the summary\n```");
    const host = await open({ shown: { messages } });
    const summaries = [{ ...SUMMARY, excerpts: ["q1"] }];
    await host.send({ type: "sending-shown", choices: [], summaries });
    const link = host.page.getByRole("button", { name: "3 code blocks" });
    for (const id of ["q1", "r1"]) {
      await link.press("Enter");
      await host.page.locator(`[data-message-id="${id}"]:focus`).waitFor();
    }
  });

  it("has no summary that is too long or empty", async () => {
    const host = await open({ shown: { messages: TALK } });
    const { page } = host;
    for (const text of ["", "word ".repeat(3_000)]) {
      const summaries = [{ ...SUMMARY, text }];
      await host.send({ type: "sending-shown", choices: [], summaries });
      const use = page.getByRole("button", { name: "Use summary" });
      await use.waitFor();
      assert.equal(await use.isDisabled(), true);
      await page.getByRole("button", { name: "Try again" }).waitFor();
    }
  });

  it("opens the list and asks for a summary with commands, also before the ring is shown", async () => {
    const host = await open({ shown: { messages: TALK } });
    host.answer = { isAccepted: true, sending: LIST };
    await host.send({ type: "meter-changed", meter: { ...METER, history: 10 } });
    await host.send({ type: "navigation-asked", command: "choose-what-is-sent" });
    const dialog = host.page.getByRole("dialog", { name: "Choose what is sent" });
    await dialog.getByText("Nine.").waitFor();
    await dialog.getByRole("button", { name: "Close" }).press("Enter");
    await dialog.waitFor({ state: "detached" });
    await host.send({ type: "navigation-asked", command: "summarize" });
    await host.waitFor("summary-asked");
  });

  it("names a picture by web address that is not sent", async () => {
    const url = "https://example.com/tower.png";
    const chips = [{ kind: "picture" as const, label: url, detail: "" }];
    const host = await open({ shown: { messages: [question("q1", "Which?", { chips })] } });
    const choices = [{ messageId: "q1", picture: url, choice: "left-out" as const }];
    const chip = host.page.getByRole("button", { name: url });
    await chip.waitFor();
    assert.equal(await chip.getByText("not sent").count(), 0);
    await host.send({ type: "sending-shown", choices, summaries: [] });
    await chip.getByText("not sent").waitFor();
  });

  it("has no axe violations in list and summary in any theme", async () => {
    const host = await openList({ ...LIST, fixedTokens: 40_000 });
    await host.page.getByRole("alert").waitFor();
    assert.deepEqual(await violationsInEveryTheme(host), []);
    await host.page.getByRole("dialog").getByRole("button", { name: "Close" }).press("Enter");
    for (const state of ["writing", "draft", "used"] as const) {
      const summaries = [{ ...SUMMARY, ...(state === "used" && { id: "s1" }), state }];
      await host.send({ type: "sending-shown", choices: [], summaries });
      await host.page.getByRole("region", { name: "Summary of 2 messages" }).waitFor();
      assert.deepEqual(await violationsInEveryTheme(host), [], state);
    }
  });

  for (const widthPx of [280, 420, 900]) {
    it(`fits at ${widthPx} px`, async () => {
      const host = await open({ widthPx, shown: { messages: TALK } });
      host.answer = { isAccepted: true, sending: { ...LIST, fixedTokens: 40_000 } };
      const summaries = [SUMMARY];
      await host.send({ type: "sending-shown", choices: [], summaries });
      await host.send({ type: "meter-changed", meter: METER });
      const card = host.page.getByRole("region", { name: "Summary of 2 messages" });
      await card.getByRole("button", { name: "Use summary" }).waitFor();
      await host.send({ type: "navigation-asked", command: "choose-what-is-sent" });
      const dialog = host.page.getByRole("dialog", { name: "Choose what is sent" });
      await dialog.getByText("Nine.").waitFor();
      for (const part of [card, dialog]) {
        const cut = await part.evaluate((root) =>
          [root as Element, ...root.querySelectorAll("*")]
            .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
            .filter((one) => getComputedStyle(one).textOverflow !== "ellipsis")
            .map((one) => one.getAttribute("class") ?? one.tagName),
        );
        assert.deepEqual(cut, []);
      }
    });
  }
});
