/** Hidden characters are written only after the user agrees. */
import assert from "node:assert/strict";
import type { TurnEvent } from "../../../src/ask/ask";
import { EditSession } from "../../../src/edit/editSession";
import { PendingEdit } from "../../../src/edit/pendingEdit";
import { cleanHiddenCharacters } from "../../../src/markdown/hiddenCharacters";
import { ManualClock } from "../../support/fakes/manualClock";
import { FakeDocument } from "./fakeDocument";

describe("hidden characters in a reply", () => {
  it("are removed from the document, reported, and kept on request", async () => {
    const clock = new ManualClock();
    const document = new FakeDocument("", "one", "\n");
    const place = { start: 0, lines: ["one"], eol: "\n" as const, version: 1 };
    const session = new EditSession(place, document, clock);
    document.sessions.push(session);
    const edit = new PendingEdit(
      session,
      { indent: { usesTabs: false, size: 2 }, isProse: false },
      {
        async *ask(): AsyncGenerator<TurnEvent> {
          yield { type: "text-delta", text: "```\na\u200bb\nplain\n```\n" };
          yield await Promise.resolve({ type: "turn-ended", ending: { kind: "complete" } });
        },
        changed: () => undefined,
        clean: cleanHiddenCharacters,
        nowMs: () => clock.nowMs(),
      },
    );
    const finished = edit.ask([{ kind: "text", text: "edit" }]);
    let report: Awaited<typeof finished>;
    void finished.then((result) => (report = result));
    while (report === undefined) await document.settle();
    assert.deepEqual(session.proposedLines, ["ab", "plain"]);
    assert.deepEqual(report.hiddenLines, ["a\u200bb"]);
    assert.deepEqual(edit.asReceived(["mine", "ab", "plain"]), ["mine", "a\u200bb", "plain"]);
    edit.dispose();
  });
});
