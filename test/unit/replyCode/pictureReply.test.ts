import assert from "node:assert/strict";
import {
  UNCERTAIN_END,
  UNCERTAIN_START,
  type PictureContent,
} from "../../../src/replyCode/pictureContent";
import { readContent, textOfPieces } from "../../../src/replyCode/pictureReply";

const mark = (text: string) => `${UNCERTAIN_START}${text}${UNCERTAIN_END}`;

function textIn(content: PictureContent, reply: string): string | undefined {
  const read = readContent(content, reply);
  return read?.kind === "text" ? textOfPieces(read.pieces) : undefined;
}

describe("readContent", () => {
  it("returns the only block, without the sentences around it", () => {
    const reply = "Here it is:\n\n```text\nTotal  12,40 €\n\n  VAT 19 %\n```\n\nTell me if …";
    assert.equal(textIn("text", reply), "Total  12,40 €\n\n  VAT 19 %");
    assert.equal(textIn("code", "```go\nfunc a() {\n\treturn\n}\n```"), "func a() {\n\treturn\n}");
  });

  it("returns nothing for a reply without a block, with two, or with one that does not end", () => {
    assert.equal(readContent("text", "I cannot read this picture."), undefined);
    assert.equal(readContent("code", "```\na\n```\nor\n```\nb\n```"), undefined);
    assert.equal(readContent("code", "```js\nconst a = 1"), undefined);
    assert.equal(readContent("table", "There is no table."), undefined);
  });

  it("returns a text that has fences of its own", () => {
    const inner = "# Title\n\n```sh\nmake\n```";
    assert.equal(textIn("text", `\`\`\`\`markdown\n${inner}\n\`\`\`\``), inner);
  });

  it("marks uncertain text, and leaves the marks out of the copy", () => {
    const read = readContent("text", `\`\`\`\nInvoice ${mark("4711")}\n${mark("")}\nend\n\`\`\``);
    assert.deepEqual(read?.kind === "text" && read.pieces, [
      { text: "Invoice ", isUncertain: false },
      { text: "4711", isUncertain: true },
      { text: "\n", isUncertain: false },
      { text: "", isUncertain: true },
      { text: "\nend", isUncertain: false },
    ]);
  });

  it("ends uncertain text at the end of its line if the model forgot the mark", () => {
    const read = readContent("code", `\`\`\`\na ${UNCERTAIN_START}b\nc\n\`\`\``);
    assert.deepEqual(read?.kind === "text" && read.pieces, [
      { text: "a ", isUncertain: false },
      { text: "b", isUncertain: true },
      { text: "\nc", isUncertain: false },
    ]);
  });

  it("returns the cells of all tables without the marks, also from a block", () => {
    const table = `| Part | Price |\n| --- | ---: |\n| Bolt M${mark("6")} | 0,20 |\n| ${mark("")} | 7 |`;
    for (const reply of [`Found:\n\n${table}\n`, `\`\`\`markdown\n${table}\n\`\`\``]) {
      const read = readContent("table", reply);
      assert.ok(read?.kind === "tables");
      assert.deepEqual(read.tables[0]?.rows, [
        ["Part", "Price"],
        ["Bolt M6", "0,20"],
        ["", "7"],
      ]);
      assert.deepEqual(read.uncertain, [
        [
          [false, false],
          [true, false],
          [true, false],
        ],
      ]);
    }
    const both = readContent("table", `${table}\n\n${table}`);
    assert.equal(both?.kind === "tables" && both.tables.length, 2);
  });
});
