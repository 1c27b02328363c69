import assert from "node:assert/strict";
import { firstWords } from "../../../src/webview/state/questionWords";

describe("the first words of a question", () => {
  for (const [text, words] of [
    ["Why does `withRetry` give up?", "Why does withRetry give up?"],
    ["What does ``a ` b`` mean?", "What does a ` b mean?"],
    ["A lone ` and\n\ntwo lines", "A lone ` and two lines"],
  ]) {
    it(`are ${JSON.stringify(words)} for ${JSON.stringify(text)}`, () => {
      assert.equal(firstWords({ text: text ?? "", chips: [] }), words);
    });
  }

  it("name the first part of a question without text", () => {
    const chips = [{ kind: "file" as const, label: "cart.ts", detail: "" }];
    assert.equal(firstWords({ text: " ", chips }), "cart.ts");
  });
});
