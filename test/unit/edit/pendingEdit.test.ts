/** What an edit announces while the service does not answer. */
import assert from "node:assert/strict";
import type { TurnEvent } from "../../../src/ask/ask";
import { EditSession } from "../../../src/edit/editSession";
import { PendingEdit, type AnswerWait } from "../../../src/edit/pendingEdit";
import { ManualClock } from "../../support/fakes/manualClock";
import { FakeDocument } from "./fakeDocument";

describe("a pending edit", () => {
  // VS Code postpones its request for lenses at each change, on a slow machine by more than 10 s.
  it("announces a long wait once, and each further attempt", async () => {
    const clock = new ManualClock();
    const document = new FakeDocument("", "one", "\n");
    const place = { start: 0, lines: ["one"], eol: "\n" as const, version: 1 };
    const session = new EditSession(place, document, clock);
    document.sessions.push(session);
    const announced: (AnswerWait | undefined)[] = [];
    const edit: PendingEdit = new PendingEdit(
      session,
      { indent: { usesTabs: false, size: 2 }, isProse: false },
      {
        async *ask(): AsyncGenerator<TurnEvent> {
          for (const forMs of [10_000, 20_000, 30_000]) yield { type: "still-waiting", forMs };
          for (const attempt of [2, 3]) {
            const failure = { kind: "no-service" } as const;
            yield { type: "retry-scheduled", attempt, tries: 3, delayMs: 1000, failure };
          }
          yield await Promise.resolve({ type: "turn-ended", ending: { kind: "complete" } });
        },
        changed: () => announced.push(edit.wait),
        clean: (line) => line,
        nowMs: () => clock.nowMs(),
      },
    );
    const asked = edit.ask([{ kind: "text", text: "edit" }]);
    let report: Awaited<typeof asked>;
    void asked.then((result) => (report = result));
    while (report === undefined) await document.settle();
    const waits = announced.flatMap((wait) => wait?.type ?? []);
    assert.deepEqual(waits, ["still-waiting", "retry-scheduled", "retry-scheduled"]);
    edit.dispose();
  });
});
