import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { holdPart, poll, question, readyPanel, reply, meterOf } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const talk = [question("q1", "Why?"), reply("r1", "Because.")];
const queued = [
  { id: "w1", text: "And then?" },
  { id: "w2", text: "What else?" },
];

function composer(page: Page) {
  return page.getByRole("textbox", { name: "Message" });
}

function waiting(page: Page) {
  return page.getByRole("list", { name: "Queued questions" }).getByRole("listitem");
}

describe("queued questions", () => {
  const open = usePanel();

  it("are added with Enter while a reply streams, and Stop stays available", async () => {
    const host = await open();
    await host.showStreaming("Half");
    await composer(host.page).fill("And then?");
    await host.page.getByRole("button", { name: "Stop" }).waitFor();
    await host.page.getByRole("button", { name: "Send", exact: true }).waitFor();
    await composer(host.page).press("Enter");
    assert.equal((await host.waitFor("question-asked")).text, "And then?");
    await host.send({ type: "queue-changed", queued: queued.slice(0, 1) });
    await waiting(host.page).filter({ hasText: "And then?" }).waitFor();
    await host.page
      .locator("[data-spoken=reply]")
      .filter({ hasText: "will be sent when" })
      .waitFor({ state: "attached" });
    assert.equal(await composer(host.page).inputValue(), "");
    await host.page
      .getByRole("button", { name: "Send", exact: true })
      .waitFor({ state: "detached" });
  });

  it("are announced, and edited with F2, before their part of the panel is loaded", async () => {
    let load = () => {};
    const host = await open({
      shown: { messages: talk, panel: { isRunning: true } },
      early: async (page) => {
        load = await holdPart(page, "waitingQuestions");
      },
    });
    await host.send({ type: "queue-changed", queued });
    await host.page
      .locator("[data-spoken=reply]")
      .filter({ hasText: "will be sent when" })
      .waitFor({ state: "attached" });
    await composer(host.page).press("F2");
    assert.equal(await composer(host.page).inputValue(), queued.at(-1)?.text);
    load();
    await waiting(host.page).first().waitFor();
  });

  it("can be removed, and sent immediately if nothing runs", async () => {
    const host = await open({ shown: { messages: talk, queued, panel: { isRunning: true } } });
    const second = waiting(host.page).nth(1);
    await second.getByRole("button", { name: "Remove queued question" }).click();
    assert.equal((await host.waitFor("queued-removed")).queuedId, "w2");
    assert.equal(await host.page.getByRole("button", { name: "Send now" }).count(), 0);
    await host.send({ type: "panel-changed", panel: readyPanel });
    await host.page.getByRole("button", { name: "Send now" }).first().click();
    assert.equal((await host.waitFor("queued-sent")).queuedId, "w1");
    assert.equal(await host.page.evaluate(() => document.activeElement?.tagName), "TEXTAREA");
  });

  it("move to the composer to be edited, before the text that is there", async () => {
    const host = await open({ shown: { messages: talk, queued, panel: { isRunning: true } } });
    await composer(host.page).fill("mine");
    const edit = host.page.getByRole("button", { name: "Edit queued question" }).first();
    await edit.click();
    await edit.click();
    const { text } = await host.waitFor("draft-changed");
    assert.equal(text, "And then?\n\nmine");
    assert.equal((await host.waitFor("queued-edited")).queuedId, "w1");
    assert.equal(await composer(host.page).inputValue(), text);
    assert.equal(await host.page.evaluate(() => document.activeElement?.tagName), "TEXTAREA");
    assert.deepEqual(host.receivedOf("stop-asked"), []);
  });

  it("leave a sent question unchanged while its reply streams, also with Up", async () => {
    const host = await open({ shown: { messages: talk, panel: { isRunning: true } } });
    await composer(host.page).press("F2");
    assert.equal(await composer(host.page).inputValue(), "");
    assert.equal(await host.page.getByText("Editing a sent message").count(), 0);
  });
});

describe("the scroll position of a conversation", () => {
  const open = usePanel();
  const long = [question("q1", "Why?"), reply("r1", "word\n\n".repeat(200))];

  function topOf(page: Page): Promise<number> {
    return page.getByRole("log").evaluate((log) => log.scrollTop);
  }

  it("is kept for each conversation, also while the page is unloaded", async () => {
    const host = await open({ shown: { messages: long } });
    await poll(async () => (await topOf(host.page)) > 1000, "the end");
    await host.page.getByRole("log").hover();
    await host.page.mouse.wheel(0, -900);
    await host.page.getByRole("button", { name: "Scroll to end" }).waitFor();
    const before = await topOf(host.page);
    await host.show({ conversationId: "c2", messages: talk });
    await host.page.reload();
    await host.show({ messages: long });
    await poll(async () => Math.abs((await topOf(host.page)) - before) <= 2, "the place");
    await host.page.getByRole("button", { name: "Scroll to end" }).click();
    await poll(async () => (await topOf(host.page)) > before + 500, "the end");
    await host.show({ conversationId: "c2", messages: talk });
    await host.show({ messages: long });
    await poll(async () => (await topOf(host.page)) > before + 500, "the end again");
  });
});

describe("the context meter", () => {
  const open = usePanel();
  const meter = meterOf({ system: 40, history: 2100, pictures: 900 });

  it("shows the tokens of the next request and is hidden before they are known", async () => {
    const host = await open({ shown: { messages: talk } });
    assert.equal(await host.page.getByRole("meter").count(), 0);
    await host.send({ type: "meter-changed", meter: { ...meter, history: 20_060 } });
    const words = "System prompt 40 · History 20k · Pictures 0.9k of 32k tokens";
    await host.page.getByRole("button", { name: "Context: 21k of 32k tokens" }).click();
    await host.page.getByText("history 20k").waitFor();
    await host.page.keyboard.press("Escape");
    await host.page.getByText("history 20k").waitFor({ state: "hidden" });
    const bar = host.page.getByRole("meter", { name: "Estimated tokens" });
    assert.equal(await bar.getAttribute("aria-valuetext"), words);
    assert.equal(await bar.getAttribute("aria-valuenow"), "21000");
    await host.show({ conversationId: "c2", messages: talk });
    await bar.waitFor({ state: "detached" });
  });

  it("shows the content beyond the limit and stays within its width", async () => {
    const host = await open({ shown: { messages: talk } });
    const leftOut = "Not sent, over the token limit: 3 older turns, 1 older picture";
    await host.send({ type: "meter-changed", meter: { ...meter, history: 60_000, leftOut } });
    await host.page.getByRole("status").filter({ hasText: leftOut }).waitFor();
    const bar = host.page.getByRole("meter");
    assert.equal(await bar.getAttribute("aria-valuenow"), "32000");
    const used = bar.locator(".ring-used");
    assert.equal(await used.getAttribute("stroke-dasharray"), "100 100");
  });
});
