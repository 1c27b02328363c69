/** Detects user-only settings in the text of workspace files. */
import assert from "node:assert/strict";
import { personalSettingsIn } from "../../../src/host/settings/workspaceSettings";

describe("personalSettingsIn", () => {
  const both = ["coreChat.baseUrl", "coreChat.profiles"];
  const check = (name: string, text: string, expected: readonly string[]) =>
    it(`finds ${expected.length} in ${name}`, () =>
      assert.deepEqual(personalSettingsIn(text), expected));

  check("a folder's file", '{"coreChat.profiles": [], "coreChat.baseUrl": "x"}', both);
  check("one with comments", '// ours\n{"coreChat.profiles": [1,], /* more */}', both.slice(1));
  check("one with a nested section", '{"coreChat": {"baseUrl": ""}}', both.slice(0, 1));
  check("a workspace file", '{"folders": [], "settings": {"coreChat.profiles": []}}', [both[1]!]);
  check("what a workspace may set", '{"coreChat.systemPrompt": "x", "http.proxy": "y"}', []);
  check("an empty file", "", []);
  check("no settings at all", "[1, null, true", []);
});
