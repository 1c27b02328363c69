/**
 * Replies of models to an edit, judged by the file that results. A reply with which the user is asked
 * although the code is there is listed in asked.txt, a reply that is read wrong in wrong.txt.
 */
import assert from "node:assert/strict";
import { firstSeed, randomOf, type Random } from "../../support/fakes/seeded";
import { readEdits, readListed, type Edit } from "./editCorpus";
import { outcomeOf, verdictOn, type Outcome, type Verdict } from "./judge";
import { ALL } from "../../support/depth";

function randomPieces(text: string, random: Random): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += pieces.at(-1)?.length ?? 1) {
    pieces.push(text.slice(at, at + 1 + random(12)));
  }
  return pieces;
}

const allEdits = readEdits();
const listed = { wrong: readListed("wrong"), asked: readListed("asked") };

for (const [title, step] of [
  ["", 3],
  [`, each of all ${ALL}`, 1],
] as const)
  describe(`the file after a model's reply to an edit${title}`, () => {
    const edits = allEdits.filter(
      ({ id }, at) => at % step === 0 || listed.wrong.has(id) || listed.asked.has(id),
    );
    const verdicts = new Map<string, Verdict>();
    const outcomes = new Map<string, Outcome>();

    before("reads each reply as a whole", async () => {
      for (const edit of edits) {
        const outcome = await outcomeOf(edit, [edit.reply]);
        outcomes.set(edit.id, outcome);
        verdicts.set(edit.id, verdictOn(edit, outcome));
      }
    });

    after("prints a table", () => {
      const kinds = [...new Set(edits.map(({ kind }) => kind))].sort();
      const count = (some: readonly Edit[]) =>
        ["exact", "asked", "wrong"].map(
          (verdict) => some.filter(({ id }) => verdicts.get(id) === verdict).length,
        );
      const row = (name: string, counts: readonly (number | string)[]) =>
        `${name.padEnd(16)}${counts.map((one) => `${one}`.padStart(7)).join("")}`;
      const table = kinds.map((kind) =>
        row(kind, count(edits.filter((edit) => edit.kind === kind))),
      );
      console.log(
        [row("", ["exact", "asked", "wrong"]), ...table, row("all", count(edits))].join("\n"),
      );
    });

    it("comes from at least 300 replies with different names, in 25 languages", () => {
      assert.ok(edits.length >= 300, `${edits.length} replies`);
      assert.equal(new Set(allEdits.map(({ id }) => id)).size, allEdits.length);
      const labels = new Set(edits.map(({ file }) => file.label));
      assert.ok(labels.size >= 25, `${labels.size} languages`);
    });

    it("is wrong only for the listed replies", () => {
      const wrong = edits.filter(({ id }) => verdicts.get(id) === "wrong").map(({ id }) => id);
      const shown = wrong
        .filter((id) => !listed.wrong.has(id))
        .map((id) => `${id}:\n${outcomes.get(id)?.text}`);
      assert.ok(shown.length === 0, `${shown.length} wrong\n\n${shown.slice(0, 5).join("\n\n")}`);
      assert.deepEqual(wrong.sort(), [...listed.wrong.keys()].sort());
    });

    it("is exact, except for the listed replies with which the user is asked", () => {
      const found = edits.filter(({ id }) => verdicts.get(id) === "asked").map(({ id }) => id);
      assert.deepEqual(found.sort(), [...listed.asked.keys()].sort());
    });

    const seed = firstSeed();
    it(`does not depend on the parts of the reply (seed ${seed})`, async () => {
      const random = randomOf(seed);
      for (const edit of edits.filter((_, at) => step === 1 || at % 16 === 0)) {
        const expected = outcomes.get(edit.id);
        for (const pieces of [randomPieces(edit.reply, random), Array.from(edit.reply)]) {
          assert.deepEqual(await outcomeOf(edit, pieces), expected, edit.id);
        }
      }
    });
  });
