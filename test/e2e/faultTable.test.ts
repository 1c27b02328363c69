/**
 * Tests failures as users see them in the chat: the remaining text, the message and its button.
 * Unit tests cover the mapping from faults to failures and all messages.
 */
import assert from "node:assert/strict";
import { ALL } from "../support/depth";
import { E2eEnvironment } from "../support/e2e/e2eEnvironment";
import type { Workbench } from "../support/vscode/workbench.mjs";

/** Part of the sample reply that is shown: all, its beginning, or nothing. */
type Shown = "whole" | "part" | "none" | RegExp;

/** Time limit of an expectation, in milliseconds; generous for a window on a busy machine. */
const PATIENCE_MS = 90_000;

type Row = readonly [
  row: string,
  fault: string,
  shown: Shown,
  /** Complete text of the notice; undefined for a complete reply. */
  notice?: RegExp | string,
  button?: string,
];

const KEPT = "The text so far is kept. Choose Continue for the rest.";
const CUT_OFF = `The reply was cut off. ${KEPT}`;
const OVERLOADED = "The model is overloaded, please try again later.";

/** A row for each kind of ending and each button; everyFault.test.ts has all faults. */
const ROWS: readonly Row[] = [
  ["S1", "byte-every-1", "whole"],
  ["S3", "cut-clean-at-1", "none", "The reply was cut off. Try again.", "Try again"],
  ["S10", "finish-length", "whole", "Stopped at the length limit.", "Continue"],
  [
    "S10",
    "finish-content-filter",
    "none",
    "The service's content filter blocked this reply. Try rephrasing.",
  ],
  [
    "S13",
    "damaged-event",
    "whole",
    "1 damaged part was skipped, so text may be missing. Regenerate to try again.",
  ],
  [
    "S15",
    "error-object",
    "part",
    `The service reported an error. ${KEPT} Service message: “${OVERLOADED}”`,
    "Continue",
  ],
  [
    "S19",
    "status-401-key",
    "none",
    /rejected the API key\. Check it and enter it again\. Service message: “.*\[redacted\] is wrong\.”$/,
    "Set API Key",
  ],
  [
    "S19",
    "status-413-big",
    "none",
    /^The request was too large for the service \(413\)\. Send less, or start a new conversation\. Service message: “Status 413 was asked for\. and so on.{1,300}…”$/,
  ],
  ["S20", "fail-twice-503", "whole"],
  ["S24", "cut-mid-stream", "part", CUT_OFF, "Continue"],
  [
    "S25",
    "redirect-307-other",
    "none",
    /^The server redirects to localhost:\d+\. Set it as the base URL if you trust it\.$/,
    "Set Base URL",
  ],
  [
    "S31",
    "garbage-status",
    "none",
    /^127\.0\.0\.1:\d+ does not respond with HTTP\. Check the base URL\.$/,
    "Set Base URL",
  ],
];

describe("a requested fault shows the expected text and notice", function () {
  this.timeout(300_000);
  let environment: E2eEnvironment;
  let window: Workbench;

  before(async function () {
    this.timeout(300_000);
    environment = await E2eEnvironment.open();
    environment.changeSettings({ "coreChat.baseUrl": environment.service.url });
    window = await environment.openWindow();
    await window.runCommand("Core Chat: Set API Key");
    await window.answerInput("sk-e2e-faults-5Tq8Zr2Lw9");
    await window.quickInput.waitFor({ state: "hidden" });
    await window.openChat();
  });
  after(() => environment.close());
  afterEach(async function () {
    if (this.currentTest?.state === "failed") await window.screenshot(this.currentTest.title);
  });

  const composer = () => window.panel.getByRole("textbox", { name: "Message", exact: true });

  /** Asks, and returns the reply to this question. */
  async function ask(question: string) {
    await composer().fill(question);
    await composer().press("Enter");
    const exact = new RegExp(`^${question.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`);
    return window.panel
      .getByRole("article", { name: "You", exact: true })
      .filter({ has: window.page.locator(".question-text").filter({ hasText: exact }) })
      .last()
      .locator("xpath=following-sibling::article[1]");
  }
  type Reply = Awaited<ReturnType<typeof ask>>;

  async function newConversation(): Promise<void> {
    await window.runCommand("Core Chat: New Conversation");
    await window.panel.getByRole("article").first().waitFor({ state: "detached" });
  }

  const status = (reply: Reply, text: RegExp) =>
    reply.locator(".turn-status").filter({ hasText: text });

  /** Waits until the reply has ended with this text and this notice. */
  async function expectEnd(reply: Reply, shown: Shown, notice?: Row[3], button?: string) {
    await eventually(async () => {
      assert.equal(await reply.getAttribute("aria-busy"), "false");
      await checkText(reply, shown);
      await checkNotice(reply, notice, button);
    });
  }

  /** Repeats a check with each frame until it passes or the time limit is over. */
  async function eventually(check: () => Promise<void>): Promise<void> {
    for (const deadline = Date.now() + PATIENCE_MS; ;) {
      try {
        await check();
        return;
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await window.page.evaluate(() => new Promise(requestAnimationFrame));
      }
    }
  }

  async function textOf(reply: Reply): Promise<string> {
    const body = reply.locator(".reply-body");
    if ((await body.count()) === 0) return "";
    // `innerText` has no pieces of plain text that are out of sight.
    const pieces = await body.locator(".plain-piece").allTextContents();
    return (pieces.length > 0 ? pieces.join("") : await body.innerText()).trim();
  }

  async function checkText(reply: Reply, shown: Shown): Promise<void> {
    const text = await textOf(reply);
    if (shown instanceof RegExp) assert.match(text, shown);
    else if (shown === "none") assert.equal(text, "");
    else {
      assert.match(text, /^This is a sample /);
      assert.equal(text.endsWith("and the end."), shown === "whole", text);
      assert.ok(!text.includes("\ufffd"), text);
    }
  }

  async function checkNotice(reply: Reply, notice: Row[3], button: Row[4]): Promise<void> {
    const alert = reply.locator(".notice");
    if (notice === undefined) {
      assert.equal(await alert.count(), 0);
      return;
    }
    // The service's message is a block of its own, with a line break before.
    const shown = await alert.locator(".notice-text").innerText();
    const text = shown.replaceAll(/\s+/g, " ").trim();
    if (typeof notice === "string") assert.equal(text, notice);
    else assert.match(text, notice);
    const buttons = await alert.getByRole("button").allInnerTexts();
    assert.deepEqual(buttons, button === undefined ? [] : [button]);
  }

  for (const [row, fault, shown, notice, button] of ROWS) {
    it(`${row}: ${fault} ${ALL}`, async () => {
      const reply = await ask(`/fault ${fault}`);
      await expectEnd(reply, shown, notice, button);
    });
  }

  it(`S25: sends nothing to the target of a redirect ${ALL}`, () => {
    const paths = environment.service.requests.map(({ path }) => path);
    assert.ok(paths.length > 0);
    assert.deepEqual([...new Set(paths)], ["/maas/v1/chat/completions"]);
  });

  it("S21: retry-after-59 counts down, and Stop ends the wait", async () => {
    const reply = await ask("/fault retry-after-59");
    await status(reply, /^The service is busy \(429\)\. Try 2 of 3 in \d+ s\.$/).waitFor();
    await window.panel.getByRole("button", { name: "Stop", exact: true }).click();
    await expectEnd(reply, "none", "Stopped.", "Try again");
  });

  it(`S26: silence-before-headers shows that it waits, and Escape stops it ${ALL}`, async () => {
    const reply = await ask("/fault silence-before-headers");
    await status(reply, /^Still waiting for the service \(\d+ s\)$/).waitFor();
    await composer().press("Escape");
    await expectEnd(reply, "none", "Stopped.", "Try again");
    await environment.service.waitForClose(environment.service.requests.length);
  });

  it(`S27: endless runs until Stop, and its text is kept ${ALL}`, async () => {
    await newConversation();
    const reply = await ask("/fault endless");
    await reply.getByText("line 50 of no end").waitFor();
    await window.panel.getByRole("button", { name: "Stop", exact: true }).click();
    const lines = /^line 1 of no end.*line 50 of no end/s;
    await expectEnd(reply, lines, "Stopped. The text so far is kept.", "Continue");
    await environment.service.waitForClose(environment.service.requests.length);
  });

  it(`S29: 100,000 tiny events are shown as one text ${ALL}`, async () => {
    await newConversation();
    await expectEnd(await ask("/fault events-100000"), /^(0123456789){10000}$/);
  });

  it(`S30: bomb is stopped at the limit, and the notice names the limit ${ALL}`, async () => {
    await newConversation();
    const notice =
      "The reply exceeded 16 MB, so it was stopped. Ask for a shorter reply. The text so far is kept.";
    await expectEnd(await ask("/fault bomb"), /^b{1000}/, notice, "Continue");
  });

  it("S32: a new conversation contains nothing of a reply that streams in another conversation", async () => {
    await newConversation();
    const endless = await ask("/fault endless");
    await endless.getByText("line 5 of no end").waitFor();
    await newConversation();
    await expectEnd(await ask("/fault lf"), "whole");
    const conversation = window.panel.getByRole("log", { name: "Conversation" });
    assert.equal(await conversation.getByText("of no end").count(), 0);
    assert.equal(environment.service.repliesOpen(), 1);
  });

  it(`S26: silence ends at the limit from the settings ${ALL}`, async () => {
    await newConversation();
    // The panel's notice about an invalid setting shows that the other settings are applied too.
    environment.changeSettings({ "coreChat.timeouts.silence": 1, "coreChat.llm.temperature": 7 });
    await window.panel.getByText("coreChat.llm.temperature").waitFor();
    const notice = `No data for 1 s. ${KEPT}`;
    await expectEnd(await ask("/fault silence-mid-stream"), "part", notice, "Continue");
    environment.changeSettings({ "coreChat.timeouts.firstByte": 1, "coreChat.llm.topP": 7 });
    await window.panel.getByRole("button", { name: /^\d more notices?$/ }).click();
    await window.panel.getByText("coreChat.llm.topP").waitFor();
    const none = "No response within 1 s. Try again, or increase the timeout in the settings.";
    await expectEnd(await ask("/fault silence-before-headers"), "none", none, "Try again");
  });
});
