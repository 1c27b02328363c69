/** Comments, and a small function and a test, in three languages of programming. */

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
