/** Validation and masking of a typed key. Error texts never contain the key. */
import assert from "node:assert/strict";
import { maskKey, readApiKey } from "../../../src/service/apiKey";

describe("readApiKey", () => {
  const cleans = (typed: string, key = "sk-abc.DEF_123"): void => {
    it(`reads ${JSON.stringify(typed)}`, () => {
      assert.deepEqual(readApiKey(typed), { ok: true, key });
    });
  };
  cleans("sk-abc.DEF_123");
  cleans("  sk-abc.DEF_123\r\n");
  cleans("\ufeffsk-abc.DEF_123");
  cleans("Bearer sk-abc.DEF_123");
  cleans("Authorization: Bearer sk-abc.DEF_123");
  cleans('"sk-abc.DEF_123"');
  cleans("'Authorization: Bearer sk-abc.DEF_123'");
  cleans("bearersomething", "bearersomething");
  cleans("k".repeat(4096), "k".repeat(4096));

  const refuses = (typed: string, problem: string): void => {
    it(`rejects ${JSON.stringify(typed.slice(0, 40))} as ${problem}`, () => {
      assert.deepEqual(readApiKey(typed), { ok: false, problem });
    });
  };
  refuses("", "empty");
  refuses(" \t\n", "empty");
  refuses("Bearer", "empty");
  refuses("Authorization: Bearer", "empty");
  refuses("sk-abc\nDEF", "several-lines");
  refuses("sk-abc\r\nX-Evil: 1", "several-lines");
  refuses("sk-abc DEF", "blank-inside");
  refuses("sk-abc\u00a0DEF", "blank-inside");
  refuses("sk-🙂", "not-ascii");
  refuses("sk-abc\u200b", "not-ascii");
  refuses("sk-\u0000abc", "not-ascii");
  refuses("k".repeat(4097), "too-long");
  refuses("Bearer Bearer sk-abc", "blank-inside");
});

describe("maskKey", () => {
  it("shows the last four characters of a key and none of a short one", () => {
    assert.equal(maskKey("sk-abcdefgh1234"), "••••1234");
    assert.equal(maskKey("1234567"), "••••");
    assert.equal(maskKey(""), "••••");
  });
});
