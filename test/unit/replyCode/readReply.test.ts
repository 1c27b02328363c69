/** Extracts the code of a reply without the text around, independent of the stream's chunks. */
import assert from "node:assert/strict";
import type { ReadStep, ReplyOptions } from "../../../src/replyCode/readReply";
import { SeparatedReader } from "./separated";

interface Folded {
  readonly lines: readonly string[];
  readonly rejection: string | undefined;
  readonly hasMore: boolean;
}

function fold(
  pieces: readonly string[],
  isProse = false,
  options: Partial<ReplyOptions> = {},
): Folded {
  const file = { before: [], target: [], after: [], languageId: "" };
  const folded = new SeparatedReader({ ...file, isProse, ...options });
  let lines: string[] = [];
  const take = (step: ReadStep) => {
    lines = [...(step.isRestart ? [] : lines), ...step.lines];
  };
  for (const piece of pieces) folded.push(piece).forEach(take);
  folded.end().forEach(take);
  return { lines, rejection: folded.reader.rejection, hasMore: folded.reader.hasMoreBlocks };
}

/** Folds the reply whole, character by character, and with every pair of cuts on a coarse grid. */
function check(reply: string, lines: readonly string[], isProse = false): void {
  const whole = fold([reply], isProse);
  assert.deepEqual(whole.lines, lines);
  assert.deepEqual(fold(Array.from(reply), isProse), whole, "one unit at a time");
  for (let cut = 0; cut <= reply.length; cut++) {
    assert.deepEqual(fold([reply.slice(0, cut), reply.slice(cut)], isProse), whole, `cut ${cut}`);
  }
  for (let firstCut = 0; firstCut <= reply.length; firstCut += 3) {
    for (let secondCut = firstCut; secondCut <= reply.length; secondCut += 7) {
      const pieces = [
        reply.slice(0, firstCut),
        reply.slice(firstCut, secondCut),
        reply.slice(secondCut),
      ];
      assert.deepEqual(fold(pieces, isProse), whole, `cuts ${firstCut}, ${secondCut}`);
    }
  }
}

describe("ReplyReader", () => {
  const TS = {
    languageId: "typescript",
    target: ["function one() {", "  return first(1);", "}"],
    before: ["import { first } from './first';", ""],
    after: ["", "function two() {", "  return 2;", "}"],
  };
  const ts = (reply: string, options: Partial<ReplyOptions> = TS) => fold([reply], false, options);

  const texts = (row: string) =>
    row
      .split(" ¦ ")
      .map((text) => text.replaceAll("↵", "\n").replaceAll("⇤", "\r").replaceAll("§", "`"));

  // Title, reply and lines; ↵ is the end of a line, ⇤ a carriage return, § a backtick.
  for (const row of `
extracts the code from a fence ¦ §§§ts↵const a = 1;↵↵const b = 2;↵§§§↵ ¦ const a = 1;↵↵const b = 2;
removes the prose before and after a fence ¦ Here is the function:↵↵§§§js↵go();↵§§§↵↵It now goes. Call §go()§. ¦ go();
removes carriage returns, also if a chunk ends before the line feed ¦ §§§⇤↵one⇤↵two⇤↵§§§⇤↵ ¦ one↵two
keeps a last line without a line ending ¦ §§§↵one↵two ¦ one↵two
removes an incomplete closing fence ¦ §§§↵one↵§§ ¦ one
keeps a fence inside a longer fence ¦ §§§§md↵# Use↵§§§js↵go();↵§§§↵Done.↵§§§§↵ ¦ # Use↵§§§js↵go();↵§§§↵Done.
keeps a labeled fence inside a fence of the same length ¦ §§§md↵# Use↵§§§js↵go();↵§§§↵Done.↵§§§↵Bye. ¦ # Use↵§§§js↵go();↵§§§↵Done.
treats tildes as a fence ¦ ~~~py↵print('§§§')↵~~~ ¦ print('§§§')
removes the outer fence of a Markdown document ¦ §§§§markdown↵# Title↵§§§js↵go();↵§§§↵§§§§ ¦ # Title↵§§§js↵go();↵§§§
removes an introduction before the fence around a Markdown document ¦ Here is the text:↵↵§§§markdown↵# Title↵§§§↵Done. ¦ # Title
`
    .trim()
    .split("\n")) {
    const [title = "", reply = "", lines = ""] = texts(row);
    it(title, () => check(reply, lines.split("\n"), title.endsWith("a Markdown document")));
  }

  // Title, language, target, reply and lines.
  for (const row of `
reads a diff in a block that is not labeled as one ¦ typescript ¦ function one() {↵  return first(1);↵} ¦ §§§ts↵ function one() {↵-  return first(1);↵+  return first(2);↵ }↵§§§↵ ¦ function one() {↵  return first(2);↵}
keeps the body of a Python stub that a diff adds ¦ python ¦ class Store:↵    size = 1 ¦ §§§diff↵ class Store:↵+    def close(self) -> None:↵+        ...↵     size = 1↵§§§ ¦ class Store:↵    def close(self) -> None:↵        ...↵    size = 1
keeps a comment with dots that was in the original lines ¦ typescript ¦ one();↵// ... rest of the list↵two(); ¦ §§§ts↵one();↵// ... rest of the list↵three();↵§§§↵ ¦ one();↵// ... rest of the list↵three();
keeps Python's ellipsis if it is code ¦ python ¦ class A:↵    pass ¦ §§§python↵class A:↵    def go(self) -> None:↵        ...↵§§§↵ ¦ class A:↵    def go(self) -> None:↵        ...
accepts a fence in a quote ¦ typescript ¦ a(1); ¦ > So:↵> §§§ts↵> a();↵>   b();↵> §§§↵ ¦ a();↵  b();
keeps the function below a documentation test of a diff in Rust ¦ rust ¦ fn two() -> u8 {↵    2↵} ¦ §§§diff↵@@ -1,3 +1,8 @@↵+/// Returns two.↵+///↵+/// §§§↵+/// assert_eq!(two(), 2);↵+/// §§§↵ fn two() -> u8 {↵     2↵ }↵§§§ ¦ /// Returns two.↵///↵/// §§§↵/// assert_eq!(two(), 2);↵/// §§§↵fn two() -> u8 {↵    2↵}
uses the new code, not the old code quoted above it ¦ css ¦ .a {↵  color: red;↵} ¦ The problem:↵§§§css↵.a {↵  color: red;↵}↵§§§↵Use:↵§§§css↵.button {↵  padding: 0;↵}↵§§§ ¦ .button {↵  padding: 0;↵}
distinguishes text about a tag from thinking ¦ typescript ¦ a(1); ¦ I strip §<think>§ and §</think>§:↵§§§ts↵a();↵§§§↵ ¦ a();
never empties the lines for code that is unlike any line of the file ¦ typescript ¦ first(1); ¦ §§§ts↵while (true) {↵  other();↵}↵§§§ ¦ while (true) {↵  other();↵}
`
    .trim()
    .split("\n")) {
    const [title = "", languageId = "", target = "", reply = "", lines = ""] = texts(row);
    it(title, () => {
      const folded = fold([reply], false, { languageId, target: target.split("\n") });
      assert.deepEqual(folded.lines, lines.split("\n"));
    });
  }

  it("removes control sequences of terminals, unless the file has them", () => {
    const red = "\u001b[31m  return 1;\u001b[0m";
    const reply = `\`\`\`ts\nfunction one() {\n${red}\n}\n\`\`\``;
    const line = (old: string) =>
      ts(reply, { ...TS, target: ["function one() {", old, "}"] }).lines[1];
    assert.equal(line("  return 2;"), "  return 1;");
    assert.equal(line(red.replace("1;", "2;")), red);
  });

  it("keeps code without a fence if each outermost line is like one of the target", () => {
    const code = ["function one() {", "", "  return second(2);", "}"];
    assert.deepEqual(ts(["", ...code, "", ""].join("\n")).lines, code);
    const withFence = [...code, "```", ""].join("\n");
    assert.deepEqual(ts(withFence).lines, code, "a closing fence without an opening one");
  });

  it("asks about code without a fence that other lines are around", () => {
    const code = "function one() {\n  return first(2);\n}\n";
    for (const reply of [
      `Here is the new code:\n\n${code}`,
      `${code}\nIt now returns 2.\n`,
      `${code}\`\`\`\nIt now returns 2.\n`,
      "if (first(1) === 0) then the function should return 0;\n",
    ]) {
      assert.deepEqual(ts(reply), { lines: [], rejection: "doubtful", hasMore: false });
    }
  });

  it("uses the first of several blocks and reports that there are more", () => {
    const folded = fold(["```js\none\n```\nOr:\n```js\ntwo\n```\n"]);
    assert.deepEqual(folded.lines, ["one"]);
    assert.equal(folded.hasMore, true);
  });

  it("returns an empty block as no lines, not as prose", () => {
    const folded = fold(["```\n```\n"]);
    assert.deepEqual(folded, { lines: [], rejection: undefined, hasMore: false });
  });

  it("writes nothing of a reply without code", () => {
    const folded = fold(["I cannot do that.\nPlease select a function."]);
    assert.deepEqual(folded, { lines: [], rejection: "doubtful", hasMore: false });
    assert.deepEqual(fold(["\n"]), { lines: [], rejection: "no-code", hasMore: false });
  });

  it("keeps prose and fences of a Markdown document that begins and ends like the target", () => {
    const target = ["# Title", "", "Words.", "", "```js", "stop();", "```"];
    const text = ["# Title", "", "Some words.", "", "```js", "go();", "```"];
    const options = { languageId: "markdown", target };
    assert.deepEqual(fold([text.join("\n")], true, options).lines, text);
    const withChat = [...text, "", "Let me know."].join("\n");
    assert.equal(fold([withChat], true, options).rejection, "doubtful");
  });

  it("replaces the whole file by a reply that repeats it", () => {
    const reply = [...TS.before, "function one() {", "  return first(2);", "}", ...TS.after];
    assert.deepEqual(ts(`\`\`\`ts\n${reply.join("\n")}\n\`\`\`\n`).lines, reply);
  });

  it("extracts the block with the new code, not a command or another import before it", () => {
    const code = "function one() {\n  return first(2);\n}";
    const lines = code.split("\n");
    for (const label of ["ts", ""]) {
      for (const before of ["import { first } from './first';\nfirst(3);", "npm install first"]) {
        const folded = ts(`\`\`\`${label}\n${before}\n\`\`\`\nThen:\n\`\`\`ts\n${code}\n\`\`\`\n`);
        assert.deepEqual(folded, { lines, rejection: undefined, hasMore: true });
      }
    }
  });

  it("does not treat a command or plain text as code", () => {
    assert.equal(ts("Run:\n```bash\nnpm install first\n```\n").rejection, "doubtful");
    assert.equal(ts("```text\nThe list is empty.\n```\n").rejection, "doubtful");
    const shell = { languageId: "shellscript" };
    assert.deepEqual(ts("```bash\nnpm install first\n```\n", shell).lines, ["npm install first"]);
  });

  it("reports a diff that does not match and omitted code that cannot be restored", () => {
    assert.equal(ts("```diff\n-missing();\n+other();\n```\n").rejection, "diff");
    const omission = "```ts\nbegin();\n// ... existing code ...\nend();\n```\n";
    assert.equal(ts(omission, { ...TS, target: [] }).rejection, "left-out");
  });

  it("asks where the closing fence is on the line of code or text", () => {
    for (const end of ["}```\nDone.\n", "}\n``` Done.\n"]) {
      const folded = ts(`\`\`\`ts\nfunction one() {\n  return 3;\n${end}`);
      assert.deepEqual(folded, { lines: [], rejection: "doubtful", hasMore: false });
    }
  });

  it("does not mix old lines into a declaration with placeholders around", () => {
    const python = {
      languageId: "python",
      target: [
        "    def load(self):",
        "        rows = []",
        "        for row in self.file:",
        "            rows.append(row)",
        "        return rows",
      ],
    };
    const load = ["    def load(self):", "        return list(self.file)"];
    const gap = "    # ... existing code ...";
    const fenced = (lines: readonly string[]) => ["```", ...lines, "```"].join("\n");
    assert.deepEqual(ts(fenced([gap, "", ...load, "", gap]), python).lines, load);
    const shell = { languageId: "shellscript", target: ["echo start", "cp -r src dist"] };
    const copy = ["# ... existing code ...", "cp -R src out", "# ... existing code ..."];
    assert.equal(ts(fenced(copy), shell).rejection, "left-out");
    const csharp = {
      languageId: "csharp",
      target: ["public decimal Total() {", "    decimal sum = 0;", "    return sum;", "}"],
    };
    const total = ["public decimal Total() => items.Sum();"];
    const around = ["// ... existing code ...", ...total, "// ... existing code ..."];
    assert.deepEqual(ts(fenced(around), csharp).lines, total);
  });

  it("does not write the file's own path above the code into the file, nor the code of another file", () => {
    const options = { ...TS, path: "src/one.ts" };
    const code = ["function one() {", "  return first(2);", "}"];
    const block = (comment: string) => ["```ts", comment, "", ...code, "```"].join("\n");
    for (const comment of ["// src/one.ts", "// filepath: /home/me/src/one.ts", "/* one.ts */"]) {
      assert.deepEqual(ts(block(comment), options).lines, code, comment);
    }
    assert.deepEqual(ts(block("// src/two.ts"), options).lines, []);
    const before = ["// src/one.ts"];
    assert.deepEqual(
      ts(block("// src/one.ts"), { ...options, before, target: [] }).lines.at(-1),
      "}",
    );
  });

  it("removes any fence around the whole text of a text document", () => {
    const text = ["Dear all,", "", "see you on Monday."];
    for (const label of ["", "text", "email", "toml"]) {
      const reply = ["```" + label, ...text, "```", ""].join("\n");
      assert.deepEqual(fold([reply], true, { languageId: "plaintext" }).lines, text, label);
    }
    const target = ["```toml", "a = 1", "```"];
    const reply = ["```toml", "a = 2", "```"];
    assert.deepEqual(fold([reply.join("\n")], true, { target }).lines, reply);
  });

  it("removes the chat above the fence that a Markdown document's question asks for", () => {
    const target = ["## Install", "", "run npm install"];
    const text = ["## Install", "", "Run `npm install`."];
    for (const heading of ["### Updated section", "## Step 1", "## ✅ Fixed"]) {
      const reply = [heading, "", "````", ...text, "````", "", "Done."].join("\n");
      const options = { languageId: "markdown", target };
      assert.deepEqual(fold([reply], true, options).lines, text);
    }
  });

  it("recognizes repeated lines in a file of 100,000 lines", () => {
    const filler = Array.from({ length: 50_000 }, (_, at) => `const value${at} = ${at};`);
    const before = [...filler, ...TS.before];
    const after = [...TS.after, ...filler];
    const code = ["function one() {", "  return first(2);", "}"];
    const reply = ["```ts", ...code, "", "function two() {", "  return 2;", "}", "```"];
    const { lines } = ts(reply.join("\n"), { ...TS, before, after });
    assert.deepEqual(lines, [...code, "", "function two() {", "  return 2;", "}"]);
  });

  it("changes other lines of the file that further blocks are a new version of", () => {
    const before = ["function zero(start) {", "  return start + 1;", "}", ""];
    const zero = ["function zero(start) {", "  return start + 5;", "}"];
    const one = ["function one() {", "  return first(2);", "}"];
    const two = ["function two() {", "  return 5;", "}"];
    const fenced = (code: readonly string[]) => ["```ts", ...code, "```"].join("\n");
    const reply = [one, two, zero].map(fenced).join("\n\nThen:\n\n");
    const whole = [...zero, "", ...one, "", ...two];
    assert.deepEqual(ts(reply, { ...TS, before }), {
      lines: whole.slice(1, -1),
      rejection: undefined,
      hasMore: false,
    });
    const example = fenced([...two.slice(0, 1), "  other();"]);
    const { lines, hasMore } = ts(`${fenced(one)}\n\nCall:\n\n${example}`);
    assert.deepEqual([lines, hasMore], [one, true]);
  });

  it("asks about code that closes more brackets than the code that it replaces", () => {
    const after = ["", "}", "return 1;", "last line"];
    const code = ["start", "}", "return 1;", "", "}", "end"];
    const { lines } = ts(["```ts", ...code, "```"].join("\n"), { ...TS, after });
    assert.deepEqual(lines, []);
  });
});
