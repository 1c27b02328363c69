import assert from "node:assert/strict";
import { plainSnippet } from "../../../src/chat/view/plainSnippet";

/** Returns the plain snippet and the texts of its ranges. */
function marked(text: string, ...words: string[]): [plain: string, ...marked: string[]] {
  const ranges = words.map((word) => {
    const start = text.indexOf(word);
    return [start, start + word.length] as const;
  });
  const plain = plainSnippet({ text, ranges });
  return [plain.text, ...plain.ranges.map(([start, end]) => plain.text.slice(start, end))];
}

describe("plainSnippet", () => {
  const cases = [
    ["## Why it fails  The **second** call", "Why it fails The second call"],
    ["…end. ### 结论 **先**停再*启*。", "…end. 结论 先停再启。"],
    ["Call `retry()` in ```ts let a = 1; ``` now", "Call retry() in ts let a = 1; now"],
    [
      "See [the guide](https://example.com/a_b) and ![a picture](x.png)",
      "See the guide and a picture",
    ],
    ["| Code | Sense | |:---|---:| | 401 | key |", "| Code | Sense | | 401 | key |"],
    ["__bold__ and ***both***", "bold and both"],
  ] as const;

  for (const [text, plain] of cases) {
    it(`shows ${JSON.stringify(text)} without its syntax`, () => {
      assert.equal(plainSnippet({ text, ranges: [] }).text, plain);
    });
  }

  it("keeps characters that are not syntax", () => {
    const text = "2 ** 3 * 4 > a - b | c, snake_case, __init__x, C# is a*b, [0] of x[1](2), #5";
    assert.equal(plainSnippet({ text, ranges: [] }).text, text.replace("[1](2)", "1"));
  });

  it("marks the same words after syntax before and inside them was removed", () => {
    assert.deepEqual(marked("## A **bold** word in `code`", "bold", "code"), [
      "A bold word in code",
      "bold",
      "code",
    ]);
    assert.deepEqual(marked("find **foo**bar here", "foo**bar"), ["find foobar here", "foobar"]);
  });

  it("drops a range whose text is all syntax", () => {
    assert.deepEqual(marked("a ``` b", "```"), ["a b"]);
  });
});
