/**
 * Tests conversations with the packaged extension in a real VS Code: reloads, crashes and moves
 * during a reply, several conversations at once, in the panel and in an editor tab.
 */
import assert from "node:assert/strict";
import type { FrameLocator } from "playwright-core";
import { E2eEnvironment } from "../support/e2e/e2eEnvironment";
import { madePng } from "../support/pictures/madePng";
import type { Workbench } from "../support/vscode/workbench.mjs";

const PICTURE = { widthPx: 320, heightPx: 200 };
const LONG = Array.from({ length: 60 }, (_, at) => `Paragraph ${at} of a long reply.\n\n`);

describe("conversations", function () {
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

  const composer = (frame: FrameLocator = window.panel) =>
    frame.getByRole("textbox", { name: "Message", exact: true });
  const replies = (frame: FrameLocator = window.panel) =>
    frame.getByRole("article", { name: "Assistant", exact: true });
  const questions = (frame: FrameLocator = window.panel) =>
    frame.getByRole("article", { name: "You", exact: true });

  async function ask(text: string, frame: FrameLocator = window.panel): Promise<void> {
    await composer(frame).fill(text);
    await composer(frame).press("Enter");
    await questions(frame).getByText(text).waitFor();
  }

  const chips = (frame: FrameLocator = window.panel) =>
    frame.getByRole("list", { name: "Attachments" }).getByRole("listitem");

  async function untilQuiet(frame: FrameLocator = window.panel): Promise<void> {
    await frame.locator('article[aria-busy="true"]').waitFor({ state: "detached" });
  }

  /**
   * Asserts that the draft, its attachments, the scroll position and the interrupted reply are
   * restored. Then continues the reply and sends the draft.
   */
  async function checkRestored(first: string, cut: string, draft: string): Promise<void> {
    await window.openChat();
    const last = replies().last();
    await last.getByText(cut).waitFor();
    await last.getByText("The reply was cut off when the window closed.").waitFor();
    assert.equal(await composer().inputValue(), draft);
    await chips().getByText("cart.ts").waitFor();
    await chips().locator("img[src]").waitFor();
    assert.equal(await chips().count(), 2);
    await questions().first().getByText(first).waitFor();
    await window.panel.locator("article").first().waitFor({ state: "visible" });
    const isFirstVisible = () =>
      questions()
        .first()
        .evaluate((element) => {
          const { bottom } = element.getBoundingClientRect();
          return bottom > 0;
        });
    assert.equal(await isFirstVisible(), true, "it is scrolled elsewhere");
    environment.service.script({ blocks: ["and the rest"] });
    await last.getByRole("button", { name: "Continue", exact: true }).click();
    await last.getByText(`${cut} and the rest`).waitFor();
    await untilQuiet();
    environment.service.script({ blocks: ["seen"] });
    await composer().press("Enter");
    await questions().last().getByText(draft).waitFor();
    await replies().last().getByText("seen").waitFor();
    await untilQuiet();
    const request = environment.service.requests.at(-1);
    assert.deepEqual(
      request?.pictures.slice(-1).map(({ widthPx, heightPx }) => [widthPx, heightPx]),
      [[PICTURE.widthPx, PICTURE.heightPx]],
    );
    assert.ok(JSON.stringify(request.body).includes("shop/cart.ts"));
    await chips().first().waitFor({ state: "detached" });
  }

  /** Asks, and waits for the end of a reply that is longer than the panel. */
  async function askLong(question: string): Promise<void> {
    environment.service.script({ blocks: LONG });
    await ask(question);
    await replies().last().getByText("Paragraph 59").waitFor();
    await untilQuiet();
  }

  /** Asks, waits for half of the reply, leaves a draft with attachments and scrolls to the top. */
  async function askHalf(question: string, half: string, draft: string): Promise<void> {
    environment.service.script({ blocks: [`${half} `, { gate: true }, "never"] });
    await ask(question);
    await replies().last().getByText(half).waitFor();
    await environment.untilStored(half);
    await window.openFile("cart.ts");
    await window.runCommand("Core Chat: Add File to Core Chat");
    await chips().getByText("cart.ts").waitFor();
    await window.putPictureOnClipboard(madePng(PICTURE.widthPx, PICTURE.heightPx));
    await composer().click();
    await window.page.keyboard.press("Control+V");
    await chips().locator("img[src]").waitFor();
    await composer().fill(draft);
    await questions().first().scrollIntoViewIfNeeded();
    await environment.untilStored(draft, "shop/cart.ts", "Pasted picture");
  }

  it("are unchanged after a crash during a reply, with the answer to a question asked aside", async () => {
    await askLong("The first question");
    environment.service.script({ blocks: ["half of the aside ", { gate: true }, "never"] });
    await composer().fill("/aside Why is it so long?");
    await composer().press("Enter");
    const aside = window.panel.getByRole("group", { name: "Aside: Why is it so long?" });
    await aside.getByText("half of the aside").waitFor();
    await environment.untilStored("Why is it so long?", "half of the aside");
    await askHalf("Crash me", "half before a crash", "a draft to keep");
    await environment.crash();
    await window.reload();
    await checkRestored("The first question", "half before a crash", "a draft to keep");
    await replies().first().getByRole("button", { name: "1 aside" }).click();
    await aside.getByText("half of the aside").waitFor();
    await aside.getByText("The reply was cut off when the window closed.").waitFor();
    const { body } = environment.service.requests.at(-1)!;
    assert.doesNotMatch(JSON.stringify(body), /Why is it so long|half of the aside/);
  });

  it("keep the marking when the context menu opens, which asks aside about it", async () => {
    const text = replies().last().locator(".reply-body").getByText("seen");
    await text.click({ clickCount: 3 });
    await text.click({ button: "right" });
    await window.chooseInMenu("Ask Aside");
    await window.panel.getByRole("group", { name: "Ask aside about seen" }).waitFor();
    const box = window.panel.getByRole("textbox", { name: "Question about the quote" });
    environment.service.script({ blocks: ["Because it is."] });
    await box.fill("Why is it seen?");
    await box.press("Enter");
    await window.panel
      .getByRole("group", { name: /^Aside about “seen”/ })
      .getByText("Because it is.")
      .waitFor();
  });

  it("report that the disk rejects writes, continue, and are saved once the disk recovers", async () => {
    const restore = environment.refuseStorage("conversations");
    environment.service.script({ blocks: ["said while the disk was full"] });
    await ask("Is anybody writing?");
    await replies().last().getByText("said while the disk was full").waitFor();
    await untilQuiet();
    const banner = window.panel
      .locator(".notice")
      .filter({ hasText: "History is not being saved" });
    await banner.waitFor();
    restore();
    await banner.waitFor({ state: "detached" });
    await environment.untilStored("The first question", "said while the disk was full");
  });

  it("continue while the view is moved", async () => {
    environment.service.script({ blocks: ["before the move ", { gate: true }, "after the move"] });
    await ask("Move me");
    await replies().last().getByText("before the move").waitFor();
    await window.runCommand("View: Move View");
    await window.quickInput.locator("input.input").fill("Chat");
    await window.quickInput
      .getByRole("option", { name: /^(Core )?Chat/ })
      .first()
      .click();
    await window.quickInput.getByRole("option", { name: "New Panel Entry" }).click();
    await replies().last().getByText("before the move").waitFor();
    environment.service.releaseGate();
    await replies().last().getByText("before the move after the move").waitFor();
    await untilQuiet();
    await window.runCommand("View: Reset View Locations");
    await window.openChat();
    await replies().last().getByText("before the move after the move").waitFor();
  });

  it("run at the same time in the panel and in a tab", async () => {
    environment.service.script(
      { blocks: ["in the tab ", { gate: true }, "to its end"] },
      { blocks: ["in the panel"] },
    );
    await window.runCommand("Core Chat: Open in Editor");
    const tab = window.chatEditor;
    await replies(tab).last().getByText("after the move").waitFor();
    await window.runCommand("Core Chat: New Conversation");
    await replies().first().waitFor({ state: "detached" });
    await ask("Asked in the tab", tab);
    await replies(tab).last().getByText("in the tab").waitFor();
    await ask("Asked in the panel");
    await replies().getByText("in the panel").waitFor();
    assert.equal(await replies().count(), 1);
    // The panel also shows the reply of the tab live.
    await window.runCommand("Core Chat: Show History");
    await window.panel
      .getByRole("searchbox", { name: "Search conversations" })
      .fill("Asked in the tab");
    await window.panel
      .getByRole("option", { name: /The first question/ })
      .click({ position: { x: 12, y: 8 } });
    await replies().last().getByText("in the tab").waitFor();
    environment.service.releaseGate();
    await replies().last().getByText("in the tab to its end").waitFor();
    await replies(tab).last().getByText("in the tab to its end").waitFor();
  });

  it("are unchanged in the panel and in a tab after a reload during a reply", async () => {
    const tab = window.chatEditor;
    await composer(tab).fill("a draft in the tab");
    await environment.untilStored("a draft in the tab");
    await window.runCommand("Core Chat: New Conversation");
    await replies().first().waitFor({ state: "detached" });
    await askLong("Another first question");
    await askHalf("Reload me", "half before a reload", "another draft");
    await window.reload();
    await environment.service.waitForClose(environment.service.requests.length);
    await checkRestored("Another first question", "half before a reload", "another draft");
    await window.page.getByRole("tab", { name: /The first question/ }).click();
    await replies(tab).last().getByText("in the tab to its end").waitFor();
    assert.equal(await composer(tab).inputValue(), "a draft in the tab");
    environment.service.script({ blocks: ["and on it goes"] });
    await composer(tab).press("Enter");
    await replies(tab).last().getByText("and on it goes").waitFor();
    await untilQuiet(tab);
  });
});
