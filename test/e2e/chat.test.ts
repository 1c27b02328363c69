/**
 * Tests the main steps of a user with the packaged extension in a real VS Code: connecting in the
 * panel, asking, streaming, stopping, asking again, reloading.
 */
import assert from "node:assert/strict";
import { ALL } from "../support/depth";
import { E2eEnvironment } from "../support/e2e/e2eEnvironment";
import type { Workbench } from "../support/vscode/workbench.mjs";

describe("the chat", function () {
  this.timeout(300_000);
  let environment: E2eEnvironment;
  let window: Workbench;

  before(async () => {
    environment = await E2eEnvironment.open();
    window = await environment.openWindow();
  });
  after(() => environment.close());
  beforeEach(() => environment.service.reset());
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

  it("lists the two setup steps and connects with them", async () => {
    await window.openChat();
    await button("Set Base URL").click();
    await window.answerInput(environment.service.url);
    await button("Set Base URL").waitFor({ state: "detached" });
    await window.panel.locator("textarea:focus").waitFor();
    await window.runCommand("Core Chat: Set API Key");
    await window.answerInput("Bearer sk-e2e-1234567890");
    await window.quickInput.waitFor({ state: "hidden" });
  });

  it("streams the reply to a question", async () => {
    environment.service.script({ blocks: ["**First** ", { gate: true }, "second"] });
    await ask("Do you stream?");
    await questions().getByText("Do you stream?").waitFor();
    await replies().locator("strong", { hasText: "First" }).waitFor();
    assert.equal(await replies().getAttribute("aria-busy"), "true");
    environment.service.releaseGate();
    await replies().getByText("First second").waitFor();
    await window.panel.locator('article[aria-busy="true"]').waitFor({ state: "detached" });
    const [request] = environment.service.requests;
    assert.equal(request?.headers["authorization"], "Bearer sk-e2e-1234567890");
    const { messages, ...others } = request.body as { messages: { role: string }[] };
    assert.deepEqual(others, { model: "core_llm", stream: true });
    const [system, ...asked] = messages;
    assert.equal(system?.role, "system");
    assert.deepEqual(asked, [{ role: "user", content: "Do you stream?" }]);
  });

  it("stops a reply, closes the socket and keeps the text so far", async () => {
    environment.service.script({ blocks: ["kept text ", { gate: true }, "never"] });
    await ask("Tell me a lot");
    await replies().last().getByText("kept text").waitFor();
    await button("Stop").click();
    await environment.service.waitForClose(1);
    assert.ok(environment.service.requests[0]?.closedByClientAtMs !== undefined);
    await button("Send").waitFor();
    await replies().last().getByText("kept text").waitFor();
  });

  it("continues after Stop, and stops with Escape too", async () => {
    environment.service.script({ blocks: ["again ", { gate: true }] });
    await ask("And again?");
    await replies().last().getByText("again").waitFor();
    await composer().press("Escape");
    await environment.service.waitForClose(1);
    assert.equal(await replies().count(), 3);
  });

  it("restores everything after the panel was hidden during a reply", async () => {
    environment.service.script({ blocks: ["before ", { gate: true }, "after"] });
    await ask("Hide me");
    await replies().last().getByText("before").waitFor();
    await window.runCommand("View: Toggle Secondary Side Bar Visibility");
    environment.service.releaseGate();
    await environment.service.waitForClose(1);
    await window.openChat();
    await replies().last().getByText("before after").waitFor();
  });

  it(`copies a reply and its code ${ALL}`, async () => {
    environment.service.script({ blocks: ["Text\n\n```ts\nconst a = 1;\n```\n"] });
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

  it(`shows the model's thinking collapsed and does not send it again ${ALL}`, async () => {
    await window.panel.getByRole("combobox", { name: "Model" }).selectOption("llm");
    const thought = (reasoning: string) => ({ delta: { reasoning } });
    environment.service.script(
      { blocks: [thought("Two "), thought("**and** two."), { gate: true }, "It is 4."] },
      { blocks: ["It is 6."] },
    );
    await ask("2 + 2?");
    const reply = replies().last();
    await reply.getByRole("button", { name: /^Thinking… \d+ s$/ }).waitFor();
    environment.service.releaseGate();
    await reply.getByText("It is 4.").waitFor();
    const toggle = reply.getByRole("button", { name: /^Thought for \d+ s$/ });
    await toggle.click();
    const region = reply.getByRole("region", { name: "Thinking" });
    await region.locator("strong", { hasText: "and" }).waitFor();
    await button("Send").waitFor();
    await ask("And 3 + 3?");
    await replies().last().getByText("It is 6.").waitFor();
    assert.doesNotMatch(JSON.stringify(environment.service.requests.at(-1)?.body), /Two/);
  });

  it("starts a new conversation", async () => {
    await window.runCommand("Core Chat: New Conversation");
    await replies().first().waitFor({ state: "detached" });
    assert.equal(await questions().count(), 0);
  });

  it("shows and logs no problem while VS Code's own chat is off", async () => {
    assert.deepEqual(await window.readNotifications(), []);
    const logs = environment.readLogs();
    assert.match(logs, /core-chat\.core-chat/);
    const ours = logs.split("\n").filter((line) => /core-chat|models:/i.test(line));
    assert.deepEqual(
      ours.filter((line) => /\[(error|warning)\]/i.test(line)),
      [],
    );
  });
});
