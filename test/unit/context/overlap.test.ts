/** Parts of a question with the same lines or problems are sent once. */
import assert from "node:assert/strict";
import { isCovered, withoutRepeats } from "../../../src/context/overlap";
import type { ExcerptPart, Part } from "../../../src/conversation/message";

const FILE = ["class Cart {", "  put() {", "    return 1;", "  }", "}"];

function lines(startLine: number, endLine: number, rest: Partial<ExcerptPart> = {}): ExcerptPart {
  return {
    kind: "excerpt",
    path: "cart.ts",
    uri: "file:///p/cart.ts",
    languageId: "typescript",
    startLine,
    endLine,
    text: FILE.slice(startLine - 1, endLine).join("\n"),
    ...rest,
  };
}

function whole(rest: Partial<ExcerptPart> = {}): ExcerptPart {
  const { kind, path, uri, languageId, text } = lines(1, FILE.length);
  return { kind, path, uri, languageId, text, ...rest };
}

const LIST: Part = {
  kind: "note",
  source: "problems",
  label: "Problems",
  text: "Problems:\ncart.ts:\n- line 3: error: no\n- line 4: error: nor this\n\nother.ts:\n- line 1: error: x",
};

describe("withoutRepeats", () => {
  it("drops lines that another excerpt of the file contains, before or after it", () => {
    const method = lines(2, 4, { symbol: "put" });
    assert.deepEqual(withoutRepeats([method, whole()]), [whole()]);
    assert.deepEqual(withoutRepeats([whole(), method]), [whole()]);
    assert.deepEqual(withoutRepeats([lines(1, 5), lines(2, 3)]), [lines(1, 5)]);
  });

  it("keeps one of two excerpts with the same lines", () => {
    assert.deepEqual(withoutRepeats([lines(2, 3), lines(2, 3)]), [lines(2, 3)]);
    assert.deepEqual(withoutRepeats([LIST, LIST]), [LIST]);
  });

  it("keeps excerpts that only overlap, of other files, or with other text", () => {
    const parts = [
      lines(1, 3),
      lines(2, 4),
      lines(2, 3, { uri: "file:///p/other.ts" }),
      lines(2, 3, { text: "  put(item) {\n    return 2;" }),
    ];
    assert.deepEqual(withoutRepeats(parts), parts);
  });

  it("keeps lines that the other excerpt omits", () => {
    const cut = whole({ text: "class Cart {\n[… 3 lines left out …]\n}", linesLeftOut: 3 });
    assert.deepEqual(withoutRepeats([cut, lines(2, 4)]), [cut, lines(2, 4)]);
  });

  it("keeps lines whose problems the other excerpt does not have", () => {
    const wrong = lines(2, 4, { problems: "- line 3: error: no" });
    assert.deepEqual(withoutRepeats([lines(1, 5), wrong]), [lines(1, 5), wrong]);
    assert.ok(isCovered(wrong, [whole({ problems: "- line 3: error: no\n- line 5: hint: b" })]));
  });

  it("lists a problem once, also with a list of problems", () => {
    const wrong = lines(2, 4, { problems: "- line 3: error: no\n- line 4: hint: new" });
    assert.deepEqual(withoutRepeats([wrong, LIST]), [
      lines(2, 4, { problems: "- line 4: hint: new" }),
      LIST,
    ]);
    assert.deepEqual(withoutRepeats([lines(2, 4, { problems: "- line 3: error: no" }), LIST]), [
      lines(2, 4),
      LIST,
    ]);
  });
});
