/**
 * Replies whose block is right and is not the whole of the lines: nothing is written, and the reason is
 * shown. The kinds are those of a trial with replies that nobody here had seen.
 */
import assert from "node:assert/strict";
import { ReplyReader } from "../../../src/replyCode/readReply";

/** Name, language, file with the selection between » and «, reply, and the first reason or the file. */
type Row = readonly [
  name: string,
  languageId: string,
  file: string,
  reply: string,
  expected: string,
];

const ROWS: readonly Row[] = [
  [
    "a test",
    "typescript",
    "»export function slug(s) {\n  return s;\n}«",
    'test("slug", () => {\n  slug("a");\n});',
    "gone slug",
  ],
  [
    "a getter",
    "typescript",
    "class A {\n»  price = 1;«\n}",
    "get total() {\n  return this.price * 2;\n}",
    "gone price",
  ],
  ["a hover style", "css", "».a {\n  color: red;\n}«", ".a:hover {\n  color: blue;\n}", "gone .a"],
  [
    "a view",
    "sql",
    "»CREATE TABLE orders (\n  id int\n);«",
    "CREATE VIEW paid AS\nSELECT id FROM orders;",
    "gone orders",
  ],
  [
    "only a guard",
    "python",
    "»def load(path):\n    text = read(path)\n    return text«",
    "if path is None:\n    raise ValueError()",
    "gone load",
  ],
  ["only a property", "css", "».a {\n  margin: 0;\n}«", "  color: red;", "gone .a"],
  [
    "one of three methods",
    "javascript",
    "»class A {\n  a() {\n    go();\n  }\n  b() {\n    stop();\n  }\n}«",
    "class A {\n  a() {\n    run();\n  }\n}",
    "gone b",
  ],
  [
    "one of two keys",
    "json",
    '{\n»  "a": {\n    "x": 1,\n    "y": 2\n  }«\n}',
    '  "a": {\n    "x": 3\n  }',
    'gone "y"',
  ],
  ["one of two sections", "toml", "»[a]\nx = 1\n\n[b]\ny = 2«", "[b]\ny = 3", "gone [a]"],
  [
    "a part of a line",
    "java",
    "class P {\n»        return a > 0 || force;«\n}",
    "(a > 0 && a < 10)",
    "text-gone",
  ],
  [
    "a changed decorator",
    "python",
    '@app.get("/a")\n»def a():\n    return 1«',
    '@app.post("/a")\ndef a():\n    return 1',
    "twice",
  ],
  [
    "a changed doc comment",
    "go",
    "// A returns one.\n»func A() int { return 1 }«",
    "// A returns two.\nfunc A() int { return 2 }",
    "twice",
  ],
  [
    "a diff that adds a function a second time",
    "javascript",
    "»function a() {\n  go();\n}«\nfunction b() {\n  stop();\n}",
    " function a() {\n-  go();\n+  run();\n }\n+function b() {\n+  halt();\n+}",
    "twice",
  ],
  [
    "a diff that removes a function which is still used",
    "javascript",
    "»function a() {\n  go();\n}\na();«",
    "-function a() {\n-  go();\n-}\n+go();\n a();",
    "go();\na();",
  ],
  [
    "an attribute in place of its tag",
    "vue",
    '<template>\n»  <img\n    :src="url"\n  />«\n</template>',
    '    loading="lazy"',
    "gone <img",
  ],
  [
    "lines below the end of their function",
    "lua",
    "»function start(port)\n  local s = open(port)\n  s:configure(9600)\n  s:flush()\n  return s\nend«",
    'function start(port)\n  assert(type(port) == "number")\n  -- as before\nend',
    "comment",
  ],
  [
    "a doc comment of three lines",
    "csharp",
    "class O\n{\n    /// <summary>\n    /// Adds.\n    /// </summary>\n»    int Add(int a) => a;«\n}",
    "/// <summary>\n/// Adds numbers.\n/// </summary>\nint Add(int a, int b) => a + b;",
    "twice",
  ],
  [
    "a target that needs another",
    "makefile",
    "»build:\n\tgo build ./...«\n",
    "run: build\n\t./app",
    "gone build",
  ],
  [
    "a comment for code",
    "python",
    "»def job(x):\n    a = load(x)\n    b = clean(a)\n    save(b)\n    return b«",
    "def job(x):\n    log(x)\n    # existing code\n    return b",
    "comment",
  ],
  [
    "another selector",
    "css",
    ".tab {\n»  color: grey;«\n}",
    ".tab,\n.tab:hover {\n  color: grey;\n}",
    "twice",
  ],
  ["a subclass", "python", "»class A:\n    x = 1«", "class B(A):\n    y = 2", "gone A"],
  ["a trait", "rust", "»enum A {\n  X,\n}«", "impl Show for A {\n  A::X => 1\n}", "gone A"],
  [
    "a message",
    "proto",
    "»message A {\n  int64 id = 1;\n}«",
    "message B {\n  A a = 1;\n}",
    "gone A",
  ],
  [
    "another loop",
    "go",
    "f(xs)\nfor i := xs {\n»  a(i)«\n}",
    "for _, x := xs {\n  a(x)\n}",
    "twice",
  ],
  [
    "a loop in a loop",
    "go",
    "f(xs)\nfor x := xs {\n»  a(x)«\n}",
    "for y := x.all {\n  a(y)\n}",
    "f(xs)\nfor x := xs {\n  for y := x.all {\n    a(y)\n  }\n}",
  ],
  [
    "only a further catch",
    "java",
    "»void f() {\n  g();\n}«",
    "catch (E e) {\n  h();\n}",
    "gone void f() {",
  ],
  ["one clause", "sql", "»SELECT a\nFROM b\nORDER BY id«", "ORDER BY id DESC", "gone SELECT"],
  [
    "no first line",
    "shellscript",
    "»#!/bin/sh\nset -e\nf() {\n  a\n}«",
    "f() {\n  b\n}",
    "gone #!/bin/sh",
  ],
  [
    "one of three options",
    "html",
    "»<select>\n  <option>one</option>\n  <option>two</option>\n  <option a=b>three</option>\n</select>«",
    "<select>\n  <option a=c>three</option>\n</select>",
    "gone <option>one</option>",
  ],
  [
    "a comment for items",
    "css",
    "».a {\n  top: 0;\n  left: 0;\n  color: red;\n}«",
    ".a {\n  /* existing */\n  gap: 0;\n}",
    "gone top",
  ],
  ["an extended rule", "scss", "».a {\n  top: 0;\n}«", ".b {\n  @extend .a;\n}", "gone .a"],
  [
    "an inlined function",
    "rust",
    "»pub fn a(x: i32) -> i32 {\n  x + 1\n}\n\nfn b(x: i32) -> i32 {\n  a(x)\n}«",
    "fn b(x: i32) -> i32 {\n  1 + x\n}",
    "gone a",
  ],
  [
    "an extension",
    "swift",
    "»struct P {\n  var x: Int\n}«",
    "extension P: Q {\n  let y = P(x: 1)\n}",
    "gone P",
  ],
  ["a call", "r", "»f <- function(t) {\n  t\n}«", "curve(f, 0, 2)", "gone f"],
  ["only a key", "go", "»var s = S{\n  Addr: a,\n  Port: b,\n}«", "  Addr: c,", "gone var s = S{"],
  [
    "a method removed",
    "javascript",
    "»class A {\n  a() {\n    go();\n  }\n  b() {\n    stop();\n  }\n}«",
    "class A {\n  a() {\n    go();\n  }\n}",
    "class A {\n  a() {\n    go();\n  }\n}",
  ],
  [
    "a renamed function",
    "python",
    "»def a(x):\n    return x«\na(1)",
    "def b(x):\n    return x",
    "def b(x):\n    return x\na(1)",
  ],
  [
    "an arrow function",
    "typescript",
    "»function f(xs) {\n  return g(xs);\n}«",
    "const f = (xs) => g(xs);",
    "const f = (xs) => g(xs);",
  ],
  [
    "an enum as a union",
    "typescript",
    "»enum Color {\n  Red,\n  Blue,\n}«",
    'type Color = "red" | "blue";',
    'type Color = "red" | "blue";',
  ],
];

function read(
  languageId: string,
  file: string,
  reply: string,
  part?: { before: string; after: string },
) {
  const [before = "", target = "", after = ""] = file.split(/\n?[»«]\n?/);
  const linesOf = (text: string) => (text === "" ? [] : text.split("\n"));
  const lines = { before: linesOf(before), target: linesOf(target), after: linesOf(after) };
  const style = { base: /^ */.exec(target)?.[0] ?? "", usesTabs: false, size: 2 };
  const reader = new ReplyReader({
    ...lines,
    languageId,
    isProse: false,
    style,
    selectedPart: part,
  });
  reader.push(reply);
  reader.end();
  return { reader, ...lines };
}

describe("the judge of a result", () => {
  for (const [name, languageId, file, code, expected] of ROWS) {
    it(`says ${expected.split("\n")[0]}: ${name}`, () => {
      const { reader, before, after } = read(languageId, file, `\`\`\`\n${code}\n\`\`\`\n`);
      const [reason] = reader.reasons;
      const names = reason?.kind === "gone" ? ` ${reason.names[0]}` : "";
      const { lines = [], above = 0, below = 0 } = reader.candidate ?? {};
      const text = [...before.slice(0, before.length - above), ...lines, ...after.slice(below)];
      assert.equal(reason === undefined ? text.join("\n") : `${reason.kind}${names}`, expected);
    });
  }

  it("puts the new text of a selected part between the rest of the line", () => {
    const { reader } = read(
      "css",
      "».a { margin: 0 auto; color: red; }«",
      "```css\n8px auto 0;\n```\n",
      {
        before: ".a { margin: ",
        after: "; color: red; }",
      },
    );
    assert.deepEqual(reader.candidate?.lines, [".a { margin: 8px auto 0; color: red; }"]);
  });

  it("replaces a part of the lines that one block repeats by the lines of the other block", () => {
    const reply =
      "Change\n```py\n    return s / n\n```\nto\n```py\n    return s / n if n else 0\n```\n";
    const { reader } = read("python", "»def avg(s, n):\n    log(s)\n    return s / n«", reply);
    const changed = ["def avg(s, n):", "    log(s)", "    return s / n if n else 0"];
    assert.deepEqual(reader.candidate?.lines, changed);
  });

  it("asks about a name that only another block declares", () => {
    const reply =
      "```py\ndef f(x):\n    return tidy(x)\n```\nand\n```py\ndef tidy(x):\n    return x\n```\n";
    const { reader } = read("python", "»def f(x):\n    return x.strip()«", reply);
    assert.deepEqual(reader.reasons, [{ kind: "missing", name: "tidy" }]);
  });

  it("shows first the lines below the selection, where they would take its place", () => {
    const reply = '```ts\ntest("slug", () => {\n  slug("a");\n});\n```\n';
    const { reader } = read("typescript", "»export function slug(s) {\n  return s;\n}«", reply);
    assert.equal(reader.readings[0]?.isBelow, true);
  });
});
