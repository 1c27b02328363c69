/** Saving a pending edit: no text that makes the document configuration of Git is in it unasked. */
import assert from "node:assert/strict";
import { CheckedSink } from "../../../src/edit/checkedSink";
import { EditSession, WRITE_INTERVAL_MS } from "../../../src/edit/editSession";
import { isRunningGitConfig } from "../../../src/secrets/gitFiles";
import { ManualClock } from "../../support/fakes/manualClock";
import { FakeDocument } from "./fakeDocument";

/** Lines that Git refuses, so that a part of the answer above them runs nothing. */
const ORIGINAL = ["one two", "three four", "five six"];

function open() {
  const clock = new ManualClock();
  const document = new FakeDocument("", ORIGINAL.join("\n"), "\n");
  const questions: { readonly text: string; readonly answer: (isAccepted: boolean) => void }[] = [];
  let isAccepted = false;
  const sink = new CheckedSink({
    sink: document,
    mayBecome: async (text) => {
      if (!isRunningGitConfig(text) || isAccepted) return true;
      isAccepted = await new Promise((answer) => questions.push({ text, answer }));
      return isAccepted;
    },
  });
  const target = { start: 0, lines: ORIGINAL, eol: "\n", version: 1 } as const;
  const session = new EditSession(target, sink, clock);
  document.sessions.push(session);
  const stream = async (...lines: string[]) => {
    session.addLines(lines);
    clock.advance(WRITE_INTERVAL_MS);
    await document.settle();
  };
  const finish = async () => {
    void session.finish("whole");
    await document.settle();
  };
  const answer = async (accepted: boolean) => {
    questions.at(-1)?.answer(accepted);
    await document.settle();
  };
  return { document, session, sink, questions, stream, finish, answer };
}

describe("saving a file while an edit is pending", () => {
  it("saves nothing that Git runs before the user agreed", async () => {
    const { document, session, questions, stream, finish, answer } = open();
    session.begin();
    await stream("[core]", "fsmonitor = touch ran");
    assert.equal(document.text, "[core]\nfsmonitor = touch ran\nfive six\n");
    assert.ok(!isRunningGitConfig(document.text));
    await finish();
    assert.ok(!isRunningGitConfig(document.text), "the file could be saved unasked");
    assert.deepEqual(
      questions.map(({ text }) => text),
      ["[core]\nfsmonitor = touch ran\n"],
    );
    await answer(true);
    assert.equal(document.text, "[core]\nfsmonitor = touch ran\n");
    assert.equal(session.phase.kind, "pending");
  });

  it("ends the answer, with the text so far, if the user declines", async () => {
    const { document, session, sink, stream, finish, answer } = open();
    session.begin();
    await stream("[core]");
    await finish();
    await answer(false);
    await document.settle();
    assert.ok(sink.isDeclined);
    assert.equal(session.phase.kind, "pending");
    assert.equal(document.text, "[core]\nthree four\nfive six\n");
    assert.ok(!isRunningGitConfig(document.text));
    await session.finish("whole");
    assert.ok(!isRunningGitConfig(document.text), "the answer went on");
  });

  it("asks once for an answer", async () => {
    const { session, questions, stream, finish, answer } = open();
    session.begin();
    await stream("[core]");
    await finish();
    await answer(true);
    session.begin();
    await stream("[core]", "pager = less");
    await finish();
    assert.equal(questions.length, 1);
  });

  it("does not ask about ordinary text", async () => {
    const { document, session, questions, stream, finish } = open();
    session.begin();
    await stream("seven");
    await finish();
    assert.equal(document.text, "seven\n");
    assert.deepEqual(questions, []);
  });
});
