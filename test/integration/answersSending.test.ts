/** What the user chose to send, in the requests of an answer at the code. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { systemClock } from "../../src/base/clock";
import type { Part } from "../../src/conversation/message";
import type { SendChoice } from "../../src/conversation/sending";
import { AnswerBox } from "../../src/host/editorCommands/answerBox";
import { startService, type ReferenceService } from "../service/server";
import { PanelRig, type Page } from "../support/chat/panelRig";
import { showFile } from "./editing";

const EXCERPT: Part = {
  kind: "excerpt",
  path: "ferry.ts",
  uri: "file:///p/ferry.ts",
  languageId: "typescript",
  startLine: 1,
  endLine: 1,
  text: "export const berths = 12;",
};

describe("an answer at the code", () => {
  let service: ReferenceService;
  let controller: vscode.CommentController;
  let document: vscode.TextDocument;
  let rig: PanelRig;
  let box: AnswerBox;
  /** The panel, which shows the conversation of the answer. */
  let page: Page;

  before(async () => {
    service = await startService();
    controller = vscode.comments.createCommentController("coreChat.test", "Test");
    ({ document } = await showFile("ferry.ts", "export const berths = 12;\n"));
  });
  after(async () => {
    controller.dispose();
    await service.close();
  });
  beforeEach(async () => {
    service.reset();
    rig = new PanelRig(service.url);
    rig.meter = { systemPrompt: "Be brief.", budgetTokens: 2_000 };
    box = new AnswerBox(controller, document, document.lineAt(0).range, {
      live: rig.conversations.create(),
      question: "How many berths?",
      slot: 1,
      clock: systemClock,
      offerAction: ({ text }) => assert.fail(text),
    });
    page = await rig.openPage();
    await answered("Twelve.", () => box.ask([{ kind: "text", text: "How many berths?" }, EXCERPT]));
    await page.session.open(box.conversationId);
  });
  afterEach(() => {
    box.dispose();
    rig.conversations.dispose();
  });

  /** Runs an action of the box to the end of its reply; returns the messages of the request. */
  async function answered(reply: string, act: () => Promise<void>, isCut = false): Promise<string> {
    const count = service.requests.length;
    service.script({ blocks: [reply], ...(isCut && { finishReason: "length" }) });
    await act();
    await service.waitForRequest(count + 1);
    const live = await rig.conversations.get(box.conversationId);
    const ended = () => live.runningReplyId === undefined;
    if (!ended()) {
      await new Promise<void>((resolve) => {
        const listening = live.onChanged(() => {
          if (!ended()) return;
          listening.dispose();
          resolve();
        });
      });
    }
    return JSON.stringify((service.requests.at(-1)?.body as { messages: unknown }).messages);
  }
  const followUp = (text: string, reply: string, isCut = false) =>
    answered(reply, () => box.ask([{ kind: "text", text }]), isCut);
  const retry = () => answered("More.", () => box.retry());

  async function choose(text: string, choice: SendChoice): Promise<void> {
    const messageId = page.shown.messages.find((message) => message.text === text)?.id ?? "";
    const { conversationId } = page.shown;
    await page.post({ type: "sending-chosen", conversationId, messageId, choice });
  }

  it("has no message that the panel left out, in a follow-up and in Continue", async () => {
    await followUp("Is the gull fed?", "No.");
    await choose("Is the gull fed?", "left-out");
    const next = await followUp("And the tern?", "Not y", true);
    assert.match(next, /How many berths\?.*The question is left out\..*And the tern\?/);
    assert.doesNotMatch(next, /gull/);
    const continued = await retry();
    assert.match(continued, /And the tern\?.*Continue your last reply/);
    assert.doesNotMatch(continued, /gull/);
    await page.post({ type: "sending-undone", conversationId: box.conversationId });
    assert.match(await followUp("All?", "Yes."), /gull/);
  });

  it("has the code that is always sent, however long the conversation is", async () => {
    const long = "word ".repeat(400);
    await choose("How many berths?", "kept");
    for (let at = 0; at < 8; at++) await followUp(`Question ${at}?`, long);
    const kept = await followUp("Last?", "Yes.");
    assert.match(kept, /How many berths\?.*export const berths = 12;.*Last\?/);
    assert.doesNotMatch(kept, /Question 0\?/);
    await page.post({ type: "sending-undone", conversationId: box.conversationId });
    assert.doesNotMatch(await followUp("And now?", "Yes."), /berths/);
  });

  it("has the summary in place of its messages, in a follow-up and in Continue", async () => {
    const long = "word ".repeat(400);
    for (let at = 0; at < 6; at++) await followUp(`Question ${at}?`, long);
    const { conversationId } = page.shown;
    service.script({ blocks: ["The user counted berths."] });
    await page.post({ type: "summary-asked", conversationId });
    const draft = () => page.last("sending-shown")?.summaries.find((one) => one.state === "draft");
    await page.until(() => draft() !== undefined);
    const unused = await followUp("Before?", "Yes.");
    assert.doesNotMatch(unused, /<summary>/);
    await page.post({ type: "summary-used", conversationId, text: "Twelve berths were counted." });
    const next = await followUp("After?", "Not y", true);
    assert.match(next, /<summary>\\nTwelve berths were counted\.\\n<\/summary>.*After\?/);
    assert.doesNotMatch(next, /How many berths/);
    assert.match(await retry(), /Twelve berths were counted\..*Continue your last reply/);
  });
});
