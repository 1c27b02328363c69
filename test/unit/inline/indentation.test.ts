/**
 * Indentation of a reply, matched to the place it goes to.
 */
import assert from "node:assert/strict";
import { IndentMatcher, indentOf, unitOf, type IndentStyle } from "../../../src/inline/indentation";

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
  it("moves a block that starts at the margin to where its place starts", () => {
    check(spaces, ["if (a) {", "    go();", "}"], ["    if (a) {", "        go();", "    }"]);
  });

  it("leaves a block alone that has the place's indentation", () => {
    check(
      spaces,
      ["    if (a) {", "      go();", "    }"],
      ["    if (a) {", "      go();", "    }"],
    );
  });

  it("moves a block back that is too deep", () => {
    check(
      { ...spaces, base: "" },
      ["        a", "            b", "        c"],
      ["a", "    b", "c"],
    );
  });

  it("follows lines that are less deep than the first", () => {
    check(spaces, ["    a", "  b", "c"], ["    a", "  b", "c"]);
    check({ ...spaces, base: "      " }, ["  a", "b"], ["      a", "    b"]);
  });

  it("makes tabs of a reply's spaces, whatever a level has there", () => {
    check(
      tabs,
      ["if (a) {", "  if (b) {", "    go();", "  }", "}"],
      ["\tif (a) {", "\t\tif (b) {", "\t\t\tgo();", "\t\t}", "\t}"],
    );
  });

  it("makes spaces of a reply's tabs", () => {
    check(spaces, ["if (a) {", "\tgo();"], ["    if (a) {", "        go();"]);
  });

  it("leaves blank lines empty", () => {
    check(spaces, ["a", "   ", "", "b"], ["    a", "", "", "    b"]);
  });

  const whole = (style: IndentStyle, reply: readonly string[]) => {
    const matcher = new IndentMatcher(style, reply);
    return reply.map((line) => matcher.match(line));
  };

  it("moves no other line when only the first one lost its blanks", () => {
    const target = ["    if (a) {", "        go();", "    }"];
    const reply = ["if (a && b) {", "        go();", "    }"];
    const expected = ["    if (a && b) {", "        go();", "    }"];
    assert.deepEqual(whole({ ...spaces, unit: 4, target }, reply), expected);
    assert.deepEqual(whole({ ...spaces, unit: 4 }, reply), expected);
    check({ ...spaces, unit: 4, target }, reply, expected);
  });

  it("makes the document's levels of a reply's", () => {
    const two = { base: "", usesTabs: false, size: 4, unit: 2 };
    assert.deepEqual(whole(two, ["if (a) {", "    if (b) {", "        go();", "    }", "}"]), [
      "if (a) {",
      "  if (b) {",
      "    go();",
      "  }",
      "}",
    ]);
    const four = { base: "", usesTabs: false, size: 2, unit: 4 };
    assert.deepEqual(whole(four, ["def a():", "  if b:", "    c()"]), [
      "def a():",
      "    if b:",
      "        c()",
    ]);
    assert.equal(unitOf(["a", "  b", "    c", "d"]), 2);
    assert.equal(unitOf(["a", "b"]), undefined);
  });

  it("keeps blanks in a blank line of a string of several lines", () => {
    const style = { ...spaces, base: "", languageId: "typescript" };
    check(style, ["const a = `", "   ", "`;", "   "], ["const a = `", "   ", "`;", ""]);
  });

  it("takes a place's indentation from its first line that is not blank", () => {
    assert.equal(indentOf(["", "\t\tgo();", "}"]), "\t\t");
    assert.equal(indentOf(["    "]), "    ");
    assert.equal(indentOf([]), "");
  });
});
