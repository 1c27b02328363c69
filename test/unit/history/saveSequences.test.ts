/**
 * All saves of a turn on a disk that fails or stops at every call and after every byte of a write:
 * picture, question, checkpoints, ending, title, draft and list.
 */
import assert from "node:assert/strict";
import { silentLog } from "../../support/fakes/silentLog";
import type { Step } from "../../../src/conversation/conversation";
import { IndexedHistory } from "../../support/history/indexedHistory";
import { ManualClock } from "../../support/fakes/manualClock";
import { MemoryFileSystem, type DiskFault } from "../../support/fakes/memoryFileSystem";
import { itWithRounds } from "../../support/depth";
import { ended, grown, question, replyStarted, turn } from "./turns";

const ID = "c1";
const PICTURE = new TextEncoder().encode("a picture");

interface Saved {
  /** Steps that were reported as saved, in order. */
  readonly reported: string[];
  hash: string;
}

/** Writes a turn after a finished turn and records the steps that are reported as saved. */
async function saveTurn(history: IndexedHistory): Promise<Saved> {
  const saved: Saved = { reported: [], hash: "" };
  async function append(name: string, steps: readonly Step[]): Promise<void> {
    if (await history.journal.append(ID, steps)) saved.reported.push(name);
  }
  const picture = await history.pictures.store(PICTURE);
  saved.hash = picture.hash;
  if (picture.isSaved) saved.reported.push("picture");
  await append("asked", [question("q", "before-r", "question"), replyStarted("r", "q")]);
  await append("grown 3", [grown("r", 0, "one")]);
  await append("grown 6", [grown("r", 3, "two")]);
  await append("ended", [grown("r", 6, "!"), ended("r")]);
  await append("titled", [{ kind: "titled", title: "a title" }]);
  history.drafts.save(ID, { text: "next question" });
  await history.drafts.flush();
  await (await history.fullIndex.list()).refresh();
  await (await history.fullIndex.list()).flush();
  return saved;
}

async function check(files: MemoryFileSystem, saved: Saved, context: string): Promise<void> {
  files.fault = undefined;
  const history = new IndexedHistory(files, new ManualClock(), silentLog);
  const loaded = await history.journal.load(ID);
  const messages = loaded?.conversation.messages;
  const before = messages?.get("before-r");
  assert.ok(messages !== undefined && messages.has("before-q"), context);
  assert.ok(before?.role === "assistant" && before.text === "said" && before.ending, context);
  const reply = messages.get("r");
  const text = reply?.role === "assistant" ? reply.text : "";
  assert.ok("onetwo!".startsWith(text), context);
  for (const reported of saved.reported) {
    if (reported === "picture") {
      assert.equal((await history.pictures.read(saved.hash)).kind, "found", context);
    } else if (reported === "asked") assert.ok(messages.has("q"), context);
    else if (reported.startsWith("grown"))
      assert.ok(text.length >= Number(reported.slice(6)), context);
    else if (reported === "ended") {
      assert.ok(text === "onetwo!" && reply?.role === "assistant" && reply.ending, context);
    } else assert.equal(loaded?.conversation.title, "a title", context);
  }
  await (await history.fullIndex.list()).refresh();
  assert.deepEqual(
    (await history.fullIndex.list()).list().map(({ id, messageCount }) => [id, messageCount]),
    [[ID, messages.size]],
    context,
  );
  assert.ok(["", "next question"].includes((await history.drafts.load(ID)).text), context);
}

/** Creates files with a finished turn. */
async function diskBefore(): Promise<MemoryFileSystem> {
  const files = new MemoryFileSystem();
  const history = new IndexedHistory(files, new ManualClock(), silentLog);
  await history.journal.append(ID, turn("before", null, "asked", "said"));
  return files;
}

/** Returns the number of calls of a turn and its longest write. */
async function measured(): Promise<{ calls: number; bytes: number }> {
  const files = await diskBefore();
  const callsBefore = files.calls;
  let bytes = 0;
  const append = files.append.bind(files);
  files.append = (path, added) => {
    bytes = Math.max(bytes, added.length);
    return append(path, added);
  };
  await saveTurn(new IndexedHistory(files, new ManualClock(), silentLog));
  return { calls: files.calls - callsBefore, bytes };
}

describe("the saves of a turn", function () {
  this.timeout(300_000);

  for (const kind of ["fail", "die"] as const) {
    it(`keep everything reported as saved when call i of K makes the disk ${kind}`, async () => {
      const { calls } = await measured();
      for (let atCall = 0; atCall <= calls; atCall++) {
        for (const writtenBytes of [0, 1, 9, 60, 1_000_000]) {
          await run({ kind, atCall, writtenBytes });
        }
      }
    });

    const title = `keep everything reported as saved when a byte of a write makes the disk ${kind}`;
    itWithRounds(title, { quick: 80, all: 10_000 }, async (rounds) => {
      const { bytes } = await measured();
      const step = Math.ceil(bytes / rounds);
      // The first call writes the picture, the second the question.
      for (let writtenBytes = 0; writtenBytes <= bytes; writtenBytes += step) {
        await run({ kind, atCall: 1, writtenBytes });
      }
    });
  }

  async function run(fault: DiskFault): Promise<void> {
    const files = await diskBefore();
    const clock = new ManualClock();
    const history = new IndexedHistory(files, clock, silentLog);
    files.fault = { ...fault, atCall: fault.atCall + files.calls };
    const saved = await saveTurn(history);
    const context = JSON.stringify(fault);
    if (fault.kind === "fail") {
      // The disk recovers: rejected data is written, and the user is notified.
      clock.advance(5_000);
      await history.close();
      assert.ok(history.canSave, context);
      saved.reported.push("picture", "asked", "ended", "titled");
    }
    await check(files, saved, context);
  }
});
