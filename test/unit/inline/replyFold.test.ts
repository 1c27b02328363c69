/**
 * Code out of replies: whatever surrounds it goes, and the cuts of the stream make no difference.
 */
import assert from "node:assert/strict";
import { ReplyFold } from "../../../src/inline/replyFold";

interface Folded {
  readonly lines: string[];
  readonly prose: string | undefined;
  readonly hasMore: boolean;
}

function fold(pieces: readonly string[], isProse = false): Folded {
  const one = new ReplyFold({ isProse });
  const lines = [...pieces.flatMap((piece) => one.push(piece)), ...one.end()];
  return { lines, prose: one.proseInstead, hasMore: one.hasMoreBlocks };
}

/** Folds the reply whole, byte by byte, and at every two cuts of a coarse grid. */
function check(reply: string, lines: readonly string[], isProse = false): void {
  const whole = fold([reply], isProse);
  assert.deepEqual(whole.lines, lines);
  assert.deepEqual(fold(Array.from(reply), isProse), whole, "one unit at a time");
  for (let cut = 0; cut <= reply.length; cut++) {
    assert.deepEqual(fold([reply.slice(0, cut), reply.slice(cut)], isProse), whole, `cut ${cut}`);
  }
  for (let one = 0; one <= reply.length; one += 3) {
    for (let two = one; two <= reply.length; two += 7) {
      const pieces = [reply.slice(0, one), reply.slice(one, two), reply.slice(two)];
      assert.deepEqual(fold(pieces, isProse), whole, `cuts ${one}, ${two}`);
    }
  }
}

describe("ReplyFold", () => {
  it("takes the code out of a fence", () => {
    check("```ts\nconst a = 1;\n\nconst b = 2;\n```\n", ["const a = 1;", "", "const b = 2;"]);
  });

  it("leaves out the prose before and after a fence", () => {
    check("Here is the function:\n\n```js\ngo();\n```\n\nIt now goes. Call `go()`.", ["go();"]);
  });

  it("takes the carriage returns off, also where a cut parts them from the line feed", () => {
    check("```\r\none\r\ntwo\r\n```\r\n", ["one", "two"]);
  });

  it("takes code without a fence as it is, without blank lines around it", () => {
    check("\n\nconst a = 1;\nif (a) {\n\n  go();\n}\n\n\n", [
      "const a = 1;",
      "if (a) {",
      "",
      "  go();",
      "}",
    ]);
  });

  it("leaves out a sentence that introduces code without a fence", () => {
    check("Here is the new code:\n\nreturn 1;\n", ["return 1;"]);
  });

  it("keeps a last line that has no end", () => {
    check("```\none\ntwo", ["one", "two"]);
  });

  it("leaves out a closing fence that was cut", () => {
    check("```\none\n``", ["one"]);
  });

  it("keeps a fence inside a longer fence", () => {
    check("````md\n# Use\n```js\ngo();\n```\nDone.\n````\n", [
      "# Use",
      "```js",
      "go();",
      "```",
      "Done.",
    ]);
  });

  it("keeps a labelled fence inside a fence of the same length", () => {
    check("```md\n# Use\n```js\ngo();\n```\nDone.\n```\nBye.", [
      "# Use",
      "```js",
      "go();",
      "```",
      "Done.",
    ]);
  });

  it("takes tildes for a fence", () => {
    check("~~~py\nprint('```')\n~~~", ["print('```')"]);
  });

  it("takes the first of several blocks and says that there are more", () => {
    const folded = fold(["```\none\n```\nOr:\n```\ntwo\n```\n"]);
    assert.deepEqual(folded.lines, ["one"]);
    assert.equal(folded.hasMore, true);
  });

  it("gives an empty block as no lines, not as prose", () => {
    const folded = fold(["```\n```\n"]);
    assert.deepEqual(folded, { lines: [], prose: undefined, hasMore: false });
  });

  it("says what a reply without code said", () => {
    const folded = fold(["I cannot do that.\nPlease select a function."]);
    assert.deepEqual(folded.lines, []);
    assert.equal(folded.prose, "I cannot do that.\nPlease select a function.");
  });

  it("keeps prose and fences of a Markdown document", () => {
    check(
      "# Title\n\nSome words.\n\n```js\ngo();\n```\n",
      ["# Title", "", "Some words.", "", "```js", "go();", "```"],
      true,
    );
  });

  it("takes the outer fence off a Markdown document", () => {
    check(
      "````markdown\n# Title\n```js\ngo();\n```\n````",
      ["# Title", "```js", "go();", "```"],
      true,
    );
  });
});
