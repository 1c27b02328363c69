/** Comments, and a small function and a test, in the usual languages of programming. */

/** Text of every sample function. */
const HELLO = "Hello from the reference service";
/** Name of every sample test. */
const TITLE = "a test would be here";

interface CodeSample {
  readonly code: string;
  readonly test: string;
}

const SCRIPT_TEST = `import { test } from "node:test";\n\ntest("${TITLE}", () => {});`;
const SCRIPT: CodeSample = {
  code: `function sampleReply() {\n  return "${HELLO}";\n}`,
  test: SCRIPT_TEST,
};
const TYPED_SCRIPT: CodeSample = {
  code: `function sampleReply(): string {\n  return "${HELLO}";\n}`,
  test: SCRIPT_TEST,
};
const C: CodeSample = {
  code: `const char *sample_reply(void) {\n    return "${HELLO}";\n}`,
  test: `void test_sample(void) {\n    assert(1);\n}`,
};
const SHELL: CodeSample = {
  code: `sample_reply() {\n  echo "${HELLO}"\n}`,
  test: `test_sample() {\n  true\n}`,
};

const SAMPLES: ReadonlyMap<string, CodeSample> = new Map([
  ["typescript", TYPED_SCRIPT],
  ["typescriptreact", TYPED_SCRIPT],
  ["javascript", SCRIPT],
  ["javascriptreact", SCRIPT],
  [
    "python",
    {
      code: `def sample_reply():\n    return "${HELLO}"`,
      test: `def test_sample():\n    assert True, "${TITLE}"`,
    },
  ],
  [
    "go",
    {
      code: `func sampleReply() string {\n\treturn "${HELLO}"\n}`,
      test: `import "testing"\n\nfunc TestSample(t *testing.T) {\n\tt.Log("${TITLE}")\n}`,
    },
  ],
  [
    "rust",
    {
      code: `fn sample_reply() -> &'static str {\n    "${HELLO}"\n}`,
      test: `#[test]\nfn a_test_would_be_here() {}`,
    },
  ],
  [
    "java",
    {
      code: `static String sampleReply() {\n    return "${HELLO}";\n}`,
      test: `@Test\nvoid aTestWouldBeHere() {}`,
    },
  ],
  [
    "csharp",
    {
      code: `static string SampleReply()\n{\n    return "${HELLO}";\n}`,
      test: `[Fact]\npublic void ATestWouldBeHere()\n{\n}`,
    },
  ],
  [
    "kotlin",
    {
      code: `fun sampleReply(): String = "${HELLO}"`,
      test: `@Test\nfun aTestWouldBeHere() {\n}`,
    },
  ],
  [
    "swift",
    {
      code: `func sampleReply() -> String {\n    "${HELLO}"\n}`,
      test: `func testSample() {\n}`,
    },
  ],
  [
    "ruby",
    {
      code: `def sample_reply\n  "${HELLO}"\nend`,
      test: `def test_sample\n  assert true, "${TITLE}"\nend`,
    },
  ],
  [
    "php",
    {
      code: `function sampleReply(): string\n{\n    return '${HELLO}';\n}`,
      test: `public function testSample(): void\n{\n}`,
    },
  ],
  ["c", C],
  ["cpp", C],
  ["shellscript", SHELL],
  ["bash", SHELL],
  [
    "lua",
    {
      code: `local function sample_reply()\n  return "${HELLO}"\nend`,
      test: `local function test_sample()\n  assert(true)\nend`,
    },
  ],
  ["sql", { code: `SELECT '${HELLO}';`, test: `SELECT 1 = 1;` }],
  ["html", { code: `<p>${HELLO}</p>`, test: `<p>${TITLE}</p>` }],
  ["css", { code: `.sample-reply {\n  color: inherit;\n}`, test: `.sample-test {\n}` }],
]);

/** Returns undefined for other languages. */
export function codeSample(languageId: string): CodeSample | undefined {
  return SAMPLES.get(languageId);
}

/** Delimiters of a comment in a line of its own, and the languages that use them. */
const COMMENTS: readonly (readonly [start: string, end: string, languages: RegExp])[] = [
  [
    "# ",
    "",
    /^(?:python|ruby|shellscript|bash|sh|fish|perl|r|yaml|toml|makefile|cmake|dockerfile|dockercompose|properties|dotenv|ignore|powershell|julia|elixir|nim|crystal|coffeescript|graphql|terraform|hcl|nix)$/,
  ],
  ["<!-- ", " -->", /^(?:html|xml|xsl|markdown|vue|svelte|astro|svg|handlebars)$/],
  ["-- ", "", /^(?:sql|lua|haskell|ada|elm|vhdl)$/],
  ["/* ", " */", /^(?:css|c)$/],
  ["; ", "", /^(?:ini|clojure|lisp|scheme|asm)$/],
  ["% ", "", /^(?:latex|tex|erlang|matlab|prolog)$/],
  ["' ", "", /^(?:vb)$/],
  ["REM ", "", /^(?:bat)$/],
  ["(* ", " *)", /^(?:ocaml)$/],
];

export function comment(languageId: string, text: string, indent: string): string {
  const found = COMMENTS.find(([, , languages]) => languages.test(languageId));
  const [start, end] = found ?? ["// ", ""];
  return `${indent}${start}${withoutEnd(text, end.trim())}${end}`;
}

/** Splits the end of a comment inside `text`. */
function withoutEnd(text: string, end: string): string {
  if (end === "") return text;
  return text.replaceAll(end === "-->" ? "--" : end, (found) => `${found[0]} ${found.slice(1)}`);
}
