/** Attachments are sent with the next question, once, and are never lost. */
import assert from "node:assert/strict";
import type { Part } from "../../../src/conversation/message";
import { ServiceKey } from "../../../src/service/serviceKey";
import { startService, type ReferenceService } from "../../service/server";
import { PanelRig } from "../../support/chat/panelRig";
import { madePng } from "../../support/pictures/madePng";

const EXCERPT: Part = {
  kind: "excerpt",
  path: "src/a.ts",
  uri: "file:///p/src/a.ts",
  languageId: "typescript",
  startLine: 3,
  endLine: 4,
  text: "let a = 1;",
};
const NOTE: Part = { kind: "note", source: "problems", label: "Problems", text: "a is unused" };

/** Settings with a service that is not reachable. */
const unreachableSettings = {
  connection: {
    baseUrl: "http://127.0.0.1:1",
    key: new ServiceKey("local"),
    connectTimeoutMs: 5_000,
    firstByteTimeoutMs: 5_000,
    silenceTimeoutMs: 5_000,
    retries: 0,
  },
};

describe("attachments", () => {
  let service: ReferenceService;

  before(async () => {
    service = await startService();
  });
  after(() => service.close());
  beforeEach(() => service.reset());

  async function openWith(...parts: Part[]) {
    const rig = new PanelRig(service.url);
    const page = await rig.openPage();
    const id = page.shown.conversationId;
    await rig.conversations.draft(id).attach(parts);
    return { rig, page, id };
  }

  function askedText(): string {
    const { messages } = service.requests.at(-1)?.body as { messages: { content: string }[] };
    return messages.map(({ content }) => content).join("\n");
  }

  it("are shown immediately, each only once", async () => {
    const { rig, page, id } = await openWith(EXCERPT);
    await rig.conversations.draft(id).attach([EXCERPT, NOTE]);
    assert.deepEqual(
      page.shown.attachments.map(({ kind, label, detail }) => [kind, label, detail]),
      [
        ["file", "src/a.ts", "3-4"],
        ["problems", "Problems", ""],
      ],
    );
  });

  it("are sent with the question and removed from the draft", async () => {
    const { page } = await openWith(EXCERPT, NOTE);
    service.script({ blocks: ["Because."] });
    await page.askToEnd("Why?");
    assert.match(askedText(), /Why\?[^]*src\/a\.ts \(lines 3-4\)[^]*let a = 1;[^]*a is unused/);
    assert.deepEqual(page.shown.attachments, []);
    await page.askToEnd("And now?");
    assert.equal(
      askedText().split("let a = 1;").length,
      2,
      "sent again with its own question only",
    );
  });

  it("can be sent without text", async () => {
    const { page } = await openWith(NOTE);
    await page.askToEnd("");
    assert.equal(page.shown.messages[0]?.text, "");
    assert.match(askedText(), /a is unused/);
  });

  it("disappear when removed, also when removed twice", async () => {
    const { page, id } = await openWith(EXCERPT, NOTE);
    const [first] = page.shown.attachments;
    const removal = {
      type: "attachment-removed" as const,
      conversationId: id,
      attachmentId: first!.id,
    };
    await page.post(removal);
    await page.post(removal);
    assert.deepEqual(
      page.shown.attachments.map(({ label }) => label),
      ["Problems"],
    );
  });

  it("stay when the question is rejected", async () => {
    const { rig, page } = await openWith(EXCERPT);
    rig.prepare = () => Promise.resolve({ kind: "no-service" });
    const answer = await page.ask("Why?");
    assert.equal(answer?.isAccepted, false);
    assert.equal(page.shown.attachments.length, 1);
  });

  it("are sent with one of two questions that are sent at the same time", async () => {
    const { page } = await openWith(EXCERPT);
    await Promise.all([page.ask("one"), page.ask("two")]);
    await page.until(() => page.lastReply?.isStreaming === false);
    const sent = service.requests.filter(({ body }) => JSON.stringify(body).includes("let a = 1;"));
    assert.equal(sent.length, 1);
  });

  it("of a question that failed are sent when it is tried again", async () => {
    const { rig, page } = await openWith(EXCERPT);
    rig.settings = unreachableSettings;
    await page.askToEnd("Why?");
    assert.deepEqual(page.shown.attachments, []);
    rig.settings = {};
    const messageId = page.lastReply!.id;
    await page.post({ type: "action-asked", action: "try-again", messageId });
    await page.until(() => page.lastReply?.isStreaming === false);
    assert.match(askedText(), /Why\?[^]*let a = 1;/);
  });

  it("are restored in the next window, pictures too", async () => {
    const { rig, id } = await openWith(EXCERPT, NOTE);
    const bytes = madePng(3, 2);
    const { hash } = await rig.history.pictures.store(bytes);
    const facts = { mediaType: "image/png", widthPx: 3, heightPx: 2, name: "dots.png" };
    const picture: Part = { kind: "image", hash, bytes: bytes.length, ...facts };
    await rig.conversations.draft(id).attach([picture]);
    await rig.history.close();
    const next = new PanelRig(service.url, rig);
    const page = await next.openPage();
    assert.deepEqual(
      page.shown.attachments.map(({ label }) => label),
      ["src/a.ts", "Problems", "dots.png"],
    );
    const read = await next.history.pictures.read(hash);
    assert.deepEqual(read.kind === "found" && [...read.bytes], [...bytes]);
  });

  it("of a queued question come back to the draft when it is edited", async () => {
    const rig = new PanelRig(service.url);
    const page = await rig.openPage();
    service.script({ blocks: ["one ", { gate: true }, "two"] });
    await page.ask("first");
    await page.until(() => page.lastReply?.text === "one ");
    await rig.conversations.draft(page.shown.conversationId).attach([NOTE]);
    await page.ask("second");
    await page.until(() => page.shown.queued.length === 1);
    assert.deepEqual(page.shown.attachments, []);
    const [queued] = page.shown.queued;
    await page.post({ type: "queued-edited", queuedId: queued!.id });
    await page.until(() => page.shown.attachments.length === 1);
    await page.ask("other words");
    service.releaseGate();
    await page.until(() => page.shown.messages.length === 4);
    await page.until(() => page.lastReply?.isStreaming === false);
    assert.match(askedText(), /other words[^]*a is unused/);
  });
});
