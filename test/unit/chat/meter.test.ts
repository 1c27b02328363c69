/**
 * The context meter before sending: the estimate matches the sent request, by category. Parts that
 * the budget leaves out are reported before and after.
 */
import assert from "node:assert/strict";
import type { MeterView } from "../../../src/protocol/views";
import { estimateTextTokens } from "../../../src/base/tokens";
import type { Part } from "../../../src/conversation/message";
import { suiteService } from "../../support/chat/chatSuite";
import { PanelRig, openChat, type Page } from "../../support/chat/panelRig";
import { madePng } from "../../support/pictures/madePng";

const EXCERPT: Part = {
  kind: "excerpt",
  path: "src/a.ts",
  uri: "file:///p/src/a.ts",
  languageId: "typescript",
  startLine: 1,
  endLine: 2,
  text: "let a = 1;\n".repeat(20),
};

describe("the meter", () => {
  const service = suiteService();

  function meterOf(page: Page): MeterView {
    const last = page.last("meter-changed");
    assert.ok(last, "no meter was shown");
    return last.meter;
  }

  const sum = (meter: MeterView) =>
    meter.system + meter.history + meter.files + meter.pictures + meter.question;

  async function type(page: Page, text: string): Promise<void> {
    await page.type(text);
  }

  async function attach(rig: PanelRig, page: Page, ...parts: Part[]): Promise<void> {
    await rig.conversations.draft(page.conversationId).attach(parts);
  }

  async function picture(rig: PanelRig): Promise<Part> {
    const bytes = madePng(640, 480);
    const { hash } = await rig.history.pictures.store(bytes);
    const size = { widthPx: 640, heightPx: 480, bytes: bytes.length };
    return { kind: "image", hash, mediaType: "image/png", name: "p.png", ...size };
  }

  /** Sends the text and returns the estimate from the time of sending. */
  async function send(page: Page, text: string) {
    await page.askToEnd(text);
    const reply = page.lastReply && page.session.live?.message(page.lastReply.id);
    assert.ok(reply?.role === "assistant" && reply.receipt);
    return reply.receipt;
  }

  it("is split into system, history, files, pictures and the question", async () => {
    const rig = new PanelRig(service.url);
    rig.meter = { ...rig.meter, systemPrompt: "Answer in one word." };
    const page = await rig.openPage();
    await page.post({ type: "model-chosen", model: "vl" });
    await page.askToEnd("An earlier question");
    await attach(rig, page, EXCERPT, await picture(rig));
    await type(page, "And this?");
    const meter = meterOf(page);
    assert.equal(meter.system, estimateTextTokens("Answer in one word."));
    assert.equal(meter.question, estimateTextTokens("And this?"));
    assert.equal(meter.files, estimateTextTokens(EXCERPT.text));
    assert.ok(meter.pictures > 0);
    const { text = "" } = page.lastReply ?? {};
    assert.equal(
      meter.history,
      estimateTextTokens("An earlier question") + estimateTextTokens(text),
    );
    assert.equal(meter.budget, 32_000);
    assert.equal(meter.leftOut, "");
    assert.equal((await send(page, "And this?")).estimatedTokens, sum(meter));
  });

  it("counts no pictures for a model that receives none", async () => {
    const { rig, page } = await openChat(service.url);
    await page.post({ type: "model-chosen", model: "vl" });
    await attach(rig, page, await picture(rig));
    await send(page, "What is this?");
    await type(page, "And in words?");
    assert.ok(meterOf(page).pictures > 0);
    await page.post({ type: "model-chosen", model: "llm" });
    const meter = meterOf(page);
    assert.equal(meter.pictures, 0);
    const receipt = await send(page, "And in words?");
    assert.equal(receipt.estimatedTokens, sum(meter));
    assert.equal(receipt.imagesLeftOut, 1);
  });

  it("reports before and after sending that pictures, then turns, exceed the budget", async () => {
    const { rig, page } = await openChat(service.url);
    await page.post({ type: "model-chosen", model: "vl" });
    await attach(rig, page, await picture(rig));
    await send(page, `First ${"word ".repeat(400)}`);
    await attach(rig, page, await picture(rig));
    await send(page, "One more");
    await type(page, "Second");
    const whole = sum(meterOf(page));
    rig.meter = { ...rig.meter, budgetTokens: whole - 1 };
    await type(page, "Second");
    assert.equal(meterOf(page).leftOut, "0 and 1", "the picture is left out first");
    rig.meter = { ...rig.meter, budgetTokens: 100 };
    await type(page, "Second");
    const meter = meterOf(page);
    assert.equal(meter.leftOut, "too long 1 and 1", "the turn is left out next");
    const receipt = await send(page, "Second");
    assert.deepEqual([receipt.turnsLeftOut, receipt.imagesLeftOut], [1, 1]);
    assert.equal(receipt.estimatedTokens, sum(meter));
    const body = service.requests.at(-1)?.body as { messages: unknown[] };
    assert.equal(body.messages.length, 3, "the turn with the picture, and the question");
  });

  it("reports that the question alone exceeds the budget", async () => {
    const rig = new PanelRig(service.url);
    rig.meter = { ...rig.meter, budgetTokens: 50 };
    const page = await rig.openPage();
    await attach(rig, page, EXCERPT);
    await type(page, "Why?");
    assert.equal(meterOf(page).leftOut, "too long");
  });

  it("counts lines that an earlier question contains only once", async () => {
    const { rig, page } = await openChat(service.url);
    await attach(rig, page, EXCERPT);
    await type(page, "What is it?");
    const once = meterOf(page).files;
    await send(page, "What is it?");
    await attach(rig, page, EXCERPT);
    await type(page, "And why?");
    assert.ok(meterOf(page).files < once + 30);
    const receipt = await send(page, "And why?");
    assert.equal(receipt.excerptsSentBefore, 1);
    const { messages } = service.requests.at(-1)?.body as { messages: { role: string }[] };
    const questions = messages.filter(({ role }) => role === "user");
    assert.equal(JSON.stringify(questions).split("let a = 1;").length - 1, 20);
  });

  it("counts an earlier question that is edited after its preceding messages, with its own parts", async () => {
    const { rig, page } = await openChat(service.url);
    await attach(rig, page, EXCERPT);
    await page.askToEnd("First");
    await page.askToEnd("Second");
    const first = page.shown.messages[0]?.id ?? "";
    await page.edit(first);
    await type(page, "First, in other words");
    const meter = meterOf(page);
    assert.equal(meter.history, 0);
    assert.equal(meter.files, estimateTextTokens(EXCERPT.text));
    await page.ask("First, in other words", { replacesId: first });
    await page.untilEnded();
    const reply = page.session.live?.message(page.lastReply?.id ?? "");
    assert.ok(reply?.role === "assistant");
    assert.equal(reply.receipt?.estimatedTokens, sum(meter));
  });
});
