import assert from "node:assert/strict";
import { UNCERTAIN_END, UNCERTAIN_START } from "../../../src/replyCode/pictureContent";
import { readContent, withoutMarks } from "../../../src/replyCode/pictureReply";

const mark = (text: string) => `${UNCERTAIN_START}${text}${UNCERTAIN_END}`;

describe("readContent", () => {
  it("returns the only block, without the sentences around it", () => {
    const reply = "Here it is:\n\n```text\nTotal  12,40 €\n\n  VAT 19 %\n```\n\nTell me if …";
    assert.equal(readContent("text", reply), "Total  12,40 €\n\n  VAT 19 %");
    assert.equal(
      readContent("code", "```go\nfunc a() {\n\treturn\n}\n```"),
      "func a() {\n\treturn\n}",
    );
  });

  it("returns nothing for a reply without a block, with two, or with one that does not end", () => {
    assert.equal(readContent("text", "I cannot read this picture."), undefined);
    assert.equal(readContent("code", "```\na\n```\nor\n```\nb\n```"), undefined);
    assert.equal(readContent("code", "```js\nconst a = 1"), undefined);
    assert.equal(readContent("table", "There is no table."), undefined);
  });

  it("returns a text that has fences of its own", () => {
    const inner = "# Title\n\n```sh\nmake\n```";
    assert.equal(readContent("text", `\`\`\`\`markdown\n${inner}\n\`\`\`\``), inner);
  });

  it("keeps the marks of uncertain text, which the copy does not have", () => {
    const text = `Invoice ${mark("4711")}\n${mark("")}\nend ${UNCERTAIN_START}x`;
    assert.equal(readContent("text", `\`\`\`\n${text}\n\`\`\``), text);
    assert.equal(withoutMarks(text), "Invoice 4711\n\nend x");
  });

  it("returns all tables as Markdown with their marks, also from a block", () => {
    const table = `| Part | Price |\n| --- | ---: |\n| Bolt M${mark("6")} | 0,20 |\n| ${mark("")} | 7 |\n`;
    for (const reply of [`Found:\n\n${table}`, `\`\`\`markdown\n${table}\`\`\``]) {
      assert.equal(readContent("table", reply), table);
    }
    assert.equal(readContent("table", `${table}\n${table}`), `${table}\n${table}`);
  });
});
