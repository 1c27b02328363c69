import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { MeterView } from "../../src/protocol/views";
import { holdPart, poll, question, readyPanel, reply } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";
import { violationsAround } from "../support/browser/axe";

const talk = [question("q1", "Why?"), reply("r1", "Because.")];
const queued = [
  { id: "w1", text: "And then?" },
  { id: "w2", text: "What else?" },
];
const running = { ...readyPanel, isRunning: true };

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
    load();
    const box = host.page.getByRole("textbox", { name: "Queued question" });
    await poll(async () => (await box.inputValue()) === queued.at(-1)?.text, "the last question");
  });

  it("are restored with a snapshot and removed when they are sent", async () => {
    const host = await open({ shown: { messages: talk, queued } });
    await waiting(host.page).nth(1).waitFor();
    assert.equal(await waiting(host.page).count(), 2);
    await host.send({ type: "queue-changed", queued: [] });
    await waiting(host.page).first().waitFor({ state: "detached" });
  });

  it("keep an unsaved change while the page is unloaded", async () => {
    const shown = { messages: talk, queued, panel: { isRunning: true } };
    const host = await open({ shown });
    const first = waiting(host.page).first();
    await first.getByRole("button", { name: "Edit queued question" }).click();
    const box = host.page.getByRole("textbox", { name: "Queued question" });
    await box.fill("And then, in other words?");
    await host.page.reload();
    await box.waitFor();
    assert.equal(await box.inputValue(), "And then, in other words?");
    await host.show({ conversationId: "c2", queued: [{ id: "w9", text: "Elsewhere" }] });
    await waiting(host.page).filter({ hasText: "Elsewhere" }).waitFor();
    assert.equal(await composer(host.page).inputValue(), "");
    await host.show(shown);
    await box.waitFor();
    await box.press("Enter");
    assert.deepEqual(await host.waitFor("queued-rewritten"), {
      type: "queued-rewritten",
      queuedId: "w1",
      text: "And then, in other words?",
    });
  });

  it("send their edit to the host during typing, and its end", async () => {
    const host = await open({ shown: { messages: talk, queued, panel: { isRunning: true } } });
    const first = waiting(host.page).first();
    await first.getByRole("button", { name: "Edit queued question" }).click();
    const box = host.page.getByRole("textbox", { name: "Queued question" });
    await box.fill("And then, in other wo");
    const edit = { type: "queued-edit-typed", conversationId: "c1", queuedId: "w1" };
    await poll(
      () => host.receivedOf("queued-edit-typed").at(-1)?.text === "And then, in other wo",
      "the edit",
    );
    await box.press("Escape");
    await poll(() => host.receivedOf("queued-edit-typed").at(-1)?.text === undefined, "the end");
    assert.deepEqual(host.receivedOf("queued-edit-typed").at(-1), edit);
  });

  it("restore an edit that the host has saved", async () => {
    const [second, other] = queued as [(typeof queued)[0], (typeof queued)[0]];
    const edited = [{ ...second, edited: "And then, in other wo" }, other];
    const shown = { messages: talk, queued: edited, panel: { isRunning: true } };
    const host = await open({ shown });
    const box = host.page.getByRole("textbox", { name: "Queued question" });
    assert.equal(await box.inputValue(), "And then, in other wo");
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

  it("can be changed with Enter and left unchanged with Escape, which does not stop the reply", async () => {
    const host = await open({ shown: { messages: talk, queued, panel: { isRunning: true } } });
    const box = host.page.getByRole("textbox", { name: "Queued question" });
    await host.page.getByRole("button", { name: "Edit queued question" }).first().press("Enter");
    await box.fill("Never");
    await box.press("Escape");
    await box.waitFor({ state: "detached" });
    await host.page.getByRole("button", { name: "Edit queued question" }).first().click();
    assert.equal(await box.inputValue(), "And then?");
    await box.fill("And after that?");
    await box.press("Enter");
    assert.deepEqual(await host.waitFor("queued-rewritten"), {
      type: "queued-rewritten",
      queuedId: "w1",
      text: "And after that?",
    });
    assert.deepEqual(host.receivedOf("stop-asked"), []);
    assert.equal(host.receivedOf("queued-rewritten").length, 1);
  });

  it("are edited with F2, the last one first", async () => {
    const host = await open({ shown: { messages: talk, queued, panel: { isRunning: true } } });
    const box = host.page.getByRole("textbox", { name: "Queued question" });
    await composer(host.page).press("F2");
    await box.waitFor();
    assert.equal(await box.inputValue(), "What else?");
    await box.fill("What more?");
    // From the composer again: the current edit stays.
    await composer(host.page).press("F2");
    assert.equal(await box.inputValue(), "What more?");
    await box.press("Enter");
    assert.deepEqual(await host.waitFor("queued-rewritten"), {
      type: "queued-rewritten",
      queuedId: "w2",
      text: "What more?",
    });
    assert.equal(await host.page.getByText("Editing an earlier message").count(), 0);
  });

  it("leave a sent question unchanged while its reply streams, also with Up", async () => {
    const host = await open({ shown: { messages: talk, panel: { isRunning: true } } });
    await composer(host.page).press("F2");
    assert.equal(await composer(host.page).inputValue(), "");
    assert.equal(await host.page.getByText("Editing an earlier message").count(), 0);
  });

  it("keep the edited text when they are sent during the edit", async () => {
    const host = await open({ shown: { messages: talk, queued, panel: { isRunning: true } } });
    await composer(host.page).fill("mine");
    await host.page.getByRole("button", { name: "Edit queued question" }).first().click();
    await host.page.getByRole("textbox", { name: "Queued question" }).fill("And after that?");
    await host.send({ type: "queue-changed", queued: queued.slice(1) });
    await host.page.getByText("was already sent").waitFor();
    assert.equal(await composer(host.page).inputValue(), "mine\n\nAnd after that?");
  });
});

describe("the scroll position of a conversation", () => {
  const open = usePanel();
  const long = [question("q1", "Why?"), reply("r1", "word\n\n".repeat(200))];

  function topOf(page: Page): Promise<number> {
    return page.getByRole("log").evaluate((log) => log.scrollTop);
  }

  it("is sent to the host shortly after scrolling, without a message id at the end", async () => {
    const host = await open({ shown: { messages: long } });
    const log = host.page.getByRole("log");
    await poll(async () => (await topOf(host.page)) > 1000, "the end");
    await log.hover();
    await host.page.mouse.wheel(0, -900);
    const { scroll } = await host.waitFor("scrolled");
    assert.equal(scroll?.messageId, "r1");
    assert.ok(scroll.offsetPx > 500);
    await host.page.getByRole("button", { name: "Scroll to end" }).click();
    assert.equal((await host.waitFor("scrolled", 2)).scroll, undefined);
  });

  it("comes from the host if the page has none", async () => {
    const scroll = { messageId: "r1", offsetPx: 400 };
    const host = await open({ shown: { messages: long, scroll } });
    await poll(async () => {
      const articleTop = await host.page.locator("[data-message-id=r1]").evaluate((article) => {
        const log = article.closest("[role=log]")!;
        return article.getBoundingClientRect().top - log.getBoundingClientRect().top;
      });
      return Math.abs(articleTop + 400) <= 2;
    }, "the place");
    assert.deepEqual(host.receivedOf("scrolled"), []);
  });

  it("comes from the page's own state if that has one", async () => {
    const host = await open({ shown: { messages: long } });
    await poll(async () => (await topOf(host.page)) > 1000, "the end");
    await host.page.getByRole("log").hover();
    await host.page.mouse.wheel(0, -900);
    await host.waitFor("scrolled");
    const before = await topOf(host.page);
    host.willShow({ messages: long, scroll: { messageId: "r1", offsetPx: 10 } });
    await host.page.reload();
    await poll(async () => Math.abs((await topOf(host.page)) - before) <= 2, "the place");
  });

  it("is stored with the conversation's id in the page's state", async () => {
    const host = await open({ shown: { conversationId: "c7", messages: talk } });
    const state = () =>
      host.page.evaluate(() => JSON.parse(sessionStorage.getItem("state") ?? "{}") as unknown);
    await poll(
      async () => ((await state()) as { conversationId?: string }).conversationId === "c7",
      "the id",
    );
    await host.show({ conversationId: "c8", messages: talk });
    await poll(
      async () => ((await state()) as { conversationId?: string }).conversationId === "c8",
      "the next id",
    );
  });
});

describe("the context meter", () => {
  const open = usePanel();
  const meter: MeterView = {
    olderPictures: 0,
    olderPicturesLeftOut: [],
    system: 40,
    history: 2100,
    files: 0,
    pictures: 900,
    question: 0,
    budget: 32_000,
    leftOut: "",
  };

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
    const leftOut = "Over the token limit: 3 older turns and 1 older picture will not be sent.";
    await host.send({ type: "meter-changed", meter: { ...meter, history: 60_000, leftOut } });
    await host.page.getByRole("status").filter({ hasText: leftOut }).waitFor();
    const bar = host.page.getByRole("meter");
    assert.equal(await bar.getAttribute("aria-valuenow"), "32000");
    const used = bar.locator(".ring-used");
    assert.equal(await used.getAttribute("stroke-dasharray"), "100 100");
  });

  it("has no axe violations with queued questions at 250 px", async () => {
    const host = await open({
      widthPx: 250,
      shown: { messages: talk, queued, panel: { isRunning: false } },
    });
    await host.send({ type: "meter-changed", meter: { ...meter, leftOut: "Something is left." } });
    await host.page.getByText("Something is left.").waitFor();
    await host.send({ type: "panel-changed", panel: running });
    await composer(host.page).fill("More");
    await host.page.getByRole("button", { name: "Edit queued question" }).first().click();
    assert.deepEqual(await violationsAround(host.page.locator("body")), []);
    assert.equal(await host.page.evaluate(() => document.documentElement.scrollWidth), 250);
  });
});
