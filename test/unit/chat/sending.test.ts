/** What the user chose to send, through the panel: requests, summaries, other windows and reloads. */
import assert from "node:assert/strict";
import type { SummaryView } from "../../../src/protocol/sendingMessages";
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
  /** Ending of the replies that are no summary. */
  replyReason = "stop";
  /** Words of the next replies. */
  words = () => 200;
  readonly client: ServiceClient = createClient({
    fetch: async (_input, init) => {
      const body = await new Response(init?.body).text();
      this.bodies.push(body);
      const isSummary = this.bodyAt(-1).messages.at(-1)?.content.startsWith(SUMMARY_REQUEST);
      const content = isSummary ? this.summary : "word ".repeat(this.words());
      const finish_reason = isSummary ? this.finishReason : this.replyReason;
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

/** Opens a chat with this many questions. */
async function opened(count: number) {
  const service = new FakeService();
  const rig = rigOf(service);
  const page = await rig.openPage();
  await askMany(page, count);
  return { service, rig, page };
}

async function askMany(page: Page, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await page.askToEnd(`Question ${index}`);
}

function idOf(page: Page, text: string): string {
  const found = page.shown.messages.find((message) => message.text === text);
  assert.ok(found, text);
  return found.id;
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
  const { conversationId } = page;
  await page.post({ type: "summary-asked", conversationId });
  await page.until(() => summaries(page).some(({ state }) => state === "draft"));
  return summaries(page).find(({ state }) => state === "draft")!;
}

/** Repeats the last question and returns the request. */
async function regenerated(service: FakeService, page: Page): Promise<string> {
  const { length } = service.bodies;
  await page.regenerate();
  await page.until(() => service.bodies.length > length && page.lastReply?.isStreaming === false);
  return service.bodies.at(-1) ?? "";
}

/** Uses the draft, and waits until the page shows it. */
async function useSummary(page: Page, text: string): Promise<void> {
  await page.post({ type: "summary-used", conversationId: page.conversationId, text });
  await page.until(() => summaries(page).some(({ state }) => state === "used"));
}

describe("what the user chose to send", () => {
  it("is not in the request, also after a reload, and is once it is sent again", async () => {
    const { service, rig, page } = await opened(3);
    const messageId = idOf(page, "Question 1");
    await page.session.live!.leaveOut(messageId, true);
    const next = await rigOf(service, rig).openPage();
    const left = await nextRequest(service, next);
    assert.ok(!left.includes("Question 1") && left.includes("Question 0"));
    assert.ok(left.includes("(The question is left out.)"));
    assert.deepEqual(next.last("sending-shown")?.leftOut, [{ messageId }]);
    await next.session.live!.leaveOut(messageId, false);
    assert.ok((await nextRequest(service, next)).includes("Question 1"));
  });

  it("has the bytes of before once another window, or the next one, sends it again", async () => {
    const { service, rig, page } = await opened(12);
    const before = await regenerated(service, page);
    const messageId = idOf(page, "Question 1");
    await page.session.live!.leaveOut(messageId, true);
    assert.notEqual(await regenerated(service, page), before);
    const other = await rigOf(service, rig).openPage();
    await other.session.live!.leaveOut(messageId, false);
    assert.equal(await regenerated(service, page), before);
    const reloaded = await rigOf(service, rig).openPage();
    assert.equal(await regenerated(service, reloaded), before);
  });

  it("is not in the summary of older messages, whenever it was left out", async () => {
    const { service, page } = await opened(17);
    const path = page.session.live!.path();
    const at = path.findIndex(({ id }) => id === idOf(page, "Question 1"));
    for (const { id: messageId } of path.slice(at, at + 2))
      await page.session.live!.leaveOut(messageId, true);
    const messageId = idOf(page, "Question 2");
    await page.session.live!.leaveOut(messageId, true);
    const draft = await summarize(page);
    const asked = service.bodies.at(-1) ?? "";
    assert.ok(asked.includes("Question 0") && asked.includes("Question 3"));
    assert.ok(!/Question [12]"/.test(asked), asked);
    await useSummary(page, draft.text);
    assert.ok((await nextRequest(service, page)).includes("<summary>"), "without what is left out");
    await page.session.live!.leaveOut(messageId, false);
    const again = await nextRequest(service, page, "And then?");
    assert.ok(!again.includes("<summary>"), "the summary lacks a message that is sent again");
  });

  it("is not asked again in silence: Regenerate and Continue send it again, as the page shows", async () => {
    const service = new FakeService();
    service.words = () => 20;
    const page = await rigOf(service).openPage();
    service.replyReason = "length";
    await page.askToEnd("Question 0");
    service.replyReason = "stop";
    const messageId = idOf(page, "Question 0");
    const replyId = page.lastReply?.id ?? "";
    for (const id of [messageId, replyId]) await page.session.live!.leaveOut(id, true);
    const { length } = service.bodies;
    await page.act("continue", replyId);
    await page.until(() => service.bodies.length > length && page.lastReply?.isStreaming === false);
    const continued = service.bodies.at(-1) ?? "";
    assert.ok(continued.includes("word word") && !continued.includes("Question 0"), continued);
    await page.until(() => page.last("sending-shown")?.leftOut.length === 1);
    await page.regenerate(replyId);
    await page.until(() => service.bodies.length > length + 1 && !page.lastReply!.isStreaming);
    assert.ok(service.bodies.at(-1)?.includes("Question 0"));
    await page.until(() => page.last("sending-shown")?.leftOut.length === 0);
  });
});

describe("a summary of older messages", () => {
  it("changes nothing until it is used, and Undo restores the bytes of the request", async () => {
    const { service, rig, page } = await opened(17);
    const { conversationId } = page;
    const next = page.last("meter-changed")?.meter.next;
    assert.ok(next?.summaryTokens !== undefined && next.messages > 0, JSON.stringify(next));
    const draft = await summarize(page);
    assert.deepEqual([draft.state, draft.text], ["draft", service.summary]);
    const asked = service.bodyAt(-1);
    assert.ok((asked.max_tokens ?? 0) <= 1_500);
    assert.ok(asked.messages.some(({ content }) => content === "Question 0"));

    await page.askToEnd("Last");
    const before = service.bodies.at(-1)!;
    assert.ok(!before.includes("<summary>"));
    await useSummary(page, "They asked a lot.");
    await regenerated(service, page);
    const used = service.bodyAt(-1).messages;
    assert.equal(used[1]?.content, "<summary>\nThey asked a lot.\n</summary>");
    assert.ok(!JSON.stringify(used).includes("Question 0"));
    assert.equal(used.at(-1)?.content, "Last");

    const again = await rigOf(service, rig).openPage();
    const shown = summaries(again).find(({ state }) => state === "used")!;
    await again.post({ type: "summary-undone", conversationId, summaryId: shown.id! });
    assert.equal(await regenerated(service, again), before);
    assert.equal(summaries(again)[0]?.text, "They asked a lot.", "offered again");
  });

  it("is made of the originals and the earlier summary, and replaces it", async () => {
    const { service, page } = await opened(11);
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
    const { service, page } = await opened(11);
    service.finishReason = "length";
    assert.equal((await summarize(page)).isCut, true);
    service.finishReason = "stop";
    service.summary = " ";
    const { conversationId } = page;
    await page.post({ type: "summary-discarded", conversationId });
    await page.post({ type: "summary-asked", conversationId });
    await page.until(
      () => summaries(page)[0]?.state === "draft" && summaries(page)[0]?.text === "",
    );
    await page.post({ type: "summary-used", conversationId, text: "" });
    assert.ok(!(await nextRequest(service, page)).includes("<summary>"));
  });

  it("is removed with the content of a message that the user forgets", async () => {
    const { service, rig, page } = await opened(11);
    await summarize(page);
    await useSummary(page, "They asked about a secret.");
    const { live } = page.session;
    await rig.conversations.forgetMessage(live!, idOf(page, "Question 0"));
    assert.ok(!(await nextRequest(service, page)).includes("secret"));
    const stored = [...rig.files.files.values()].map((bytes) => new TextDecoder().decode(bytes));
    assert.ok(stored.every((text) => !text.includes("about a secret")));
  });

  it("is not sent while a message in it is left out", async () => {
    const { service, page } = await opened(11);
    await summarize(page);
    await useSummary(page, "They asked.");
    const messageId = idOf(page, "Question 0");
    await page.session.live!.leaveOut(messageId, true);
    assert.ok(!(await nextRequest(service, page)).includes("<summary>"));
    await page.until(() => summaries(page)[0]?.state === "outdated");
  });
});
