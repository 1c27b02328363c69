/**
 * The changes that a whole reply makes, and the blocks that make none, with the reason. Each reply
 * names the model family or the format description that it follows.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { systemClock } from "../../../src/base/clock";
import { TimeSlice } from "../../../src/base/timeSlice";
import { parseMention } from "../../../src/markdown/fileMentions";
import { changeSetOf, linesAfterBlock, type FindFile } from "../../../src/replyCode/changeSet";

const newSlice = () => new TimeSlice(systemClock, new AbortController().signal);

const MONEY = `import { round } from "./round";

export function add(a: number, b: number) {
  return round(a + b);
}

export function take(a: number, b: number) {
  return round(a - b);
}
`;
const ITEM = `export interface Item {
  name: string;
  price: number;
}

export function priceOf(item: Item) {
  return item.price;
}
`;
const STORE = `class Store:
    def __init__(self):
        self.items = []

    def add(self, item):
        self.items.append(item)

    def count(self):
        return len(self.items)
`;
const DOCKERFILE = "FROM node:20\nWORKDIR /app\nCOPY . .\nRUN npm ci\n";
const MAKEFILE = "build:\n\tgo build ./...\n\ntest:\n\tgo test ./...\n";

const TOTAL = `def total(items):
    result = 0
    for item in items:
        result += item.price
    return result
`;

/** Files and replies by someone who had not seen the reader. */
const STRANGER = JSON.parse(readFileSync("test/fixtures/replies/apply.json", "utf8")) as {
  readonly files: Readonly<Record<string, string>>;
  readonly rows: readonly Case[];
};

const WORKSPACE: Readonly<Record<string, string>> = {
  ...STRANGER.files,
  "src/money.ts": MONEY,
  "src/item.ts": ITEM,
  "py/store.py": STORE,
  "py/total.py": TOTAL,
  Dockerfile: DOCKERFILE,
  Makefile: MAKEFILE,
  "docs/my notes.md": "# Notes\n\nFirst.\n",
  "lib/util.ts": "export const a = 1;\n",
  "app/util.ts": "export const b = 1;\n",
  "list.txt": "one\ntwo\nthree\n",
  "short.txt": "a\n\tb 0\n\tc\nd\n",
};

const findFile: FindFile = (name) => {
  const inside = name.replace(/^\/home\/me\/shop\//, "");
  const path = parseMention(inside)?.path;
  if (path === undefined) return Promise.resolve("outside");
  const matches = Object.keys(WORKSPACE).filter((one) => one === path || one.endsWith(`/${path}`));
  const [only] = matches.includes(path) ? [path] : matches;
  if (matches.length > 1 && only !== path) return Promise.resolve("several-matches");
  return Promise.resolve({
    path: only ?? path,
    lines: only === undefined ? undefined : WORKSPACE[only]?.split("\n"),
  });
};

function block(info: string, text: string, fence = "```"): string {
  return `${fence}${info}\n${text}${fence}\n`;
}

const ADDED = MONEY.replace("round(a + b)", "round(a + b, 2)");
const TAKEN = MONEY.replace("round(a - b)", "round(a - b, 2)");
const BOTH = ADDED.replace("round(a - b)", "round(a - b, 2)");
const ADD = "export function add(a: number, b: number) {\n  return round(a + b, 2);\n}\n";
const TAKE = "export function take(a: number, b: number) {\n  return round(a - b, 2);\n}\n";
const TAX = "export const TAX = 0.19;\n";
const SEARCH = `<<<<<<< SEARCH
  return round(a + b);
=======
  return round(a + b, 2);
>>>>>>> REPLACE
`;

interface Case {
  /** Model family or description of the format. */
  readonly from: string;
  readonly reply: string;
  /** Texts of changed files; null for a deleted file, "< path" and the text for a moved file. */
  readonly files: Readonly<Record<string, string | null>>;
  readonly unused?: readonly string[];
}

/**
 * Rows of the model family or format, the reply, and the texts of changed files or the reasons of parts that
 * change nothing. ↵ is the end of a line, → a tab, § a backtick, ⟨ADD⟩ the text of that name.
 */
const ROWS = `
Claude: bold path above the block ¦ I'll round both.↵↵**src/money.ts**↵↵§§§typescript↵⟨ADD⟩§§§↵ ¦ src/money.ts = ⟨ADDED⟩
Claude: a second block after one name ¦ **src/money.ts**↵↵§§§ts↵⟨ADD⟩§§§↵↵and also↵↵§§§ts↵⟨TAKE⟩§§§↵↵That's all. ¦ src/money.ts = ⟨BOTH⟩
GLM, Kimi: heading, sentence, block ¦ ### src/money.ts↵↵The sum is rounded to cents.↵↵§§§typescript↵⟨ADD⟩§§§↵ ¦ src/money.ts = ⟨ADDED⟩
GPT: numbered heading with a code span ¦ ## 1. §src/money.ts§ (updated)↵↵§§§ts↵⟨ADD⟩§§§↵↵## 2. §src/tax.ts§ (new)↵↵§§§ts↵⟨TAX⟩§§§↵ ¦ src/money.ts = ⟨ADDED⟩ ; src/tax.ts = ⟨TAX⟩
Gemini: sentence with a code span ¦ In §src/money.ts§, change §add§ to:↵↵§§§typescript↵⟨ADD⟩§§§↵ ¦ src/money.ts = ⟨ADDED⟩
Docusaurus: title attribute ¦ §§§ts title="src/tax.ts"↵⟨TAX⟩§§§↵ ¦ src/tax.ts = ⟨TAX⟩
Continue, Cody: language and path in the label ¦ §§§ts:src/money.ts↵⟨TAKE⟩§§§↵§§§ts src/tax.ts↵⟨TAX⟩§§§↵ ¦ src/money.ts = ⟨TAKEN⟩ ; src/tax.ts = ⟨TAX⟩
Cursor: code reference with lines ¦ §§§3:5:src/money.ts↵⟨ADD⟩§§§↵ ¦ src/money.ts = ⟨ADDED⟩
Copilot: filepath comment with an absolute path ¦ §§§typescript↵// filepath: /home/me/shop/src/money.ts↵// ...existing code...↵⟨ADD⟩// ...existing code...↵§§§↵ ¦ src/money.ts = ⟨ADDED⟩
Qwen: path comment in the first line ¦ §§§python↵# py/report.py↵print("report")↵§§§↵ ¦ py/report.py = print("report")↵
DeepSeek: framed path comment ¦ §§§ts↵// === src/tax.ts ===↵⟨TAX⟩§§§↵ ¦ src/tax.ts = ⟨TAX⟩
Claude: file tag without a fence ¦ <file path="src/tax.ts">↵⟨TAX⟩</file>↵↵Done. ¦ src/tax.ts = ⟨TAX⟩
GPT: file tag around a fence ¦ <file path="src/tax.ts">↵§§§ts↵⟨TAX⟩§§§↵</file>↵ ¦ src/tax.ts = ⟨TAX⟩
Cline: write_to_file ¦ <write_to_file>↵<path>src/tax.ts</path>↵<content>↵⟨TAX⟩</content>↵</write_to_file>↵ ¦ src/tax.ts = ⟨TAX⟩
Aider diff: path above the fence ¦ src/money.ts↵§§§typescript↵⟨SEARCH⟩§§§↵ ¦ src/money.ts = ⟨ADDED⟩
Aider diff-fenced: path in the fence, two files ¦ §§§↵src/money.ts↵⟨SEARCH⟩↵src/tax.ts↵<<<<<<< SEARCH↵=======↵⟨TAX⟩>>>>>>> REPLACE↵§§§↵ ¦ src/money.ts = ⟨ADDED⟩ ; src/tax.ts = ⟨TAX⟩
Aider whole: path above, the whole file ¦ src/money.ts↵§§§↵⟨BOTH⟩§§§↵ ¦ src/money.ts = ⟨BOTH⟩
Codex: apply_patch in a shell call ¦ §§§bash↵apply_patch <<'EOF'↵*** Begin Patch↵*** Update File: src/money.ts↵@@ export function add↵-  return round(a + b);↵+  return round(a + b, 2);↵*** End Patch↵EOF↵§§§↵ ¦ src/money.ts = ⟨ADDED⟩
Gemini: heading in Chinese with a label ¦ ### 文件：src/tax.ts↵↵§§§typescript↵⟨TAX⟩§§§↵ ¦ src/tax.ts = ⟨TAX⟩
a path with a blank, in a code span ¦ Update §docs/my notes.md§:↵↵§§§§markdown↵# Notes↵↵First.↵↵Second.↵§§§§↵ ¦ docs/my notes.md = # Notes↵↵First.↵↵Second.↵
Llama: name without its folder, in a sentence ¦ Change money.ts like this:↵↵§§§ts↵⟨ADD⟩§§§↵ ¦ src/money.ts = ⟨ADDED⟩
Claude: sentence that names another file below a title ¦ ### src/money.ts↵↵This no longer needs §src/item.ts§:↵↵§§§ts↵⟨ADD⟩§§§↵ ¦ src/money.ts = ⟨ADDED⟩
GPT: commands after the code ¦ **src/money.ts**↵§§§ts↵⟨ADD⟩§§§↵↵Run the tests:↵§§§bash↵npm test↵§§§↵↵It prints:↵§§§↵3 passing↵§§§↵ ¦ src/money.ts = ⟨ADDED⟩ ; no-file ; no-file
GPT: commands that mention a file ¦ Test §src/money.ts§ with:↵§§§bash↵npx mocha src/money.ts↵§§§↵ ¦ other-language
Qwen: code without a name ¦ Use it so:↵§§§ts↵const sum = add(1, 2);↵§§§↵ ¦ no-file
Claude: a framework that looks like a file ¦ With Express.js, or Node.js and e.g. Koa:↵§§§js↵app.listen(3000);↵§§§↵ ¦ no-file
GPT: a list of files above one block ¦ - §src/new1.ts§↵- §src/new2.ts§↵↵§§§ts↵⟨TAX⟩§§§↵ ¦ several-files
a heading without a file ends the name before ¦ **src/money.ts**↵§§§ts↵⟨ADD⟩§§§↵↵## Usage↵↵§§§ts↵⟨TAKE⟩§§§↵ ¦ src/money.ts = ⟨ADDED⟩ ; no-file
a name that the workspace has twice ¦ §§§ts util.ts↵export const c = 2;↵§§§↵ ¦ several-matches
a diff of another version ¦ §§§diff↵--- a/src/money.ts↵+++ b/src/money.ts↵@@↵-  return Math.round(a + b);↵+  return 0;↵§§§↵ ¦ diff
one of two edit blocks that does not match ¦ src/money.ts↵§§§↵⟨SEARCH⟩<<<<<<< SEARCH↵  return none;↵=======↵  return 1;↵>>>>>>> REPLACE↵§§§↵ ¦ diff
a file to change that does not exist ¦ §§§diff↵--- a/src/gone.ts↵+++ b/src/gone.ts↵@@↵-one↵+two↵§§§↵ ¦ not-found
a new file that exists ¦ *** Begin Patch↵*** Add File: src/item.ts↵+export {};↵*** End Patch↵ ¦ exists
a deletion that does not fit the file ¦ §§§diff↵diff --git a/list.txt b/list.txt↵deleted file mode 100644↵--- a/list.txt↵+++ /dev/null↵@@ -1 +0,0 @@↵-one↵§§§↵ ¦ diff
a reply that was cut off ¦ **src/money.ts**↵§§§ts↵⟨ADD⟩§§§↵↵**src/tax.ts**↵§§§ts↵export const ¦ src/money.ts = ⟨ADDED⟩ ; cut-off
omitted code at an unclear position ¦ **src/item.ts**↵§§§ts↵// ... existing code ...↵function other() {}↵// ... existing code ...↵§§§↵ ¦ left-out
omitted code next to a changed line ¦ **py/total.py**↵§§§python↵def total(items):↵    return sum(item.price for item in items)↵    # ... rest of the function ...↵§§§↵ ¦ left-out
omitted code in a new file ¦ **src/new.ts**↵§§§ts↵// ... existing code ...↵function other() {}↵§§§↵ ¦ left-out
code that the file has already ¦ **src/money.ts**↵§§§ts↵⟨MONEY⟩§§§↵ ¦ same
code of no known position ¦ **src/item.ts**↵§§§ts↵console.log('started');↵§§§↵ ¦ unclear
a whole file with another first line ¦ **list.txt**↵§§§↵none↵two↵three↵§§§↵ ¦ list.txt = none↵two↵three↵
a small part of a file ¦ **src/item.ts**↵§§§ts↵export function priceOf(item: Item) {↵  return item.price;↵}↵§§§↵ ¦ same
`;

const TEXTS: Readonly<Record<string, string>> = {
  ADD,
  ADDED,
  TAKE,
  BOTH,
  TAX,
  TAKEN,
  SEARCH,
  MONEY,
};

function filled(cell: string): string {
  return cell
    .replaceAll("↵", "\n")
    .replaceAll("→", "\t")
    .replaceAll("§", "`")
    .replaceAll(/⟨(\w+)⟩/g, (_, name: string) => TEXTS[name] ?? name);
}

function caseOf(row: string): Case {
  const [from = "", reply = "", result = ""] = row.split(" ¦ ");
  const results = result.split(" ; ").map((one) => one.split(" = ").map(filled));
  const files = results.flatMap(([path = "", text]) => (text === undefined ? [] : [[path, text]]));
  const unused = results.flatMap(([why = "", text]) => (text === undefined ? why : []));
  return { from, reply: filled(reply), files: Object.fromEntries(files) as Case["files"], unused };
}

const CASES: readonly Case[] = [
  ...ROWS.trim().split("\n").map(caseOf),
  ...STRANGER.rows,
  {
    from: "Cline: replace_in_file",
    reply: `<replace_in_file>\n<path>src/money.ts</path>\n<diff>\n------- SEARCH\n  return round(a + b);\n=======\n  return round(a + b, 2);\n+++++++ REPLACE\n</diff>\n</replace_in_file>\n\n<replace_in_file>\n<path>src/item.ts</path>\n<diff>\n------- SEARCH\n  return item.price;\n=======\n  return item.price * 2;\n+++++++ REPLACE\n</diff>\n</replace_in_file>\n`,
    files: { "src/money.ts": ADDED, "src/item.ts": ITEM.replace("item.price;", "item.price * 2;") },
  },
  {
    from: "gpt-oss, Codex: apply_patch without a fence",
    reply: `*** Begin Patch
*** Update File: src/money.ts
@@
-  return round(a + b);
+  return round(a + b, 2);
*** Add File: src/tax.ts
+export const TAX = 0.19;
*** Delete File: src/item.ts
*** Update File: py/store.py
*** Move to: py/shop.py
@@ def count(self):
-        return len(self.items)
+        return len(self.items) + 1
*** End Patch

I also looked at the tests.
`,
    files: {
      "src/money.ts": ADDED,
      "src/tax.ts": TAX,
      "src/item.ts": null,
      "py/shop.py": `< py/store.py\n${STORE.replace("(self.items)\n", "(self.items) + 1\n")}`,
    },
  },
  {
    from: "git diff: edit, new file, deleted file, rename",
    reply: block(
      "diff",
      `diff --git a/src/money.ts b/src/money.ts
index 1111111..2222222 100644
--- a/src/money.ts
+++ b/src/money.ts
@@ -1,5 +1,5 @@
 export function add(a: number, b: number) {
-  return round(a + b);
+  return round(a + b, 2);
 }
diff --git a/src/tax.ts b/src/tax.ts
new file mode 100644
--- /dev/null
+++ b/src/tax.ts
@@ -0,0 +1 @@
+export const TAX = 0.19;
diff --git a/list.txt b/list.txt
deleted file mode 100644
--- a/list.txt
+++ /dev/null
@@ -1,3 +0,0 @@
-one
-two
-three
diff --git a/src/item.ts b/src/goods.ts
similarity index 100%
rename from src/item.ts
rename to src/goods.ts
`,
    ),
    files: {
      "src/money.ts": ADDED,
      "src/tax.ts": TAX,
      "list.txt": null,
      "src/goods.ts": `< src/item.ts\n${ITEM}`,
    },
  },
  {
    from: "GNU diff without git headers, two files in one block",
    reply: block(
      "diff",
      "--- src/money.ts\n+++ src/money.ts\n@@\n-  return round(a + b);\n+  return round(a + b, 2);\n--- /dev/null\n+++ src/tax.ts\n@@ -0,0 +1 @@\n+export const TAX = 0.19;\n",
    ),
    files: { "src/money.ts": ADDED, "src/tax.ts": TAX },
  },
  {
    from: "Qwen: bold Dockerfile and Makefile",
    reply: `**Dockerfile**\n\n${block("dockerfile", DOCKERFILE.replace("20", "22"))}\n**Makefile**:\n${block("makefile", "test:\n\tgo test -race ./...\n")}`,
    files: {
      Dockerfile: DOCKERFILE.replace("20", "22"),
      Makefile: MAKEFILE.replace("test ./", "test -race ./"),
    },
  },
  {
    from: "GPT: the same file named twice, in order",
    reply: `\`src/money.ts\`:\n${block("ts", ADD)}\n\`src/money.ts\`:\n${block("diff", "-  return round(a + b, 2);\n+  return round(a + b, 3);\n")}`,
    files: { "src/money.ts": ADDED.replace("a + b, 2", "a + b, 3") },
  },
  {
    from: "DeepSeek: imports and a function of one block",
    reply: `**src/money.ts**\n${block("ts", `import { round, half } from "./round";\n\n${TAKE}`)}`,
    files: { "src/money.ts": TAKEN.replace("{ round }", "{ round, half }") },
  },
  {
    from: "Mistral: the whole file with another import",
    reply: `**src/money.ts**\n${block("ts", BOTH.replace('{ round } from "./round"', '{ round } from "./math/rounding"'))}`,
    files: { "src/money.ts": BOTH.replace("./round", "./math/rounding") },
  },
  {
    from: "Claude: method of a class with placeholders around",
    reply: `\`py/store.py\`\n${block("python", "class Store:\n    # ... existing code ...\n\n    def count(self):\n        return len(self.items) + 1\n")}`,
    files: { "py/store.py": STORE.replace("(self.items)\n", "(self.items) + 1\n") },
  },
  {
    from: "paths outside the workspace",
    reply:
      block("ts ../../etc/passwd.ts", "evil();\n") +
      block("sh", "# filepath: /etc/cron.d/evil.sh\nevil\n") +
      block("diff", "--- /dev/null\n+++ b/../evil.ts\n@@ -0,0 +1 @@\n+evil();\n") +
      block("", "*** Begin Patch\n*** Add File: C:\\evil.ts\n+evil();\n*** End Patch\n") +
      block(
        "",
        "*** Begin Patch\n*** Update File: src/item.ts\n*** Move to: ../item.ts\n*** End Patch\n",
      ),
    files: {},
    unused: ["outside", "outside", "outside", "outside", "outside"],
  },
  {
    from: "omitted code whose lines the alignment takes for changed lines",
    reply: `**py/total.py**\n${block("python", "def total(items, rate):\n    result = 0\n    # ... loop unchanged ...\n    if item in items:\n        result *= item.rate\n    return result\n")}`,
    files: {},
    unused: ["left-out"],
  },
  {
    from: "a whole file with two lines in place of its first, and another change",
    reply: `**Dockerfile**\n${block("", "FROM node:22 AS build\nUSER node\nWORKDIR /app\nCOPY . .\nRUN pnpm ci\n")}`,
    files: {
      Dockerfile: "FROM node:22 AS build\nUSER node\nWORKDIR /app\nCOPY . .\nRUN pnpm ci\n",
    },
  },
  {
    from: "a whole file with another last line",
    reply: `**Dockerfile**\n${block("", DOCKERFILE.replace("npm ci", "pnpm install"))}`,
    files: { Dockerfile: DOCKERFILE.replace("npm ci", "pnpm install") },
  },
  {
    from: "a part of a file above its change",
    reply: `Now \`src/money.ts\` has:\n${block("ts", MONEY.slice(0, MONEY.indexOf("export function take")))}\nWrite:\n${block("ts", TAKE)}`,
    files: { "src/money.ts": TAKEN },
    unused: ["same"],
  },
  {
    from: "two parts of a file that change nothing",
    reply: `**py/total.py**\n${block("py", TOTAL.split("\n").slice(0, 4).join("\n") + "\n")}${block("py", TOTAL.split("\n").slice(0, 3).join("\n") + "\n")}`,
    files: {},
    unused: ["same", "same"],
  },
  {
    from: "a body without its head, which is no whole file",
    reply: `**py/total.py**\n${block("py", TOTAL.split("\n").slice(1).join("\n"))}`,
    files: {},
    unused: ["same"],
  },
];

/** Whole files that lack lines at an end, and the number of lines that the user is asked about. */
const SHORTER: readonly (Pick<Case, "from" | "reply" | "files"> & { readonly lacking: number })[] =
  [
    {
      from: "a whole file without its last line",
      reply: `**list.txt**\n${block("", "one\ntwo\n")}`,
      files: { "list.txt": "one\ntwo\n" },
      lacking: 1,
    },
    {
      from: "a whole file without its first line",
      reply: `**Dockerfile**\n${block("", "WORKDIR /app\nCOPY . .\nRUN npm ci\n")}`,
      files: { Dockerfile: "WORKDIR /app\nCOPY . .\nRUN npm ci\n" },
      lacking: 1,
    },
    {
      from: "a whole file without a method between two that stay",
      reply: `**py/store.py**\n${block("py", STORE.replace(/ {4}def add[^]*?\n\n/, ""))}`,
      files: { "py/store.py": STORE.replace(/ {4}def add[^]*?\n\n/, "") },
      lacking: 0,
    },
    {
      from: "a whole file whose last function is removed",
      reply: `**src/money.ts**\n${block("ts", MONEY.slice(0, MONEY.indexOf("\nexport function take")))}`,
      files: { "src/money.ts": MONEY.slice(0, MONEY.indexOf("\nexport function take")) },
      lacking: 3,
    },
    {
      from: "a part of a short file with another indentation, which ends before the file",
      reply: `**short.txt**\n${block("", "a\n  b 1\n\tc\n")}`,
      files: { "short.txt": "a\n  b 1\n\tc\n" },
      lacking: 2,
    },
    {
      from: "a whole file without a line that another file gets",
      reply: `**list.txt**\n${block("", "one\ntwo\n")}\n**new.txt**\n${block("", "three\n")}`,
      files: { "list.txt": "one\ntwo\n", "new.txt": "three\n" },
      lacking: 0,
    },
  ];

describe("the changes of a reply", () => {
  for (const { from, reply, files, lacking } of SHORTER) {
    it(`are the removal of lines for ${from}`, async () => {
      const set = await changeSetOf(reply, findFile, newSlice());
      const texts = set.changes.map(({ path, lines }) => [path, lines.join("\n")]);
      assert.deepEqual(Object.fromEntries(texts), files);
      assert.deepEqual([set.changes[0]?.lacking, set.unused], [lacking, []]);
    });
  }

  it("are the removal of the last line for a single block without it", () => {
    const file = ["one", "two", "three", ""];
    assert.deepEqual(linesAfterBlock(["one", "two"], "list.txt", file), ["one", "two", ""]);
    assert.equal(linesAfterBlock(["two", "three"], "list.txt", file.slice(0, 2)), "unclear");
  });

  for (const { from, reply, files, unused = [] } of CASES) {
    it(from, async () => {
      const set = await changeSetOf(reply, findFile, newSlice());
      const texts = set.changes.map(({ kind, path, from: old, lines }) => {
        const text = kind === "delete" ? null : lines.join("\n");
        return [path, old === undefined ? text : `< ${old}\n${text}`];
      });
      const why = set.unused.map((part) => part.why);
      assert.deepEqual([Object.fromEntries(texts), why], [files, unused]);
    });
  }

  describe("belong to the file that is named, not to another with the same end", () => {
    const CODE = "export const page = 1;\n";
    const NAMES = [
      ..."app/(.)photo/page.ts (group)/page.ts app/[slug]/page.ts app/[...all]/page.ts [[...rest]]/page.ts app/{id}/page.ts posts.$id.ts src/$lib/page.ts R&D/page.ts it's/page.ts ~x/page.ts 中文/页.ts @scope/page.ts src/+page.ts #dir/page.ts 50%/page.ts a=b/page.ts !x/page.ts a,b/page.ts".split(
        " ",
      ),
      "src/my file/page.ts",
      "my file/page.ts",
      "a, b/page.ts",
      "my page.ts",
    ];
    const FORMS: Readonly<Record<string, (path: string) => string>> = {
      label: (path) => block(`ts ${path}`, CODE),
      "label with a colon": (path) => block(`ts:${path}`, CODE),
      title: (path) => block(`ts title="${path}"`, CODE),
      comment: (path) => block("ts", `// ${path}\n${CODE}`),
      "labelled comment": (path) => block("ts", `// File: ${path}\n${CODE}`),
      line: (path) => `${path}\n${block("ts", CODE)}`,
      "line with a colon": (path) => `Text.\n\n${path}:\n\n${block("ts", CODE)}`,
      heading: (path) => `### ${path}\n\n${block("ts", CODE)}`,
      item: (path) => `1. ${path} (new)\n${block("ts", CODE)}`,
      prose: (path) => `This goes into ${path} now.\n${block("ts", CODE)}`,
      code: (path) => `In \`${path}\`:\n${block("ts", CODE)}`,
      "code alone": (path) => `\`${path}\`\n${block("ts", CODE)}`,
      bold: (path) => `**${path}**\n${block("ts", CODE)}`,
      tag: (path) => `<file path="${path}">\n${CODE}</file>\n`,
      diff: (path) => block("diff", `--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${CODE}`),
      patch: (path) => `*** Begin Patch\n*** Add File: ${path}\n+${CODE}*** End Patch\n`,
      search: (path) =>
        `${path}\n${block("", `<<<<<<< SEARCH\n=======\n${CODE}>>>>>>> REPLACE\n`)}`,
    };
    /** Forms of unmarked text, whose words before a blank may be a sentence. */
    const UNMARKED = new Set([
      "comment",
      "line",
      "line with a colon",
      "heading",
      "item",
      "prose",
      "search",
    ]);
    /** Forms of text that may be a command or a sentence, if no folder begins it. */
    const SET_APART = new Set(["code", "code alone", "bold"]);
    const isOpen = (form: string, path: string) =>
      path.includes(" ")
        ? UNMARKED.has(form) || form === "code" || (SET_APART.has(form) && !/^\S*\//.test(path))
        : form === "prose" && !/^[^=]+\/[^=]+$/.test(path);
    const EXISTING = new Set(["diff", "patch", "search"]);
    const OLD = "export const page = 0;\n";
    for (const [form, reply] of Object.entries(FORMS)) {
      for (const path of NAMES) {
        const tails = path
          .split(/(?=[^\p{L}\p{N}.])/u)
          .map((_, at, all) => all.slice(at + 1).join(""));
        const ends = tails.map((tail) => tail.slice(1)).filter((tail) => tail.endsWith(".ts"));
        const changed = async (files: readonly string[]) => {
          const find: FindFile = (name) => {
            const inside = parseMention(name)?.path;
            if (inside === undefined) return Promise.resolve("outside");
            const [match] = files.includes(inside)
              ? [inside]
              : files.filter((file) => file.endsWith(`/${inside}`));
            const lines = match === undefined ? undefined : OLD.split("\n");
            return Promise.resolve({ path: match ?? inside, lines, hasFolder: false });
          };
          return (await changeSetOf(reply(path), find, newSlice())).changes.map((one) => one.path);
        };
        it(`${form}: ${path}`, async () => {
          const isSaid = isOpen(form, path);
          // Only words differ here from "Update file/page.ts".
          const isText = UNMARKED.has(form) || form === "bold";
          const isSentence = isText && /^[^/]* /.test(path);
          if (isSentence && form === "prose") return;
          const others = [...(isSentence ? [] : ends), ...ends.map((end) => `lib/${end}`)].filter(
            (end) => end !== path,
          );
          const created = await changed([]);
          assert.ok(created.length === 1 || isSaid, `${form}: ${path} is not created`);
          const beside = await changed(others);
          for (const one of [...created, ...beside]) assert.equal(one, path);
          if (EXISTING.has(form)) return;
          const edited = await changed([path, ...others]);
          const isInSentence = form === "prose" && path.includes(" ");
          assert.deepEqual(edited, isInSentence ? [] : [path]);
        });
      }
    }
  });

  describe("are for the path in the words around, never for a file with those words", () => {
    const CODE = "export const a = 1;\nexport const b = 22;\nexport const c = 3;\n";
    const FILES = [
      "src/a.ts",
      "src/Bob & Eve/x.ts",
      "Eve/x.ts",
      "文档/说明（新）.ts",
      "src/l@2x.ts",
    ];
    const check = (text: string, path: string | undefined) =>
      it(text, async () => {
        const find: FindFile = (name) => {
          const inside = parseMention(name)?.path;
          if (inside === undefined) return Promise.resolve("outside");
          const isThere = FILES.includes(inside);
          const lines = isThere ? CODE.replace("22", "2").split("\n") : undefined;
          const hasFolder = /^[^/]*$|^src\/[^/]*$/.test(inside);
          return Promise.resolve({ path: inside, lines, hasFolder });
        };
        const reply = text.startsWith("label ")
          ? block(text.slice("label ".length), CODE)
          : `Text.\n\n${text}\n\n${block("ts", CODE)}`;
        const set = await changeSetOf(reply, find, newSlice());
        assert.deepEqual(
          set.changes.map((change) => change.path),
          path === undefined ? [] : [path],
        );
      });
    for (const text of [
      ..."请修改src/a.ts： 在src/a.ts中修改如下： 文件src/a.ts的新内容： src/a.tsを修正： __src/a.ts__ [a.ts](src/a.ts)".split(
        " ",
      ),
      "src/a.ts를 수정:",
      "**Update src/a.ts**",
      "**File: src/a.ts**",
      "**1. src/a.ts**",
      "// src/a.ts",
      "[the file](src/a.ts#L2)",
    ]) {
      check(text, "src/a.ts");
    }
    for (const text of [
      "**File:** src/new/b.ts",
      "**文件：src/new/b.ts**",
      "**New file: src/new/b.ts**",
      "[b.ts](src/new/b.ts)",
      "📄 src/new/b.ts",
    ]) {
      check(text, "src/new/b.ts");
    }
    for (const text of [
      "新建src/new/b.ts：",
      "Update src/bar (copy).ts:",
      "Update src/l@3x (new)/b.ts:",
      "`cat src/new/b.ts`",
      "Update the notes（new）.ts",
    ]) {
      check(text, undefined);
    }
    check("**File:** src/b (copy).ts", "src/b (copy).ts");
    check("See [src/b c.ts](src/b%20c.ts):", undefined);
    check("[src/b c.ts](src/b%20c.ts)", "src/b c.ts");
    check("[src/[id]/b.ts](src/%5Bid%5D/b.ts)", "src/[id]/b.ts");
    check("The change in src/Bob & Eve/x.ts is small.", "src/Bob & Eve/x.ts");
    check("In src/l@2x.ts:", "src/l@2x.ts");
    check("label 文档/说明（新）.ts", "文档/说明（新）.ts");
    check("label ts 文档/说明（旧）.ts", "文档/说明（旧）.ts");
  });

  it("keeps the blanks that begin and end the lines of prose", async () => {
    for (const blank of "\u3000\u00a0\u2003\u2009\ufeff") {
      const old = `# 题\n\n${blank}今天天气很好。${blank}\n\n${blank}${blank}我们去公园。\n`;
      const now = old.replace("很好", "非常好");
      const find: FindFile = () => Promise.resolve({ path: "a.md", lines: old.split("\n") });
      const set = await changeSetOf(block("md a.md", now), find, newSlice());
      assert.deepEqual(
        set.changes.map(({ lines }) => lines.join("\n")),
        [now],
      );
    }
  });

  it("lets other tasks run between the blocks of a long reply", async () => {
    let hasRun = false;
    setTimeout(() => (hasRun = true), 0);
    const file = MONEY.repeat(20).split("\n");
    const block = (at: number) => `\`a${at}.ts\`:\n\n\`\`\`ts a${at}.ts\n${MONEY}\`\`\`\n\n`;
    const reply = Array.from({ length: 100 }, (_, at) => block(at)).join("");
    await changeSetOf(reply, (path) => Promise.resolve({ path, lines: file }), newSlice());
    assert.ok(hasRun);
  });
});
