import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { poll, question, reply, readyPanel } from "./support/fakeHost";
import { usePanel } from "./support/panelSuite";

const talk = [question("q1", "What is this?"), reply("r1", "An answer")];

function composer(page: Page) {
  return page.getByRole("textbox", { name: "Message" });
}

describe("sending a question", () => {
  const open = usePanel();

  it("sends with Enter, clears the text and keeps the caret in the composer", async () => {
    const host = await open();
    await composer(host.page).fill("Why?");
    await composer(host.page).press("Enter");
    assert.deepEqual(await host.waitFor("question-asked"), {
      type: "question-asked",
      text: "Why?",
    });
    assert.equal(await composer(host.page).inputValue(), "");
    assert.equal(await host.page.evaluate(() => document.activeElement?.tagName), "TEXTAREA");
  });

  it("sends nothing for an empty or blank text", async () => {
    const host = await open();
    await composer(host.page).press("Enter");
    await composer(host.page).fill("  \n ");
    await composer(host.page).press("Enter");
    await composer(host.page).fill("something");
    await composer(host.page).press("Enter");
    assert.equal((await host.waitFor("question-asked")).text, "something");
    assert.equal(host.receivedOf("question-asked").length, 1);
  });

  it("restores the text and shows the reason when the host rejects it", async () => {
    const host = await open();
    const action = { id: "set-api-key" as const, label: "Set API Key" };
    const text = "No key is set. Set one.";
    host.answer = { isAccepted: false, notice: { tone: "warning", text, action } };
    await composer(host.page).fill("Why?");
    await composer(host.page).press("Enter");
    const alert = host.page.locator(".notice").filter({ hasText: text });
    await alert.waitFor();
    assert.equal(await composer(host.page).inputValue(), "Why?");
    await alert.getByRole("button", { name: "Set API Key" }).click();
    assert.equal((await host.waitFor("action-asked")).action, "set-api-key");
    host.answer = { isAccepted: true };
    await composer(host.page).press("Enter");
    await host.waitFor("question-asked", 2);
    await alert.waitFor({ state: "detached" });
  });

  it("removes the reason once the missing key is set, and keeps the text", async () => {
    const setup = (isDone: boolean) => [
      { id: "service" as const, isDone: true, title: "Service", detail: "https://maas.test" },
      { id: "key" as const, isDone, title: "API key", detail: "" },
    ];
    const panel = { ...readyPanel, setup: setup(false) };
    const host = await open({ shown: { panel } });
    const action = { id: "set-api-key" as const, label: "Set API Key" };
    const text = "There is no API key.";
    host.answer = { isAccepted: false, notice: { tone: "warning", text, action } };
    await composer(host.page).fill("Why?");
    await composer(host.page).press("Enter");
    const alert = host.page.locator(".notice").filter({ hasText: text });
    await alert.waitFor();
    await host.send({ type: "panel-changed", panel: { ...panel, model: "vl" } });
    await host.page.locator("select:has(option[value=vl]:checked)").waitFor({ state: "attached" });
    assert.equal(await alert.count(), 1);
    await host.send({ type: "panel-changed", panel: { ...panel, setup: setup(true) } });
    await alert.waitFor({ state: "detached" });
    assert.equal(await composer(host.page).inputValue(), "Why?");
  });

  it("puts a rejected text before newer typing and overwrites nothing", async () => {
    const host = await open();
    host.answer = "none";
    await composer(host.page).fill("first");
    await composer(host.page).press("Enter");
    await host.waitFor("question-asked");
    await composer(host.page).pressSequentially("newer");
    await host.refuseWaiting();
    await host.page.locator(".notice").waitFor();
    assert.equal(await composer(host.page).inputValue(), "first\n\nnewer");
    await composer(host.page).pressSequentially("!");
    assert.equal(await composer(host.page).inputValue(), "first\n\nnewer!");
  });

  it("stops with Escape only while a reply streams", async () => {
    const host = await open();
    await composer(host.page).press("Escape");
    await host.showStreaming();
    await host.page.getByRole("button", { name: "Stop" }).waitFor();
    await composer(host.page).press("Escape");
    await host.waitFor("stop-asked");
    assert.equal(host.receivedOf("stop-asked").length, 1);
  });

  it("ignores the second click of a double click on Send", async () => {
    const host = await open();
    await composer(host.page).fill("Why?");
    const box = (await host.page.getByRole("button", { name: "Send", exact: true }).boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await host.page.mouse.click(x, y);
    await host.send({ type: "panel-changed", panel: { ...readyPanel, isRunning: true } });
    await host.page.getByRole("button", { name: "Stop" }).waitFor();
    await host.page.mouse.move(x, y);
    await host.page.mouse.down({ clickCount: 2 });
    await host.page.mouse.up({ clickCount: 2 });
    await host.page.mouse.click(x, y);
    await host.waitFor("stop-asked");
    assert.equal(host.receivedOf("stop-asked").length, 1);
  });
});

describe("the draft", () => {
  const open = usePanel();

  it("is sent to the host after a pause and immediately on blur", async () => {
    const host = await open();
    await composer(host.page).fill("half a thou");
    assert.equal((await host.waitFor("draft-changed")).text, "half a thou");
    await composer(host.page).fill("half a thought");
    await composer(host.page).blur();
    assert.equal((await host.waitFor("draft-changed", 2)).text, "half a thought");
  });

  it("is sent to the host again if the extension host ended before saving it", async () => {
    const host = await open();
    await composer(host.page).fill("never");
    const { edit = 0 } = await host.waitFor("draft-changed");
    await composer(host.page).fill("never on disk");
    await host.waitFor("draft-changed", 2);
    await host.send({ type: "draft-saved", conversationId: "c1", edit }); // The text before.
    await host.page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    host.willShow({ draft: "" });
    await host.page.reload();
    await poll(
      async () => (await composer(host.page).inputValue()) === "never on disk",
      "the words of the page",
    );
    const again = await host.waitFor("draft-changed", 3);
    assert.equal(again.text, "never on disk");
    assert.equal(again.isRestored, true);
  });

  it("stays with its conversation when another one is shown during typing", async () => {
    const host = await open({ shown: { draft: "" } });
    await composer(host.page).fill("of the first");
    await host.show({ conversationId: "c2", draft: "of the second" });
    await poll(
      async () => (await composer(host.page).inputValue()) === "of the second",
      "the second draft",
    );
    const told = host.receivedOf("draft-changed");
    assert.deepEqual(
      told.map(({ conversationId, text }) => [conversationId, text]),
      [["c1", "of the first"]],
    );
  });

  it("is restored by the host into an empty composer only", async () => {
    const host = await open();
    await host.send({ type: "draft-restored", text: "asked before" });
    await poll(
      async () => (await composer(host.page).inputValue()) === "asked before",
      "the restored text",
    );
    await composer(host.page).fill("mine");
    await host.send({ type: "draft-restored", text: "asked before" });
    await host.send({ type: "toast-shown", text: "Done" });
    await host.page.getByText("Done").waitFor();
    assert.equal(await composer(host.page).inputValue(), "mine");
  });

  it("follows another view, unless the user has typed here since", async () => {
    const host = await open({ shown: { draft: "begun" } });
    await host.send({ type: "draft-shown", text: "begun, and gone on with", edit: 0 });
    await poll(
      async () => (await composer(host.page).inputValue()) === "begun, and gone on with",
      "the other view's text",
    );
    await composer(host.page).fill("mine");
    await host.send({ type: "draft-shown", text: "the other's", edit: 0 });
    await poll(
      () => Promise.resolve(host.receivedOf("draft-changed").at(-1)?.text === "mine"),
      "word to the host",
    );
    assert.equal(host.receivedOf("draft-changed").at(-1)?.isRestored, true);
  });

  it("is not replaced by a text that the host sent before it knew what was typed here", async () => {
    const host = await open({ shown: { draft: "begun" } });
    await composer(host.page).fill("mine");
    const { edit } = await host.waitFor("draft-changed");
    await host.send({ type: "draft-shown", text: "the other's", edit: 0 });
    const { text, isRestored } = await host.waitFor("draft-changed", 2);
    assert.deepEqual([text, isRestored], ["mine", true]);
    assert.equal(await composer(host.page).inputValue(), "mine");
    await host.send({ type: "draft-shown", text: "the other's", edit: (edit ?? 0) + 1 });
    await poll(
      async () => (await composer(host.page).inputValue()) === "the other's",
      "the other view's text",
    );
  });
});

describe("the draft while the clock stands", () => {
  const open = usePanel({ isPageReused: false });

  it("is sent to the host before a shortcut, which can close the page, and while typing goes on", async () => {
    const host = await open();
    const { clock, keyboard } = host.page;
    await clock.install();
    await clock.pauseAt(Date.now() + 60_000);
    for (const [at, key] of ["Control", "Meta", "Alt"].entries()) {
      await composer(host.page).fill("");
      const text = `closed with ${key} in mid-wo`;
      await composer(host.page).pressSequentially(text);
      assert.equal(host.receivedOf("draft-changed").length, at, key);
      await keyboard.down(key);
      assert.equal((await host.waitFor("draft-changed", at + 1)).text, text);
      await keyboard.up(key);
    }
    await composer(host.page).fill("");
    for (const key of "without a pause") {
      await composer(host.page).press(key === " " ? "Space" : key);
      await clock.runFor(120);
    }
    const texts = host.receivedOf("draft-changed").slice(3);
    assert.ok(texts.length >= 4, `sent ${texts.length} times`);
    assert.ok("without a pause".length - texts.at(-1)!.text.length <= 3);
  });
});

describe("editing an earlier question", () => {
  const open = usePanel();

  it("starts with F2 and replaces the last question", async () => {
    const host = await open({ shown: { messages: talk } });
    await composer(host.page).press("F2");
    assert.equal(await composer(host.page).inputValue(), "What is this?");
    await host.page.getByText("Editing a sent message").waitFor();
    await composer(host.page).fill("What is that?");
    await composer(host.page).press("Enter");
    assert.deepEqual(await host.waitFor("question-asked"), {
      type: "question-asked",
      text: "What is that?",
      replacesId: "q1",
    });
    await host.page.getByText("Editing a sent message").waitFor({ state: "detached" });
  });

  it("continues, with the previous draft, after another conversation was shown", async () => {
    const host = await open({ shown: { messages: talk } });
    await composer(host.page).fill("half a thought");
    const own = host.page.getByRole("article", { name: "You" });
    await own.getByRole("button", { name: "Edit message" }).click();
    const told = await host.waitFor("editing-changed");
    assert.deepEqual(told, {
      type: "editing-changed",
      conversationId: "c1",
      messageId: "q1",
      parkedText: "half a thought",
      text: "What is this?",
    });
    const editing = { messageId: "q1", parkedText: told.parkedText };
    await host.show({ conversationId: "c2", messages: [question("q7", "Another")] });
    await host.page.getByText("Editing a sent message").waitFor({ state: "detached" });
    assert.equal(await composer(host.page).inputValue(), "");
    await host.show({ messages: talk, draft: "What is that?", editing });
    await host.page.getByText("Editing a sent message").waitFor();
    assert.equal(await composer(host.page).inputValue(), "What is that?");
    await host.page.getByRole("button", { name: "Cancel" }).click();
    assert.equal(await composer(host.page).inputValue(), "half a thought");
    assert.equal((await host.waitFor("editing-changed", 2)).text, "half a thought");
  });

  it("stays an edit when the host rejects it", async () => {
    const host = await open({ shown: { messages: talk } });
    host.answer = { isAccepted: false, notice: { tone: "warning", text: "Not now." } };
    await composer(host.page).press("F2");
    await composer(host.page).press("Enter");
    await host.page.getByText("Not now.").waitFor();
    await host.page.getByText("Editing a sent message").waitFor();
    assert.equal(await composer(host.page).inputValue(), "What is this?");
  });
});
