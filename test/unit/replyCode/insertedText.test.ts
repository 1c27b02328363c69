/**
 * Code of a reply, inserted at the cursor or over a selection with the indentation of the target.
 */
import assert from "node:assert/strict";
import { insertionOf } from "../../../src/replyCode/insertedText";

const CODE = "if (a) {\n  b();\n}\n";
const SPACES = { usesTabs: false, size: 4 };
const TABS = { usesTabs: true, size: 4 };

/** Returns the line with the code in place of "|", or of the text between two "|". */
function put(marked: string, code = CODE, style = SPACES): string {
  const [before = "", middle = "", afterSelection] = marked.split("|");
  const after = afterSelection ?? middle;
  const lineIndent = /^[ \t]*/.exec(
    before + (afterSelection === undefined ? "" : middle) + after,
  )?.[0];
  const { text, isFromLineStart } = insertionOf(code, {
    before,
    after,
    isReplacing: afterSelection !== undefined,
    lineIndent: lineIndent ?? "",
    style,
  });
  return (isFromLineStart ? "" : before) + text + after;
}

describe("insertionOf", () => {
  it("indents every line, without an empty line at the end", () => {
    assert.equal(put("    |"), "    if (a) {\n      b();\n    }");
    assert.equal(put("|"), "if (a) {\n  b();\n}");
  });

  it("moves code that is already indented", () => {
    assert.equal(
      put("  |", "\n      x();\n        y();\n\n      z();"),
      "  x();\n    y();\n\n  z();",
    );
  });

  it("writes tabs if the file has tabs", () => {
    assert.equal(put("\t|", CODE, TABS), "\tif (a) {\n\t\tb();\n\t}");
    assert.equal(put("\t|return 1;|", CODE, TABS), "\tif (a) {\n\t\tb();\n\t}");
  });

  it("starts a new line after a complete one", () => {
    assert.equal(put("  let sum = 0;|"), "  let sum = 0;\n  if (a) {\n    b();\n  }");
    assert.equal(put("  run();|", "next();\n"), "  run();\n  next();");
    assert.equal(put("  for (;;) {|"), "  for (;;) {\n      if (a) {\n        b();\n      }");
    assert.equal(put("def f():|", "a()\nb()"), "def f():\n    a()\n    b()");
  });

  it("continues in a line that is not complete", () => {
    assert.equal(put("  const a = |", "{\n  b: 1,\n}"), "  const a = {\n    b: 1,\n  }");
    assert.equal(put("  call(|)", "one"), "  call(one)");
    assert.equal(put("  call(|)", "one,\ntwo"), "  call(one,\n  two)");
  });

  it("inserts above the text if the position is the start of a line", () => {
    assert.equal(put("  |return 1;"), "  if (a) {\n    b();\n  }\n  return 1;");
    assert.equal(put("|  return 1;"), "  if (a) {\n    b();\n  }\n  return 1;");
    assert.equal(put("  |value", "await "), "  await value");
    assert.equal(put("|one();", "x;"), "x;\none();");
  });

  it("continues in the lines around a selection", () => {
    assert.equal(put("  const |a = 1|;", "b = {\n  c,\n}"), "  const b = {\n    c,\n  };");
    assert.equal(put("  |old()|;", "fresh(\n  1,\n)"), "  fresh(\n    1,\n  );");
    assert.equal(put("  let a = 1;| b()|"), "  let a = 1;if (a) {\n    b();\n  }");
  });

  it("ends replaced whole lines with a line ending", () => {
    const place = {
      before: "  ",
      after: undefined,
      isReplacing: true,
      lineIndent: "  ",
      style: SPACES,
    };
    assert.deepEqual(insertionOf(CODE, place), {
      text: "  if (a) {\n    b();\n  }\n",
      isFromLineStart: true,
    });
  });
});
