/**
 * Code around a selection, found without a parser: enclosing blocks by indentation, short
 * declarations, used names, and the test file of a file.
 */
import assert from "node:assert/strict";
import { enclosingBlocks } from "../../../src/context/enclosingBlock";
import { bestTests } from "../../../src/context/projectTests";
import { shortDeclaration } from "../../../src/context/shortDeclaration";
import { usedNames } from "../../../src/context/usedNames";

function source(text: string) {
  return { path: "a", uri: "file:///a", languageId: "x", lines: text.split("\n") };
}

function short(text: string, line = 1, maxTokens = 400): string | undefined {
  return shortDeclaration(source(text), line, maxTokens)?.text;
}

describe("enclosingBlocks", () => {
  const java = [
    "class Cart {",
    "  int size;",
    "",
    "  /** Adds. */",
    "  @Override",
    "  int add(int a,",
    "      int b) {",
    "    if (a > 0) {",
    "      return a;",
    "    } else {",
    "      return b;",
    "    }",
    "  }",
    "}",
    "class Other {}",
  ];
  const spans = (lines: readonly string[], line: number) =>
    enclosingBlocks(lines, { startLine: line, endLine: line }).map(
      ({ startLine, endLine }) => `${startLine}-${endLine}`,
    );

  it("finds blocks with brackets, the outermost first, with their comments", () => {
    assert.deepEqual(spans(java, 2), ["1-14"]);
    const [outer] = spans(java, 11);
    assert.equal(outer, "1-14");
  });

  it("finds blocks without brackets", () => {
    const python = [
      "import os",
      "",
      "@cache",
      "def a(x):",
      "    if x:",
      "        return 1",
      "    return 2",
      "",
      "b = 1",
    ];
    assert.deepEqual(spans(python, 6), ["3-7", "5-6"]);
    assert.deepEqual(spans(python, 1), []);
    assert.deepEqual(spans(python, 9), []);
  });

  it("finds no block in text without indentation", () => {
    assert.deepEqual(spans(["one", "two"], 1), []);
    assert.deepEqual(spans([""], 1), []);
    assert.deepEqual(spans(["   ", "   "], 2), []);
  });
});

describe("shortDeclaration", () => {
  it("keeps a type whole", () => {
    const text = "export interface Item {\n  readonly price: Money;\n}";
    assert.equal(short(`${text}\nconst a = 1;`), text);
  });

  it("keeps the signature of a function, on several lines too", () => {
    assert.equal(
      short("function f(\n  a: number,\n): string {\n  const b = a;\n  return String(b);\n}"),
      "function f(\n  a: number,\n): string {\n…",
    );
    assert.equal(short("def f(a):\n    b = a\n    c = b\n    return c"), "def f(a):\n…");
  });

  it("lists the members of a class without their bodies", () => {
    const text = [
      "export class Cart {",
      "  private items = [];",
      "",
      "  add(item) {",
      "    this.items.push(item);",
      "  }",
      "}",
    ].join("\n");
    assert.equal(short(text), "export class Cart {\n  private items = [];\n  add(item) { … }\n}");
  });

  it("reports the lines that are left out, and the lines of the declaration", () => {
    const part = shortDeclaration(source("\nfn f() {\n  a();\n  b();\n  c();\n}"), 2, 400);
    assert.deepEqual([part?.startLine, part?.endLine, part?.linesLeftOut], [2, 6, 4]);
  });

  it("keeps within the budget", () => {
    const members = Array.from({ length: 500 }, (_unused, at) => `  readonly member${at}: string;`);
    const text = short(`interface Big {\n${members.join("\n")}\n}`, 1, 100) ?? "";
    assert.ok(text.split("\n").length < 30 && text.includes("left out"), text);
  });
});

describe("usedNames", () => {
  const names = (text: string, max = 40) => {
    const lines = text.split("\n");
    return usedNames(lines, { startLine: 1, endLine: lines.length }, max).map(({ name }) => name);
  };

  it("returns each name once, without keywords, comments and strings", () => {
    const text = 'const sum = add(item, "not this"); // nor that\nreturn sum + größe; /* x */';
    assert.deepEqual(names(text), ["sum", "add", "item", "größe", "x"]);
    assert.deepEqual(names("# a comment\nrows = top('x')"), ["rows", "top"]);
  });
});

describe("bestTests", () => {
  const best = (path: string, ...tests: string[]) =>
    bestTests(
      path,
      tests.map((test) => ({ path: test })),
    ).map((test) => test.path);

  it("prefers the test of the file, then the nearest", () => {
    assert.deepEqual(
      best(
        "/p/src/cart.ts",
        "/p/test/other.test.ts",
        "/p/src/near.spec.ts",
        "/p/test/cart.test.mjs",
      ),
      ["/p/test/cart.test.mjs", "/p/src/near.spec.ts", "/p/test/other.test.ts"],
    );
    assert.equal(
      best("/p/a/cart.py", "/p/tests/test_other.py", "/p/tests/test_cart.py")[0],
      "/p/tests/test_cart.py",
    );
    assert.equal(
      best("/p/Cart.java", "/p/OtherTest.java", "/p/CartTest.java")[0],
      "/p/CartTest.java",
    );
  });
});
