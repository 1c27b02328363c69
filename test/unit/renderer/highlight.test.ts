/**
 * Syntax highlighting with TextMate grammars: languages, state between lines, limits and themes.
 */
import assert from "node:assert/strict";
import { FALLBACK_THEME } from "../../../src/renderer/highlight/fallbackTheme";
import { knownLanguage, LANGUAGES, loadGrammars } from "../../../src/renderer/highlight/languages";
import { ScopeStyles } from "../../../src/renderer/highlight/scopeStyles";
import { Tokenizer } from "../../../src/renderer/highlight/tokenizer";

async function tokenizerFor(name: string, now: () => number = () => 0) {
  const styles = new ScopeStyles(FALLBACK_THEME);
  const tokenizer = new Tokenizer(styles, now);
  const grammars = await loadGrammars(name);
  tokenizer.addGrammars(grammars);
  const scopeName = grammars.at(-1)?.scopeName ?? "";
  return { styles, reader: tokenizer.openBlock(scopeName) };
}

/** Returns the text of each token of a line. */
function texts(line: string, tokens: Uint32Array): string[] {
  const found: string[] = [];
  let from = 0;
  for (let token = 0; token < (tokens[0] ?? 0); token++) {
    const end = tokens[1 + token * 2] ?? 0;
    found.push(line.slice(from, end));
    from = end;
  }
  return found;
}

describe("the languages of code blocks", () => {
  it("are at least 40, found by name and alias in any case", () => {
    assert.ok(LANGUAGES.length >= 40);
    assert.equal(knownLanguage("TS"), "typescript");
    assert.equal(knownLanguage("c++"), "cpp");
    assert.equal(knownLanguage("python"), "python");
    assert.equal(knownLanguage("constructor"), undefined);
    assert.equal(knownLanguage(""), undefined);
  });

  it("have grammars that load and tokenize", async function () {
    this.timeout(300_000);
    for (const name of LANGUAGES) {
      const { reader } = await tokenizerFor(name);
      assert.ok(reader !== undefined, name);
      // Some grammars take a second to compile, so only a few are run.
      if (["python", "css", "sql"].includes(name)) assert.ok(reader.tokenizeLines(["a = 1"]), name);
    }
  });
});

describe("Tokenizer", () => {
  it("keeps the state between lines in any chunks", async () => {
    const { reader } = await tokenizerFor("typescript");
    const { reader: other } = await tokenizerFor("typescript");
    const lines = ["const a = `one", "two ${b}", "three`; // end"];
    const atOnce = reader?.tokenizeLines(lines);
    const oneByOne = lines.flatMap((line) => [...(other?.tokenizeLines([line]) ?? [])]);
    assert.deepEqual([...(atOnce ?? [])], oneByOne);
  });

  it("colors a language that an earlier one embeds", async () => {
    const tokenizer = new Tokenizer(new ScopeStyles(FALLBACK_THEME), () => 0);
    const counts: number[] = [];
    for (const name of ["markdown", "typescript"]) {
      const grammars = await loadGrammars(name);
      tokenizer.addGrammars(grammars);
      const block = tokenizer.openBlock(grammars.at(-1)!.scopeName);
      counts.push(block?.tokenizeLines(["const a = 1;"])?.[0] ?? 0);
    }
    assert.ok(counts[1]! > 1, String(counts));
  });

  it("joins blanks with the preceding token and covers the line", async () => {
    const { reader } = await tokenizerFor("json");
    const line = '{ "a": 1 }';
    const found = reader?.tokenizeLines([line]) ?? new Uint32Array();
    assert.equal(texts(line, found).join(""), line);
    assert.ok(!texts(line, found).includes(" "));
  });

  it("stops highlighting a block that takes too long", async () => {
    let time = 0;
    const { reader } = await tokenizerFor("json", () => (time += 300));
    const lines = Array.from({ length: 100 }, () => "1");
    assert.equal(reader?.tokenizeLines(lines), undefined);
  });
});

describe("ScopeStyles", () => {
  it("restyles known paths for a theme: nearest scope, parents, font", () => {
    const styles = new ScopeStyles(FALLBACK_THEME);
    const comment = styles.numberOf(["source.ts", "comment.line.ts"]);
    const inner = styles.numberOf(["source.ts", "string.quoted.ts", "constant.other.ts"]);
    const rules = new Map(
      styles.setTheme({
        tokenColors: [
          { settings: { foreground: "#ffffff" } },
          { scope: "comment", settings: { foreground: "#00ff00", fontStyle: "italic underline" } },
          { scope: ["string", "x"], settings: { foreground: "#aa0000" } },
          { scope: "string constant", settings: { fontStyle: "bold" } },
        ],
      }),
    );
    assert.equal(rules.get(comment), "color:#00FF00;font-style:italic;text-decoration:underline;");
    assert.equal(rules.get(inner), "color:#AA0000;font-weight:bold;");
  });

  it("allows only colors in the style sheet", () => {
    const styles = new ScopeStyles(FALLBACK_THEME);
    const number = styles.numberOf(["source.ts", "comment"]);
    const [rule] = styles.setTheme({
      tokenColors: [{ scope: "comment", settings: { foreground: "red;} body{display:none" } }],
    });
    assert.deepEqual(rule, [number, ""]);
  });
});
