/** A reply outside a conversation: one text, one ending. */
import assert from "node:assert/strict";
import type { TurnEvent } from "../../../src/ask/ask";
import { askOnce } from "../../../src/ask/askOnce";

async function* eventsOf(...events: readonly TurnEvent[]): AsyncGenerator<TurnEvent> {
  for (const event of events) yield await Promise.resolve(event);
}

const text = (words: string): TurnEvent => ({ type: "text-delta", text: words });
const thought: TurnEvent = { type: "text-was-reasoning" };
const complete: TurnEvent = { type: "turn-ended", ending: { kind: "complete" } };

describe("askOnce", () => {
  it("collects the text, and begins again when it proves to be thinking", async () => {
    const seen: string[] = [];
    const events = eventsOf(text("Two "), text("and"), thought, text("Four"), complete);
    const answer = await askOnce(events, (_event, soFar) => seen.push(soFar));
    assert.deepEqual([answer.text, answer.hasThought], ["Four", true]);
    assert.deepEqual(seen, ["Two ", "Two and", "", "Four", "Four"]);
  });

  it("continues the text of an earlier turn", async () => {
    const { text: whole } = await askOnce(eventsOf(text("b"), complete), undefined, "a");
    assert.equal(whole, "ab");
  });

  for (const [kind, isTextKept, expected] of [
    ["withdraws", false, ""],
    ["keeps", true, "Part"],
  ] as const) {
    it(`${kind} the text of a reply that the service withheld, as the setting says`, async () => {
      const ending = { kind: "withheld" as const, isTextKept };
      const answer = await askOnce(eventsOf(text("Part"), { type: "turn-ended", ending }));
      assert.deepEqual([answer.text, answer.isWithdrawn], [expected, !isTextKept]);
    });
  }
});
