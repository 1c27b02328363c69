/** Detects user-only settings in the text of workspace files. */
import assert from "node:assert/strict";
import { personalSettingsIn } from "../../../src/host/settings/workspaceSettings";

describe("personalSettingsIn", () => {
  const both = ["coreChat.baseUrl", "coreChat.profiles"];
  const check = (name: string, text: string, expected: readonly string[]) =>
    it(`finds ${expected.length} settings in ${name}`, () =>
      assert.deepEqual(personalSettingsIn(text), expected));

  check("the file of a folder", '{"coreChat.profiles": [], "coreChat.baseUrl": "x"}', both);
  check("a file with comments", '// ours\n{"coreChat.profiles": [1,], /* more */}', both.slice(1));
  check("a file with a nested section", '{"coreChat": {"baseUrl": ""}}', both.slice(0, 1));
  check("a workspace file", '{"folders": [], "settings": {"coreChat.profiles": []}}', [both[1]!]);
  check("a file with other settings", '{"coreChat.systemPrompt": "x", "http.proxy": "y"}', []);
  check("an empty file", "", []);
  check("an invalid file", "[1, null, true", []);
});
