/** Mentions of files in a text, and the locations to which they resolve. */
import assert from "node:assert/strict";
import { findMentions, parseMention } from "../../../src/markdown/fileMentions";

describe("mentions of files", () => {
  const check = (text: string, ...mentions: string[]) =>
    assert.deepEqual(
      findMentions(text).map((mention) => mention.text),
      mentions,
      text,
    );

  it("are found in prose, with line and column", () => {
    check("See src/cart.ts:12:5 and `README.md`.", "src/cart.ts:12:5", "README.md");
    check("(lib/a-b_c.test.mjs:7), then src\\win.cs", "lib/a-b_c.test.mjs:7", "src\\win.cs");
    check("./build/Makefile or .gitignore or a/b", "./build/Makefile", ".gitignore", "a/b");
    check("src/über/größe.py#L3 文件/说明.md。", "src/über/größe.py#L3", "文件/说明.md");
    check("@scope/pkg/index.d.ts", "@scope/pkg/index.d.ts");
  });

  it("are not numbers, versions, sentences or addresses", () => {
    check("It took 3.5 s in v1.2. Then it ended. Well... no");
    check("https://example.com/a.ts and mail@example.com");
  });

  it("are whole names, with brackets and signs of routers", () => {
    const paths =
      "app/(.)photo/page.tsx (group)/page.tsx [slug].tsx app/[...all]/page.tsx $id.tsx {id}/page.tsx R&D/page.tsx it's/page.tsx ~x/page.tsx src/$lib/page.tsx a,b/page.tsx +page.svelte #dir/a.ts 50%/a.ts a=b/c.ts !x/a.ts app/[[...rest]]/page.tsx";
    for (const path of paths.split(" ")) {
      check(`See ${path}, or (${path}) and '${path}': "${path}".`, path, path, path, path);
      check(`[${path}] 见（${path}）。《${path}》“${path}:12”`, path, path, path, `${path}:12`);
    }
  });

  it("do not begin in the middle of a name", () => {
    check("load(src/a.ts, x) <b>/a.ts src/<name>/a.ts src/*.ts x[src/a.ts 【草稿】计划.md");
    check("src/my file/page.tsx and src/甲、乙.md");
    check("See src/my file/page.tsx, then src/a.ts.", "src/a.ts");
  });

  it("end before what a sentence or a compiler adds", () => {
    check("src/a.ts(12,5): error, src/a.ts's README.md#usage", "src/a.ts", "src/a.ts", "README.md");
    check("src/a.ts:12-20 tests/a.py::test_b src/c", "src/a.ts:12", "tests/a.py", "src/c");
  });

  it("have blanks in text that is set apart", () => {
    const checkName = (text: string, ...mentions: string[]) =>
      assert.deepEqual(
        findMentions(text, true).map((mention) => mention.text),
        mentions,
      );
    checkName("src/my file/page.tsx:3", "src/my file/page.tsx:3");
    checkName("a, b/page.tsx", "a, b/page.tsx");
    checkName("src/a.ts, src/b.ts", "src/a.ts", "src/b.ts");
    checkName("src/a.ts | wc", "src/a.ts");
  });

  it("have their exact position", () => {
    const text = "one a.ts two b/c.ts:3";
    assert.deepEqual(findMentions(text), [
      { index: 4, text: "a.ts" },
      { index: 13, text: "b/c.ts:3" },
    ]);
  });

  it("are not looked for in a line of hundreds of kilobytes", () => {
    assert.deepEqual(findMentions("a/".repeat(200_000)), []);
  });
});

describe("the location of a mention", () => {
  it("has a path, a line and a column", () => {
    assert.deepEqual(parseMention("./src/a.ts:3:7"), { path: "src/a.ts", line: 3, column: 7 });
    assert.deepEqual(parseMention("src\\a.ts#L9"), {
      path: "src/a.ts",
      line: 9,
      column: undefined,
    });
    assert.deepEqual(parseMention("a.ts:0"), { path: "a.ts", line: undefined, column: undefined });
  });

  it("is undefined outside the workspace", () => {
    for (const mention of [
      "",
      "/etc/passwd",
      "~/x.ts",
      "../x.ts",
      "a/../../x.ts",
      "a/./b.ts",
      "C:\\x.ts",
      "\\\\host\\share\\x.ts",
      "file:///x.ts",
      "a\0.ts",
      "a//b.ts",
    ]) {
      assert.equal(parseMention(mention), undefined, mention);
    }
  });
});
