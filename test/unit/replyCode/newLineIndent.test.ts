/** Indentation of new lines at a cursor, by the lines around it. */
import assert from "node:assert/strict";
import { indentOfNewLines } from "../../../src/replyCode/newLineIndent";

const PYTHON = "def a(x):|    for y in x:|        z(y)";
const CLASS = "class A:|    def a(self):|        with x:|            y()";
const YAML = "jobs:|  build:|    steps:|      - uses: a";

/** Lines above "‸" and below, joined by "|"; the reply; the indentation of its first line. */
const CASES: readonly (readonly [name: string, file: string, reply: string, indent: string])[] = [
  ["a function after a deeper line", `${PYTHON}||‸||C = 1`, "def b():", ""],
  ["a function directly below a deeper line", `${PYTHON}|‸||def c():`, "def b():", ""],
  ["a class without another one", `${PYTHON}||‸||C = 1`, "class B:", ""],
  ["the main guard", `${PYTHON}||‸`, 'if __name__ == "__main__":', ""],
  [
    "a statement below the last of a function",
    "def a(x):|    y = x|‸||def b():",
    "print(y)",
    "    ",
  ],
  ["an if below the last statement", "def a(x):|    y = x|‸||def b():", "if y:", "    "],
  ["a statement between two", "def a(x):|    y = x|‸|    return y", "log(y)", "    "],
  ["a method at the margin", `${CLASS}||‸||    def c(self):`, "def b(self):", "    "],
  ["a method with a decorator", `${CLASS}|‸||    def c(self):`, "@property|def b(self):", "    "],
  ["a method at the end of the file", `${CLASS}||‸`, "def b(self):", "    "],
  ["a function below a class", `${CLASS}||‸||def main():`, "def b(x):", ""],
  ["a function at the end, below a class", `${CLASS}||‸`, "def b(x):", ""],
  ["a method with its own depth", `${CLASS}||‸`, "    def b(self):", "    "],
  ["a depth that the position cannot have", "def a():|    x()|‸|    y()", "        z()", "    "],
  ["a body below a colon", "while a:|‸||b()", "c()", "    "],
  ["a line below the arguments of a call", "x = foo(a,|        b)|‸", "y = 2", ""],
  ["a line above else", "if a:|    b()|‸|else:|    c()", "d()", "    "],
  ["a job", `${YAML}|‸|  test:`, "deploy:", "  "],
  ["a step", `${YAML}|‸|  test:`, "- run: b", "      "],
  ["a key with its own depth", `${YAML}||‸`, "  deploy:", "  "],
  ["a list as deep as its key", "steps:|‸|- uses: a", "- run: b", ""],
  ["a target of a Makefile", "all:|\tgo build||‸||test:", "lint:", ""],
  ["a recipe of a Makefile", "all:|\tgo build|‸||test:", "go vet", "\t"],
  ["a section", "[a]|b =|    c|‸||[d]", "[e]|f =|    g", ""],
  ["a signature of Haskell", "f x = y|  where|    y = x||‸||main :: IO ()", "g :: Int|g = 1", ""],
  ["a line before a closing brace", "f() {|  if (a) {|    b();|  }|‸|}", "c();", "  "],
  ["a test of a suite", 'd("a", () => {|  it("b", () => {|    c();|  });||‸|});', 'it("d")', "  "],
  ["a line in an empty block", "class A|‸|end", "attr_reader :d", "    "],
  ["a static method", `${CLASS}||‸`, "@staticmethod|def b(x):", "    "],
  ["a line in an empty block of CMake", "if(WIN32)|‸|endif()", "set(A 1)", "    "],
  ["a case of Go", "switch x {|case 1:|\treturn|‸|}", "case 2:", ""],
  ["a case of JavaScript", "switch (x) {|  case 1:|    return;|‸|}", "default:", "  "],
  ["an item", "<ul>|  <li>a</li>|‸|</ul>", "<li>b</li>", "  "],
  ["a rule below a nested rule", ".a {|  .b {|    c: d;|  }|}||‸", ".e {", ""],
];

describe("indentOfNewLines", () => {
  for (const [name, file, reply, indent] of CASES) {
    it(`places ${name}`, () => {
      const [before = [], after = []] = file.split("‸").map((text) => text.split("|"));
      const around = { before: before.slice(0, -1), after: after.slice(1) };
      const position = { ...around, level: "    ", isProse: false };
      assert.equal(indentOfNewLines(reply.split("|"), position), indent);
    });
  }

  it("takes a colon in prose for text, and a heading for no item", () => {
    const position = { level: "    ", isProse: true };
    const list = { ...position, before: ["- a", "  - b", ""], after: ["", "## License"] };
    assert.equal(indentOfNewLines(["## Usage"], list), "");
    assert.equal(indentOfNewLines(["  - c"], list), "  ");
    assert.equal(indentOfNewLines(["b"], { ...position, before: ["as follows:"], after: [] }), "");
  });
});
