/**
 * A user types anywhere in a document while a reply streams into an edit: no typed text is lost,
 * the text around the edit is unchanged, and the finished edit equals the reply. The fake document
 * fails if a write removes other text.
 */
import assert from "node:assert/strict";
import { EditSession } from "../../../src/edit/editSession";
import { ManualClock } from "../../support/fakes/manualClock";
import { firstSeed, randomOf, randomLine } from "../../support/fakes/seeded";
import { FakeDocument } from "./fakeDocument";

const RUNS = 1_000;

async function runInterleaving(seed: number): Promise<"completed" | "ended-by-user"> {
  const random = randomOf(seed);
  const lines = (count: number) => Array.from({ length: count }, () => randomLine(random));
  const place = ["start of the place", ...lines(random(12)), "end of the place"];
  const before = ["first line", ...lines(random(5)), ""].join("\n");
  const after = ["", ...lines(random(5)), "last line"].join("\n");
  const clock = new ManualClock();
  const document = new FakeDocument(before, place.join("\n"), after);
  const session = new EditSession(
    { start: before.length, lines: place, eol: "\n", version: 1 },
    document,
    clock,
  );
  document.sessions.push(session);
  const answer = lines(1 + random(20));
  let left = [...answer];
  let typed = 0;
  let expectedOthers = document.othersText;
  session.begin();

  const typeSomewhere = () => {
    // Nine of ten texts are typed outside of the edit; typing inside the edit ends the streaming.
    const { text } = document;
    const start = session.startOffset;
    const end = start + session.proposedLines.join("\n").length;
    const word = `«${typed++}»`;
    const choice = random(10);
    if (choice === 0) document.type(start + 1 + random(Math.max(1, end - start - 1)), 0, word);
    else if (choice < 5) document.type(random(Math.max(1, before.length)), 0, word);
    else if (choice < 7) document.type(start, 0, `${word}\n`);
    else if (choice === 7) document.type(end, 0, `\n${word}`);
    else document.type(end + 1 + random(Math.max(1, text.length - end)), 0, word);
    expectedOthers = document.othersText;
  };

  while (left.length > 0 && session.phase.kind === "streaming") {
    switch (random(5)) {
      case 0:
        typeSomewhere();
        break;
      case 1:
        document.answerWrite();
        break;
      case 2:
        clock.advance(random(120));
        break;
      case 3:
        await Promise.resolve();
        break;
      default: {
        const count = 1 + random(3);
        session.addLines(left.slice(0, count));
        left = left.slice(count);
      }
    }
  }
  const isInPhase = (kind: string) => session.phase.kind === kind;
  const isWhole = isInPhase("streaming");
  const done = session.finish("whole");
  if (random(2) === 0) typeSomewhere();
  await document.settle();
  await done;
  await document.settle();

  assert.equal(document.othersText, expectedOthers, "typed or surrounding text was lost");
  if (!isWhole || session.isTouched || !isInPhase("pending")) return "ended-by-user";
  assert.deepEqual(session.proposedLines, answer);
  const discarding = session.discard();
  await document.settle();
  assert.equal(await discarding, true);
  assert.ok(
    document.text.includes(place.join("\n")),
    "discarding did not restore the original lines",
  );
  assert.equal(document.othersText, expectedOthers, "discarding removed typed or surrounding text");
  return "completed";
}

describe("typing while a reply streams", () => {
  const seed = firstSeed();

  it(`loses nothing in ${RUNS} random interleavings (seed ${seed})`, async () => {
    let completedRuns = 0;
    for (let run = 0; run < RUNS; run++) {
      try {
        if ((await runInterleaving(seed + run)) === "completed") completedRuns++;
      } catch (error) {
        throw new Error(`seed ${seed + run}`, { cause: error });
      }
    }
    assert.ok(completedRuns > RUNS / 10, `only ${completedRuns} runs were completed`);
    assert.ok(completedRuns < RUNS, "no run typed inside the edit");
  });
});
