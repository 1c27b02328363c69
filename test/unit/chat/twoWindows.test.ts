/**
 * A conversation in two windows with the same files: a queued question is sent once, each window
 * shows the changes of the other, and a window can continue a conversation that the other deleted.
 */
import assert from "node:assert/strict";
import type { Clock } from "../../../src/base/clock";
import type { Step } from "../../../src/conversation/conversation";
import type { LiveConversation } from "../../../src/chat/conversation/liveConversation";
import { createClient, type ServiceClient } from "../../../src/service/client";
import { suiteService } from "../../support/chat/chatSuite";
import { PanelRig, openChat, quickClock } from "../../support/chat/panelRig";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem, ProcessDied } from "../../support/fakes/memoryFileSystem";
import { itWithRounds } from "../../support/depth";
import { firstSeed, randomOf } from "../../support/fakes/seeded";
import { ended, grown, question, replyStarted } from "../history/turns";

const REPLY =
  'data: {"choices":[{"index":0,"delta":{"content":"answered"},"finish_reason":"stop"}]}\n\n' +
  "data: [DONE]\n\n";

/** Creates a client that records the last question and the body of each request. */
function fakeService() {
  const questions: string[] = [];
  const bodies: string[] = [];
  const client = createClient({
    fetch: async (_input, init) => {
      const body = await new Response(init?.body).text();
      bodies.push(body);
      const { messages } = JSON.parse(body) as { messages: { content: unknown }[] };
      questions.push(String(messages.at(-1)?.content));
      return new Response(REPLY, { headers: { "content-type": "text/event-stream" } });
    },
  });
  return { questions, bodies, client };
}

/** A service that accepts each request and never answers. */
function silentService() {
  const requests: unknown[] = [];
  const client = createClient({
    fetch: (input, init) => {
      requests.push(input);
      return new Promise((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(new Error("aborted")));
      });
    },
  });
  return { requests, client };
}

/** Opens a window on these files, without a page. */
function openWindow(files: MemoryFileSystem, client: ServiceClient, clock?: Clock): PanelRig {
  return new PanelRig("https://service.example", { files }, { client, ...(clock && { clock }) });
}

const QUEUED = { id: "waiting", parts: [{ kind: "text" as const, text: "asked once" }] };

/** Creates files with a conversation that has a turn and a queued question. */
async function diskWithQueue(): Promise<{ files: MemoryFileSystem; id: string }> {
  const files = new MemoryFileSystem();
  const { client } = fakeService();
  const window = openWindow(files, client);
  const live = window.conversations.create();
  const { id } = live.conversation;
  await live.askQuestion([{ kind: "text", text: "first" }]);
  await idle(live);
  window.history.drafts.save(id, { queued: [QUEUED] });
  await window.conversations.close();
  return { files, id };
}

/** Resolves when no reply is running. */
function idle(live: LiveConversation): Promise<void> {
  if (live.runningReplyId === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    const listening = live.onChanged(() => {
      if (live.runningReplyId !== undefined) return;
      listening.dispose();
      resolve();
    });
  });
}

describe("a queued question in several windows", () => {
  const seed = firstSeed();

  const title = `is sent once for any order of the windows' calls (CORE_CHAT_SEED=${seed})`;
  itWithRounds(title, { quick: 15, all: 60 }, async (rounds) => {
    for (let round = 0; round < rounds; round++) {
      const random = randomOf(seed + round);
      const { files, id } = await diskWithQueue();
      const { questions, client } = fakeService();
      const windows = [openWindow(files, client), openWindow(files, client)];
      const liveConversations = await Promise.all(
        windows.map(({ conversations }) => conversations.get(id)),
      );
      delayCalls(files, random);
      await Promise.all(
        liveConversations.map(async (live) => {
          for (let pause = random(30); pause > 0; pause--) await Promise.resolve();
          await live.askQueued(QUEUED.id);
          await idle(live);
        }),
      );
      assert.deepEqual(questions, ["asked once"], `CORE_CHAT_SEED=${seed + round}`);
      for (const { conversations } of windows) await conversations.refreshDraft(id);
      for (const live of liveConversations) {
        assert.deepEqual(live.queue, [], `CORE_CHAT_SEED=${seed + round}`);
        assert.deepEqual(
          live.path().map((message) => (message.role === "user" ? message.parts : message.text)),
          [[{ kind: "text", text: "first" }], "answered", QUEUED.parts, "answered"],
          `CORE_CHAT_SEED=${seed + round}`,
        );
      }
    }
  });

  it("is never sent again by the next window if the first window is killed at any call", async () => {
    for (let atCall = 0; ; atCall++) {
      const { files, id } = await diskWithQueue();
      const { questions, client } = fakeService();
      const first = openWindow(files, client);
      const live = await first.conversations.get(id);
      files.fault = { atCall: files.calls + atCall, kind: "die", writtenBytes: 0 };
      await live.askQueued(QUEUED.id).catch(ignoreProcessDied);
      await idle(live);
      await first.history.drafts.flush().catch(ignoreProcessDied);
      const wasNotKilled = files.calls <= files.fault.atCall;
      files.fault = undefined;
      const next = openWindow(files, client);
      const restored = await next.conversations.get(id);
      const isOnDisk = restored.conversation.messages.has(QUEUED.id);
      assert.equal(restored.queue.length, isOnDisk ? 0 : 1, `killed at call ${atCall}`);
      await restored.askQueued(QUEUED.id);
      await idle(restored);
      const disk = await next.history.journal.load(id);
      const copies = [...(disk?.conversation.messages.values() ?? [])].filter(
        (message) => message.role === "user" && message.parts.length > 0,
      );
      assert.equal(copies.length, 2, `killed at call ${atCall}`);
      if (isOnDisk) assert.ok(questions.length <= 1, `killed at call ${atCall}`);
      if (wasNotKilled) break;
      assert.ok(atCall < 100);
    }
  });

  it("leaves a window that read the file between the reply's end and the question", async () => {
    const { files, id } = await diskWithQueue();
    const { client } = fakeService();
    const clock = new ManualClock();
    const [here, there] = [openWindow(files, client), openWindow(files, client, clock)];
    const live = await there.conversations.get(id);
    const asking = await here.conversations.get(id);
    await asking.askQueued(QUEUED.id);
    await idle(asking);
    const isSent = new Promise<void>((resolve) => {
      live.onChanged(() => live.queue.length === 0 && resolve());
    });
    clock.advance(2_000);
    await isSent;
    assert.equal(live.path().length, 4);
  });
});

/** Delays each file-system call a little, so that the calls of two windows interleave. */
function delayCalls(files: MemoryFileSystem, random: (below: number) => number): void {
  for (const name of ["read", "append", "replace", "stat", "list"] as const) {
    const act = files[name].bind(files) as (...args: unknown[]) => Promise<unknown>;
    Object.assign(files, {
      [name]: async (...args: unknown[]) => {
        for (let pause = random(8); pause > 0; pause--) await Promise.resolve();
        const result = await act(...args);
        for (let pause = random(8); pause > 0; pause--) await Promise.resolve();
        return result;
      },
    });
  }
}

function ignoreProcessDied(error: unknown): void {
  if (!(error instanceof ProcessDied)) throw error;
}

describe("one conversation in two windows", () => {
  const service = suiteService();

  async function twoWindows() {
    const { rig: firstRig, page: firstPage } = await openChat(service.url);
    await service.exchange(firstPage, "a question", "answer");
    const { rig: secondRig, page: secondPage } = await openChat(service.url, firstRig);
    return { firstRig, firstPage, secondRig, secondPage };
  }

  it("shows a question of one window in both, without the sent draft", async () => {
    const { firstRig, firstPage, secondPage } = await twoWindows();
    await firstPage.type("sent here");
    await firstRig.history.drafts.flush();
    await secondPage.post({ type: "focus-moved", isInside: true });
    assert.equal(secondPage.shown.draft, "sent here");
    await service.exchange(firstPage, "sent here", "second answer");
    await firstRig.history.drafts.flush();
    await secondPage.post({ type: "focus-moved", isInside: true });
    assert.equal(secondPage.shown.draft, "");
    assert.deepEqual(secondPage.texts, ["a question", "answer", "sent here", "second answer"]);
    assert.deepEqual(secondPage.texts, firstPage.texts);
  });

  it("does not mark a reply as cut off that the other window is receiving, and follows it", async () => {
    const firstRig = new PanelRig(service.url);
    firstRig.files.nowMs = () => Date.now();
    const firstPage = await firstRig.openPage();
    await service.halfway(firstPage, "a question", "half ", "whole");
    const second = new PanelRig(service.url, firstRig, { clock: quickClock });
    const secondPage = await second.openPage();
    assert.equal(secondPage.lastReply?.notice, undefined);
    service.releaseGate();
    await firstPage.untilEnded();
    await secondPage.until(() => secondPage.lastReply?.text === "half whole");
    assert.equal(secondPage.lastReply?.notice, undefined);
  });

  it("stops the reply and the queue when it is deleted, and restores the queue", async () => {
    const { rig, page } = await openChat(service.url);
    await service.halfway(page, "a question", "half ", "never");
    await page.ask("waits");
    const { conversationId } = page;
    await page.post({ type: "conversation-deleted", conversationId });
    await service.waitForClose(1);
    assert.equal(rig.conversations.isRunning(conversationId), false);
    await page.post({ type: "conversation-restored", conversationId });
    await page.open(conversationId);
    assert.deepEqual(
      page.shown.queued.map(({ text }) => text),
      ["waits"],
    );
    assert.equal(page.lastReply?.notice?.text, "stopped");
    assert.equal(service.requests.length, 1);
  });
});

describe("an import that cannot be saved", () => {
  it("is open in memory, can be continued, and is complete on disk later", async () => {
    const files = new MemoryFileSystem();
    const { client } = fakeService();
    const window = openWindow(files, client);
    const steps = [
      { kind: "created", id: "imported", atMs: 1 },
      question("q", null, "imported question"),
      replyStarted("r", "q"),
      grown("r", 0, "imported answer"),
      ended("r"),
    ] satisfies Step[];
    files.fault = { atCall: files.calls, kind: "fail", writtenBytes: 100 };
    assert.equal(await window.conversations.adopt("imported", steps), false);
    files.fault = undefined;
    const live = await window.conversations.get("imported");
    assert.equal(live.path().length, 2);
    await live.askQuestion([{ kind: "text", text: "next" }]);
    await idle(live);
    await window.conversations.close();
    const loaded = await openWindow(files, client).conversations.get("imported");
    assert.deepEqual(
      loaded.path().map(({ role }) => role),
      ["user", "assistant", "user", "assistant"],
    );
  });
});

describe("a reply whose service is silent", () => {
  it("is not marked as cut off while its window is open, and leaves no timer", async () => {
    const files = new MemoryFileSystem();
    const clocks = [new ManualClock(), new ManualClock()] as const;
    const [here, there] = clocks;
    files.nowMs = () => there.nowMs();
    const { client } = silentService();
    const window = openWindow(files, client, here);
    const live = window.conversations.create();
    const { id } = live.conversation;
    await live.askQuestion([{ kind: "text", text: "slow" }]);
    const bytes = () => files.files.get(`conversations/${id}.jsonl`)?.length;
    let written: number | undefined;
    for (let second = 0; second < 30; second++) {
      if (second === 5) written = bytes();
      for (const clock of clocks) clock.advance(1_000);
      await new Promise(setImmediate);
    }
    const endingInOtherWindow = async () => {
      const { conversations } = openWindow(files, client, there);
      const reply = (await conversations.get(id)).path().at(-1);
      return reply?.role === "assistant" ? reply.ending : assert.fail("no reply");
    };
    assert.equal(await endingInOtherWindow(), undefined);
    assert.equal(bytes(), written);
    // The window hangs or is killed: only the clock of the other window advances.
    there.advance(6_000);
    assert.equal((await endingInOtherWindow())?.kind, "failed");
    here.advance(2_000);
    await live.stop();
    await new Promise(setImmediate);
    assert.deepEqual(
      [...files.files.keys()].filter((path) => path.startsWith("running/")),
      [],
    );
  });
});

describe("a conversation that another window deletes while this one works", () => {
  /** Starts a reply that never ends, with a waiting question; returns the requests so far. */
  async function working() {
    const files = new MemoryFileSystem();
    const clock = new ManualClock();
    files.nowMs = () => clock.nowMs();
    const { requests, client } = silentService();
    const [here, there] = [openWindow(files, client, clock), openWindow(files, client, clock)];
    const live = here.conversations.create();
    const { id } = live.conversation;
    await live.askQuestion([{ kind: "text", text: "slow" }]);
    await live.askQuestion(QUEUED.parts);
    await here.history.drafts.flush();
    const pass = async (seconds: number) => {
      for (let second = 0; second < seconds; second++) {
        clock.advance(1_000);
        for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      }
    };
    await pass(3);
    return { files, clock, here, there, live, id, pass, requests };
  }

  it("stops the reply within seconds, sends no waiting question and stays in the bin", async () => {
    const { here, there, live, id, pass, requests, clock, files } = await working();
    assert.notEqual(live.runningReplyId, undefined);
    await there.conversations.delete(id);
    await pass(6);
    assert.equal(live.runningReplyId, undefined);
    assert.equal(requests.length, 1);
    assert.notEqual(live.conversation.deletedAtMs, undefined);
    await here.conversations.close();
    const next = openWindow(files, fakeService().client, clock);
    const { conversation } = await next.conversations.get(id);
    assert.notEqual(conversation.deletedAtMs, undefined);
  });

  it("does not send a message that another window made forget", async () => {
    const { files, id } = await diskWithQueue();
    const { bodies, client } = fakeService();
    const [here, there] = [openWindow(files, client), openWindow(files, client)];
    const live = await here.conversations.get(id);
    const elsewhere = await there.conversations.get(id);
    await there.conversations.forgetMessage(elsewhere, elsewhere.path()[0]!.id);
    await live.askQuestion([{ kind: "text", text: "second" }]);
    await idle(live);
    assert.equal(bodies.length, 1);
    assert.ok(!bodies[0]!.includes('"first"') && bodies[0]!.includes('"second"'), bodies[0]);
  });

  it("stops, and creates no file again, when it is deleted for ever", async () => {
    const { files, here, there, live, id, pass, requests } = await working();
    const removed: string[] = [];
    here.conversations.onRemoved((one) => removed.push(one));
    await there.conversations.removeForever([id]);
    here.history.drafts.save(id, { text: "typed just now" });
    await pass(6);
    assert.equal(live.runningReplyId, undefined);
    assert.deepEqual([requests.length, removed], [1, [id]]);
    assert.equal((await live.askQuestion([{ kind: "text", text: "again" }])).isAccepted, false);
    await here.conversations.change(id, [{ kind: "pinned", isPinned: true }]);
    await here.conversations.close();
    assert.deepEqual(
      [...files.files.keys()].filter((path) => path.includes(id)),
      [],
    );
  });
});
