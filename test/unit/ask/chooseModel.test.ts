/**
 * Automatic choice of the model: it depends on the pictures of the conversation, never on the
 * budget.
 */
import assert from "node:assert/strict";
import { chooseModel } from "../../../src/ask/ask";
import type { Part, UserMessage } from "../../../src/conversation/message";
import { picture } from "./longConversation";

const text: Part = { kind: "text", text: "What is this?" };

function question(id: string, ...parts: Part[]): UserMessage {
  return { role: "user", id, parentId: null, parts, sentAtMs: 0 };
}

describe("chooseModel", () => {
  const path = [question("a", text, picture("a.png")), question("b", text)];

  it("uses the model that the user chose", () => {
    assert.equal(chooseModel("llm", path), "llm");
    assert.equal(chooseModel("vl", [question("a", text)]), "vl");
  });

  it("uses the vision model if this or an earlier question contains a picture", () => {
    assert.equal(chooseModel("auto", path), "vl");
    assert.equal(chooseModel("auto", [question("a", text)]), "llm");
    const url = "https://example.com/a.png";
    const address = question("a", { kind: "image-address", url });
    assert.equal(chooseModel("auto", [address]), "vl");
  });

  it("ignores pictures that the user removed", () => {
    const after = { ...question("b", text), leavesOlderPictures: true };
    assert.equal(chooseModel("auto", [path[0]!, after]), "llm");
  });
});
