/**
 * A pending edit in a document that changes: streaming text, keeping and discarding hunks, undo,
 * and typing that ends the edit.
 */
import assert from "node:assert/strict";
import { EditSession, WRITE_INTERVAL_MS } from "../../../src/edit/editSession";
import type { EditTarget } from "../../../src/edit/textSink";
import { undoRest } from "../../../src/edit/tornAnswer";
import { ManualClock } from "../../support/fakes/manualClock";
import { FakeDocument } from "./fakeDocument";

const BEFORE = "top\n";
const PLACE = "one\ntwo\nthree";
const AFTER = "\nbottom\n";

function open(place = PLACE, rest: Partial<EditTarget> = {}) {
  const clock = new ManualClock();
  const document = new FakeDocument(BEFORE, place, AFTER);
  const session = new EditSession(
    {
      start: BEFORE.length,
      lines: place.split("\n"),
      eol: "\n",
      version: 1,
      ...rest,
    },
    document,
    clock,
  );
  document.sessions.push(session);
  const stream = async (lines: string[]) => {
    session.addLines(lines);
    clock.advance(WRITE_INTERVAL_MS);
    await document.settle();
  };
  const finish = async (outcome: "whole" | "part" | "withdrawn" = "whole") => {
    const done = session.finish(outcome);
    await document.settle();
    await done;
  };
  const begin = async (...parts: string[][]) => {
    session.begin();
    for (const lines of parts) await stream(lines);
  };
  const answer = async (...parts: string[][]) => {
    await begin(...parts);
    await finish();
  };
  const whole = (text: string) => BEFORE + text + AFTER;
  /** Undoes a step as the user, and the rest of an answer as the host does. */
  const undo = async () => {
    document.undo();
    const tornAnswer = session.tornAnswers.find(({ torn }) => torn === document.text);
    if (tornAnswer === undefined) return;
    const done = undoRest(document.asUndoable, tornAnswer);
    await document.settle();
    await done;
  };
  return { clock, document, session, begin, stream, finish, answer, whole, undo };
}

describe("an edit session", () => {
  it("contains the received lines, followed by the remaining original lines", async () => {
    const { document, session, begin, stream, finish, whole } = open();
    await begin(["ONE"]);
    assert.equal(document.text, whole("ONE\ntwo\nthree"));
    await stream(["and a half", "two"]);
    assert.equal(document.text, whole("ONE\nand a half\ntwo\nthree"));
    await finish();
    assert.equal(document.text, whole("ONE\nand a half\ntwo"));
    assert.equal(session.hunks.length, 2);
  });

  it("marks changed lines and the current line while text arrives", async () => {
    const { session, begin } = open();
    await begin(["one", "TWO"]);
    assert.deepEqual(session.streamMarks, { changedLines: [1], frontier: 2 });
  });

  it("writes at most seven times a second", async () => {
    const { clock, document, session } = open();
    session.begin();
    for (let line = 0; line < 400; line++) {
      session.addLines([`line ${line}`]);
      clock.advance(5);
      await document.settle();
    }
    assert.ok(document.writes <= 15, `${document.writes} writes in 2 s`);
  });

  it("is removed by one undo, byte for byte", async () => {
    const { document, session, answer, whole } = open();
    await answer(["ONE"], ["TWO", "THREE"]);
    document.undo();
    assert.equal(document.text, whole(PLACE));
    assert.deepEqual(session.phase, { kind: "closed", why: "undone" });
  });

  it("is removed by one undo when the last write changed nothing", async () => {
    const { document, session, answer, whole } = open();
    await answer(["ONE"], ["two", "three"]);
    document.type(0, 0, "typed ");
    assert.equal(session.phase.kind, "pending");
    document.undo();
    assert.equal(document.text, whole("ONE\ntwo\nthree"));
    document.undo();
    assert.equal(document.text, whole(PLACE));
  });

  it("is removed by one undo even if the user typed elsewhere; the next undo removes that", async () => {
    for (const outcome of ["whole", "withdrawn"] as const) {
      const { document, session, begin, stream, finish, undo, whole } = open();
      await begin(["ONE"]);
      document.type(0, 0, "typed ");
      await stream(["TWO"]);
      document.type(document.text.length, 0, " here");
      await stream(["THREE"]);
      await finish(outcome);
      const typed = (text: string) => `typed ${whole(text)} here`;
      assert.equal(document.text, typed(outcome === "whole" ? "ONE\nTWO\nTHREE" : PLACE));
      session.keep();
      await undo();
      assert.equal(document.text, typed(PLACE));
      for (let steps = 0; steps < 3; steps++) {
        await undo();
        assert.equal(document.text, whole(PLACE));
      }
    }
  });

  it("keeps what was typed after it when the next undo removes it", async () => {
    const { document, session, begin, stream, finish, undo, whole } = open();
    await begin(["ONE"]);
    document.type(0, 0, "typed ");
    await stream(["TWO"]);
    await finish();
    document.type(0, 0, "later ");
    await undo();
    assert.equal(document.text, `typed ${whole("ONE\nTWO")}`);
    await undo();
    assert.equal(document.text, `typed ${whole(PLACE)}`);
    assert.deepEqual(session.phase, { kind: "closed", why: "undone" });
  });

  it("stays if undo cannot reach the text before it", async () => {
    const { document, session, begin, stream, finish, whole } = open();
    await begin(["ONE"]);
    document.type(0, 0, "typed ");
    await stream(["TWO"]);
    await finish();
    document.undo();
    const tornAnswer = session.tornAnswers.at(-1);
    assert.ok(tornAnswer);
    await undoRest(document.asUndoable, { ...tornAnswer, original: "another text" });
    assert.equal(document.text, `typed ${whole("ONE\ntwo\nthree")}`);
  });

  it("is removed by one undo even if the cursor was moved, which ends undo steps", async () => {
    const { document, session, begin, stream, finish, undo, whole } = open();
    await begin(["ONE"]);
    document.stopUndo();
    session.undoStopped();
    await stream(["TWO"]);
    await finish();
    assert.equal(document.text, whole("ONE\nTWO"));
    await undo();
    assert.equal(document.text, whole(PLACE));
  });

  it("is removed by one undo even if the document was saved automatically during a pause", async () => {
    const { clock, document, begin, stream, finish, undo, whole } = open(PLACE, {
      savedAfterMs: 1_000,
    });
    await begin(["ONE"]);
    clock.advance(950);
    document.stopUndo();
    // Later writes without a pause leave the text before the save known.
    for (const line of ["TWO", "3", "4", "5", "6"]) await stream([line]);
    await finish();
    await undo();
    assert.equal(document.text, whole(PLACE));
  });

  it("changes the document during a pause, so that auto save does not save half of the answer", async () => {
    const { clock, document, begin, stream, finish, whole } = open(PLACE, {
      savedAfterMs: 1_000,
    });
    await begin(["ONE"]);
    for (let pause = 0; pause < 3; pause++) {
      const { version } = document.current();
      clock.advance(700);
      await document.settle();
      assert.ok(document.current().version > version);
      assert.equal(document.text, whole("ONE\ntwo\nthree"));
    }
    await stream(["TWO"]);
    await finish();
    const { version } = document.current();
    clock.advance(1_400);
    await document.settle();
    assert.equal(document.current().version, version);
    document.undo();
    assert.equal(document.text, whole(PLACE));
  });

  it("is removed by one undo even if the document was saved while no editor showed it", async () => {
    const { clock, document, session, begin, stream, finish, undo, whole } = open(PLACE, {
      savedAfterMs: 1_000,
    });
    await begin(["ONE"]);
    document.isHidden = true;
    clock.advance(600);
    await stream(["TWO"]);
    document.answerWrite();
    await document.settle();
    document.stopUndo();
    clock.advance(600);
    document.isHidden = false;
    session.wake();
    await finish();
    assert.equal(document.text, whole("ONE\nTWO"));
    await undo();
    assert.equal(document.text, whole(PLACE));
  });

  it("moves with lines typed directly above and below it", async () => {
    const { document, session, begin, stream, finish } = open();
    await begin(["ONE"]);
    document.type(BEFORE.length, 0, "above\n");
    document.type(document.text.indexOf("\nbottom"), 0, "\nbelow");
    assert.equal(session.phase.kind, "streaming");
    await stream(["TWO"]);
    await finish();
    assert.equal(document.text, `${BEFORE}above\nONE\nTWO\nbelow${AFTER}`);
  });

  it("stops and keeps the text when the user types in it", async () => {
    const { document, session, begin, stream, whole } = open();
    await begin(["ONE"]);
    document.type(BEFORE.length + 3, 0, "!");
    assert.equal(session.phase.kind, "pending");
    assert.equal(session.isTouched, true);
    await stream(["TWO"]);
    assert.equal(document.text, whole("ONE!\ntwo\nthree"));
  });

  it("ends when the user types there before the first text", () => {
    const { document, session } = open();
    session.begin();
    document.type(BEFORE.length, 0, "x");
    assert.deepEqual(session.phase, { kind: "closed", why: "taken-over" });
  });

  it("writes again at the right position when the document changed during a write", async () => {
    const { clock, document, session, finish, whole } = open();
    session.begin();
    session.addLines(["ONE"]);
    clock.advance(WRITE_INTERVAL_MS);
    await Promise.resolve();
    assert.equal(document.waitingWrites, 1);
    document.type(0, 0, "typed ");
    await document.settle();
    await finish();
    assert.equal(document.text, `typed ${whole("ONE")}`);
  });

  it("waits while no editor shows the document, and then continues", async () => {
    const { document, session, begin, whole } = open();
    await begin(["ONE"]);
    document.isHidden = true;
    session.addLines(["TWO"]);
    const done = session.finish("whole");
    await document.settle();
    document.answerWrite();
    await document.settle();
    assert.equal(document.text, whole("ONE\ntwo\nthree"));
    document.isHidden = false;
    session.wake();
    await document.settle();
    await done;
    assert.equal(document.text, whole("ONE\nTWO"));
    document.undo();
    assert.equal(document.text, whole(PLACE));
  });

  it("discards nothing while no editor shows the document, and does not wait for an editor", async () => {
    const { document, session, finish, whole } = open();
    session.begin();
    session.addLines(["ONE"]);
    await finish();
    document.isHidden = true;
    const discarding = session.discard();
    await document.settle();
    document.answerWrite();
    assert.equal(await discarding, false);
    assert.deepEqual(session.phase, { kind: "pending" });
    assert.equal(document.text, whole("ONE"));
    document.isHidden = false;
    session.wake();
    await document.settle();
    assert.equal(document.text, whole("ONE"), "an earlier command acts when the file is shown");
    const again = session.discard();
    await document.settle();
    assert.equal(await again, true);
    assert.equal(document.text, whole(PLACE));
  });

  it("ends as rejected when the document cannot be changed", async () => {
    const { document, session, finish } = open();
    document.isReadOnly = true;
    session.begin();
    session.addLines(["ONE"]);
    await finish();
    assert.deepEqual(session.phase, { kind: "closed", why: "refused" });
  });

  it("shows the original lines as soon as the answer starts again", async () => {
    const { clock, document, session, begin, whole } = open();
    await begin(["ONE"]);
    session.restart();
    clock.advance(WRITE_INTERVAL_MS);
    await document.settle();
    assert.equal(document.text, whole(PLACE));
  });

  it("has the hunks of the text as the user changed it", async () => {
    const { document, session, answer } = open();
    await answer(["ONE", "two", "three"]);
    assert.equal(session.hunks.length, 1);
    document.type(document.text.indexOf("three"), 5, "THREE");
    assert.equal(session.hunks.length, 2);
  });

  it("continues when VS Code removes the indentation of an empty line with a write", async () => {
    const place = "one\ntwo\n    ";
    const { document, session, begin, finish, whole } = open(place);
    document.trims.push({ offset: BEFORE.length + "one\ntwo\n".length, length: 4, text: "" });
    await begin(["ONE"]);
    assert.equal(session.phase.kind, "streaming");
    await finish("withdrawn");
    assert.equal(document.text, whole(place));
  });

  it("removes the whole reply when it is withdrawn", async () => {
    const { document, session, begin, finish, whole } = open();
    await begin(["ONE"]);
    await finish("withdrawn");
    assert.equal(document.text, whole(PLACE));
    assert.deepEqual(session.phase, { kind: "closed", why: "unchanged" });
  });

  it("keeps and discards hunk by hunk and ends with the last", async () => {
    const { document, session, answer, whole } = open();
    await answer(["ONE", "two", "THREE"]);
    const [first, second] = session.hunks;
    session.keep(first);
    assert.equal(session.hunks.length, 1);
    session.keep(second);
    assert.equal(session.hunks.length, 1, "an earlier hunk is no longer valid");
    const discarding = session.discard(session.hunks[0]);
    await document.settle();
    assert.equal(await discarding, true);
    assert.equal(document.text, whole("ONE\ntwo\nthree"));
    assert.deepEqual(session.phase, { kind: "closed", why: "discarded" });
  });

  it("restores everything when it is discarded", async () => {
    const { document, session, answer, whole } = open();
    await answer(["ONE"]);
    const discarding = session.discard();
    await document.settle();
    assert.equal(await discarding, true);
    assert.equal(document.text, whole(PLACE));
  });

  it("lets undo revert a refinement and then the first reply", async () => {
    const { document, session, answer, whole } = open();
    await answer(["ONE"]);
    await answer(["1"]);
    assert.equal(document.text, whole("1"));
    document.undo();
    assert.equal(document.text, whole("ONE"));
    assert.equal(session.phase.kind, "pending");
    assert.equal(session.isTouched, false);
    document.undo();
    assert.equal(document.text, whole(PLACE));
    assert.deepEqual(session.phase, { kind: "closed", why: "undone" });
  });

  it("writes next to the lines around it and does not change them", async () => {
    const { document, answer, whole } = open("one", {
      frame: {
        before: ["one"],
        after: [],
      },
    });
    await answer(["new"]);
    assert.equal(document.text, whole("one\nnew"));
    document.undo();
    assert.equal(document.text, whole("one"));
  });

  it("fills an empty line", async () => {
    const { document, answer, whole } = open("");
    await answer(["new", "lines"]);
    assert.equal(document.text, whole("new\nlines"));
    document.undo();
    assert.equal(document.text, whole(""));
  });

  it("ends when its text is deleted with text around it", async () => {
    const { document, session, begin } = open();
    await begin(["ONE"]);
    document.replaceAll("all new");
    assert.deepEqual(session.phase, { kind: "closed", why: "lost" });
    assert.equal(document.text, "all new");
  });

  it("finds its text again when the whole document was replaced by one that contains it", async () => {
    const { document, session, begin, finish } = open();
    await begin(["ONE"]);
    document.replaceAll("new top\nONE\ntwo\nthree\nnew bottom\n");
    assert.equal(session.phase.kind, "streaming");
    await finish("part");
    assert.equal(document.text, "new top\nONE\ntwo\nthree\nnew bottom\n");
  });

  for (const [name, text] of [
    ["another text instead of the edit", "top\nONE\nother\nbottom\n"],
    ["new lines before and inside the edit", "new\nlines\ntop\nONE\nother\nthree\nbottom\n"],
    ["new lines around the edit", "new\nONE\nTWO\nnew bottom\n"],
    ["the text from before the edit", "top\none\ntwo\nthree\nbottom\n"],
    ["none of its text", "all new\n"],
  ] as const) {
    it(`ends when the file is reloaded with ${name}, and discards nothing`, async () => {
      const { document, session, answer } = open();
      await answer(["ONE", "TWO"]);
      document.reloadFromDisk(text);
      assert.deepEqual(session.phase, { kind: "closed", why: "reloaded" });
      assert.equal(await session.discard(), false);
      await document.settle();
      assert.equal(document.text, text);
    });
  }

  it("stops a streaming reply when the file is reloaded with different text", async () => {
    const { document, session, begin, stream } = open();
    await begin(["ONE"]);
    document.reloadFromDisk("top\nother\nbottom\n");
    await stream(["TWO"]);
    assert.deepEqual(session.phase, { kind: "closed", why: "reloaded" });
    assert.equal(document.text, "top\nother\nbottom\n");
  });

  it("continues when the file is reloaded with different text elsewhere", async () => {
    const { document, session, answer } = open();
    await answer(["ONE", "TWO"]);
    document.reloadFromDisk("new\ntop line\nONE\nTWO\nbottom\n");
    document.reloadFromDisk("new\ntop line\nONE\nTWO\nnew bottom\n");
    assert.equal(session.phase.kind, "pending");
    const done = session.discard();
    await document.settle();
    assert.ok(await done);
    assert.equal(document.text, "new\ntop line\none\ntwo\nthree\nnew bottom\n");
  });
});
