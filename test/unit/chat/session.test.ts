/**
 * The chat logic over real sockets: the messages to a page from the question to the ending. A page
 * can reload at any moment without losing anything.
 */
import assert from "node:assert/strict";
import type { Step } from "../../../src/conversation/conversation";
import type { NoticeView } from "../../../src/protocol/views";
import { lastMessages, suiteService } from "../../support/chat/chatSuite";
import {
  connectionTo,
  openChat,
  PanelRig,
  quickClock,
  type Page,
} from "../../support/chat/panelRig";

/** Notice of a failure whose cause is gone. */
const savedNotice = (): NoticeView => {
  return { tone: "info", text: "saved", action: { id: "try-again", label: "Try again" } };
};

describe("ChatSession", () => {
  const service = suiteService();

  it("shows the question immediately and streams the reply to its end", async () => {
    const { page } = await openChat(service.url);
    service.script({ blocks: ["Hel", "lo ", "世界"] });
    const reply = await page.askToEnd("Hi");
    assert.equal(reply.text, "Hello 世界");
    assert.equal(reply.notice, undefined);
    const [question] = page.shown.messages;
    assert.equal(question?.text, "Hi");
    assert.ok(question.role === "user" && question.sentLine === "core_llm, 1 messages");
    assert.equal(page.shown.title, "Hi");
    assert.equal(page.shown.isRunning, false);
  });

  it("shows the end of a long conversation first, then the messages before it", async () => {
    const { rig, page } = await openChat(service.url);
    const steps = Array.from({ length: 1003 }, (_, index): Step => {
      const message = {
        id: `m${index}`,
        parentId: index === 0 ? null : `m${index - 1}`,
        role: "user" as const,
        parts: [{ kind: "text" as const, text: `Text ${index}` }],
        sentAtMs: index,
      };
      return { kind: "message-added", message };
    });
    await rig.conversations.adopt("long", steps);
    await page.open("long");
    await page.until(() => page.shown.messages.length === 1003);
    const first = page.last("snapshot")?.messages ?? [];
    assert.equal(first.at(-1)?.id, "m1002");
    assert.ok(first.length < 61, String(first.length));
    assert.deepEqual(
      page.shown.messages.map(({ id }) => id),
      steps.map((_, index) => `m${index}`),
    );
    await service.exchange(page, "More?", "Yes.");
    assert.equal(page.shown.messages.length, 1005);
    assert.equal(page.shown.messages[0]?.text, "Text 0");
  });

  it("offers to try a failed reply again once its cause is removed, also to a new page", async () => {
    const { rig, page } = await openChat(service.url);
    service.script({ status: 401, body: "no" });
    await page.askToEnd("Hi");
    assert.equal(page.lastReply?.notice?.text, "unauthorized");
    rig.settledNotice = savedNotice;
    rig.panelStatusChanges.fire();
    await page.until(() => page.lastReply?.notice?.text === "saved");
    const again = await rig.openPage();
    assert.equal(again.lastReply?.notice?.text, "saved");
    service.script({ blocks: ["Hello"] });
    await page.act("try-again");
    await page.until(() => page.lastReply?.text === "Hello");
  });

  it("shows below a reply what its review does not use, also after a reload of the page", async () => {
    const { rig, page } = await openChat(service.url);
    const { id: messageId } = await service.exchange(page, "Hi", "Code");
    const action = { id: "show-unused-code", label: "Show" } as const;
    const notice = { tone: "info", text: "1 block not used: types.ts", action } as const;
    let shows = 0;
    rig.unused = { notice, show: () => Promise.resolve(void (shows += 1)) };
    await page.post({ type: "apply-all-asked", messageId });
    await page.until(() => page.lastReply?.unused !== undefined);
    assert.equal(page.lastReply?.text, "Code");
    await page.post({ type: "view-ready" });
    assert.deepEqual(page.lastReply.unused, notice);
    await page.post({ type: "action-asked", action: action.id, messageId });
    assert.equal(shows, 1);
    rig.unused = undefined;
    await page.post({ type: "apply-all-asked", messageId });
    await page.until(() => page.lastReply?.unused === undefined);
  });

  it("asks again by itself after the key that was missing is set, and only then", async () => {
    const { rig, page } = await openChat(service.url);
    const before = service.requests.length;
    service.script({ status: 401, body: "no" });
    const { id: messageId } = await page.askToEnd("Hi");
    await page.act("set-api-key", messageId);
    assert.equal(service.requests.length, before + 1, "canceled");
    rig.settledNotice = savedNotice;
    service.script({ blocks: ["Hello"] });
    await page.act("set-api-key", messageId);
    await page.until(() => page.lastReply?.text === "Hello");
    assert.equal(service.requests.length, before + 2);
    assert.equal(page.lastReply?.version.count, 1);
  });

  for (const [name, replaced] of [
    ["another question was asked", false],
    ["the question was edited", true],
  ] as const) {
    it(`asks nothing again after the key is set if ${name} meanwhile`, async () => {
      const { rig, page } = await openChat(service.url);
      service.script({ status: 401, body: "no" }, { blocks: ["Hello"] });
      const { id: messageId } = await page.askToEnd("Hi");
      const questionId = page.shown.messages[0]?.id;
      await page.ask("Hi, you", replaced && questionId ? { replacesId: questionId } : {});
      await page.untilEnded("Hello");
      const before = service.requests.length;
      rig.settledNotice = savedNotice;
      await page.act("set-api-key", messageId);
      assert.equal(page.lastReply?.text, "Hello");
      assert.equal(service.requests.length, before);
    });
  }

  it("sends the question again with fewer earlier messages", async () => {
    const { page } = await openChat(service.url);
    const body = '{"error":{"code":"context_length_exceeded","message":"too long"}}';
    service.script({ blocks: ["one"] }, { status: 400, body }, { blocks: ["two"] });
    await page.askToEnd("first");
    const refused = await page.askToEnd("second");
    assert.equal(refused.notice?.text, "too-long");
    await page.act("send-fewer", refused.id);
    await page.until(() => page.lastReply?.text === "two");
  });

  it("stops a reply before its first text", async () => {
    const { page } = await openChat(service.url);
    service.script({ blocks: [{ gate: true }, "never"] });
    const accepted = page.ask("Hi");
    await page.until(() => page.shown.isRunning);
    await page.post({ type: "stop-asked" });
    await accepted;
    await page.untilEnded();
    assert.equal(page.lastReply?.notice?.text, "stopped");
  });

  it("keeps the text so far and closes the socket when the user stops", async () => {
    const { page } = await openChat(service.url);
    await service.halfway(page, "Hi", "kept ", "never");
    await page.post({ type: "stop-asked" });
    await service.waitForClose(1);
    assert.ok(service.requests[0]?.closedByClientAtMs !== undefined);
    assert.equal(page.lastReply?.text, "kept ");
    assert.equal(page.lastReply.notice?.text, "stopped");
    assert.equal(page.shown.isRunning, false);
  });

  it("sends a question that is asked before the stopped reply has ended", async () => {
    const { page } = await openChat(service.url);
    await service.halfway(page, "Hi", "kept ", "never");
    service.script({ blocks: ["second"] });
    const stopped = page.post({ type: "stop-asked" });
    await Promise.all([stopped, page.ask("Again")]);
    await page.until(() => page.lastReply?.text === "second");
    assert.deepEqual(page.shown.queued, []);
  });

  it("sends a page that reloads during a reply the text so far and then the rest", async () => {
    const { rig, page: first } = await openChat(service.url);
    await service.halfway(first, "Hi", "one ", "two");
    first.session.dispose();
    const second = await rig.openPage();
    assert.equal(second.lastReply?.text, "one ");
    assert.equal(second.lastReply.isStreaming, true);
    service.releaseGate();
    await second.untilEnded();
    assert.equal(second.lastReply.text, "one two");
  });

  it("sends a page the first text at once, and more text when the page asks for it", async () => {
    const { rig, page } = await openChat(service.url);
    service.script({ blocks: ["One", { gate: true }, " two", { gate: true }, " three"] });
    await page.ask("Count");
    await page.until(() => page.lastReply?.text === "One");
    service.releaseGate();
    const other = await rig.openPage();
    await other.until(() => other.lastReply?.text === "One two");
    assert.equal(page.lastReply?.text, "One");
    await page.post({ type: "text-asked" });
    await page.until(() => page.lastReply?.text === "One two");
    await page.post({ type: "text-asked" });
    service.releaseGate();
    await page.until(() => page.lastReply?.text === "One two three");
  });

  it("sends a hidden page nothing, and everything when it is visible again", async () => {
    const { rig, page } = await openChat(service.url);
    await service.halfway(page, "Hi", "one ", "two");
    page.session.disconnect();
    const count = page.received.length;
    service.releaseGate();
    const other = await rig.openPage();
    await other.untilEnded();
    assert.equal(page.received.length, count);
    await page.post({ type: "view-ready" });
    assert.equal(page.lastReply?.text, "one two");
  });

  it("shows a reply of a closed window as cut off and offers to continue it", async () => {
    const { rig, page } = await openChat(service.url);
    await service.halfway(page, "Hi", "half ", "never");
    await rig.conversations.close();
    const after = await new PanelRig(service.url, rig).openPage();
    assert.equal(after.lastReply?.text, "half ");
    assert.equal(after.lastReply.notice?.text, "interrupted");
    assert.equal(after.lastReply.notice.action?.id, "continue");
  });

  it("saves the question to disk before the request is sent", async () => {
    const { rig, page } = await openChat(service.url);
    service.script({ blocks: [{ gate: true }, "x"] });
    const append = rig.files.append.bind(rig.files);
    let openGate: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (openGate = resolve));
    rig.files.append = async (path, bytes) => {
      await gate;
      return append(path, bytes);
    };
    const accepted = page.ask("remember me");
    await page.until(() => page.lastReply !== undefined);
    assert.deepEqual([page.lastReply?.isStreaming, page.shown.isRunning], [true, true]);
    // If the question had already been sent, its request would arrive before this request.
    await fetch(service.url);
    assert.doesNotMatch(JSON.stringify(service.requests), /remember me/);
    openGate();
    await accepted;
    await service.waitForRequest(1);
    assert.match(writtenText(rig), /remember me/);
    await page.post({ type: "stop-asked" });
  });

  it("rejects a question that cannot be sent, keeps it as draft and changes nothing", async () => {
    const rig = new PanelRig(service.url);
    rig.prepare = () => Promise.resolve({ kind: "no-key", origin: "https://maas.example" });
    const page = await rig.openPage();
    const answer = await page.ask("precious");
    assert.equal(answer?.isAccepted, false);
    assert.equal(answer.notice?.text, "no-key");
    assert.deepEqual(page.shown.messages, []);
    await page.post({ type: "snapshot-asked" });
    assert.equal(page.shown.draft, "precious");
    assert.equal(service.requests.length, 0);
  });

  it("sends a question that failed again instead of twice", async () => {
    const { rig, page } = await openChat("http://127.0.0.1:9");
    const reply = await page.askToEnd("precious");
    assert.equal(reply.notice?.text, "unreachable");
    assert.equal(page.shown.draft, "");
    rig.settings = { connection: connectionTo(service.url) };
    service.script({ blocks: ["at last"] });
    await page.ask("precious");
    await page.until(() => page.lastReply?.text === "at last");
    assert.equal(page.shown.messages.length, 2);
    assert.equal(lastMessages(service).length, 1);
  });

  it("queues questions while a reply streams, and sends them in order", async () => {
    const { page } = await openChat(service.url);
    service.script({ blocks: ["a ", { gate: true }] }, { blocks: ["b"] }, { blocks: ["c"] });
    await page.ask("one");
    for (const text of ["two", "three", "four"]) {
      assert.equal((await page.ask(text))?.isAccepted, true);
    }
    const [second, third] = page.shown.queued;
    assert.ok(second && third);
    await page.post({ type: "queued-removed", queuedId: third.id });
    await page.type("two");
    await page.post({ type: "queued-edited", queuedId: second.id });
    assert.equal((await page.ask("two, better"))?.isAccepted, true);
    service.releaseGate();
    await page.until(() => page.shown.messages.length === 6 && page.lastReply?.text === "c");
    assert.deepEqual(page.texts, ["one", "a ", "four", "b", "two, better", "c"]);
    assert.deepEqual(page.shown.queued, []);
  });

  it("has a queued question that is edited only in the draft, also after a reload", async () => {
    const { rig, page } = await openChat(service.url);
    service.script({ blocks: ["a ", { gate: true }] });
    await page.ask("one");
    await page.ask("two");
    await page.until(() => page.lastReply?.text === "a ");
    const queuedId = page.shown.queued[0]!.id;
    await page.type("two");
    await page.post({ type: "queued-edited", queuedId });
    await rig.history.drafts.flush();
    const after = await new PanelRig(service.url, rig).openPage();
    assert.deepEqual(after.shown.queued, []);
    assert.equal(after.shown.draft, "two");
    service.releaseGate();
    await page.until(() => page.lastReply?.isStreaming === false && !page.shown.isRunning);
    assert.equal(page.shown.messages.length, 2);
  });

  it("keeps the queue after Stop and after a reload until the user sends it", async () => {
    const { rig, page } = await openChat(service.url);
    service.script({ blocks: ["a ", { gate: true }] }, { blocks: ["b"] });
    await page.ask("one");
    await page.ask("two");
    await page.until(() => page.lastReply?.text === "a ");
    await page.post({ type: "stop-asked" });
    assert.equal(page.shown.queued.length, 1);
    await rig.conversations.close();
    const after = await new PanelRig(service.url, rig).openPage();
    const [waiting] = after.shown.queued;
    assert.equal(waiting?.text, "two");
    await after.post({ type: "queued-sent", queuedId: waiting.id });
    await after.untilEnded("b");
    assert.deepEqual(after.shown.queued, []);
  });

  it("keeps every version of a question and of a reply", async () => {
    const { page } = await openChat(service.url);
    service.script({ blocks: ["r1"] }, { blocks: ["r2"] }, { blocks: ["r3"] });
    const first = await page.askToEnd("q1");
    await page.regenerate(first.id);
    await page.untilEnded("r2");
    assert.deepEqual(page.lastReply?.version, { index: 2, count: 2 });
    await chooseVersion(page, -1);
    assert.equal(page.lastReply.text, "r1");
    const question = page.shown.messages[0];
    assert.ok(question);
    await page.ask("q1, better", { replacesId: question.id });
    await page.untilEnded("r3");
    assert.deepEqual(page.texts, ["q1, better", "r3"]);
    await chooseVersion(page, -1, page.shown.messages[0]?.id);
    assert.equal(page.shown.messages[0]?.text, "q1");
  });

  it("does not count failed attempts without text as versions", async () => {
    const { rig, page } = await openChat(service.url);
    const regenerate = async (text: string) => {
      await page.regenerate();
      await page.untilEnded(text);
    };
    service.script({ status: 401 }, { status: 401 }, { blocks: ["first"] }, { status: 401 });
    const failed = await page.askToEnd("q1");
    assert.ok(failed.notice);
    await regenerate("");
    assert.deepEqual(page.lastReply?.version, { index: 1, count: 1 });
    assert.ok(page.lastReply.notice, "the last failure is shown");
    await regenerate("first");
    assert.deepEqual(page.lastReply.version, { index: 1, count: 1 });
    await regenerate("");
    assert.deepEqual(page.lastReply.version, { index: 2, count: 2 }, "the text is one step back");
    await chooseVersion(page, -1);
    assert.equal(page.lastReply.text, "first");
    assert.deepEqual(page.lastReply.version, { index: 1, count: 1 });
    const [question] = page.shown.messages;
    service.script({ blocks: ["second"] });
    await page.ask("q2", { replacesId: question?.id });
    await page.untilEnded("second");
    await chooseVersion(page, -1, page.shown.messages[0]?.id);
    assert.equal(page.lastReply.text, "first", "an older question shows its reply with text");
    assert.equal(writtenText(rig).match(/"unauthorized"/g)?.length, 3, "in the journal");
  });

  it("appends the rest to a reply that was cut off, without a gap or repetition", async () => {
    const { page } = await openChat(service.url);
    service.script(
      { blocks: ["```ts\nconst a"], finishReason: "length" },
      { blocks: [" = 1;\n```"] },
    );
    const cut = await page.askToEnd("code");
    assert.equal(cut.notice?.text, "cut-short");
    await page.act("continue", cut.id);
    await page.until(
      () => page.lastReply?.isStreaming === false && page.lastReply.text.length > 20,
    );
    assert.equal(page.lastReply?.text, "```ts\nconst a = 1;\n```");
    assert.equal(page.shown.messages.length, 2);
    const roles = lastMessages(service).map(({ role }) => role);
    assert.deepEqual(roles, ["user", "assistant", "user"]);
  });

  it("does not mix texts when another window continues a reply that is still running here", async () => {
    const { rig, page } = await openChat(service.url, undefined, { turnClock: quickClock });
    service.script({ blocks: ["half ", { gate: true }, "first"] }, { blocks: ["second"] });
    await page.ask("Hi");
    await until(() => writtenText(rig).includes("reply-grown"));
    const { rig: otherRig, page: other } = await openChat(service.url, rig);
    const cut = other.lastReply;
    assert.ok(cut?.text === "half " && cut.notice?.action?.id === "continue");
    await other.act("continue", cut.id);
    await other.until(() => other.lastReply?.text === "half second");
    service.releaseGate();
    await page.untilEnded("half first");
    await rig.conversations.close();
    await otherRig.conversations.close();
    const after = await new PanelRig(service.url, rig).openPage();
    assert.equal(after.lastReply?.text, "half second");
    assert.deepEqual(after.lastReply.version, { index: 1, count: 2 });
    await chooseVersion(after, 1);
    assert.equal(after.lastReply.text, "half first");
  });

  it("removes or keeps the text of a blocked reply by the setting", async () => {
    const { rig, page } = await openChat(service.url);
    service.script({ blocks: ["secret"], finishReason: "content_filter" });
    assert.equal((await page.askToEnd("Hi")).text, "");
    rig.settings = { contentFilter: "keep" };
    service.script({ blocks: ["shown"], finishReason: "content_filter" });
    assert.equal((await page.askToEnd("again")).text, "shown");
  });

  it("starts a new conversation while the old reply continues, and keeps them separate", async () => {
    const { rig, page } = await openChat(service.url);
    service.script({ blocks: ["old ", { gate: true }, "rest"] }, { blocks: ["new"] });
    await page.ask("first");
    await page.until(() => page.lastReply?.text === "old ");
    const oldId = page.conversationId;
    await page.post({ type: "conversation-asked" });
    assert.deepEqual(page.shown.messages, []);
    assert.notEqual(page.conversationId, oldId);
    assert.equal((await page.askToEnd("second")).text, "new");
    service.releaseGate();
    await until(() => writtenText(rig).split('"reply-ended"').length === 3);
    assert.deepEqual(page.texts, ["second", "new"]);
    await rig.conversations.close();
    const old = await rig.history.journal.load(oldId);
    assert.deepEqual(
      [...(old?.conversation.messages.values() ?? [])].map((message) =>
        message.role === "assistant" ? [message.text, message.ending?.kind] : message.role,
      ),
      ["user", ["old rest", "complete"]],
    );
  });

  it("copies the text of the host, not of the page", async () => {
    const { rig, page } = await openChat(service.url);
    const reply = await service.exchange(page, "Hi", "**bold**");
    await page.post({ type: "copy-asked", messageId: reply.id });
    await page.post({ type: "copy-asked", messageId: "no-such-message" });
    assert.deepEqual(rig.copied, ["**bold**"]);
  });
});

function chooseVersion(page: Page, step: 1 | -1, messageId = page.lastReply?.id) {
  return page.post({ type: "version-chosen", messageId: messageId ?? "", step });
}

function writtenText(rig: PanelRig): string {
  const decoder = new TextDecoder();
  return [...rig.files.files.values()].map((bytes) => decoder.decode(bytes)).join("\n");
}

async function until(test: () => boolean): Promise<void> {
  while (!test()) await new Promise((resolve) => setImmediate(resolve));
}
