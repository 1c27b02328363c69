/**
 * Tests unsent questions, edits and queued questions with the packaged extension in a real VS Code:
 * in a single window, and in two windows that share their storage.
 */
import assert from "node:assert/strict";
import type { FrameLocator } from "playwright-core";
import { ALL } from "../support/depth";
import { E2eEnvironment } from "../support/e2e/e2eEnvironment";
import type { Workbench } from "../support/vscode/workbench.mjs";

const NAME = { name: "Message", exact: true };
const composer = (frame: FrameLocator) => frame.getByRole("textbox", NAME);
const replies = (frame: FrameLocator) =>
  frame.getByRole("article", { name: "Assistant", exact: true });
const questions = (frame: FrameLocator) => frame.getByRole("article", { name: "You", exact: true });
const queue = (frame: FrameLocator) =>
  frame.getByRole("list", { name: "Queued questions" }).getByRole("listitem");
const rows = (frame: FrameLocator) =>
  frame.getByRole("listbox", { name: "Conversations" }).getByRole("option");

async function ask(frame: FrameLocator, text: string): Promise<void> {
  await composer(frame).fill(text);
  await composer(frame).press("Enter");
}

async function untilReplied(frame: FrameLocator, text: string): Promise<void> {
  await replies(frame).last().getByText(text).waitFor();
  await frame.locator('article[aria-busy="true"]').waitFor({ state: "detached" });
}

/** Waits until the composer contains a text; pages have no event for a value set by a script. */
async function untilTyped(frame: FrameLocator, text: string): Promise<void> {
  await composer(frame).evaluate(
    (box: HTMLTextAreaElement, expected) =>
      new Promise<void>((resolve, reject) => {
        const untilMs = Date.now() + 15_000;
        const check = () => {
          if (box.value === expected) resolve();
          else if (Date.now() > untilMs) reject(new Error(`the composer holds "${box.value}"`));
          else requestAnimationFrame(check);
        };
        check();
      }),
    text,
  );
}

describe("unsent text", function () {
  this.timeout(300_000);
  let environment: E2eEnvironment;
  let window: Workbench;

  before(async () => {
    environment = await E2eEnvironment.open();
    window = await environment.openWindow();
    environment.changeSettings({ "coreChat.baseUrl": environment.service.url });
    await window.openChat();
    await window.panel.getByRole("button", { name: "Set Base URL" }).waitFor({ state: "detached" });
  });
  after(() => environment.close());
  beforeEach(() => environment.service.reset());
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await window.screenshot(this.currentTest.title);
  });

  async function openFromList(title: string, query = ""): Promise<void> {
    await window.runCommand("Core Chat: Show History");
    const search = window.panel.getByRole("searchbox", { name: "Search conversations" });
    await search.fill(query);
    await rows(window.panel)
      .filter({ hasText: title })
      .first()
      .click({ position: { x: 12, y: 8 } });
    await search.waitFor({ state: "detached" });
  }

  async function startConversation(): Promise<void> {
    await window.runCommand("Core Chat: New Conversation");
    await replies(window.panel).first().waitFor({ state: "detached" });
  }

  it(`of a new conversation is listed and found by the search ${ALL}`, async () => {
    const { panel } = window;
    environment.service.script({ blocks: ["an answer"] });
    await ask(panel, "The sent question");
    await untilReplied(panel, "an answer");
    await startConversation();
    await composer(panel).fill("The unsent heron question");
    await openFromList("The sent question");
    await replies(panel).last().getByText("an answer").waitFor();
    await untilTyped(panel, "");
    await openFromList("Draft: The unsent heron question");
    await untilTyped(panel, "The unsent heron question");
    assert.equal(await replies(panel).count(), 0);
    await openFromList("The sent question");
    await openFromList("Draft: The unsent heron question", "heron");
    await untilTyped(panel, "The unsent heron question");
    assert.equal(environment.service.requests.length, 1);
  });

  it(`is kept while an earlier message is edited, also after opening another conversation ${ALL}`, async () => {
    const { panel } = window;
    environment.service.script({ blocks: ["a first answer"] }, { blocks: ["a new answer"] });
    await startConversation();
    await ask(panel, "The edited question");
    await untilReplied(panel, "a first answer");
    await composer(panel).fill("half a thought");
    await questions(panel).getByRole("button", { name: "Edit message" }).click();
    await composer(panel).fill("The edited question, better");
    await openFromList("The sent question");
    await untilTyped(panel, "");
    assert.equal(await panel.getByText("Editing an earlier message").count(), 0);
    await openFromList("The edited question");
    await panel.getByText("Editing an earlier message").waitFor();
    await untilTyped(panel, "The edited question, better");
    await composer(panel).press("Enter");
    await untilReplied(panel, "a new answer");
    assert.equal(await questions(panel).count(), 1);
    await untilTyped(panel, "half a thought");
  });

  it("is removed from the other window when it is sent, and sent once", async () => {
    const { panel } = window;
    environment.service.script({ blocks: ["a shared answer"] }, { blocks: ["a second answer"] });
    await startConversation();
    await ask(panel, "The shared question");
    await untilReplied(panel, "a shared answer");
    await composer(panel).fill("a draft for both windows");
    await environment.untilStored("a draft for both windows");
    const other = await environment.openWindow();
    try {
      await other.openChat();
      await other.runCommand("Core Chat: Show History");
      await rows(other.panel)
        .filter({ hasText: "The shared question" })
        .first()
        .click({ position: { x: 12, y: 8 } });
      await untilTyped(other.panel, "a draft for both windows");
      await composer(panel).press("Enter");
      await untilReplied(panel, "a second answer");
      // VS Code moves the focus to the window that the user switches to.
      await other.page.bringToFront();
      await other.page.locator(".part.editor").click();
      await composer(other.panel).click();
      await untilTyped(other.panel, "");
      await replies(other.panel).getByText("a second answer").waitFor();
      assert.equal(environment.service.requests.length, 2);
    } finally {
      await other.close();
    }
  });

  it("queued in one window is sent once with two windows open", async () => {
    const { panel } = window;
    environment.service.script(
      { blocks: ["slowly ", { gate: true }, "answered"] },
      { blocks: ["the queued answer"] },
      { blocks: ["never"] },
    );
    await startConversation();
    await ask(panel, "The slow question");
    await replies(panel).last().getByText("slowly").waitFor();
    await ask(panel, "The queued question");
    await queue(panel).getByText("The queued question").waitFor();
    await environment.untilStored("The queued question");
    const other = await environment.openWindow();
    try {
      await other.openChat();
      await other.runCommand("Core Chat: Show History");
      await rows(other.panel)
        .filter({ hasText: "The slow question" })
        .first()
        .click({ position: { x: 12, y: 8 } });
      await replies(other.panel).last().getByText("slowly").waitFor();
      environment.service.releaseGate();
      await untilReplied(panel, "the queued answer");
      await untilReplied(other.panel, "the queued answer");
      await queue(panel).first().waitFor({ state: "detached" });
      await composer(other.panel).click();
      await queue(other.panel).first().waitFor({ state: "detached" });
      assert.equal(await questions(other.panel).count(), 2);
      assert.equal(environment.service.requests.length, 2);
    } finally {
      await other.close();
    }
  });

  it("queued in a deleted conversation is never sent, and its request stops", async () => {
    const { panel } = window;
    environment.service.script({ blocks: ["running ", { gate: true }, "never"] });
    await startConversation();
    await ask(panel, "The deleted question");
    await replies(panel).last().getByText("running").waitFor();
    await ask(panel, "Never asked");
    await queue(panel).getByText("Never asked").waitFor();
    await window.runCommand("Core Chat: Show History");
    // The rows move while the list loads; the actions belong to the row below the pointer.
    await panel.getByRole("searchbox", { name: "Search conversations" }).fill("deleted question");
    await rows(panel).filter({ hasText: "The deleted question" }).first().hover();
    await panel
      .getByRole("group", { name: "Actions for The deleted question" })
      .getByRole("button", { name: "Delete", exact: true })
      .click();
    const record = await environment.service.waitForClose(1);
    assert.ok(record.closedByClientAtMs !== undefined);
    await panel.getByText("was moved to the bin").waitFor();
    environment.service.script({ blocks: ["asked afterwards"] });
    await panel.getByRole("button", { name: "Back to the conversation" }).click();
    // The list names the deletion before the new conversation is shown.
    await questions(panel).first().waitFor({ state: "detached" });
    await ask(panel, "The next question");
    await untilReplied(panel, "asked afterwards");
    assert.equal(environment.service.requests.length, 2);
    assert.ok(
      !environment.service.requests.some(({ bodyText }) => bodyText.includes("Never asked")),
    );
  });
});
