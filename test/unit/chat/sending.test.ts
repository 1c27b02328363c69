/** What the user chose to send, through the panel: requests, summaries, other windows and reloads. */
import assert from "node:assert/strict";
import type { SendingListView, SummaryView } from "../../../src/protocol/sendingMessages";
import { createClient, type ServiceClient } from "../../../src/service/client";
import { PanelRig, type Page } from "../../support/chat/panelRig";

const BUDGET = 4_000;
const SUMMARY_REQUEST = "Summarize the conversation above";

interface Body {
  readonly max_tokens?: number;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** A service that answers each question at length, and records the bodies of the requests. */
class FakeService {
  readonly bodies: string[] = [];
  summary = "The user asked about many things.";
  finishReason = "stop";
  readonly client: ServiceClient = createClient({
    fetch: async (_input, init) => {
      const body = await new Response(init?.body).text();
      this.bodies.push(body);
      const isSummary = this.bodyAt(-1).messages.at(-1)?.content.startsWith(SUMMARY_REQUEST);
      const content = isSummary ? this.summary : "word ".repeat(200);
      const finish_reason = isSummary ? this.finishReason : "stop";
      const block = JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason }] });
      const headers = { "content-type": "text/event-stream" };
      return new Response(`data: ${block}\n\ndata: [DONE]\n\n`, { headers });
    },
  });

  bodyAt(index: number): Body {
    return JSON.parse(this.bodies.at(index) ?? "") as Body;
  }
}

function rigOf(service: FakeService, before?: PanelRig): PanelRig {
  const rig = new PanelRig("http://127.0.0.1:1", before, { client: service.client });
  rig.meter = { systemPrompt: "Be brief.", budgetTokens: BUDGET };
  return rig;
}

async function askMany(page: Page, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await page.askToEnd(`Question ${index}`);
}

function idOf(page: Page, text: string): string {
  const found = page.shown.messages.find((message) => message.text === text);
  assert.ok(found, text);
  return found.id;
}

async function listOf(page: Page): Promise<SendingListView> {
  const { conversationId } = page.shown;
  const reply = await page.post({ type: "sending-asked", conversationId });
  assert.ok(reply?.sending);
  return reply.sending;
}

/** Returns the texts of the next request, without asking for it. */
async function nextRequest(service: FakeService, page: Page, text = "And now?"): Promise<string> {
  await page.askToEnd(text);
  return service.bodies.at(-1) ?? "";
}

function summaries(page: Page): readonly SummaryView[] {
  return page.last("sending-shown")?.summaries ?? [];
}

async function summarize(page: Page): Promise<SummaryView> {
  const { conversationId } = page.shown;
  await page.post({ type: "summary-asked", conversationId });
  await page.until(() => summaries(page).some(({ state }) => state === "draft"));
  return summaries(page).find(({ state }) => state === "draft")!;
}

/** Uses the draft, and waits until the page shows it. */
async function useSummary(page: Page, text: string): Promise<void> {
  await page.post({ type: "summary-used", conversationId: page.shown.conversationId, text });
  await page.until(() => summaries(page).some(({ state }) => state === "used"));
}

describe("what the user chose to send", () => {
  it("is not in the request, also after a reload, and is again after Undo", async () => {
    const service = new FakeService();
    const rig = rigOf(service);
    const page = await rig.openPage();
    await askMany(page, 3);
    const { conversationId } = page.shown;
    const messageId = idOf(page, "Question 1");
    await page.post({ type: "sending-chosen", conversationId, messageId, choice: "left-out" });
    const next = await rigOf(service, rig).openPage();
    const left = await nextRequest(service, next);
    assert.ok(!left.includes("Question 1") && left.includes("Question 0"));
    assert.ok(left.includes("(The question is left out.)"));
    assert.deepEqual(next.last("sending-shown")?.choices, [{ messageId, choice: "left-out" }]);
    assert.equal((await listOf(next)).messages[2]?.status, "left-out");
    await next.post({ type: "sending-undone", conversationId });
    assert.ok((await nextRequest(service, next)).includes("Question 1"));
  });

  it("stays in a long conversation, and breaks at most one of eight requests", async () => {
    const service = new FakeService();
    const page = await rigOf(service).openPage();
    await askMany(page, 2);
    const { conversationId } = page.shown;
    const messageId = idOf(page, "Question 0");
    await page.post({ type: "sending-chosen", conversationId, messageId, choice: "kept" });
    for (let index = 2; index < 40; index++) await page.askToEnd(`Question ${index}`);
    assert.ok(service.bodies.slice(2).every((body) => body.includes("Question 0")));
    const bodies = service.bodies.map((_body, index) => service.bodyAt(index).messages);
    const broken = bodies.filter((messages, index) => {
      const before = bodies[index - 1] ?? [];
      return before.some((one, at) => JSON.stringify(one) !== JSON.stringify(messages[at]));
    });
    assert.ok(broken.length > 0 && broken.length <= 40 / 8 + 1, `${broken.length} broken`);
    const list = await listOf(page);
    assert.equal(list.messages[0]?.status, "kept");
    assert.equal(list.messages[1]?.status, "over-budget");
  });

  it("alone exceeds the limit: the list reports it before sending", async () => {
    const service = new FakeService();
    const page = await rigOf(service).openPage();
    const text = `Long ${"why ".repeat(2_500)}`;
    await page.askToEnd(text);
    const { conversationId } = page.shown;
    const [question, reply] = page.shown.messages.map(({ id }) => id);
    for (const messageId of [question!, reply!])
      await page.post({ type: "sending-chosen", conversationId, messageId, choice: "kept" });
    await page.askToEnd(text.replace("Long", "Longer"));
    const { fixedTokens, budget } = await listOf(page);
    assert.ok(fixedTokens < budget);
    const draft = "now ".repeat(2_500);
    await page.post({ type: "draft-changed", conversationId, text: draft });
    const full = await listOf(page);
    assert.ok(full.fixedTokens > budget, `${full.fixedTokens}`);
  });
});

describe("two windows", () => {
  it("send the same after one of them chose, and after the other undid it", async () => {
    const service = new FakeService();
    const rig = rigOf(service);
    const here = await rig.openPage();
    await askMany(here, 3);
    const { conversationId } = here.shown;
    const there = await rigOf(service, rig).openPage();
    const messageId = idOf(here, "Question 1");
    await here.post({ type: "sending-chosen", conversationId, messageId, choice: "left-out" });
    assert.ok(!(await nextRequest(service, there)).includes("Question 1"));
    await there.post({ type: "sending-undone", conversationId });
    assert.ok((await nextRequest(service, here, "And here?")).includes("Question 1"));
  });
});

describe("a summary of older messages", () => {
  it("changes nothing until it is used, and Undo restores the bytes of the request", async () => {
    const service = new FakeService();
    const rig = rigOf(service);
    const page = await rig.openPage();
    await askMany(page, 17);
    const { conversationId } = page.shown;
    const next = page.last("meter-changed")?.meter.next;
    assert.ok(next?.summaryTokens !== undefined && next.messages > 0, JSON.stringify(next));
    const draft = await summarize(page);
    assert.deepEqual([draft.state, draft.text], ["draft", service.summary]);
    const asked = service.bodyAt(-1);
    assert.ok((asked.max_tokens ?? 0) <= 1_500);
    assert.ok(asked.messages.some(({ content }) => content === "Question 0"));

    const reply = await page.askToEnd("Last");
    const before = service.bodies.at(-1)!;
    assert.ok(!before.includes("<summary>"));
    await useSummary(page, "They asked a lot.");
    await page.post({ type: "regenerate-asked", messageId: reply.id });
    await page.until(() => page.lastReply!.id !== reply.id && !page.lastReply!.isStreaming);
    const used = service.bodyAt(-1).messages;
    assert.equal(used[1]?.content, "<summary>\nThey asked a lot.\n</summary>");
    assert.ok(!JSON.stringify(used).includes("Question 0"));
    assert.equal(used.at(-1)?.content, "Last");

    const again = await rigOf(service, rig).openPage();
    const shown = summaries(again).find(({ state }) => state === "used")!;
    await again.post({ type: "summary-undone", conversationId, summaryId: shown.id! });
    const last = again.lastReply!;
    await again.post({ type: "regenerate-asked", messageId: last.id });
    await again.until(() => again.lastReply!.id !== last.id && !again.lastReply!.isStreaming);
    assert.equal(service.bodies.at(-1), before);
    assert.equal(summaries(again)[0]?.text, "They asked a lot.", "offered again");
  });

  it("is made of the originals and the earlier summary, and replaces it", async () => {
    const service = new FakeService();
    const page = await rigOf(service).openPage();
    await askMany(page, 11);
    await summarize(page);
    await useSummary(page, "First summary.");
    for (let index = 11; index < 24; index++) await page.askToEnd(`Question ${index}`);
    await summarize(page);
    const asked = service.bodyAt(-1).messages;
    const words = JSON.stringify(asked.slice(0, -1));
    assert.ok(words.includes("Question 11") && !words.includes("First summary."));
    assert.ok(asked.at(-1)?.content.includes("<summary>\nFirst summary.\n</summary>"));
    await useSummary(page, "Second summary.");
    const request = await nextRequest(service, page);
    assert.ok(request.includes("Second summary.") && !request.includes("First summary."));
  });

  it("that was cut or empty is offered again and not used", async () => {
    const service = new FakeService();
    const page = await rigOf(service).openPage();
    await askMany(page, 11);
    service.finishReason = "length";
    assert.equal((await summarize(page)).isCut, true);
    service.finishReason = "stop";
    service.summary = " ";
    const { conversationId } = page.shown;
    await page.post({ type: "summary-discarded", conversationId });
    await page.post({ type: "summary-asked", conversationId });
    await page.until(
      () => summaries(page)[0]?.state === "draft" && summaries(page)[0]?.text === "",
    );
    await page.post({ type: "summary-used", conversationId, text: "" });
    assert.ok(!(await nextRequest(service, page)).includes("<summary>"));
  });

  it("is removed with the content of a message that the user forgets", async () => {
    const service = new FakeService();
    const rig = rigOf(service);
    const page = await rig.openPage();
    await askMany(page, 11);
    await summarize(page);
    await useSummary(page, "They asked about a secret.");
    const { live } = page.session;
    await rig.conversations.forgetMessage(live!, idOf(page, "Question 0"));
    assert.ok(!(await nextRequest(service, page)).includes("secret"));
    const stored = [...rig.files.files.values()].map((bytes) => new TextDecoder().decode(bytes));
    assert.ok(stored.every((text) => !text.includes("about a secret")));
  });

  it("is not sent while a message in it is left out", async () => {
    const service = new FakeService();
    const page = await rigOf(service).openPage();
    await askMany(page, 11);
    await summarize(page);
    await useSummary(page, "They asked.");
    const { conversationId } = page.shown;
    const messageId = idOf(page, "Question 0");
    await page.post({ type: "sending-chosen", conversationId, messageId, choice: "left-out" });
    assert.ok(!(await nextRequest(service, page)).includes("<summary>"));
    await page.until(() => summaries(page)[0]?.state === "outdated");
  });
});
