/**
 * One draft in several windows: whichever writes last, whenever one of them dies, nothing that was
 * typed or attached is lost.
 */
import assert from "node:assert/strict";
import { silentLog } from "../../../src/base/log";
import { otherTexts, type Attachment, type Draft } from "../../../src/history/draft";
import { Drafts } from "../../../src/history/drafts";
import { Retries } from "../../../src/history/retries";
import { ManualClock } from "../../support/manualClock";
import { MemoryFileSystem, ProcessDied } from "../../support/memoryFileSystem";

const note = (id: string): Attachment => ({ id, part: { kind: "text", text: `note ${id}` } });

/** Two windows on one disk, with one time. */
function twoWindows() {
  const files = new MemoryFileSystem();
  const clock = new ManualClock();
  const window = () => new Drafts(files, clock, silentLog, new Retries(clock));
  const write = async (drafts: Drafts, change: Partial<Draft>): Promise<void> => {
    clock.advance(1_000);
    drafts.save("c1", change);
    await drafts.flush();
  };
  return { files, clock, window, write, one: window(), other: window() };
}

/** Every text a new window has, that in the composer first. */
async function allTexts(drafts: Drafts): Promise<string[]> {
  const { text } = await drafts.load("c1");
  return [text, ...drafts.others("c1")];
}

describe("texts of other windows", () => {
  it("stay limited in number and lose no text", () => {
    const typed = Array.from({ length: 60 }, (_, at) => `draft ${at} of a window.`);
    let others: string[] = [];
    for (const text of typed) others = otherTexts("shown", [...others, text, text.slice(2)]);
    assert.ok(others.length <= 20, `${others.length} texts`);
    assert.deepEqual(
      typed.filter((text) => !others.some((other) => other.includes(text))),
      [],
    );
    assert.deepEqual(otherTexts("shown", [...others, ...others.slice(5)]), others);
  });
});

describe("a draft in two windows", () => {
  it("keeps both texts when both are edited, the newest in the composer", async () => {
    const { one, other, window, write } = twoWindows();
    await Promise.all([one.load("c1"), other.load("c1")]);
    await write(one, { text: "typed here" });
    await write(other, { text: "typed there" });
    assert.deepEqual(await allTexts(window()), ["typed there", "typed here"]);
    await write(one, { text: "typed here, and on" });
    assert.deepEqual(await allTexts(window()), ["typed here, and on", "typed there"]);
  });

  it("is removed from a window that only scrolled when the other window sends it", async () => {
    const { one, other, window, write } = twoWindows();
    await one.load("c1");
    await write(one, { text: "a question" });
    await other.load("c1");
    await write(other, { scroll: { messageId: "m1", offsetPx: 12 } });
    await write(one, { text: "" });
    assert.equal(await other.syncFromDisk("c1"), true);
    assert.deepEqual(await allTexts(other), [""]);
    assert.deepEqual(await allTexts(window()), [""]);
  });

  it("loses no text if another window writes between reading and writing", async () => {
    for (let pause = 0; pause < 30; pause++) {
      const { files, one, other, window } = twoWindows();
      await Promise.all([one.load("c1"), other.load("c1")]);
      const act = files.replace.bind(files);
      files.replace = async (path, bytes) => {
        for (let turn = 0; turn < pause; turn++) await Promise.resolve();
        await act(path, bytes);
      };
      one.save("c1", { text: "typed here" });
      const first = one.flush();
      files.replace = act;
      other.save("c1", { text: "typed there" });
      await Promise.all([first, other.flush()]);
      assert.deepEqual((await allTexts(window())).sort(), ["typed here", "typed there"]);
    }
  });

  it("continues the text of the other window without offering its beginning", async () => {
    const { one, window, write, files } = twoWindows();
    await write(one, { text: "begun" });
    const other = window();
    await other.load("c1");
    await write(other, { text: "begun and gone on with" });
    assert.deepEqual(await allTexts(window()), ["begun and gone on with"]);
    assert.equal(files.files.size, 1);
  });

  it("merges attachments and queued questions", async () => {
    const { one, other, window, write } = twoWindows();
    await Promise.all([one.load("c1"), other.load("c1")]);
    const queued = { id: "q", parts: [{ kind: "text" as const, text: "waits" }] };
    await write(one, { attached: [note("a")], queued: [queued] });
    await write(other, { attached: [note("b")] });
    const draft = await window().load("c1");
    assert.deepEqual(draft.attached, [note("a"), note("b")]);
    assert.deepEqual(draft.queued, [queued]);
  });

  it("keeps the change of one window if the other changed nothing", async () => {
    const { one, window, write } = twoWindows();
    await write(one, { text: "to be sent", attached: [note("a")] });
    const other = window();
    await other.load("c1");
    await write(other, { text: "", attached: [], scroll: undefined });
    assert.deepEqual(await allTexts(window()), [""]);
    assert.deepEqual((await window().load("c1")).attached, []);
  });

  it("keeps the other window's text when one is sent", async () => {
    const { one, other, window, write } = twoWindows();
    await Promise.all([one.load("c1"), other.load("c1")]);
    await write(one, { text: "typed here" });
    await write(other, { text: "typed there" });
    await write(other, { text: "" });
    assert.deepEqual(await allTexts(window()), ["typed here"]);
  });

  it("adopts the continued text of the other window, and offers it if both continued", async () => {
    const { one, window, write } = twoWindows();
    await write(one, { text: "begun", queued: [] });
    const other = window();
    await other.load("c1");
    assert.equal(await one.syncFromDisk("c1"), false, "nothing is new");
    await write(other, { text: "begun there" });
    assert.equal(await one.syncFromDisk("c1"), true);
    assert.deepEqual(await allTexts(one), ["begun there"]);
    await write(other, { text: "begun there, twice" });
    one.save("c1", { text: "begun here" });
    assert.equal(await one.syncFromDisk("c1"), false);
    assert.deepEqual(await allTexts(one), ["begun here", "begun there, twice"]);
    await one.flush();
    assert.deepEqual((await allTexts(window())).sort(), ["begun here", "begun there, twice"]);
  });

  it("is empty here once the other window has sent it", async () => {
    const { one, other, write } = twoWindows();
    await write(one, { text: "to be sent", attached: [note("a")] });
    await other.load("c1");
    await write(other, { text: "", attached: [] });
    assert.equal(await one.syncFromDisk("c1"), true);
    assert.equal(one.current("c1").text, "");
    assert.deepEqual(one.current("c1").attached, []);
    assert.equal(await one.syncFromDisk("c1"), false, "nothing is new");
  });

  it("keeps text typed here while the other window sent the previous text", async () => {
    const { one, other, write } = twoWindows();
    await write(one, { text: "to be sent" });
    await other.load("c1");
    await write(other, { text: "" });
    one.save("c1", { text: "to be sent, and more" });
    assert.equal(await one.syncFromDisk("c1"), false);
    assert.equal(one.current("c1").text, "to be sent, and more");
  });

  it("never replaces the text of another window with an edit of one window", async () => {
    const { one, other, window, write } = twoWindows();
    await Promise.all([one.load("c1"), other.load("c1")]);
    const editing = { messageId: "q1", attached: [], parkedText: "put aside" };
    await write(one, { text: "edited", editing });
    await write(other, { text: "a new question" });
    const next = window();
    assert.deepEqual((await allTexts(next)).sort(), ["a new question", "edited", "put aside"]);
    assert.equal(next.current("c1").editing, undefined);
  });

  it("no longer offers text that the other window has sent", async () => {
    const { one, other, write } = twoWindows();
    await Promise.all([one.load("c1"), other.load("c1")]);
    await write(one, { text: "typed here" });
    await write(other, { text: "typed there" });
    await one.syncFromDisk("c1");
    assert.deepEqual(one.others("c1"), ["typed there"]);
    await write(other, { text: "" });
    await one.syncFromDisk("c1");
    assert.deepEqual(one.others("c1"), []);
  });

  it("swaps the two texts and back, also after a reload", async () => {
    const { one, other, window, write } = twoWindows();
    await Promise.all([one.load("c1"), other.load("c1")]);
    await write(one, { text: "typed here" });
    await write(other, { text: "typed there" });
    const next = window();
    await next.load("c1");
    next.swapText("c1");
    assert.deepEqual(await allTexts(next), ["typed here", "typed there"]);
    await next.flush();
    const last = window();
    assert.deepEqual(await allTexts(last), ["typed here", "typed there"]);
    last.swapText("c1");
    assert.deepEqual(await allTexts(last), ["typed there", "typed here"]);
    last.save("c1", { text: "" });
    last.swapText("c1");
    assert.deepEqual(await allTexts(last), ["typed here"], "a text that was taken away is gone");
  });

  it("contains every text that was on disk when a window is killed at any call", async () => {
    for (let atCall = 0; atCall < 20; atCall++) {
      const { files, clock, window, write, other } = twoWindows();
      await other.load("c1");
      const one = window();
      await write(one, { text: "first words" });
      await write(other, { text: "typed there" });
      files.fault = { atCall: files.calls + atCall, kind: "die", writtenBytes: 0 };
      clock.advance(1_000);
      one.save("c1", { text: "first words, and more" });
      await one.flush().catch((error: unknown) => {
        if (!(error instanceof ProcessDied)) throw error;
      });
      files.fault = undefined;
      const texts = (await allTexts(window())).sort();
      assert.ok(texts.includes("typed there"), `died at call ${atCall}`);
      assert.ok(
        texts.some((text) => text.startsWith("first words")),
        `died at call ${atCall}`,
      );
      assert.equal(texts.length, 2);
    }
  });

  it("is written once the disk recovers, with the text typed since", async () => {
    const { files, clock, window, write, other } = twoWindows();
    await other.load("c1");
    const retries = new Retries(clock);
    const one = new Drafts(files, clock, silentLog, retries);
    await one.load("c1");
    files.fault = { atCall: files.calls, kind: "fail", writtenBytes: 0 };
    await write(one, { text: "typed here" });
    assert.equal(retries.isSettled, false);
    files.fault = undefined;
    await write(other, { text: "typed there" });
    assert.equal(await one.syncFromDisk("c1"), false, "it would be lost");
    await retries.retryAll();
    assert.equal(retries.isSettled, true);
    assert.deepEqual((await allTexts(window())).sort(), ["typed here", "typed there"]);
  });

  it("is removed permanently with its conversation, and no other is", async () => {
    const { files, one, other, write } = twoWindows();
    await Promise.all([one.load("c1"), other.load("c1")]);
    await write(one, { text: "typed here" });
    await write(other, { text: "typed there" });
    one.save("c11", { text: "another conversation's" });
    await one.flush();
    await one.removeForever("c1");
    assert.deepEqual(
      [...files.files.keys()].map((path) => path.split(".")[0]),
      ["drafts/c11"],
    );
  });
});
