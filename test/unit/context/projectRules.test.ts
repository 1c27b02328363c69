/** The rule files that apply to a question, and their sent text. */
import assert from "node:assert/strict";
import { globMatcher, splitGlobs } from "../../../src/context/glob";
import { readFrontMatter, replaceVariables } from "../../../src/context/instructionFile";
import {
  applicableRules,
  rulesOnce,
  rulesText,
  type RuleFile,
} from "../../../src/context/projectRules";

function rule(kind: RuleFile["kind"], path: string, rest: Partial<RuleFile> = {}): RuleFile {
  const parent = path.includes("/") ? `/p/${path.slice(0, path.lastIndexOf("/"))}` : "/p";
  const folder = kind === "copilot" || kind === "instructions" ? "/p" : parent;
  const text = `text of ${path}`;
  return {
    kind,
    path,
    root: "/p",
    folder,
    applyTo: [],
    text,
    hidden: [],
    hasUnshown: false,
    hasHtml: false,
    ...rest,
  };
}

function paths(files: readonly RuleFile[], ...targets: string[]): string[] {
  return applicableRules(files, targets).map(({ path }) => path);
}

describe("the rules that apply", () => {
  it("are always those of the root, and those of a folder for files in it", () => {
    const files = [rule("agents", "web/api/AGENTS.md"), rule("agents", "AGENTS.md")];
    assert.deepEqual(paths(files), ["AGENTS.md"]);
    assert.deepEqual(paths(files, "/p/web/a.ts"), ["AGENTS.md"]);
    assert.deepEqual(paths(files, "/p/web/api/v1/a.ts"), ["AGENTS.md", "web/api/AGENTS.md"]);
    assert.deepEqual(paths(files, "/p/web/api-old/a.ts"), ["AGENTS.md"]);
  });

  it("include CLAUDE.md only if there are no other general rules", () => {
    const claude = rule("claude", "CLAUDE.md");
    assert.deepEqual(paths([claude]), ["CLAUDE.md"]);
    assert.deepEqual(paths([claude, rule("agents", "AGENTS.md")]), ["AGENTS.md"]);
    const copilot = rule("copilot", ".github/copilot-instructions.md");
    assert.deepEqual(paths([claude, copilot]), [".github/copilot-instructions.md"]);
    const nested = rule("claude", "web/CLAUDE.md");
    const both = [nested, rule("agents", "AGENTS.md")];
    assert.deepEqual(paths(both, "/p/web/a.ts"), ["AGENTS.md", "web/CLAUDE.md"]);
  });

  it("include instructions whose globs match a file of the question", () => {
    const python = rule("instructions", ".github/instructions/py.instructions.md", {
      applyTo: ["**/*.py", "tools/**"],
    });
    const all = rule("instructions", ".github/instructions/all.instructions.md", {
      applyTo: ["**"],
    });
    assert.deepEqual(paths([python, all]), [all.path]);
    assert.deepEqual(paths([python, all], "/p/src/a.py"), [all.path, python.path]);
    assert.deepEqual(paths([python], "/p/tools/x/run.sh"), [python.path]);
    assert.deepEqual(paths([python], "/p/src/a.pyi"), []);
  });

  it("are those of the workspace folders whose files are asked about", () => {
    const other = rule("agents", "other/AGENTS.md", { root: "/other", folder: "/other" });
    const files = [rule("agents", "AGENTS.md"), other];
    assert.deepEqual(paths(files), ["AGENTS.md", "other/AGENTS.md"].sort());
    assert.deepEqual(paths(files, "/other/a.ts"), ["other/AGENTS.md"]);
    assert.deepEqual(paths(files, "/elsewhere/a.ts").length, 2);
  });
});

describe("globs", () => {
  const cases: [glob: string, path: string, isMatch: boolean][] = [
    ["*.ts", "src/deep/a.ts", true],
    ["**/*.{ts,tsx}", "a.tsx", true],
    ["**/*.{ts,tsx}", "a.css", false],
    ["src/**/*.ts", "src/a.ts", true],
    ["src/**/*.ts", "web/src/x/a.TS", true],
    ["/src/*.ts", "web/src/a.ts", false],
    ["src/?.ts", "src/ab.ts", false],
    ["[a-c]*.md", "docs/bread.md", true],
    ["[!a]*.md", "docs/apple.md", false],
    ["a.b+(c)", "a.b+(c)", true],
    ["a.b", "axb", false],
    ["[open", "[open", false],
    // From https://code.visualstudio.com/docs/editor/glob-patterns and the tests of VS Code's
    // glob.ts: `**` is a whole name, other stars stay in a name.
    ["**/node_modules/**", "a/node_modules/b/c.js", true],
    ["/src/**", "src/a/b.ts", true],
    ["/src/**.ts", "src/a.ts", true],
    ["/src/**.ts", "src/a/b.ts", false],
    ["/a**/b", "ax/b", true],
    ["/a**/b", "ax/y/b", false],
    ["/{a,b/**}/*.ts", "b/x/y/c.ts", true],
    ["/{a,b}/c", "b/c", true],
    ["/{a,{b,c}d}.ts", "cd.ts", true],
    ["/{**/x,y}.ts", "a/b/x.ts", true],
    ["*.{test,spec}.[jt]s", "a.spec.js", true],
    ["/example.[0-9]", "example.7", true],
    ["/example.[!0-9]", "example.7", false],
    ["/example.[^0-9]", "example.a", true],
    ["/[]]", "]", true],
    ["/[a-]", "-", true],
    ["/[!a]b", "/b", false],
    ["/a?c", "a/c", false],
    ["/*/*.ts", "a/b/c.ts", false],
    ["/**/a/**/b", "a/b", true],
    ["/**/a/**/b", "x/a/y/z/b", true],
    ["/a/**/**/b", "a/b", true],
    ["{a", "{a", false],
    ["a}", "a}", true],
    ["a,b", "a,b", true],
    ["Größe.ts", "GRÖSSE.ts", false],
    ["größe.ts", "GRÖßE.ts", true],
  ];
  for (const [glob, path, isMatch] of cases) {
    it(`${glob} ${isMatch ? "matches" : "does not match"} ${path}`, () => {
      assert.equal(globMatcher(glob)(path), isMatch);
    });
  }

  it("are split at commas outside of braces", () => {
    assert.deepEqual(splitGlobs("**/*.{ts,tsx}, src/** ,"), ["**/*.{ts,tsx}", "src/**"]);
  });
});

describe("the text of rules", () => {
  const files = [
    rule("agents", "AGENTS.md", { text: "Use tabs.\n" }),
    rule("agents", "web/AGENTS.md", { text: Array.from({ length: 500 }, String).join("\n") }),
  ];

  it("names each file, and reports how many lines the budget leaves out", () => {
    const whole = rulesText(files, 10_000);
    assert.equal(whole.linesLeftOut, 0);
    assert.match(whole.text, /<rules file="AGENTS\.md">\nUse tabs\.\n<\/rules>/);
    const cut = rulesText(files, 200);
    assert.ok(cut.linesLeftOut > 100 && cut.linesLeftOut < 500, String(cut.linesLeftOut));
    assert.ok(cut.text.includes(`[… ${cut.linesLeftOut} lines left out …]`));
    assert.ok(cut.text.includes("Use tabs."));
  });

  it("contains only sections that earlier messages do not have", () => {
    const [root] = files;
    assert.ok(root);
    const first = rulesText([root], 10_000).text;
    assert.equal(rulesOnce(first, []), first);
    assert.match(rulesOnce(first, [first]), /^The rules of the project from earlier messages/);
    const both = rulesText(files, 10_000).text;
    const added = rulesOnce(both, [first]);
    assert.ok(!added.includes("Use tabs.") && added.includes('<rules file="web/AGENTS.md">'));
    const changed = rulesText([{ ...root, text: "Use spaces." }], 10_000).text;
    assert.equal(rulesOnce(changed, [first]), changed);
    assert.equal(rulesOnce(first, [first, changed]), first);
  });
});

describe("files with instructions", () => {
  it("can have front matter with quoted values, lists and comments", () => {
    const text =
      '---\napplyTo: "**/*.ts,**/*.tsx" # both\nname: review\nlist:\n  - "a"\n  - b\ninline: [x, "y"]\n---\n\nBody\n---\nmore';
    const { values, body } = readFrontMatter(text);
    assert.deepEqual(Object.fromEntries(values), {
      applyTo: "**/*.ts,**/*.tsx",
      name: "review",
      list: "a,b",
      inline: "x,y",
    });
    assert.equal(body, "Body\n---\nmore");
  });

  it("can contain variables; unknown and empty ones are not replaced", () => {
    const text = "Review ${file} in ${workspaceFolder}/src, ${selection}, ${input:depth:how deep}";
    assert.equal(
      replaceVariables(text, { file: "src/a.ts", selection: undefined }),
      "Review src/a.ts in src, ${selection}, ${input:depth:how deep}",
    );
  });
});
