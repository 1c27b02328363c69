/**
 * Tests unsent questions, edits and queued questions with the packaged extension in a real VS Code:
 * in a single window, and in two windows that share their storage.
 */
import assert from "node:assert/strict";
import type { FrameLocator } from "playwright-core";
import { ALL } from "../support/depth";
import { suiteWithWindow } from "../support/e2e/chatSuite";

const queue = (frame: FrameLocator) =>
  frame.getByRole("list", { name: "Queued questions" }).getByRole("listitem");
const rows = (frame: FrameLocator) =>
  frame.getByRole("listbox", { name: "Conversations" }).getByRole("option");

describe("unsent text", function () {
  this.timeout(300_000);
  const chat = suiteWithWindow();
  const composer = (frame: FrameLocator) => chat.composer(frame);
  const replies = (frame: FrameLocator) => chat.replies(frame);
  const questions = (frame: FrameLocator) => chat.questions(frame);

  async function ask(frame: FrameLocator, text: string): Promise<void> {
    await composer(frame).fill(text);
    await composer(frame).press("Enter");
  }

  async function untilReplied(frame: FrameLocator, text: string): Promise<void> {
    await replies(frame).last().getByText(text).waitFor();
    await chat.untilQuiet(frame);
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

  it(`is removed from another window when it is sent; a queued question is sent once ${ALL}`, async () => {
    const { panel } = chat.window;
    chat.service.script({ blocks: ["a shared answer"] }, { blocks: ["a second answer"] });
    await chat.startConversation();
    await ask(panel, "The shared question");
    await untilReplied(panel, "a shared answer");
    await composer(panel).fill("a draft for both windows");
    await chat.environment.untilStored("a draft for both windows");
    const other = await chat.environment.openWindow();
    const openInOther = async (title: string) => {
      await other.runCommand("Core Chat: Show History");
      await rows(other.panel)
        .filter({ hasText: title })
        .first()
        .click({ position: { x: 12, y: 8 } });
    };
    // VS Code moves the focus to the window that the user switches to.
    const focusOther = async () => {
      await other.page.bringToFront();
      await other.page.locator(".part.editor").click({ position: { x: 20, y: 60 } });
      await composer(other.panel).click();
    };
    try {
      await other.openChat();
      await openInOther("The shared question");
      await untilTyped(other.panel, "a draft for both windows");
      await composer(panel).press("Enter");
      await untilReplied(panel, "a second answer");
      await focusOther();
      await untilTyped(other.panel, "");
      await replies(other.panel).getByText("a second answer").waitFor();
      assert.equal(chat.service.requests.length, 2);

      chat.service.reset();
      chat.service.script(
        { blocks: ["slowly ", { gate: true }, "answered"] },
        { blocks: ["the queued answer"] },
        { blocks: ["never"] },
      );
      await chat.startConversation();
      await ask(panel, "The slow question");
      await replies(panel).last().getByText("slowly").waitFor();
      await ask(panel, "The queued question");
      await queue(panel).getByText("The queued question").waitFor();
      await chat.environment.untilStored("The queued question");
      await openInOther("The slow question");
      await replies(other.panel).last().getByText("slowly").waitFor();
      chat.service.releaseGate();
      await untilReplied(panel, "the queued answer");
      await untilReplied(other.panel, "the queued answer");
      await queue(panel).first().waitFor({ state: "detached" });
      await composer(other.panel).click();
      await queue(other.panel).first().waitFor({ state: "detached" });
      assert.equal(await questions(other.panel).count(), 2);
      assert.equal(chat.service.requests.length, 2);
    } finally {
      await other.close();
    }
  });

  it("queued in a deleted conversation is never sent, and its request stops", async () => {
    const { panel } = chat.window;
    chat.service.script({ blocks: ["running ", { gate: true }, "never"] });
    await chat.startConversation();
    await ask(panel, "The deleted question");
    await replies(panel).last().getByText("running").waitFor();
    await ask(panel, "Never asked");
    await queue(panel).getByText("Never asked").waitFor();
    await chat.window.runCommand("Core Chat: Show History");
    // The rows move while the list loads; the actions belong to the row below the pointer.
    await panel.getByRole("searchbox", { name: "Search conversations" }).fill("deleted question");
    await rows(panel).filter({ hasText: "The deleted question" }).first().hover();
    await panel
      .getByRole("group", { name: "Actions for The deleted question" })
      .getByRole("button", { name: "Delete", exact: true })
      .click();
    const record = await chat.service.waitForClose(1);
    assert.ok(record.closedByClientAtMs !== undefined);
    await panel.getByText("was moved to the bin").waitFor();
    chat.service.script({ blocks: ["asked afterwards"] });
    await panel.getByRole("button", { name: "Back to the conversation" }).click();
    // The list names the deletion before the new conversation is shown.
    await questions(panel).first().waitFor({ state: "detached" });
    await ask(panel, "The next question");
    await untilReplied(panel, "asked afterwards");
    assert.equal(chat.service.requests.length, 2);
    assert.ok(!chat.service.requests.some(({ bodyText }) => bodyText.includes("Never asked")));
  });
});
