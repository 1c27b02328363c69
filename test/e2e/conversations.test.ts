/**
 * Tests conversations with the packaged extension in a real VS Code: reloads, crashes and moves
 * during a reply, several conversations at once, in the panel and in an editor tab.
 */
import assert from "node:assert/strict";
import { ALL } from "../support/depth";
import { suiteWithWindow } from "../support/e2e/chatSuite";
import { madePng } from "../support/pictures/madePng";

const PICTURE = { widthPx: 320, heightPx: 200 };
const LONG = Array.from({ length: 60 }, (_, at) => `Paragraph ${at} of a long reply.\n\n`);

describe("conversations", function () {
  this.timeout(300_000);
  const chat = suiteWithWindow();

  const chips = () =>
    chat.window.panel.getByRole("list", { name: "Attachments" }).getByRole("listitem");

  /**
   * Asserts that the draft, its attachments, the scroll position and the interrupted reply are
   * restored. Then continues the reply and sends the draft.
   */
  async function checkRestored(first: string, cut: string, draft: string): Promise<void> {
    await chat.window.openChat();
    const last = chat.replies().last();
    await last.getByText(cut).waitFor();
    await last.getByText("The reply was cut off when the window closed.").waitFor();
    assert.equal(await chat.composer().inputValue(), draft);
    await chips().getByText("cart.ts").waitFor();
    await chips().locator("img[src]").waitFor();
    assert.equal(await chips().count(), 2);
    await chat.questions().first().getByText(first).waitFor();
    await chat.window.panel.locator("article").first().waitFor({ state: "visible" });
    const isFirstVisible = () =>
      chat
        .questions()
        .first()
        .evaluate((element) => {
          const { bottom } = element.getBoundingClientRect();
          return bottom > 0;
        });
    assert.equal(await isFirstVisible(), true, "it is scrolled elsewhere");
    chat.service.script({ blocks: ["and the rest"] });
    await last.getByRole("button", { name: "Continue", exact: true }).click();
    await last.getByText(`${cut} and the rest`).waitFor();
    await chat.untilQuiet();
    chat.service.script({ blocks: ["seen"] });
    await chat.composer().press("Enter");
    await chat.questions().last().getByText(draft).waitFor();
    await chat.replies().last().getByText("seen").waitFor();
    await chat.untilQuiet();
    const request = chat.service.requests.at(-1);
    assert.deepEqual(
      request?.pictures.slice(-1).map(({ widthPx, heightPx }) => [widthPx, heightPx]),
      [[PICTURE.widthPx, PICTURE.heightPx]],
    );
    assert.ok(JSON.stringify(request.body).includes("shop/cart.ts"));
    await chips().first().waitFor({ state: "detached" });
  }

  /** Asks, and waits for the end of a reply that is longer than the panel. */
  async function askLong(question: string): Promise<void> {
    chat.service.script({ blocks: LONG });
    await chat.ask(question);
    await chat.replies().last().getByText("Paragraph 59").waitFor();
    await chat.untilQuiet();
  }

  /** Asks, waits for half of the reply, leaves a draft with attachments and scrolls to the top. */
  async function askHalf(question: string, half: string, draft: string): Promise<void> {
    chat.service.script({ blocks: [`${half} `, { gate: true }, "never"] });
    await chat.ask(question);
    await chat.replies().last().getByText(half).waitFor();
    await chat.environment.untilStored(half);
    await chat.window.openFile("cart.ts");
    await chat.window.runCommand("Core Chat: Add File to Core Chat");
    await chips().getByText("cart.ts").waitFor();
    await chat.window.putPictureOnClipboard(madePng(PICTURE.widthPx, PICTURE.heightPx));
    await chat.composer().click();
    await chat.window.page.keyboard.press("Control+V");
    await chips().locator("img[src]").waitFor();
    await chat.composer().fill(draft);
    await chat.questions().first().scrollIntoViewIfNeeded();
    await chat.environment.untilStored(draft, "shop/cart.ts", "Pasted picture");
  }

  it(`are unchanged after a crash during a reply, with the answer to a question asked aside ${ALL}`, async () => {
    await askLong("The first question");
    chat.service.script({ blocks: ["half of the aside ", { gate: true }, "never"] });
    await chat.composer().fill("/aside Why is it so long?");
    await chat.composer().press("Enter");
    const aside = chat.window.panel.getByRole("group", { name: "Aside: Why is it so long?" });
    await aside.getByText("half of the aside").waitFor();
    await chat.environment.untilStored("Why is it so long?", "half of the aside");
    await askHalf("Crash me", "half before a crash", "a draft to keep");
    await chat.environment.crash();
    await chat.window.reload();
    await checkRestored("The first question", "half before a crash", "a draft to keep");
    await chat.replies().first().getByRole("button", { name: "1 aside" }).click();
    await aside.getByText("half of the aside").waitFor();
    await aside.getByText("The reply was cut off when the window closed.").waitFor();
    const { body } = chat.service.requests.at(-1)!;
    assert.doesNotMatch(JSON.stringify(body), /Why is it so long|half of the aside/);
  });

  it("continue while the view is moved", async () => {
    await chat.startConversation();
    chat.service.script({ blocks: ["before the move ", { gate: true }, "after the move"] });
    await chat.ask("Move me");
    await chat.replies().last().getByText("before the move").waitFor();
    await chat.window.runCommand("View: Move View");
    await chat.window.quickInput.locator("input.input").fill("Chat");
    await chat.window.quickInput
      .getByRole("option", { name: /^(Core )?Chat/ })
      .first()
      .click();
    await chat.window.quickInput.getByRole("option", { name: "New Panel Entry" }).click();
    await chat.replies().last().getByText("before the move").waitFor();
    chat.service.releaseGate();
    await chat.replies().last().getByText("before the move after the move").waitFor();
    await chat.untilQuiet();
    await chat.window.runCommand("View: Reset View Locations");
    await chat.window.openChat();
    await chat.replies().last().getByText("before the move after the move").waitFor();
  });

  it("run at the same time in the panel and in a tab", async () => {
    chat.service.script(
      { blocks: ["in the tab ", { gate: true }, "to its end"] },
      { blocks: ["in the panel"] },
    );
    await chat.window.runCommand("Core Chat: Open in Editor");
    const tab = chat.window.chatEditor;
    await chat.replies(tab).last().getByText("after the move").waitFor();
    await chat.startConversation();
    await chat.ask("Asked in the tab", tab);
    await chat.replies(tab).last().getByText("in the tab").waitFor();
    await chat.ask("Asked in the panel");
    await chat.replies().getByText("in the panel").waitFor();
    assert.equal(await chat.replies().count(), 1);
    // The panel also shows the reply of the tab live.
    await chat.window.runCommand("Core Chat: Show History");
    await chat.window.panel
      .getByRole("searchbox", { name: "Search conversations" })
      .fill("Asked in the tab");
    await chat.window.panel
      .getByRole("option", { name: /Move me/ })
      .click({ position: { x: 12, y: 8 } });
    await chat.replies().last().getByText("in the tab").waitFor();
    chat.service.releaseGate();
    await chat.replies().last().getByText("in the tab to its end").waitFor();
    await chat.replies(tab).last().getByText("in the tab to its end").waitFor();
  });

  it(`are unchanged in the panel and in a tab after a reload during a reply ${ALL}`, async () => {
    const tab = chat.window.chatEditor;
    await chat.composer(tab).fill("a draft in the tab");
    await chat.environment.untilStored("a draft in the tab");
    await chat.startConversation();
    await askLong("Another first question");
    await askHalf("Reload me", "half before a reload", "another draft");
    await chat.window.reload();
    await chat.service.waitForClose(chat.service.requests.length);
    await checkRestored("Another first question", "half before a reload", "another draft");
    await chat.window.page.getByRole("tab", { name: /Move me/ }).click();
    await chat.replies(tab).last().getByText("in the tab to its end").waitFor();
    assert.equal(await chat.composer(tab).inputValue(), "a draft in the tab");
    chat.service.script({ blocks: ["and on it goes"] });
    await chat.composer(tab).press("Enter");
    await chat.replies(tab).last().getByText("and on it goes").waitFor();
    await chat.untilQuiet(tab);
  });
});
