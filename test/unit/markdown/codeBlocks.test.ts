/** Numbers of code blocks, by which the host finds the block of a button on the page. */
import assert from "node:assert/strict";
import { codeBlocks } from "../../../src/markdown/codeBlocks";
import { MAX_MARKDOWN_LENGTH } from "../../../src/markdown/limits";

describe("codeBlocks", () => {
  it("numbers fenced and indented blocks in the order of the source", () => {
    assert.deepEqual(codeBlocks("```ts title.ts\na\n```\n\n    b\n\n~~~\nc\n~~~\n"), [
      { index: 0, language: "ts", label: "title.ts", text: "a\n" },
      { index: 1, language: "", label: "", text: "b\n" },
      { index: 2, language: "", label: "", text: "c\n" },
    ]);
  });

  it("finds blocks inside lists, quotes and footnotes", () => {
    const text =
      "- a\n\n  ```js\n  x\n  ```\n> ```py\n> y\n> ```\n\n[^1]: note\n\n    ```\n    z\n    ```\n";
    assert.deepEqual(
      codeBlocks(text).map(({ text: code }) => code),
      ["x\n", "y\n", "z\n"],
    );
  });

  it("extends a fence that is not closed to the end", () => {
    assert.deepEqual(
      codeBlocks("```\na\nb").map(({ text }) => text),
      ["a\nb"],
    );
  });

  it("reads Windows and old Mac line endings", () => {
    assert.deepEqual(
      codeBlocks("```\r\na\r\n```\r\rb\r").map(({ text }) => text),
      ["a\n"],
    );
  });

  it("resolves entities in the language but not in the code", () => {
    assert.deepEqual(codeBlocks("```c&plus;&plus;\n&amp;\n```"), [
      { index: 0, language: "c++", label: "", text: "&amp;\n" },
    ]);
  });

  it("ignores the part of a message that is too long to be Markdown", () => {
    const text = `${"x".repeat(MAX_MARKDOWN_LENGTH)}\n\n\`\`\`\na\n\`\`\`\n`;
    assert.deepEqual(codeBlocks(text), []);
  });
});
