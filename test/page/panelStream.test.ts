import assert from "node:assert/strict";
import { poll, question, reply, type FakeHost } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

/** Returns the visible text of a reply. */
function bodyOf(host: FakeHost, id = "r1"): Promise<string> {
  return host.page.locator(`[data-message-id="${id}"] .reply-body`).innerText();
}

async function waitForBody(host: FakeHost, text: string, id = "r1"): Promise<void> {
  await poll(async () => (await bodyOf(host, id)).trim() === text, JSON.stringify(text));
}

describe("a reply that streams", () => {
  const open = usePanel();

  it("shows the text of every delta in order", async () => {
    const host = await open();
    await host.showStreaming();
    await host.stream("r1", 0, ["Hel", "lo, ", "world", "."]);
    await waitForBody(host, "Hello, world.");
    await host.endStreaming();
    await waitForBody(host, "Hello, world.");
  });

  it("requests a snapshot when a sequence number is missing, and shows its content", async () => {
    const host = await open();
    await host.showStreaming();
    await host.stream("r1", 0, ["One "]);
    await waitForBody(host, "One");
    host.willShow({
      messages: [question("q1", "A question"), reply("r1", "One two three", { isStreaming: true })],
      panel: { isRunning: true },
    });
    host.lose();
    await host.stream("r1", 8, ["three"]);
    await host.waitFor("snapshot-asked");
    await waitForBody(host, "One two three");
    await host.stream("r1", 13, ["!"]);
    await waitForBody(host, "One two three!");
    assert.equal(host.receivedOf("snapshot-asked").length, 1);
  });

  it("requests a snapshot when a delta does not match the text so far", async () => {
    const host = await open();
    await host.showStreaming("One");
    await host.stream("r1", 7, ["lost"]);
    await host.waitFor("snapshot-asked");
  });

  it("requests a snapshot when a message is not valid", async () => {
    const host = await open();
    host.expectedFailures = ['bridge: dropped an invalid "turn-delta" (offset: invalid_type)'];
    await host.showStreaming();
    await host.post({
      kind: "event",
      message: { type: "turn-delta", messageId: "r1", text: "a" },
    });
    host.lose();
    await host.stream("r1", 1, ["b"]);
    await host.waitFor("snapshot-asked");
  });

  it("continues after its end when the user selects Continue", async () => {
    const host = await open();
    await host.showStreaming("One ");
    await host.endStreaming();
    await host.send({ type: "message-changed", message: reply("r1", "", { isStreaming: true }) });
    await host.stream("r1", 4, ["two"]);
    await waitForBody(host, "One two");
    await host.endStreaming();
    await waitForBody(host, "One two");
  });

  it("replaces the messages after an edited question", async () => {
    const host = await open({
      shown: { messages: [question("q1", "Old"), reply("r1", "Old answer")] },
    });
    await host.send({
      type: "messages-shown",
      removedFromId: "q1",
      messages: [question("q2", "New"), reply("r2", "", { isStreaming: true })],
    });
    await host.page.getByText("Old answer").waitFor({ state: "detached" });
    assert.deepEqual(await host.page.locator(".question-text").allInnerTexts(), ["New"]);
  });

  it("counts down to the next attempt and removes the status", async () => {
    const host = await open();
    await host.showStreaming();
    const text = "Busy (503). Try 2 of 3 in %s s.";
    await host.send({ type: "turn-status", messageId: "r1", text, untilMs: Date.now() + 60_000 });
    await host.page
      .getByText(/Try 2 of 3 in (60|59|58) s\./)
      .first()
      .waitFor();
    await host.send({ type: "turn-status", messageId: "r1", text: "" });
    await host.page.locator(".turn-status").waitFor({ state: "detached" });
  });

  it("reports a clicked link to the host and does not navigate", async () => {
    const text = "See [it](https://example.com/a) now.";
    const host = await open({ shown: { messages: [question("q1", "?"), reply("r1", text)] } });
    await host.page.getByRole("link", { name: "it" }).click();
    assert.equal((await host.waitFor("link-opened")).url, "https://example.com/a");
    await host.page.getByRole("link", { name: "it" }).press("Enter");
    await host.waitFor("link-opened", 2);
    await host.page.getByRole("link", { name: "it" }).click({ button: "middle" });
    await host.waitFor("link-opened", 3);
    assert.equal(host.page.context().pages().length, 1);
  });

  it("ignores everything that is not a message and never throws", async () => {
    const host = await open();
    for (const data of [null, 1, "x", [], {}, { kind: "event" }, { kind: "reply", id: "no" }]) {
      await host.post(data);
    }
    await host.post({ kind: "event", message: { type: "__proto__" } });
    await host.post({ kind: "request", id: "1", message: { type: "snapshot", messages: "no" } });
    await host.showStreaming();
    await host.stream("r1", 0, ["still here"]);
    await waitForBody(host, "still here");
    host.expectedFailures = host.receivedOf("view-failed").map(({ where }) => where);
    assert.equal(host.expectedFailures.length > 0, true);
  });

  it("ignores frames of other origins", async () => {
    const host = await open();
    await host.page.evaluate(() => {
      const event = new MessageEvent("message", {
        origin: "https://elsewhere.example",
        data: { kind: "event", message: { type: "toast-shown", text: "Forged" } },
      });
      window.dispatchEvent(event);
    });
    await host.send({ type: "toast-shown", text: "Genuine" });
    await host.page.getByText("Genuine").waitFor();
    assert.equal(await host.page.getByText("Forged").count(), 0);
  });

  it("keeps a reply readable as plain text if the Markdown chunk does not load", async () => {
    const host = await open();
    host.expectedFailures = ["markdown chunk"];
    await host.page.route("**/chunks/renderer-*", (route) => route.abort());
    await host.page.reload();
    await host.waitFor("view-failed");
    await host.showStreaming("**One** ");
    await host.stream("r1", 8, ["two"]);
    await waitForBody(host, "**One** two");
  });
});

describe("the scroll position", () => {
  const open = usePanel();
  const long = Array.from({ length: 60 }, (_, index) => `Line ${index}.`).join("\n\n");

  /** Distance from the end in CSS pixels. */
  function fromEnd(host: FakeHost): Promise<number> {
    return host.page
      .getByRole("log")
      .evaluate((log) => log.scrollHeight - log.scrollTop - log.clientHeight);
  }

  /** Scrolls up from the end, once there is enough text above. */
  async function scrollUp(host: FakeHost, byPx: number): Promise<void> {
    const log = host.page.getByRole("log");
    // Rendered Markdown is lower than the plain text that is shown before.
    await log.locator(".reply-body p").nth(59).waitFor();
    await poll(async () => (await log.evaluate(({ scrollTop }) => scrollTop)) > byPx, "text above");
    await log.hover();
    await host.page.mouse.wheel(0, -byPx);
    // The browser can scroll in several steps, and paragraphs that are measured late are lower.
    await poll(async () => (await fromEnd(host)) >= byPx / 2, "the end of the scrolling");
    await host.page.getByRole("button", { name: "Scroll to end" }).waitFor();
  }

  it("stays at the end while text arrives", async () => {
    const host = await open();
    await host.showStreaming();
    await host.stream("r1", 0, [long]);
    await poll(async () => (await bodyOf(host)).includes("Line 59."), "the last line");
    await poll(async () => (await fromEnd(host)) <= 1, "the end");
    assert.equal(await host.page.getByRole("button", { name: "Scroll to end" }).count(), 0);
  });

  it("does not change while the user reads earlier text, and a button scrolls to the end", async () => {
    const host = await open();
    await host.showStreaming(long);
    await poll(async () => (await bodyOf(host)).includes("Line 59."), "the last line");
    await scrollUp(host, 400);
    const log = host.page.getByRole("log");
    const before = await log.evaluate((element) => element.scrollTop);
    await host.stream("r1", long.length, ["\n\nNew end."]);
    await poll(async () => (await bodyOf(host)).includes("New end."), "the new text");
    assert.equal(await log.evaluate((element) => element.scrollTop), before);
    await host.page.getByRole("button", { name: "Scroll to end" }).click();
    await poll(async () => (await fromEnd(host)) <= 1, "the end");
    await host.stream("r1", long.length + 10, ["\n\nMore.".repeat(20)]);
    await poll(async () => (await bodyOf(host)).includes("More."), "more text");
    await poll(async () => (await fromEnd(host)) <= 1, "the end again");
  });

  it("is restored after the page was unloaded", async () => {
    const messages = Array.from({ length: 40 }, (_, index) => [
      question(`q${index}`, `Question ${index}`),
      reply(`r${index}`, `Answer ${index}\n\n- one\n- two\n\n\`\`\`ts\nlet a;\n\`\`\`\n`),
    ]).flat();
    const host = await open({ shown: { messages } });
    // The message before ends a fraction of a pixel below the edge. Heights can change after a save.
    const isSaved = () =>
      host.page.evaluate(() => {
        const state = sessionStorage.getItem("state") ?? "";
        const [, id, offset] = /"anchorId":"(q20|r19)","offsetPx":([-\d.]+)/.exec(state) ?? [];
        const [anchor, message] = [id, "q20"].map((name) =>
          document.querySelector(`[data-message-id="${name}"]`),
        );
        if (!anchor || !message) return false;
        const topOf = (element: Element) =>
          element.getBoundingClientRect().top -
          element.closest("[role=log]")!.getBoundingClientRect().top;
        return Math.abs(topOf(message)) < 2 && Math.abs(topOf(anchor) - Number(offset)) < 2;
      });
    const scrollToMessage = () =>
      host.page.evaluate(() => {
        // A group has no messages in the DOM until it is drawn.
        const element =
          document.querySelector("[data-message-id=q20]") ??
          document.querySelector("[data-first-id=q20]")!;
        element.dispatchEvent(new WheelEvent("wheel", { bubbles: true }));
        element.scrollIntoView({ block: "start" });
      });
    await poll(async () => {
      if (await isSaved()) return true;
      // Each scroll makes more heights known, which can move the messages once more.
      await scrollToMessage();
      return false;
    }, "the saved position");
    // Heights that change later change the saved position too.
    await host.page.evaluate(() => {
      const keep = () => sessionStorage.setItem("before", sessionStorage.getItem("state") ?? "");
      addEventListener("pagehide", keep);
    });
    await host.page.reload();
    await host.waitFor("view-ready", 2);
    const movedPx = () =>
      host.page.evaluate(() => {
        const state = sessionStorage.getItem("before") ?? "";
        const [, id, offset] = /"anchorId":"(\w+)","offsetPx":([-\d.]+)/.exec(state) ?? [];
        const anchor = document.querySelector(`[data-message-id="${id}"]`);
        const log = anchor?.closest("[role=log]");
        if (!anchor || !log) return Infinity;
        const top = anchor.getBoundingClientRect().top - log.getBoundingClientRect().top;
        return Math.abs(top - Number(offset));
      });
    await poll(async () => (await movedPx()) < 2, "the position from before the reload");
    await host.page.getByRole("button", { name: "Scroll to end" }).waitFor();
  });
});
