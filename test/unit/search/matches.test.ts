import assert from "node:assert/strict";
import { findInDraft } from "../../../src/search/matches";

/** Returns the only snippet with its matches in brackets. */
function shown(draft: string, query: string): string {
  const [snippet] = findInDraft(draft, query) ?? [];
  let text = snippet?.text ?? "";
  for (const [start, end] of [...(snippet?.ranges ?? [])].reverse())
    text = `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`;
  return text;
}

describe("findInDraft", () => {
  it("marks the matches and shortens a long draft around the first", () => {
    const text = shown(
      `${"before ".repeat(30)}the Café opens. ${"behind ".repeat(30)}`,
      "opens cafe",
    );
    assert.match(text, /^….*the \[Café\] \[opens\]\. .*…$/);
  });

  it("marks the match behind letters with separate accents", () => {
    assert.equal(shown("e\u0301e\u0301e\u0301 zebra", "zebra"), "ééé [zebra]");
  });

  it("returns undefined without one of the terms, and no snippet for a blank query", () => {
    assert.equal(findInDraft("a zebra", "zebra owl"), undefined);
    assert.deepEqual(findInDraft("a zebra", " "), []);
  });
});
