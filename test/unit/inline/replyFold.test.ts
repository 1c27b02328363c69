/**
 * Code out of replies: whatever surrounds it goes, and the cuts of the stream make no difference.
 */
import assert from "node:assert/strict";
import type { FoldOptions, FoldStep } from "../../../src/inline/replyFold";
import { SeparatedFold } from "./separated";

interface Folded {
  readonly lines: readonly string[];
  readonly rejection: string | undefined;
  readonly hasMore: boolean;
}

function fold(
  pieces: readonly string[],
  isProse = false,
  options: Partial<FoldOptions> = {},
): Folded {
  const one = new SeparatedFold({ isProse, ...options });
  let lines: string[] = [];
  const take = (step: FoldStep) => {
    lines = [...(step.isRestart ? [] : lines), ...step.lines];
  };
  for (const piece of pieces) one.push(piece).forEach(take);
  one.end().forEach(take);
  return { lines, rejection: one.fold.rejection?.kind, hasMore: one.fold.hasMoreBlocks };
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
    assert.deepEqual(folded, { lines: [], rejection: undefined, hasMore: false });
  });

  it("takes nothing of a reply without code", () => {
    const folded = fold(["I cannot do that.\nPlease select a function."]);
    assert.deepEqual(folded, { lines: [], rejection: "no-code", hasMore: false });
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

  const TS = {
    languageId: "typescript",
    target: ["function one() {", "  return first(1);", "}"],
    before: ["import { first } from './first';", ""],
    after: ["", "function two() {", "  return 2;", "}"],
  };
  const ts = (reply: string, options: Partial<FoldOptions> = TS) => fold([reply], false, options);

  it("takes only the edited lines out of a reply that repeats the whole file", () => {
    const reply = [...TS.before, "function one() {", "  return first(2);", "}", ...TS.after];
    assert.deepEqual(ts(`\`\`\`ts\n${reply.join("\n")}\n\`\`\`\n`).lines, [
      "function one() {",
      "  return first(2);",
      "}",
    ]);
  });

  it("takes the block that is the new code, not an import or a command before it", () => {
    const code = "function one() {\n  return first(2);\n}";
    const lines = code.split("\n");
    for (const label of ["ts", ""]) {
      for (const before of ["import { first } from './other';", "npm install first"]) {
        const folded = ts(`\`\`\`${label}\n${before}\n\`\`\`\nThen:\n\`\`\`ts\n${code}\n\`\`\`\n`);
        assert.deepEqual(folded, { lines, rejection: undefined, hasMore: true });
      }
    }
  });

  it("takes no command and no plain text for code", () => {
    assert.equal(ts("Run:\n```bash\nnpm install first\n```\n").rejection, "doubtful");
    assert.equal(ts("```text\nThe list is empty.\n```\n").rejection, "doubtful");
    const shell = { languageId: "shellscript" };
    assert.deepEqual(ts("```bash\nnpm install first\n```\n", shell).lines, ["npm install first"]);
  });

  it("offers a diff that does not fit and left-out code that cannot be filled in", () => {
    assert.equal(ts("```diff\n-missing();\n+other();\n```\n").rejection, "diff");
    const hole = "```ts\nbegin();\n// ... existing code ...\nend();\n```\n";
    assert.equal(ts(hole, { ...TS, target: [] }).rejection, "left-out");
  });

  it("reads a diff in a block that is not said to be one", () => {
    const reply = "```ts\n function one() {\n-  return first(1);\n+  return first(2);\n }\n```\n";
    assert.deepEqual(ts(reply).lines, ["function one() {", "  return first(2);", "}"]);
  });

  it("keeps a comment with dots that the lines had before", () => {
    const target = ["one();", "// ... rest of the list", "two();"];
    const code = "one();\n// ... rest of the list\nthree();";
    assert.deepEqual(ts(`\`\`\`ts\n${code}\n\`\`\`\n`, { ...TS, target }).lines, code.split("\n"));
  });

  it("keeps Python's dots where they are code", () => {
    const target = ["class A:", "    pass"];
    const code = "class A:\n    def go(self) -> None:\n        ...";
    const options = { languageId: "python", target };
    assert.deepEqual(ts(`\`\`\`python\n${code}\n\`\`\`\n`, options).lines, code.split("\n"));
  });

  it("takes code without a fence, strings and comments of several lines with it", () => {
    const code = [
      "/**",
      " * Adds the numbers and returns what they are together.",
      " */",
      "export function add(a: number, b: number): number {",
      "  const text = `",
      "Some words that stand in a string.",
      "`;",
      "  return a + b;",
      "}",
    ];
    assert.deepEqual(ts(code.join("\n")).lines, code);
  });

  it("takes a closing fence without an opening one for the end of the code", () => {
    const folded = ts("const a = 1;\ngo(a);\n```\nThis goes with one.\n");
    assert.deepEqual(folded.lines, ["const a = 1;", "go(a);"]);
  });

  it("takes a fence in a quote and one around a single line", () => {
    assert.deepEqual(ts("> So:\n> ```ts\n> a();\n>   b();\n> ```\n").lines, ["a();", "  b();"]);
    assert.deepEqual(ts("Use:\n```return first(2);```\n").lines, ["return first(2);"]);
  });

  it("knows a word about a tag from a thought", () => {
    const reply = "I strip `<think>` and `</think>`:\n```ts\na();\n```\n";
    assert.deepEqual(ts(reply).lines, ["a();"]);
  });

  it("leaves an introduction out before the fence around a Markdown document", () => {
    check("Here is the text:\n\n```markdown\n# Title\n```\nDone.", ["# Title"], true);
    check("<think>\nshort\n</think>\n# Title\n", ["# Title"], true);
  });
});
