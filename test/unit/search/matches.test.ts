import assert from "node:assert/strict";
import { findInDraft } from "../../../src/search/matches";
import { bracketed } from "./searchWindow";

/** Returns the only snippet with its matches in brackets. */
function shown(draft: string, query: string): string {
  const [{ text, ranges } = { text: "", ranges: [] }] = findInDraft(draft, query) ?? [];
  return bracketed(text, ranges);
}

describe("findInDraft", () => {
  it("marks the matches and shortens a long draft around the first", () => {
    const draft = `${"before ".repeat(30)}the Café opens. ${"behind ".repeat(30)}`;
    assert.match(shown(draft, "opens cafe"), /^….*the \[Café\] \[opens\]\. .*…$/);
  });

  it("marks the match behind letters with separate accents", () => {
    assert.equal(shown("e\u0301e\u0301e\u0301 zebra", "zebra"), "ééé [zebra]");
  });

  it("returns undefined without one of the terms, and no snippet for a blank query", () => {
    assert.equal(findInDraft("a zebra", "zebra owl"), undefined);
    assert.deepEqual(findInDraft("a zebra", " "), []);
  });
});
