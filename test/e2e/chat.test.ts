/**
 * A person's steps with the packaged extension in a real VS Code: connect through the panel, ask,
 * watch the reply come, stop, ask again, reload.
 */
import assert from "node:assert/strict";
import { E2eEnvironment } from "../support/e2e/window";
import type { Workbench } from "../support/workbench.mjs";

describe("a person chats", function () {
  this.timeout(300_000);
  let desk: E2eEnvironment;
  let window: Workbench;

  before(async () => {
    desk = await E2eEnvironment.open();
    window = await desk.openWindow();
  });
  after(() => desk.close());
  beforeEach(() => desk.service.reset());
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await window.screenshot(this.currentTest.title);
  });

  const composer = () => window.panel.getByRole("textbox", { name: "Message", exact: true });
  const replies = () => window.panel.getByRole("article", { name: "Assistant", exact: true });
  const questions = () => window.panel.getByRole("article", { name: "You", exact: true });
  const button = (name: string) => window.panel.getByRole("button", { name, exact: true });

  async function ask(text: string): Promise<void> {
    await composer().fill(text);
    await composer().press("Enter");
  }

  it("is offered the two steps, and connects by them", async () => {
    await window.openChat();
    await button("Set Base URL").click();
    await window.answerInput(desk.service.url);
    await button("Set Base URL").waitFor({ state: "detached" });
    await window.runCommand("Core Chat: Set API Key");
    await window.answerInput("Bearer sk-e2e-1234567890");
    await window.quickInput.waitFor({ state: "hidden" });
  });

  it("asks, and the reply comes in pieces", async () => {
    desk.service.script({ blocks: ["**First** ", { gate: true }, "second"] });
    await ask("Do you stream?");
    await questions().getByText("Do you stream?").waitFor();
    await replies().locator("strong", { hasText: "First" }).waitFor();
    assert.equal(await replies().getAttribute("aria-busy"), "true");
    desk.service.releaseGate();
    await replies().getByText("First second").waitFor();
    await window.panel.locator('article[aria-busy="true"]').waitFor({ state: "detached" });
    const [request] = desk.service.requests;
    assert.equal(request?.headers["authorization"], "Bearer sk-e2e-1234567890");
    const { messages, ...others } = request.body as { messages: { role: string }[] };
    assert.deepEqual(others, { model: "core_llm", stream: true });
    const [system, ...asked] = messages;
    assert.equal(system?.role, "system");
    assert.deepEqual(asked, [{ role: "user", content: "Do you stream?" }]);
  });

  it("stops, which closes the socket and keeps what came", async () => {
    desk.service.script({ blocks: ["kept text ", { gate: true }, "never"] });
    await ask("Tell me a lot");
    await replies().last().getByText("kept text").waitFor();
    await button("Stop").click();
    await desk.service.waitForClose(1);
    assert.ok(desk.service.requests[0]?.closedByClientAtMs !== undefined);
    await button("Send").waitFor();
    await replies().last().getByText("kept text").waitFor();
  });

  it("goes on after Stop, and Escape stops too", async () => {
    desk.service.script({ blocks: ["again ", { gate: true }] });
    await ask("And again?");
    await replies().last().getByText("again").waitFor();
    await composer().press("Escape");
    await desk.service.waitForClose(1);
    assert.equal(await replies().count(), 3);
  });

  it("asks the vision model in its own shape", async () => {
    await window.panel.getByRole("combobox", { name: "Model" }).selectOption("vl");
    desk.service.script({ blocks: ["seen"] });
    await ask("Just text");
    await replies().last().getByText("seen").waitFor();
    const body = desk.service.requests[0]?.body as { model: string; messages: unknown[] };
    assert.equal(body.model, "core_vl");
    assert.deepEqual(body.messages.at(-1), {
      role: "user",
      content: [{ type: "text", text: "Just text" }],
    });
    await window.panel.getByRole("combobox", { name: "Model" }).selectOption("auto");
  });

  it("has everything again after the panel was hidden in mid-reply", async () => {
    desk.service.script({ blocks: ["before ", { gate: true }, "after"] });
    await ask("Hide me");
    await replies().last().getByText("before").waitFor();
    await window.runCommand("View: Toggle Secondary Side Bar Visibility");
    desk.service.releaseGate();
    await desk.service.waitForClose(1);
    await window.openChat();
    await replies().last().getByText("before after").waitFor();
  });

  it("has the finished messages and the draft again after the window was reloaded", async () => {
    const count = await replies().count();
    await composer().fill("half a thought");
    await desk.untilStored("half a thought");
    await window.reload();
    await window.openChat();
    await replies().last().getByText("before after").waitFor();
    assert.equal(await replies().count(), count);
    assert.equal(await composer().inputValue(), "half a thought");
    await composer().fill("");
  });

  it("copies a reply and its code", async () => {
    desk.service.script({ blocks: ["Text\n\n```ts\nconst a = 1;\n```\n"] });
    await ask("Code, please");
    const last = replies().last();
    await last.locator("code", { hasText: "const a" }).waitFor();
    await window.panel.locator('article[aria-busy="true"]').waitFor({ state: "detached" });
    await last.getByRole("button", { name: "Copy code", exact: true }).click();
    await window.untilClipboard((text) => text.trim() === "const a = 1;");
    await last.hover();
    await last.getByRole("button", { name: "Copy", exact: true }).click();
    await window.untilClipboard((text) => text.startsWith("Text\n\n```ts"));
  });

  it("shows what the model thinks, folded, and keeps it from the next question", async () => {
    await window.panel.getByRole("combobox", { name: "Model" }).selectOption("llm");
    const thought = (reasoning: string) => ({ delta: { reasoning } });
    desk.service.script(
      { blocks: [thought("Two "), thought("**and** two."), { gate: true }, "It is 4."] },
      { blocks: ["It is 6."] },
    );
    await ask("2 + 2?");
    const reply = replies().last();
    await reply.getByRole("button", { name: /^Thinking… \d+ s$/ }).waitFor();
    desk.service.releaseGate();
    await reply.getByText("It is 4.").waitFor();
    const toggle = reply.getByRole("button", { name: /^Thought for \d+ s$/ });
    await toggle.click();
    const region = reply.getByRole("region", { name: "Thinking" });
    await region.locator("strong", { hasText: "and" }).waitFor();
    await button("Send").waitFor();
    await ask("And 3 + 3?");
    await replies().last().getByText("It is 6.").waitFor();
    assert.doesNotMatch(JSON.stringify(desk.service.requests.at(-1)?.body), /Two/);
  });

  it("starts a new conversation", async () => {
    await window.runCommand("Core Chat: New Conversation");
    await replies().first().waitFor({ state: "detached" });
    assert.equal(await questions().count(), 0);
  });

  it("has shown and logged nothing of the participant, as VS Code's own chat is off here", async () => {
    assert.deepEqual(await window.readNotifications(), []);
    const logs = desk.readLogs();
    assert.match(logs, /core-chat\.core-chat/);
    const ours = logs.split("\n").filter((line) => /core-chat|participant|models:/i.test(line));
    assert.deepEqual(
      ours.filter((line) => /\[(error|warning)\]/i.test(line)),
      [],
    );
  });
});

describe("a person in a hurry", function () {
  this.timeout(300_000);

  it("types as soon as the box is there, and it is asked", async () => {
    const desk = await E2eEnvironment.open();
    try {
      desk.changeSettings({ "coreChat.baseUrl": desk.service.url });
      desk.service.script({ blocks: ["At once."] });
      const window = await desk.openWindow();
      await window.openChatByKeys();
      await window.page.keyboard.type("Are you there?");
      await window.page.keyboard.press("Enter");
      const article = (name: string) => window.panel.getByRole("article", { name, exact: true });
      await article("You").getByText("Are you there?", { exact: true }).waitFor();
      await article("Assistant").getByText("At once.").waitFor();
    } finally {
      await desk.close();
    }
  });
});
