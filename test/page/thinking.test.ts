/**
 * Tests the thinking of a reply: a line that counts the seconds, expands to the full text and is
 * searchable.
 */
import assert from "node:assert/strict";
import type { ThinkingView } from "../../src/protocol/views";
import { question, reply, type FakeHost } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const THOUGHT = "First I **count**.\n\n```ts\nlet needle = 1;\n```\n\nThen I answer.";

const thinking = (more: Partial<ThinkingView> = {}): ThinkingView => ({
  text: "",
  durationMs: 0,
  isOngoing: false,
  ...more,
});

const done = thinking({ text: THOUGHT, durationMs: 12_300 });
const talk = (id = "r1", text = "The answer.") => [
  question("q1", "A question"),
  reply(id, text, { thinking: done }),
];

const toggleOf = ({ page }: FakeHost) => page.getByRole("button", { name: /^(Thinking|Thought)/ });
const regionOf = ({ page }: FakeHost) => page.getByRole("region", { name: "Thinking" });

/** Starts a reply that thinks; `pieces` are sent as deltas. */
async function beginThinking(host: FakeHost, ...pieces: string[]): Promise<void> {
  await host.showStreaming();
  const view = reply("r1", "", { isStreaming: true, thinking: thinking({ isOngoing: true }) });
  await host.send({ type: "message-changed", message: view });
  for (const text of pieces) await host.send({ type: "thinking-delta", messageId: "r1", text });
}

async function endThinking(host: FakeHost): Promise<void> {
  const view = reply("r1", "", { isStreaming: true, thinking: thinking({ durationMs: 12_300 }) });
  await host.send({ type: "message-changed", message: view });
}

describe("the thinking of a reply", () => {
  const open = usePanel();

  it("counts the seconds and shows its last lines, collapsed", async () => {
    const host = await open();
    await beginThinking(host, "The first line.\n", "The last ", "line.");
    await toggleOf(host)
      .filter({ hasText: /^Thinking… [1-9]\d* s$/ })
      .waitFor();
    const tail = host.page.locator(".thinking-tail");
    await tail.filter({ hasText: "The last line." }).waitFor();
    assert.equal(await tail.getAttribute("aria-hidden"), "true");
    assert.equal(await regionOf(host).count(), 0, "the region is closed");
    assert.equal(await toggleOf(host).getAttribute("aria-expanded"), "false");
  });

  it("shows its last lines without Markdown syntax", async () => {
    const host = await open();
    await beginThinking(
      host,
      "## Plan\n\n**Look** at `a ** b`:\n```ts\nlet c = 2 ** 3;\n```\nDone",
    );
    const lines = host.page.locator(".thinking-last-lines");
    await lines.filter({ hasText: "Done" }).waitFor();
    assert.equal(await lines.textContent(), "Plan\nLook at a ** b:\nlet c = 2 ** 3;\nDone");
  });

  it("becomes a line that expands to the full text as Markdown", async () => {
    const host = await open();
    await beginThinking(host, THOUGHT.slice(0, 20), THOUGHT.slice(20));
    await endThinking(host);
    await host.stream("r1", 0, ["The answer."]);
    await host.endStreaming({ thinking: thinking({ durationMs: 12_300 }) });
    const toggle = toggleOf(host).filter({ hasText: /^Thought for 12 s$/ });
    await toggle.click();
    await regionOf(host).locator("strong", { hasText: "count" }).waitFor();
    assert.match(await regionOf(host).innerText(), /Then I answer\./);
    assert.equal(await host.page.locator(".thinking-tail").count(), 0);
    assert.equal(
      (await host.page.locator(".reply > .reply-body").innerText()).trim(),
      "The answer.",
    );
    await toggle.click();
    await regionOf(host).waitFor({ state: "detached" });
  });

  it("is copied with the reply by its own button", async () => {
    const host = await open({ shown: { messages: talk() } });
    await toggleOf(host).click();
    await host.page.getByRole("button", { name: "Copy with thinking" }).click();
    const asked = await host.waitFor("copy-asked");
    assert.deepEqual(asked, { type: "copy-asked", messageId: "r1", isWithThinking: true });
  });

  it("stays expanded or collapsed when the page is loaded again", async () => {
    const host = await open({ shown: { messages: talk() } });
    await toggleOf(host).click();
    await regionOf(host).waitFor();
    await host.page.reload();
    await regionOf(host).waitFor();
    await toggleOf(host).click();
    await regionOf(host).waitFor({ state: "detached" });
    await host.page.reload();
    await toggleOf(host).waitFor();
    assert.equal(await toggleOf(host).getAttribute("aria-expanded"), "false");
  });

  it("is expanded by a search match inside", async () => {
    const host = await open({ shown: { messages: talk() } });
    await toggleOf(host).waitFor();
    await host.page.keyboard.press("Control+f");
    await host.page.getByRole("textbox", { name: "Find" }).fill("needle");
    await regionOf(host).waitFor();
    assert.equal(await toggleOf(host).getAttribute("aria-expanded"), "true");
    await host.page.locator(".find-count").filter({ hasText: "1 of 1" }).waitFor();
  });

  it("offers Continue and Try again if no answer followed", async () => {
    const notice = {
      tone: "warning" as const,
      text: "The model stopped after thinking and gave no reply.",
      action: { id: "continue" as const, label: "Continue" },
      otherAction: { id: "try-again" as const, label: "Try again" },
    };
    const messages = [question("q1", "?"), reply("r1", "", { thinking: done, notice })];
    const host = await open({ shown: { messages } });
    await host.page.getByRole("button", { name: "Continue" }).click();
    await host.page.getByRole("button", { name: "Try again" }).click();
    await host.waitFor("action-asked", 2);
    const actions = host.receivedOf("action-asked").map(({ action }) => action);
    assert.deepEqual(actions, ["continue", "try-again"]);
  });
});
