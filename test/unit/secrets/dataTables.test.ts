/** The form of the tables of secrets and of programs: the extension reads them without a check. */
import assert from "node:assert/strict";
import { tableSections } from "../../../src/secrets/dataTable";
import fileReaders from "../../../src/secrets/fileReaders.txt";
import namedSecrets from "../../../src/secrets/namedSecrets.txt";
import secretNames from "../../../src/secrets/secretNames.txt";
import secretTokens from "../../../src/secrets/secretTokens.txt";

/** Returns the rows of a table that do not have a form, and headings without rows or of another form. */
function flaws(table: string, heading: RegExp, row: (heading: string) => RegExp): string[] {
  return tableSections(table).flatMap((section) => [
    ...(heading.test(section.heading) && section.rows.length > 0 ? [] : [`[${section.heading}]`]),
    ...section.rows.filter((one) => !row(section.heading).test(one)),
  ]);
}

/** Returns the number of groups of a regular expression. */
const groupsOf = (source: string) => (new RegExp(`${source}|`).exec("")?.length ?? 1) - 1;

/** Returns what occurs more than once. */
const repeated = (names: readonly string[]) =>
  names.filter((name, index) => names.indexOf(name) < index);

describe("tableSections", () => {
  it("reads headings, rows and definitions, and leaves comments out", () => {
    const table = "# a\n%HEX [0-9a-f]\n\n[x y]\r\n# b\r\n%HEX{2}\r\n[0-9]-%HEX%NONE\n#\n[z]\n#c\n";
    assert.deepEqual(tableSections(table), [
      { heading: "x y", rows: ["[0-9a-f]{2}", "[0-9]-[0-9a-f]%NONE"] },
      { heading: "z", rows: ["#c"] },
    ]);
  });
});

describe("fileReaders.txt", () => {
  it("has only known reasons and rows of a program and its names", () => {
    const heading =
      /^(?:(?:instructs-assistants|guards-access|runs-by-itself) anywhere|(?:runs-by-itself|ordinary) workspace)$/;
    const row = /^(?:[A-Z][\w.-]*(?: [A-Za-z]+)*|[a-z][\w-]*|): [^\sA-Z]+(?: [^\sA-Z]+)*$/;
    assert.deepEqual(
      flaws(fileReaders, heading, () => row),
      [],
    );
  });
});

describe("secretNames.txt", () => {
  it("has names in lower case, each once, and patterns without flags", () => {
    const heading = /^(?:name|ending|(?:name|path)-pattern|harmless-(?:name|path))$/;
    const name = /^[^\sA-Z%/]+(?: [^\sA-Z%/]+)*$/;
    const found = flaws(secretNames, heading, (one) => (one.includes("-") ? /^\S.*\S$/ : name));
    assert.deepEqual(found, []);
    for (const { heading: title, rows } of tableSections(secretNames)) {
      const all = title.includes("-") ? rows : rows.flatMap((row) => row.split(" "));
      assert.deepEqual(repeated(all), [], title);
      if (title.includes("-")) for (const row of rows) assert.doesNotThrow(() => groupsOf(row));
      assert.ok(rows.every((row) => !/%[A-Z]/.test(row)));
    }
  });
});

describe("secretTokens.txt", () => {
  const sections = tableSections(secretTokens);

  it("has only known kinds and flags, and no row twice", () => {
    const heading =
      /^(?:private-key|token|vault|password) gi?m?(?: word)?(?: generated)?(?: ".+")?$/;
    assert.deepEqual(
      flaws(secretTokens, heading, () => /^(?!.*%[A-Z]).*\S$/),
      [],
    );
    assert.deepEqual(repeated(sections.flatMap(({ rows }) => rows)), []);
  });

  it("has at most one group, whose row is the only one of its heading", () => {
    const wrong = sections.filter(({ rows }) => {
      const groups = rows.reduce((sum, row) => sum + groupsOf(row), 0);
      return groups > 1 || (groups === 1 && rows.length > 1);
    });
    assert.deepEqual(wrong, []);
  });
});

describe("namedSecrets.txt", () => {
  const sections = tableSections(namedSecrets);

  it("has only known headings, and a length or none for each kind of value", () => {
    const patterns = ["name", "strong-name", "token-name", "any-key", "no-value"];
    const heading = new RegExp(`^(?:${patterns.join("|")}|word|least [a-z =:-]+)$`);
    const lengths = /^(?:STRONG|PLAIN|strong|token|plain)(?: (?:-|\d{1,2})){8}$/;
    const row = (one: string) =>
      one === "word" ? /^[a-z\d]+(?: [a-z\d]+)*$/ : one.startsWith("least") ? lengths : /^\S.*\S$/;
    assert.deepEqual(flaws(namedSecrets, heading, row), []);
    for (const name of patterns) {
      const source = sections.find((one) => one.heading === name)?.rows.join("|");
      assert.equal(groupsOf(source ?? "("), 0, name);
    }
  });
});
