/**
 * Every user-visible string exists in English and in Simplified Chinese with the same placeholders,
 * and no translation is unused.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { filesBelow } from "../support/source/files";
import { userStrings } from "../support/source/userStrings";

function readJson(file: string): Record<string, string> {
  return JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
}

function placesOf(text: string): string[] {
  return [...new Set(text.match(/\{\d+\}|%s/g) ?? [])].sort();
}

const strings = userStrings(filesBelow("src", /\.tsx?$/));
const chinese = readJson("l10n/bundle.l10n.zh-cn.json");

describe("strings of the source", () => {
  it("are plain literals, so that they can be translated", () => {
    const computed = strings.filter(({ text }) => text === undefined).map(({ file }) => file);
    assert.deepEqual(computed, []);
    assert.ok(strings.length > 50, `only ${strings.length} strings were found`);
  });

  it("have a Chinese text each", () => {
    const missing = strings.flatMap(({ text }) => (text && !chinese[text]?.trim() ? [text] : []));
    assert.deepEqual([...new Set(missing)], []);
  });

  it("keep their placeholders", () => {
    for (const [english, translated] of Object.entries(chinese)) {
      assert.deepEqual(placesOf(translated), placesOf(english), english);
    }
  });

  it("are all used", () => {
    const used = new Set(strings.map(({ text }) => text));
    assert.deepEqual(
      Object.keys(chinese).filter((text) => !used.has(text)),
      [],
    );
  });
});

describe("strings of package.json", () => {
  const english = readJson("package.nls.json");
  const translated = readJson("package.nls.zh-cn.json");
  const manifest = readFileSync("package.json", "utf8");
  const keys = [...manifest.matchAll(/"%([^%"]+)%"/g)].flatMap((match) => match[1] ?? []);

  it("have a text in both languages for every key, and no unused key", () => {
    const expected = [...new Set(keys)].sort();
    assert.deepEqual(Object.keys(english).sort(), expected);
    assert.deepEqual(Object.keys(translated).sort(), expected);
  });

  it("are translated rather than copied", () => {
    const copied = Object.keys(english).filter(
      (key) => key !== "displayName" && english[key] === translated[key],
    );
    assert.deepEqual(copied, []);
  });
});
