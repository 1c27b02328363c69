/**
 * The context meter before sending: the estimate matches the sent request, by category. Parts that
 * the budget leaves out are reported before and after.
 */
import assert from "node:assert/strict";
import type { MeterView } from "../../../src/protocol/views";
import { estimateTextTokens } from "../../../src/base/tokens";
import type { Part } from "../../../src/conversation/message";
import { lastMessages, suiteService } from "../../support/chat/chatSuite";
import { PanelRig, type Page } from "../../support/chat/panelRig";
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

  /** Opens a chat of the vision model. */
  async function open(meter: Partial<PanelRig["meter"]> = {}) {
    const rig = new PanelRig(service.url);
    rig.meter = { ...rig.meter, ...meter };
    const page = await rig.openPage();
    await page.post({ type: "model-chosen", model: "vl" });
    return { rig, page };
  }

  /** Types and returns the meter. */
  async function typed(page: Page, text: string): Promise<MeterView> {
    await page.type(text);
    return meterOf(page);
  }

  async function picture(rig: PanelRig): Promise<Part> {
    const bytes = madePng(640, 480);
    const { hash } = await rig.history.pictures.store(bytes);
    const size = { widthPx: 640, heightPx: 480, bytes: bytes.length };
    return { kind: "image", hash, mediaType: "image/png", name: "p.png", ...size };
  }

  /** Sends the text and returns the estimate from the time of sending. */
  async function send(page: Page, text: string, replacesId?: string) {
    await page.askToEnd(text, replacesId === undefined ? {} : { replacesId });
    const reply = page.lastReply && page.session.live?.message(page.lastReply.id);
    assert.ok(reply?.role === "assistant" && reply.receipt);
    return reply.receipt;
  }

  it("is split into system, history, files, pictures and the question", async () => {
    const { rig, page } = await open({ systemPrompt: "Answer in one word." });
    await page.askToEnd("An earlier question");
    await page.attach(EXCERPT, await picture(rig));
    const meter = await typed(page, "And this?");
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
    const { rig, page } = await open();
    await page.attach(await picture(rig));
    await send(page, "What is this?");
    assert.ok((await typed(page, "And in words?")).pictures > 0);
    await page.post({ type: "model-chosen", model: "llm" });
    const meter = meterOf(page);
    assert.equal(meter.pictures, 0);
    const receipt = await send(page, "And in words?");
    assert.equal(receipt.estimatedTokens, sum(meter));
    assert.equal(receipt.imagesLeftOut, 1);
  });

  it("reports before and after sending that pictures, then turns, exceed the budget", async () => {
    const { rig, page } = await open();
    await page.attach(await picture(rig));
    await send(page, `First ${"word ".repeat(400)}`);
    await page.attach(await picture(rig));
    await send(page, "One more");
    const whole = sum(await typed(page, "Second"));
    rig.meter = { ...rig.meter, budgetTokens: whole - 1 };
    assert.equal((await typed(page, "Second")).leftOut, "0 and 1", "the picture is left out first");
    rig.meter = { ...rig.meter, budgetTokens: 100 };
    const meter = await typed(page, "Second");
    assert.equal(meter.leftOut, "too long 1 and 1", "the turn is left out next");
    const receipt = await send(page, "Second");
    assert.deepEqual([receipt.turnsLeftOut, receipt.imagesLeftOut], [1, 1]);
    assert.equal(receipt.estimatedTokens, sum(meter));
    assert.equal(lastMessages(service).length, 3, "the turn with the picture, and the question");
  });

  it("reports that the question alone exceeds the budget", async () => {
    const { page } = await open({ budgetTokens: 50 });
    await page.attach(EXCERPT);
    assert.equal((await typed(page, "Why?")).leftOut, "too long");
  });

  it("counts lines that an earlier question contains only once", async () => {
    const { page } = await open();
    await page.attach(EXCERPT);
    const once = (await typed(page, "What is it?")).files;
    await send(page, "What is it?");
    await page.attach(EXCERPT);
    assert.ok((await typed(page, "And why?")).files < once + 30);
    const receipt = await send(page, "And why?");
    assert.equal(receipt.excerptsSentBefore, 1);
    const questions = lastMessages(service).filter(({ role }) => role === "user");
    assert.equal(JSON.stringify(questions).split("let a = 1;").length - 1, 20);
  });

  it("counts an earlier question that is edited after its preceding messages, with its own parts", async () => {
    const { page } = await open();
    await page.attach(EXCERPT);
    await page.askToEnd("First");
    await page.askToEnd("Second");
    const first = page.shown.messages[0]?.id ?? "";
    await page.edit(first);
    const meter = await typed(page, "First, in other words");
    assert.equal(meter.history, 0);
    assert.equal(meter.files, estimateTextTokens(EXCERPT.text));
    const receipt = await send(page, "First, in other words", first);
    assert.equal(receipt.estimatedTokens, sum(meter));
  });
});
