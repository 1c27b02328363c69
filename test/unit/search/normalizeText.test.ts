import assert from "node:assert/strict";
import * as fc from "fast-check";
import { itWithRounds } from "../../support/depth";
import { normalizeText } from "../../../src/search/normalizeText";

describe("normalizeText", () => {
  it("normalizes every unit in a single pass", () => {
    for (let unit = 0; unit < 0xd800; unit++) {
      const { text } = normalizeText(String.fromCharCode(unit));
      assert.equal(normalizeText(text).text, text, `U+${unit.toString(16)}`);
    }
  });

  it("finds a letter with a stroke and an accent by the plain letter", () => {
    assert.equal(normalizeText("Ǿǿ").text, "oo");
  });

  const rounds = { quick: 60, all: 300 };
  itWithRounds("returns one unit for each unit of any text", rounds, (numRuns) => {
    const property = fc.property(fc.string({ unit: "binary" }), (text) => {
      const folded = normalizeText(text);
      assert.equal(folded.text.length, folded.original.length);
      assert.equal(folded.original, text.normalize("NFC"));
      assert.equal(normalizeText(folded.text).text, folded.text);
    });
    fc.assert(property, { numRuns });
  });
});
