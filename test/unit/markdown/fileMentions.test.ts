/** Mentions of files in a text, and the locations to which they resolve. */
import assert from "node:assert/strict";
import {
  findMentions,
  mentionBelow,
  mentionOfAddress,
  parseMention,
} from "../../../src/markdown/fileMentions";

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

  const partsIn = (text: string, kind?: "name" | "title") =>
    findMentions(text, kind).map(({ text, parts = [] }) => [text, ...parts.map((one) => one.text)]);

  for (const [text, ...mentions] of [
    ["src/my file/page.tsx:3", ["src/my file/page.tsx:3"]],
    ["a, b/page.tsx", ["a, b/page.tsx"]],
    ["src/a.ts, src/b.ts", ["src/a.ts"], ["src/b.ts"]],
    ["src/a.ts | wc", ["src/a.ts"]],
  ] satisfies [string, ...string[][]][]) {
    it(`have blanks in code: ${text}`, () => assert.deepEqual(partsIn(text, "name"), mentions));
  }

  it("in bold text are the whole, or those of the sentence", () => {
    const whole = "файл src/a.ts: строка 3";
    assert.deepEqual(partsIn(whole, "title"), [[whole, "src/a.ts"]]);
    assert.deepEqual(partsIn("docs/my file.md", "title"), [["docs/my file.md"]]);
  });

  it("have blanks in quotes", () => {
    for (const quotes of ['""', "''", "“”", "„“", "«»", "「」", "『』", "《》"]) {
      const name = `${quotes[0]}docs/my file.md${quotes[1]}`;
      check(`See ${name}, a.ts`, "docs/my file.md", "a.ts");
      check(`打开${name}文件`, "docs/my file.md");
    }
    check(`It's "a" in src/a.ts or 'b c', "d"`, "src/a.ts");
    check(`["my file.md"] ("a, b.md:3")`, "my file.md", "a, b.md:3");
  });

  it("may be several in a token, if no file has the whole name", () => {
    const two = ["src/a.ts", "src/b.ts"];
    for (const sign of [",", ";", "–", "—", "→", "+", "&", "和", "と", "와"]) {
      assert.deepEqual(partsIn(two.join(sign)), [[two.join(sign), ...two]]);
      check(`(src/a.ts:1${sign}src/b.ts:2).`, "src/a.ts:1", "src/b.ts:2");
    }
    for (const sign of ["->", "=>", "|"]) check(two.join(sign), ...two);
    assert.deepEqual(partsIn("{a.ts,b.ts}"), [["a.ts,b.ts", "a.ts", "b.ts"]]);
    assert.deepEqual(partsIn("a,b/c.ts, src/{a.ts,b.ts}"), [["a,b/c.ts"], ["src/{a.ts,b.ts}"]]);
    check("https://x.y/a.html,b.html a@b.cd,c.ts x|y.ts");
  });

  it("end and begin where the script changes, if no file has the whole name", () => {
    for (const text of ["src/a.tsを編集", "编辑src/a.ts文件", "在src/a.ts里", "src/a.ts를"]) {
      assert.deepEqual(partsIn(text), [[text, "src/a.ts"]]);
    }
    assert.deepEqual(partsIn("文件/说明.md src/größe.py"), [["文件/说明.md"], ["src/größe.py"]]);
  });

  it("have their exact position", () => {
    const text = "one a.ts two b/c.ts:3";
    assert.deepEqual(findMentions(text), [
      { index: 4, text: "a.ts" },
      { index: 13, text: "b/c.ts:3" },
    ]);
  });
});

describe("the file of a link", () => {
  for (const [address, folder, path] of [
    ["C:\\shop\\src\\a.ts:3", "/c:/shop", "src/a.ts:3"],
    ["C:/shop/src/a%20b.ts#L3-L5", "/c:/shop/", "src/a b.ts#L3"],
    ["file:///c:/Shop/src/a.ts", "/c:/shop", "src/a.ts"],
    ["file:///c%3A/shop/a.ts", "/c:/shop", "a.ts"],
    ["file:///home/me/a%20b.ts", "/home/me", "a b.ts"],
    ["/home/me/src/a.ts", "/home/me", "src/a.ts"],
    ["/home/ME/a.ts", "/home/me", undefined],
    ["D:/shop/a.ts", "/c:/shop", undefined],
    ["C:/shops/a.ts", "/c:/shop", undefined],
    ["src/a.ts", "/home/me", undefined],
  ] as const) {
    it(`${address} in ${folder} is ${path}`, () => {
      assert.equal(mentionBelow(mentionOfAddress(address) ?? "", folder), path);
    });
  }

  it("has a path", () => {
    assert.equal(mentionOfAddress("docs/my%20file.md#usage"), "docs/my file.md");
    for (const address of ["#part", "javascript:alert(1)", "vscode://file/a.ts", "100%", ""]) {
      assert.equal(mentionOfAddress(address), undefined);
    }
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
