/** What an edit asks for, so that the reply is the whole of its lines. */
import assert from "node:assert/strict";
import type { ExcerptPart } from "../../../src/conversation/message";
import { editQuestion, type EditRequest } from "../../../src/edit/editPrompt";

const TARGET: ExcerptPart = {
  kind: "excerpt",
  path: "shop/till.ts",
  uri: "file:///shop/till.ts",
  languageId: "typescript",
  text: "  open() {\n    return 1;\n  }",
  startLine: 7,
  endLine: 9,
};

function questionText(fields: Partial<EditRequest>): string {
  const request = {
    kind: "rewrite",
    instruction: "Return two",
    target: TARGET,
    problems: "",
  } as const;
  const parts = editQuestion({ ...request, ...fields });
  return parts.map((part) => (part.kind === "text" ? part.text : "")).join("\n");
}

describe("editQuestion", () => {
  it("asks for each line that stays, for whole lines, and for the depth of new lines", () => {
    const rewrite = questionText({ selected: "return 1" });
    assert.match(rewrite, /whole lines, including what is not selected:\nreturn 1\n/);
    assert.match(rewrite, /Repeat every line that stays, also if you only add something\./);
    assert.match(rewrite, /Lines to rewrite:/);
    const generate = questionText({ kind: "generate" });
    assert.match(generate, /Begin with the indentation that the lines need in this file\./);
    assert.match(generate, /Line at the cursor:/);
    assert.doesNotMatch(generate, /Repeat every line|including what is not selected/);
  });
});
