/** Indentation of a reply, adapted to the target lines. */
import assert from "node:assert/strict";
import {
  IndentMatcher,
  placed,
  unitOf,
  type IndentStyle,
} from "../../../src/replyCode/indentation";
import { indentOf } from "../../../src/replyCode/lines";
import { applyPatch } from "../../../src/replyCode/patch";
import { sectionsOf } from "../../../src/replyCode/patchParts";

function check(style: IndentStyle, reply: readonly string[], expected: readonly string[]): void {
  const matcher = new IndentMatcher(style);
  assert.deepEqual(
    reply.map((line) => matcher.match(line)),
    expected,
  );
}

const spaces = { base: "    ", usesTabs: false, size: 4 };
const tabs = { base: "\t", usesTabs: true, size: 4 };

describe("IndentMatcher", () => {
  it("keeps the blanks that begin a paragraph", () => {
    for (const blank of "\u3000\u00a0\u2003\u2009\u202f\u1680\ufeff") {
      const lines = [`${blank}${blank}今天`, "", `${blank}a`];
      check({ base: "", usesTabs: false, size: 4 }, lines, lines);
      assert.deepEqual(placed([`${blank}a`, `  ${blank}b`], spaces), [
        `    ${blank}a`,
        `      ${blank}b`,
      ]);
    }
  });

  it("moves a block from the margin to the target's indentation", () => {
    check(spaces, ["if (a) {", "    go();", "}"], ["    if (a) {", "        go();", "    }"]);
  });

  it("does not change a block with the target's indentation", () => {
    check(
      spaces,
      ["    if (a) {", "      go();", "    }"],
      ["    if (a) {", "      go();", "    }"],
    );
    const lines = [
      "    add(",
      "            name,",
      "            price) {",
      "        go();",
      "    }",
    ];
    assert.deepEqual(placed(lines, { ...spaces, unit: 4, target: ["    add(name) {"] }), lines);
  });

  it("moves a block back that is indented too deep", () => {
    check(
      { ...spaces, base: "" },
      ["        a", "            b", "        c"],
      ["a", "    b", "c"],
    );
  });

  it("handles lines that are less indented than the first", () => {
    check(spaces, ["    a", "  b", "c"], ["    a", "  b", "c"]);
    check({ ...spaces, base: "      " }, ["  a", "b"], ["      a", "    b"]);
  });

  it("converts a reply's spaces to tabs for any width of a level", () => {
    check(
      tabs,
      ["if (a) {", "  if (b) {", "    go();", "  }", "}"],
      ["\tif (a) {", "\t\tif (b) {", "\t\t\tgo();", "\t\t}", "\t}"],
    );
  });

  it("converts a reply's tabs to spaces", () => {
    check(spaces, ["if (a) {", "\tgo();"], ["    if (a) {", "        go();"]);
  });

  it("keeps blank lines, which may be part of a string", () => {
    check(spaces, ["a", "   ", "", "b"], ["    a", "   ", "", "    b"]);
  });

  const whole = (style: IndentStyle, reply: readonly string[]) => [...placed(reply, style)];

  it("moves no other line if only the first one lost its indentation", () => {
    const target = ["    if (a) {", "        go();", "    }"];
    const reply = ["if (a && b) {", "        go();", "    }"];
    const expected = ["    if (a && b) {", "        go();", "    }"];
    assert.deepEqual(whole({ ...spaces, unit: 4, target }, reply), expected);
    assert.deepEqual(whole({ ...spaces, unit: 4 }, reply), expected);
  });

  it("moves only a first line that opens nothing if the others are the document's", () => {
    const target = ["    total = 0", "    for item in items:", "        total += item"];
    const lines = ["total = start", ...target.slice(1)];
    assert.deepEqual(placed(lines, { ...spaces, target }), [
      "    total = start",
      ...target.slice(1),
    ]);
  });

  for (const [name, unit, code] of [
    ["a Python method", 4, "def load(self):|    rows = read()|    return rows"],
    ["a Python method of two blanks", 2, "def load(self):|  try:|    a()|  except E:|    b()"],
    ["a Python match", 4, "match a:|    case 1:|        b()|    case _:|        c()"],
    ["a service of a compose file", 2, "web:|  image: nginx|  ports:|    - '80:80'"],
    ["a job of a workflow", 2, "test:|  runs-on: ubuntu-latest|  steps:|    - run: npm test"],
    ["a path of an API", 2, "/users:|  get:|    responses:|      '200':|        description: ok"],
    ["a case of Go", 4, "case 1:|    if a {|        b()|    }"],
    ["a function with braces", 2, "go() {|  if (a) {|    b();|  }|}"],
  ] as const) {
    const base = " ".repeat(unit);
    const reply = code.split("|");
    it(`moves all lines of ${name} that starts at the margin`, () => {
      const style = { base, usesTabs: false, size: 4, unit, target: [`${base}old`] };
      assert.deepEqual(
        whole(style, reply),
        reply.map((line) => base + line),
      );
    });

    it(`moves only the first line of ${name} that lost its indentation`, () => {
      const style = { base, usesTabs: false, size: 4, unit, target: [`${base}old`] };
      const [first = "", ...rest] = reply.map((line) => base + line);
      assert.deepEqual(whole(style, [first.trimStart(), ...rest]), [first, ...rest]);
    });
  }

  // Name, lines to replace, reply and result; | is the end of a line, @ a line at the margin.
  for (const row of `
a here-document ¦ cat <<EOF|@a|@EOF|exit 1 ¦ cat <<EOF|a|  b|EOF|exit 2 ¦ cat <<EOF|@a|@  b|@EOF|exit 2
a new here-document ¦ echo a|b ¦ cat <<EOF|a|EOF|b ¦ cat <<EOF|@a|@EOF|b
a string of PowerShell ¦ $a = @"|a|"@|b ¦ $a = @"|c|"@|d ¦ $a = @"|@c|@"@|d
a string of Lua ¦ print([[|@a|@]])|b ¦ print([[|c|  d|]])|e ¦ print([[|@c|@  d|@]])|e
two here-documents ¦ cat <<A|@a|@A|cat <<B|@b|@B ¦ cat <<A|c|A|echo x|cat <<B|b|B ¦ cat <<A|@c|@A|echo x|cat <<B|@b|@B
a string of several lines ¦ s = """|@SELECT a|@  FROM b|@"""|return s ¦ s = """|SELECT c|  FROM b| WHERE d|"""|return t ¦ s = """|@SELECT c|@  FROM b|@ WHERE d|@"""|return t
a template with a new first line ¦ s = \`<html>|@<title>|@\`;|f(s); ¦ s = \`<html>|<meta>|<title>|\`;|f(s); ¦ s = \`<html>|@<meta>|@<title>|@\`;|f(s);
a condition of the preprocessor ¦ a();|@#ifdef X|b();|@#endif|c(); ¦ a();|#ifdef X|b(1);|d();|#endif|c(); ¦ a();|@#ifdef X|b(1);|d();|@#endif|c();
a label ¦ a();|@done:|b(); ¦ a();|done:|b(1); ¦ a();|@done:|b(1);
no new string ¦ a||b ¦ s = """|c|"""||b ¦ s = """|c|"""||b
a here-document with tabs ¦ cat <<-E|a|E ¦ cat <<-E|b|E ¦ cat <<-E|b|E
`
    .trim()
    .split("\n")) {
    const [name = "", target = "", reply = "", expected = ""] = row.split(" ¦ ");
    it(`keeps the text of ${name} at the margin`, () => {
      const at = (lines: string) =>
        lines
          .split("|")
          .map((line) => (line.startsWith("@") ? line.slice(1) : line && `    ${line}`));
      assert.deepEqual(placed(reply.split("|"), { ...spaces, target: at(target) }), at(expected));
    });
  }

  it("closes a block with tabs at the depth of its opener", () => {
    const style = { ...tabs, target: ["\told()"] };
    const expected = ["\tfor {", "\t\tgo()", "\t}"];
    assert.deepEqual(whole(style, ["for {", "\t\tgo()", "\t}"]), expected);
    assert.deepEqual(whole(style, ["for {", "\tgo()", "}"]), expected);
  });

  it("converts a reply's levels to those of the document", () => {
    const fourSpaces = { base: "", usesTabs: false, size: 4, unit: 2 };
    assert.deepEqual(
      whole(fourSpaces, ["if (a) {", "    if (b) {", "        go();", "    }", "}"]),
      ["if (a) {", "  if (b) {", "    go();", "  }", "}"],
    );
    const four = { base: "", usesTabs: false, size: 2, unit: 4 };
    assert.deepEqual(whole(four, ["def a():", "  if b:", "    c()"]), [
      "def a():",
      "    if b:",
      "        c()",
    ]);
    assert.equal(unitOf(["a {", "  b {", "    c", "d"]), 2);
    assert.equal(unitOf(["a", "b"]), undefined);
  });

  it("uses the indentation of the first target line that is not blank", () => {
    assert.equal(indentOf(["", "\t\tgo();", "}"]), "\t\t");
    assert.equal(indentOf(["    "]), "    ");
    assert.equal(indentOf([]), "");
  });
});

describe("applyPatch", () => {
  it("moves an added line as the nearest line of the file", () => {
    const file = ["class A:", "    def a(self):", "        if x:", "            y()", "    b = 1"];
    const change = [
      " def a(self):",
      "-  if x:",
      "+  if z:",
      "     y()",
      "+    w()",
      "-b = 1",
      "+b = 2",
    ];
    const sections = sectionsOf(["@@ @@", ...change]);
    assert.deepEqual(applyPatch(sections, file)?.lines, [
      ...file.slice(0, 2),
      "        if z:",
      "            y()",
      "            w()",
      "    b = 2",
    ]);
  });
});
