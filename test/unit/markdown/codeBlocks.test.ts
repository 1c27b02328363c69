/** Numbers of code blocks, by which the host finds the block of a button on the page. */
import assert from "node:assert/strict";
import { codeBlocks } from "../../../src/markdown/codeBlocks";
import { plainMarkdown } from "../../../src/conversation/markdownText";
import { namedBlocks } from "../../../src/replyCode/namedBlocks";

describe("codeBlocks", () => {
  it("numbers fenced and indented blocks in the order of the source", () => {
    assert.deepEqual(codeBlocks("```ts title.ts\na\n```\n\n    b\n\n~~~\nc\n~~~\n"), [
      { index: 0, language: "ts", label: "title.ts", text: "a\n" },
      { index: 1, language: "", label: "", text: "b\n" },
      { index: 2, language: "", label: "", text: "c\n" },
    ]);
  });

  it("finds blocks inside lists and quotes", () => {
    const text = "- a\n\n  ```js\n  x\n  ```\n> ```py\n> y\n> ```\n";
    assert.deepEqual(
      codeBlocks(text).map(({ text: code }) => code),
      ["x\n", "y\n"],
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
});

describe("a fence around a Markdown document", () => {
  const README =
    "# App\n\n## Install\n\n```bash\nnpm i app\n```\n\n## Use\n\n```js\nrun();\n```\n\nThe end.\n";
  const BARE = "# App\n\n```\nnpm i\n```\n\nThen:\n```\nnpm start\n```\n";
  /** Replies and their blocks; "|" begins the text of each. */
  const REPLIES: Readonly<Record<string, readonly [reply: string, ...blocks: string[]]>> = {
    "has labeled fences": [`Here:\n\n\`\`\`markdown\n${README}\`\`\`\nDone.`, README],
    "has fences without a label": [`\`\`\`md\n${BARE}\`\`\`\n`, BARE],
    "has a fence directly below a sentence": [
      '```md\nExample:\n```\nPIR Corp\n```\n## Output\n```json\n{ "type": "x" }\n```\n```\n',
      'Example:\n```\nPIR Corp\n```\n## Output\n```json\n{ "type": "x" }\n```\n',
    ],
    "has a path as its label": [`\`\`\`docs/README.md\n${README}\`\`\`\n`, README],
    "is MDX": ["```mdx title=a\n# A\n```jsx\n<B/>\n```\n```\n", "# A\n```jsx\n<B/>\n```\n"],
    "has tildes": ["~~~md\n# A\n~~~js\na\n~~~\n\nb\n~~~\n", "# A\n~~~js\na\n~~~\n\nb\n"],
    "has other marks inside": ["```md\n# A\n~~~\na\n~~~\n```\n\nb", "# A\n~~~\na\n~~~\n"],
    "has longer marks inside": [
      "```md\nA\n````js\n```\n````\nB\n```\n",
      "A\n````js\n```\n````\nB\n",
    ],
    "has longer marks": ["````md\nA\n```\nb\n````\n\n```js\nc\n```", "A\n```\nb\n", "c\n"],
    "holds a document": [
      "```md\nA\n```md\nB\n```js\nc\n```\n```\nD\n```\n",
      "A\n```md\nB\n```js\nc\n```\n```\nD\n",
    ],
    "has a fence in a list": [
      "```md\n1. A\n\n   ```sh\n   a\n   ```\n\n- ```js\n  b\n  ```\n\n10. ```js\n    b\n    ```\n```\n",
      "1. A\n\n   ```sh\n   a\n   ```\n\n- ```js\n  b\n  ```\n\n10. ```js\n    b\n    ```\n",
    ],
    "is in a list": [
      "- A:\n  ```md\n  # B\n\n  ```js\n  c\n  ```\n\n  D\n  ```\n- E\n\n  ```js\n  f\n  ```\n",
      "# B\n\n```js\nc\n```\n\nD\n",
      "f\n",
    ],
    "is in a quote": [
      "> ```md\n> # B\n> ```js\n> c\n> ```\n> ```\n\n```js\nf\n```\n",
      "# B\n```js\nc\n```\n",
      "f\n",
    ],
    "is followed by other blocks": [
      "```md\n# A\n```\n\nRun:\n\n```\nnpm i\n```\n\nor\n\n```sh\nyarn\n```\n",
      "# A\n",
      "npm i\n",
      "yarn\n",
    ],
    "is followed by a sentence": ["```md\n# A\n```\nDone.\n", "# A\n"],
    "is followed by a sentence and a labeled block": [
      "```md\n# A\n```\nRun:\n```sh\nyarn\n```\nDone.\n",
      "# A\n",
      "yarn\n",
    ],
    "is followed by a sentence and a block after a blank line": [
      "```md\n# A\n```\nNow run:\n\n```\nyarn\n```\nDone.\n",
      "# A\n",
      "yarn\n",
    ],
    "is followed by a block at once": ["```md\n# A\n```\n```sh\nyarn\n```", "# A\n", "yarn\n"],
    "is followed by another": [
      `\`\`\`md\n${README}\`\`\`\n\n\`\`\`md\n${BARE}\`\`\`\n`,
      README,
      BARE,
    ],
    "has a block without an end": [
      "```md\n# A\n\n```js\nrun()\n```\n\nHope this helps!",
      "# A\n\n```js\nrun()\n",
    ],
    "has no end": ["```md\n# A\n\n```js\nrun()\n", "# A\n\n```js\nrun()\n"],
    "is the only one with this rule": [
      "```ts\nconst a = `\n```js\nb\n```\n`;\n\n```py\nc\n```\n",
      "const a = `\n```js\nb\n",
      "c\n",
    ],
    "is not a block whose label begins alike": ["```mdl\na\n```js\nb\n```\n", "a\n```js\nb\n"],
    "has no fence": ["```md\n# A\n\n~~~x `` y\n```\n", "# A\n\n~~~x `` y\n"],
  };
  for (const [name, [reply, ...blocks]] of Object.entries(REPLIES)) {
    it(name, () => {
      const shown = codeBlocks(reply).map(({ text }) => text);
      assert.deepEqual(shown, blocks);
      // Other programs read the exported reply by CommonMark's rule.
      const exported = plainMarkdown(reply).replace(
        /^(\W*)(?:markdown|mdx?|\S+\.md)\b/gm,
        "$1text",
      );
      const isQuoted = reply.startsWith(">");
      if (!isQuoted) {
        assert.deepEqual(
          codeBlocks(exported).map(({ text }) => text.trimEnd()),
          blocks.map((text) => text.replace("```md", "```text").trimEnd()),
        );
      }
      const used = namedBlocks(reply).map(({ lines }) => `${lines.join("\n").trimEnd()}\n`);
      assert.deepEqual(used, blocks);
    });
  }
});
