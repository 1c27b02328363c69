/** Names of servers, repositories and files in quick picks and the status bar. */
import assert from "node:assert/strict";
import { plainLabel } from "../../../src/host/messages/plainLabel";

describe("the label of a foreign name", () => {
  for (const [name, label] of [
    ["core_llm", "core_llm"],
    ["$(verified-filled) core_llm", "\\$(verified-filled) core_llm"],
    ["a $(x) $(y~spin)", "a \\$(x) \\$(y~spin)"],
    ["one\r\ntwo\u2028three", "one two three"],
    ["safe\u202etxt.exe", "safetxt.exe"],
    ["a\u200bb\u0000c\u001b[31m", "abc[31m"],
    ["half \ud83d", "half \ufffd"],
    ["模型 👩‍👧 $5 (new)", "模型 👩‍👧 $5 (new)"],
  ] as const) {
    it(`is one line of plain text: ${JSON.stringify(name)}`, () => {
      assert.equal(plainLabel(name), label);
    });
  }
});
