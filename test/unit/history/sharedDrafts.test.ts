/**
 * A draft in several windows: typed text and attachments are never lost, in any order of writes
 * and after any crash.
 */
import assert from "node:assert/strict";
import { silentLog } from "../../support/fakes/silentLog";
import { otherText, type Attachment, type Draft } from "../../../src/conversation/draft";
import { Drafts } from "../../../src/history/drafts";
import { Retries } from "../../../src/history/retries";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem, ProcessDied } from "../../support/fakes/memoryFileSystem";

const note = (id: string): Attachment => ({ id, part: { kind: "text", text: `note ${id}` } });

/** Creates two windows with the same files and the same clock. */
function twoWindows() {
  const files = new MemoryFileSystem();
  const clock = new ManualClock();
  const window = () => new Drafts(files, clock, silentLog, new Retries(clock));
  const write = async (drafts: Drafts, change: Partial<Draft>): Promise<void> => {
    clock.advance(1_000);
    drafts.save("c1", change);
    await drafts.flush();
  };
  return { files, clock, window, write, firstDrafts: window(), secondDrafts: window() };
}

/** Creates two windows that have read the draft. */
async function bothLoaded() {
  const windows = twoWindows();
  await Promise.all([windows.firstDrafts.load("c1"), windows.secondDrafts.load("c1")]);
  return windows;
}

/** Returns all texts that a new window has, the composer's first. */
async function allTexts(drafts: Drafts): Promise<string[]> {
  const { text, other } = await drafts.load("c1");
  return other === undefined ? [text] : [text, ...other.split("\n\n")];
}

describe("replaced texts", () => {
  it("are one text, without those that another text contains", () => {
    assert.equal(
      otherText("shown", ["one", undefined, " ", "one and two", "show", "three"]),
      "one and two\n\nthree",
    );
    assert.equal(otherText("shown", ["one\n\ntwo", "two"]), "one\n\ntwo");
    assert.equal(otherText("shown", ["shown", ""]), undefined);
  });
});

describe("a draft in two windows", () => {
  it("keeps both texts when both are edited, the newest in the composer", async () => {
    const { firstDrafts, secondDrafts, window, write } = await bothLoaded();
    await write(firstDrafts, { text: "typed here" });
    await write(secondDrafts, { text: "typed there" });
    assert.deepEqual(await allTexts(window()), ["typed there", "typed here"]);
    await write(firstDrafts, { text: "typed here, and on" });
    assert.deepEqual(await allTexts(window()), ["typed here, and on", "typed there"]);
  });

  it("loses nothing if the file changes between reading and writing", async () => {
    for (let pause = 0; pause < 30; pause++) {
      const { files, firstDrafts, secondDrafts, window } = await bothLoaded();
      const act = files.replace.bind(files);
      files.replace = async (path, bytes) => {
        for (let turn = 0; turn < pause; turn++) await Promise.resolve();
        await act(path, bytes);
      };
      firstDrafts.save("c1", { text: "typed here" });
      const first = firstDrafts.flush();
      files.replace = act;
      secondDrafts.save("c1", { text: "typed there" });
      await Promise.all([first, secondDrafts.flush()]);
      assert.deepEqual((await allTexts(window())).sort(), ["typed here", "typed there"]);
    }
  });

  it("continues the text of the other window without offering its beginning", async () => {
    const { firstDrafts, window, write, files } = twoWindows();
    await write(firstDrafts, { text: "begun" });
    const secondDrafts = window();
    await secondDrafts.load("c1");
    await write(secondDrafts, { text: "begun and gone on with" });
    assert.deepEqual(await allTexts(window()), ["begun and gone on with"]);
    assert.equal(files.files.size, 1);
  });

  it("merges attachments and queued questions", async () => {
    const { firstDrafts, secondDrafts, window, write } = await bothLoaded();
    const queued = { id: "q", parts: [{ kind: "text" as const, text: "waits" }] };
    await write(firstDrafts, { attached: [note("a")], queued: [queued] });
    await write(secondDrafts, { attached: [note("b")] });
    const draft = await window().load("c1");
    assert.deepEqual(draft.attached, [note("a"), note("b")]);
    assert.deepEqual(draft.queued, [queued]);
  });

  it("adopts the continued text of the other window, and offers it if both continued", async () => {
    const { firstDrafts, window, write, clock } = twoWindows();
    await write(firstDrafts, { text: "begun", queued: [] });
    const secondDrafts = window();
    await secondDrafts.load("c1");
    assert.equal(await firstDrafts.syncFromDisk("c1"), false, "nothing is new");
    await write(secondDrafts, { text: "begun there" });
    assert.equal(await firstDrafts.syncFromDisk("c1"), true);
    assert.deepEqual(await allTexts(firstDrafts), ["begun there"]);
    await write(secondDrafts, { text: "begun there, twice" });
    clock.advance(1_000);
    firstDrafts.save("c1", { text: "begun here" });
    assert.equal(await firstDrafts.syncFromDisk("c1"), true);
    assert.deepEqual(await allTexts(firstDrafts), ["begun here", "begun there, twice"]);
    await firstDrafts.flush();
    assert.deepEqual((await allTexts(window())).sort(), ["begun here", "begun there, twice"]);
  });

  it("is empty here once the other window has sent it", async () => {
    const { firstDrafts, secondDrafts, write } = twoWindows();
    await write(firstDrafts, { text: "to be sent", attached: [note("a")] });
    await secondDrafts.load("c1");
    await write(secondDrafts, { text: "", attached: [] });
    assert.equal(await firstDrafts.syncFromDisk("c1"), true);
    assert.equal(firstDrafts.current("c1").text, "");
    assert.deepEqual(firstDrafts.current("c1").attached, []);
    assert.equal(await firstDrafts.syncFromDisk("c1"), false, "nothing is new");
  });

  it("keeps text typed here while the other window sent the previous text", async () => {
    const { firstDrafts, secondDrafts, write } = twoWindows();
    await write(firstDrafts, { text: "to be sent" });
    await secondDrafts.load("c1");
    await write(secondDrafts, { text: "" });
    firstDrafts.save("c1", { text: "to be sent, and more" });
    assert.equal(await firstDrafts.syncFromDisk("c1"), false);
    assert.equal(firstDrafts.current("c1").text, "to be sent, and more");
  });

  it("never replaces the text of another window with an edit of one window", async () => {
    const { firstDrafts, secondDrafts, window, write } = await bothLoaded();
    const editing = { messageId: "q1", attached: [], parkedText: "put aside" };
    await write(firstDrafts, { text: "edited", editing });
    await write(secondDrafts, { text: "a new question" });
    const next = window();
    assert.deepEqual((await allTexts(next)).sort(), ["a new question", "edited", "put aside"]);
    assert.equal(next.current("c1").editing, undefined);
  });

  it("no longer offers text that the other window has sent", async () => {
    const { firstDrafts, secondDrafts, write } = await bothLoaded();
    await write(firstDrafts, { text: "typed here" });
    await write(secondDrafts, { text: "typed there" });
    await firstDrafts.syncFromDisk("c1");
    assert.deepEqual(await allTexts(firstDrafts), ["typed there", "typed here"]);
    await write(secondDrafts, { text: "" });
    await firstDrafts.syncFromDisk("c1");
    assert.deepEqual(await allTexts(firstDrafts), ["typed here"]);
  });

  it("contains every text that was on disk when a window is killed at any call", async () => {
    for (let atCall = 0; atCall < 20; atCall++) {
      const { files, clock, window, write, secondDrafts } = twoWindows();
      await secondDrafts.load("c1");
      const firstDrafts = window();
      await write(firstDrafts, { text: "first words" });
      await write(secondDrafts, { text: "typed there" });
      files.fault = { atCall: files.calls + atCall, kind: "die", writtenBytes: 0 };
      clock.advance(1_000);
      firstDrafts.save("c1", { text: "first words, and more" });
      await firstDrafts.flush().catch((error: unknown) => {
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

  it("is written once the disk recovers, with what was written meanwhile", async () => {
    const { files, clock, window, write, secondDrafts } = twoWindows();
    await secondDrafts.load("c1");
    const retries = new Retries(clock);
    const firstDrafts = new Drafts(files, clock, silentLog, retries);
    await firstDrafts.load("c1");
    files.fault = { atCall: files.calls, kind: "fail", writtenBytes: 0 };
    await write(firstDrafts, { text: "typed here" });
    assert.equal(retries.isSettled, false);
    files.fault = undefined;
    await write(secondDrafts, { text: "typed there" });
    assert.equal(await firstDrafts.syncFromDisk("c1"), true);
    await retries.retryAll();
    assert.equal(retries.isSettled, true);
    assert.deepEqual((await allTexts(window())).sort(), ["typed here", "typed there"]);
  });

  it("is removed permanently with its conversation, and no other is", async () => {
    const { files, firstDrafts, secondDrafts, write } = await bothLoaded();
    await write(firstDrafts, { text: "typed here" });
    await write(secondDrafts, { text: "typed there" });
    firstDrafts.save("c11", { text: "another conversation's" });
    await firstDrafts.flush();
    await firstDrafts.removeForever("c1");
    assert.deepEqual(
      [...files.files.keys()].map((path) => path.split(".")[0]),
      ["drafts/c11"],
    );
  });
});
