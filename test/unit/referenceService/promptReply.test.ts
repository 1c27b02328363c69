/** Replies of the reference service to the prompts that Core Chat's host writes. */
import assert from "node:assert/strict";
import { wireMessages } from "../../../src/ask/wireMessages";
import type { ExcerptPart, Part } from "../../../src/conversation/message";
import { builtInPrompts } from "../../../src/host/settings/prompts";
import { commitReply } from "../../../src/replyCode/commitReply";
import { commitQuestion } from "../../../src/edit/commitText";
import { editQuestion, refiningQuestion, type EditRequest } from "../../../src/edit/editPrompt";
import { promptReply } from "../../service/promptReply";
import { withLanguage } from "../../support/fakes/fakeVscode";

const TARGET: ExcerptPart = {
  kind: "excerpt",
  path: "shop/till.ts",
  uri: "file:///shop/till.ts",
  languageId: "typescript",
  text: "  open() {\n    return 1;\n  }",
  startLine: 7,
  endLine: 9,
};

/** Returns the text that the service receives for these parts. */
async function sentText(parts: Part[]): Promise<string> {
  const question = { role: "user", id: "1", parentId: null, parts, sentAtMs: 0 } as const;
  const noPicture = () => Promise.reject(new Error("there is no picture"));
  const { messages } = await wireMessages(
    "",
    [question],
    false,
    { budgetTokens: 1e6 },
    "llm",
    noPicture,
  );
  const texts = messages.flatMap((message) => message.parts);
  return texts.map((part) => (part.type === "text" ? part.text : "")).join("\n\n");
}

async function replyTo(parts: Part[], previousReply = ""): Promise<string> {
  return promptReply(await sentText(parts), previousReply) ?? "(the sample reply)";
}

function edit(fields: Partial<EditRequest>): Part[] {
  return editQuestion({
    kind: "rewrite",
    instruction: "Return two",
    target: TARGET,
    before: { ...TARGET, text: "class Till {", startLine: 6, endLine: 6 },
    after: { ...TARGET, text: "}", startLine: 10, endLine: 10 },
    problems: "",
    ...fields,
  });
}

const ONE_BLOCK = /^(`{3,})[a-z]*\n([\s\S]*)\n\1$/;

describe("the reference service's replies to Core Chat's own prompts", () => {
  it("returns the original lines in one code block", async () => {
    const [, , code] = ONE_BLOCK.exec(await replyTo(edit({}))) ?? [];
    assert.equal(code, `  // Local reference service, no model. Asked: Return two\n${TARGET.text}`);
  });

  it("writes new lines in one code block", async () => {
    for (const languageId of ["typescript", "python", "sql", "markdown"]) {
      const target = { ...TARGET, text: "", endLine: 7, languageId };
      const [, , code] = ONE_BLOCK.exec(await replyTo(edit({ kind: "generate", target }))) ?? [];
      assert.match(code ?? "", /Local reference service.*Return two/, languageId);
      assert.ok(code!.split("\n").length < 6, languageId);
    }
  });

  const LANGUAGES: Readonly<
    Record<string, readonly [comment: string, code: string, test: string]>
  > = {
    go: ["// ", "func sampleReply() string {", "func TestSample(t *testing.T) {"],
    rust: ["// ", "fn sample_reply() -> &'static str {", "#[test]"],
    java: ["// ", "static String sampleReply() {", "@Test"],
    ruby: ["# ", "def sample_reply", "def test_sample"],
    c: ["/* ", "const char *sample_reply(void) {", "void test_sample(void) {"],
    lua: ["-- ", "local function sample_reply()", "local function test_sample()"],
    clojure: ["; ", "", ""],
    latex: ["% ", "", ""],
    bat: ["REM ", "", ""],
  };
  for (const [languageId, [start, code, test]] of Object.entries(LANGUAGES)) {
    it(`contains code of the language in ${languageId}`, async () => {
      const target = { ...TARGET, languageId };
      const linesOf = (reply: string) => (ONE_BLOCK.exec(reply)?.[2] ?? "").split("\n");
      const [note, first] = linesOf(await replyTo(edit({ target })));
      assert.ok(note?.startsWith(`  ${start}Local reference service`), note);
      assert.equal(first, "  open() {");
      const empty = { ...target, text: "", endLine: 7 };
      const [, made = ""] = linesOf(await replyTo(edit({ kind: "generate", target: empty })));
      assert.equal(made, code);
      const prompt = withLanguage("en", builtInPrompts).tests;
      const reply = await replyTo([{ kind: "text", text: prompt }, target]);
      assert.ok(reply.includes(`\`\`\`${languageId}\n${start}`) && reply.includes(test), reply);
    });
  }

  it("ends no comment early", async () => {
    for (const [languageId, end] of [
      ["css", "*/"],
      ["html", "-->"],
      ["ocaml", "*)"],
    ] as const) {
      const target = { ...TARGET, languageId };
      const reply = await replyTo(edit({ target, instruction: `Close ${end} now` }));
      const [note = ""] = (ONE_BLOCK.exec(reply)?.[2] ?? "").split("\n");
      assert.equal(note.indexOf(end), note.length - end.length, note);
    }
  });

  it("keeps lines that contain fences in one longer fence", async () => {
    const target = { ...TARGET, languageId: "markdown", text: "```ts\nlet a;\n```" };
    const [, fence, code] = ONE_BLOCK.exec(await replyTo(edit({ target }))) ?? [];
    assert.equal(fence, "````");
    assert.ok(code?.endsWith(target.text));
  });

  it("refines its last reply, or the current lines", async () => {
    const first = await replyTo(edit({}));
    const again = await replyTo(refiningQuestion("Return three", undefined), first);
    assert.match(ONE_BLOCK.exec(again)?.[2] ?? "", /Return three\n.*Return two\n/);
    const now = { ...TARGET, text: "  now();" };
    const changed = await replyTo(refiningQuestion("Return three", now), first);
    assert.match(ONE_BLOCK.exec(changed)?.[2] ?? "", /Return three\n {2}now\(\);$/);
  });

  it("writes a commit message of one line from the names of the changed files", async () => {
    const none = { newFiles: "", diff: "", recentSubjects: ["feat: begin"], begun: "" };
    const diff =
      "diff --git a/shop/till.ts b/shop/till.ts\n--- a/shop/till.ts\n+++ b/shop/till.ts\n";
    const reply = await replyTo(commitQuestion({ ...none, diff }));
    assert.equal(commitReply(reply, true), "Update till.ts");
    const three = ["a.ts", "b.ts", "c.ts"].map((name) => `diff --git a/${name} b/${name}\n`);
    const many = await replyTo(commitQuestion({ ...none, diff: three.join("") }));
    assert.equal(commitReply(many, true), "Update a.ts and 2 other files");
    const quoted = 'diff --git "a/docs/\\345\\205\\203.md" "b/docs/x y.md"\n';
    assert.equal(await replyTo(commitQuestion({ ...none, diff: quoted })), "Update x y.md");
    const gone = "diff --git a/old.go b/old.go\ndeleted file mode 100644\n--- a/old.go\n";
    assert.equal(await replyTo(commitQuestion({ ...none, diff: gone })), "Remove old.go");
    const added = await replyTo(commitQuestion({ ...none, newFiles: "docs/new.md:\n# New\n" }));
    assert.equal(commitReply(added, true), "Add new.md");
  });

  it("shows the form of a fix, of tests and of documentation, in either language", async () => {
    for (const language of ["en", "zh-cn"] as const) {
      const prompts = withLanguage(language, builtInPrompts);
      for (const name of ["fix", "tests", "document"] as const) {
        const reply = await replyTo([{ kind: "text", text: prompts[name] }, TARGET]);
        assert.match(
          reply,
          /no model.*`shop\/till\.ts`\.\n\n```typescript\n/,
          `${language} ${name}`,
        );
      }
    }
  });

  it("answers all other questions with the sample reply", async () => {
    for (const text of ["Hello", "How do I write a commit message?", "What is a code block?"]) {
      assert.equal(await replyTo([{ kind: "text", text }, TARGET]), "(the sample reply)", text);
    }
  });
});
