/** Text that looks like code keeps its characters, and Markdown keeps its marks. Inputs from public reports. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createParser } from "../../../src/markdown/parser";

const parser = createParser();

/** Returns what a reader sees, with `<b>`, `<i>` and `<m>` for bold, italic and formulas. */
function seen(source: string): string {
  return parser
    .inline(source)
    .map(({ type, content, nesting }) => {
      const slash = nesting < 0 ? "/" : "";
      if (type === "math_inline") return `<m>${content}</m>`;
      if (type.startsWith("strong")) return `<${slash}b>`;
      if (type.startsWith("em_")) return `<${slash}i>`;
      if (type === "code_inline") return `\`${content}\``;
      return type.startsWith("link") ? `<${slash}a>` : content;
    })
    .join("");
}

/** Inputs that are shown as they are. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  "Windows paths (claude-code#88952, frizz#38, markdown-it#997)": [
    String.raw`Saved to D:\proj\data\_scratch\out\a_1.wav.`,
    String.raw`Edit C:\Users\me\.config\app.json now.`,
    String.raw`It is on \\server\share\folder\_x today.`,
    String.raw`See %APPDATA%\.minecraft\logs and %TEMP%\_a\_b.`,
    String.raw`HKEY_LOCAL_MACHINE\Software\.x and HKCU\Software\_y\{GUID}\#2`,
    String.raw`app in D:\app\[slug]\(shop)\{id}\page.tsx`,
    String.raw`copy C:\a\*.txt to D:\b\*.txt`,
    String.raw`"C:\repo\_build\_x", (C:\repo\_build\_x), 'C:\_a'`,
    String.raw`路径是C:\用户\_数据\_x。`,
    String.raw`use \\?\C:\very\_long\_path`,
    String.raw`Run ..\tools\_gen.cmd or .\_build\_out, then ~\.config\_x.`,
    String.raw`in $env:APPDATA\.npm\_logs and $PSScriptRoot\.x`,
    String.raw`HKLM:\SOFTWARE\_x and Registry::HKEY_CURRENT_USER\_x\{a}`,
    String.raw`C:\Program Files\_x\(old) and D:\Program Files (x86)\_y`,
    String.raw`Look at src\_internal\[id]\page.tsx please.`,
  ],
  "names between underscores": [
    "Add __init__.py and conftest.py.",
    'check __name__ == "__main__" here',
    "call __init__ then __str__",
    "see __post_init__ and __all__",
    "in __tests__/ and __mocks__/x.ts",
    "the define __FILE__, __LINE__ or __x86_64__",
    "__proto__ of an object",
  ],
  "products and globs": [
    "The area is 2*3*4 m.",
    "So 5*x + 3*y = 0.",
    "r**2*h and r**2",
    "rate*time and a*b",
    "Include src/**/*.ts and test/**/*.ts.",
    "**/*.ts and **/*.js",
    "in src/*.ts, lib/*.ts or lib/**/*.{ts,tsx}",
    "char *p and char *q",
    "SELECT count(*) FROM a, count(*) FROM b",
    "origin '*' or \"*\" and f(**)",
    ".gitignore: *.log, *.tmp, !*.keep and {*.ts,*.tsx} (*.c|*.h)",
    "**/node_modules/** and **/dist/**",
    "(a)*(b)*(c), f(x)*g(y)*h(z) and a[i]*b[j]*c",
    "/* one */ and /* two */",
  ],
  "variables (omnigent#4026, hermes-agent#80331, TouchAI#419)": [
    "Set $HOME/$USER first.",
    'It joins "$A","$B" with a comma.',
    "Use ${BASE}/${NAME} there.",
    "PATH is $GOROOT/bin:$PATH here.",
    "In PHP $first.$last joins two strings.",
    "Call foo($a,$b) twice.",
    "Angular: $scope.$apply() and $rootScope.$emit().",
    "JSON Schema: $ref/$defs are keywords.",
    "$VERIFIED_COUNT/$TOTAL_COUNT passed",
    "'$KEY_A'. Set $KEY_A or $KEY_B",
    "echo $HOME/$",
    "$_GET['a'] and $_POST['b']",
    "Match foo$|bar$ at the end.",
    "df$a|df$, $$VAR and $$X",
  ],
  "indexes before a call": ["It runs arr[i](x) and handlers[0](a, b) and f(a)[j](k)."],
  "money (lobehub#8553, wayland#704, omnigent#5013)": [
    "Es kostet 5$-10$ pro Monat.",
    "Prix : 20$/30$ selon le cas.",
    "100$,200$",
    "$2k and $25-50k, $5 and $10",
    "$/PR … $/session",
    "between $5–$10 and $1,000.50–$2,000",
  ],
};

/** Inputs whose marks are Markdown. */
const MARKS: Readonly<Record<string, string>> = {
  "a \\*b\\* \\_c\\_ \\# \\[optional\\]": "a *b* _c_ # [optional]",
  "C:\\\\Users\\\\me": "C:\\Users\\me",
  "**C:\\repo\\_build\\x.dll** is": "<b>C:\\repo\\_build\\x.dll</b> is",
  "_C:\\repo\\x_ is": "<i>C:\\repo\\x</i> is",
  "[C:\\a\\_b](https://a.example)": "<a>C:\\a\\_b</a>",
  "[C:\\a\\_b\\] x": "[C:\\a\\_b\\] x",
  "note:\\* x": "note:* x",
  "**bold**, __very bold__, *it*, _it_": "<b>bold</b>, <b>very bold</b>, <i>it</i>, <i>it</i>",
  "**API**s, **bold**ly and **a**/**b**": "<b>API</b>s, <b>bold</b>ly and <b>a</b>/<b>b</b>",
  "**/help** and **src/components/**: x": "<b>/help</b> and <b>src/components/</b>: x",
  "使用**React**框架，第*三*个": "使用<b>React</b>框架，第<i>三</i>个",
  "use (.\\*) and my\\_file\\.name\\.txt": "use (.*) and my_file.name.txt",
  "**https://a.example/**, *.NET*, (*a*)":
    "<b><a>https://a.example/</a></b>, <i>.NET</i>, (<i>a</i>)",
  "paper[1](https://a.example/), a[LICENSE](LICENSE.md)": "paper<a>1</a>, a<a>LICENSE</a>",
  "f(x)**bold**, (x)*词*": "f(x)<b>bold</b>, (x)*词*",
  "**重要：**后": "<b>重要：</b>后",
  "__Note:__ x and __two words__": "<b>Note:</b> x and <b>two words</b>",
  "**__init__** sets *x*": "<b>__init__</b> sets <i>x</i>",
  "$x$ and $a+b=c$": "<m>x</m> and <m>a+b=c</m>",
  "$n$th, $x$是, ($x$), $\\alpha$-stable":
    "<m>n</m>th, <m>x</m>是, (<m>x</m>), <m>\\alpha</m>-stable",
  "16$\\times$ faster, $\\mathbf{v}_i$($i=1$), $\\alpha$is":
    "16<m>\\times</m> faster, <m>\\mathbf{v}_i</m>(<m>i=1</m>), <m>\\alpha</m>is",
  "$f(x)=\\frac{1}{2}$. $E=mc^2$!": "<m>f(x)=\\frac{1}{2}</m>. <m>E=mc^2</m>!",
  "$n!$, $x'$, $a_1,\\dots,a_n$": "<m>n!</m>, <m>x'</m>, <m>a_1,\\dots,a_n</m>",
  "x\\(\\alpha\\)z and $$R=1$$": "x<m>\\alpha</m>z and <m>R=1</m>",
};

describe("text that looks like code", () => {
  for (const [title, sources] of Object.entries(TEXTS)) {
    it(`keeps its characters: ${title}`, () => {
      for (const source of sources) assert.equal(seen(source), source);
    });
  }

  it("leaves escapes, bold, italics and formulas to Markdown", () => {
    for (const [source, expected] of Object.entries(MARKS)) assert.equal(seen(source), expected);
  });

  it("leaves every formula of a corpus from papers a formula", () => {
    const lines = readFileSync("test/fixtures/formulas/papers.txt", "utf8").trim().split("\n");
    const formulas = lines.filter((line) => !line.startsWith("#"));
    assert.ok(formulas.length >= 300);
    for (const formula of formulas) {
      const texts = [
        `With $${formula}$ here`,
        `$${formula}$, so`,
        `(**$${formula}$**)`,
        `值$${formula}$是`,
      ];
      for (const text of [...texts, `x\\(${formula}\\)z`, `$$${formula}$$ y`]) {
        const read = parser.inline(text).filter(({ type }) => type === "math_inline");
        assert.deepEqual(
          read.map(({ content }) => content),
          [formula],
          text,
        );
      }
    }
  });

  it("keeps the backslashes of a path that a link leads to (OpenMausBot#1380, pandoc#8642)", () => {
    const targets = {
      "[report](C:\\Users\\me\\.tool\\report.md)": "C:\\Users\\me\\.tool\\report.md",
      "[r](<D:\\my files\\_a\\[x].md>)": "D:\\my files\\_a\\[x].md",
      "[r](\\\\server\\share\\_x.md)": "\\\\server\\share\\_x.md",
      "[r](C:\\\\a\\\\b.md)": "C:\\a\\b.md",
      "[r](a\\_b.md)": "a_b.md",
      "[r](https://a.example/\\_b)": "https://a.example/_b",
    };
    for (const [source, target] of Object.entries(targets)) {
      assert.equal(parser.inline(source)[0]?.attrGet("href"), target);
    }
  });
});
