/** Reading a color theme: its files, the user's rules, and limits for hostile files. */
import assert from "node:assert/strict";
import { customizeTheme, readRules } from "../../../src/host/theme/tokenRules";
import { readThemeText } from "../../../src/host/theme/themeText";

/** Reads the theme `/x/themes/main.json` from these files. */
function rulesOf(files: Readonly<Record<string, string>>) {
  return readRules("/x/themes/main.json", (path) => Promise.resolve(files[path]));
}

const rule = (scope: string, foreground: string) => ({ scope: [scope], settings: { foreground } });

describe("the token rules of a color theme", () => {
  it("are read from JSON with comments and trailing commas", async () => {
    const text = `{
      // a comment
      "name": "Mine", "tokenColors": [
        { "name": "x", "scope": "comment, string.quoted", "settings": { "foreground": "#112233", "fontStyle": "italic bold" } },
        { "scope": ["keyword"], "settings": { "fontStyle": "" } },
      ],
    }`;
    assert.deepEqual(await rulesOf({ "/x/themes/main.json": text }), [
      {
        scope: ["comment", "string.quoted"],
        settings: { foreground: "#112233", fontStyle: "italic bold" },
      },
      { scope: ["keyword"], settings: { fontStyle: "" } },
    ]);
  });

  it("come after those of the included files, in other folders too", async () => {
    const files = {
      "/x/themes/main.json": `{ "include": "./base.json", "tokenColors": [${JSON.stringify(rule("a", "#111"))}] }`,
      "/x/themes/base.json": `{ "include": "../deep/er.json", "tokenColors": [${JSON.stringify(rule("b", "#222"))}] }`,
      "/x/deep/er.json": `{ "tokenColors": [${JSON.stringify(rule("c", "#333"))}] }`,
    };
    assert.deepEqual(
      (await rulesOf(files)).map(({ scope }) => scope[0]),
      ["c", "b", "a"],
    );
  });

  it("are read once if files include each other, and missing files are skipped", async () => {
    const files = {
      "/x/themes/main.json": `{ "include": "./two.json", "tokenColors": [${JSON.stringify(rule("a", "#111"))}] }`,
      "/x/themes/two.json": `{ "include": "./main.json", "tokenColors": "./gone.tmTheme" }`,
    };
    assert.deepEqual(await rulesOf(files), [rule("a", "#111")]);
  });

  it("contain only valid colors and styles", () => {
    const { rules } = readThemeText(
      JSON.stringify({
        tokenColors: [
          { scope: "a", settings: { foreground: "red;} * { background: url(http://x)" } },
          { scope: "b", settings: { foreground: "#12345", fontStyle: "blink url(x)" } },
          { scope: ["x".repeat(500), "c"], settings: { foreground: "#ABCDEF80" } },
          { scope: 7, settings: { foreground: "#fff" } },
          { settings: { foreground: "#fff" } },
          null,
          "d",
        ],
      }),
    );
    assert.deepEqual(rules, [
      { scope: ["b"], settings: { fontStyle: "" } },
      { scope: ["c"], settings: { foreground: "#ABCDEF80" } },
    ]);
  });

  it("are empty for a file that is not a theme", () => {
    for (const text of ["", "{", "[]", "7", "null", "<plist>", "<a><b></c>", "\0\0"]) {
      assert.deepEqual(readThemeText(text), { include: undefined, rules: [] }, text);
    }
  });
});

describe("the user's own rules", () => {
  const scopes = (customisations: unknown, id = "Dark Modern") =>
    customizeTheme([rule("theme", "#000")], customisations, id).tokenColors.map(
      ({ scope, settings }) => `${scope[0]} ${settings.foreground}`,
    );

  it("come after those of the theme, those for this theme last", () => {
    const own = {
      "[Dark Modern]": { strings: "#111111" },
      comments: { foreground: "#222222", fontStyle: "bold" },
      textMateRules: [rule("variable.other", "#333333")],
      "[Other]": { numbers: "#444444" },
    };
    assert.deepEqual(scopes(own), [
      "theme #000",
      "comment #222222",
      "variable.other #333333",
      "string #111111",
    ]);
  });

  it("apply to several themes, by name or with a wildcard", () => {
    const own = { "[Light*][Dark M*n]": { types: "#111111" }, "[Dark (x]": { types: "#222222" } };
    assert.deepEqual(scopes(own), ["theme #000", "entity.name.type #111111"]);
    assert.deepEqual(scopes(own, "Lighter"), ["theme #000", "entity.name.type #111111"]);
    assert.deepEqual(scopes(own, "Dark (x"), ["theme #000", "entity.name.type #222222"]);
  });

  it("are ignored when they are not valid", () => {
    for (const own of [undefined, null, 7, "x", [], { comments: 7, textMateRules: "x" }]) {
      assert.deepEqual(scopes(own), ["theme #000"]);
    }
  });
});
