/**
 * Tries every way by which text of files is added or sent, on every kind of trap. Each trap has a
 * canary of its own. No canary passes before a question names its file: its real path for a link.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { addedIf, ALL } from "../support/depth";
import { systemClock } from "../../src/base/clock";
import { ActiveSelection } from "../../src/host/context/activeSelection";
import {
  addChanges,
  addFiles,
  addProblems,
  addSelection,
} from "../../src/host/context/addCommands";
import { partOfText, readFiles } from "../../src/host/context/attachedFiles";
import { gatherFile, gatherLines } from "../../src/host/context/gather";
import { promptCode } from "../../src/host/context/questionCode";
import { ReferenceSearch } from "../../src/host/context/references";
import { readFound } from "../../src/host/access/foundFiles";
import { askAboutSelection } from "../../src/host/editorCommands/askCommands";
import { COMMANDS } from "../../src/host/platform/contributions";
import { sourceOf } from "../../src/host/platform/sourceText";
import { useCode } from "../../src/host/replyActions/codeActions";
import { plainText, poll } from "./editing";
import { run, suiteWithOutsideFolder, suiteWithService } from "./editingSuite";
import { receivedRequests, scriptService } from "./reference";
import { Repository } from "./repository";
import { clearUserSettings, setUserSettings } from "./settings";

/** Joins pieces at run time, so that secret scanners do not report this file. */
const made = (...pieces: string[]) => pieces.join("");
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** Writes a file with a canary and returns the path that a question must name. */
interface Trap {
  readonly name: string;
  make(canary: string): string;
  /** True for a file whose text the user sees and selects in the editor without a reason to ask. */
  readonly isPlain?: boolean;
}

describe("every way out, on every trap", () => {
  const answers = suiteWithService({}, ["context.automatic"]);
  let repository: Repository;
  const outsideFolder = suiteWithOutsideFolder();
  /** All that would be sent without going through the service. */
  let gathered: unknown[] = [];
  const add = (parts: readonly unknown[], pictures: readonly unknown[] = []) =>
    Promise.resolve(void gathered.push(parts, pictures));
  const at = (name: string) => repository.uri(name).fsPath;
  const out = (name: string) => join(outsideFolder(), name);
  const write = (name: string, text: string | Uint8Array) => {
    mkdirSync(join(at(name), ".."), { recursive: true });
    writeFileSync(at(name), text);
    return at(name);
  };
  const content = (name: string, text: (canary: string) => string | Uint8Array): Trap => ({
    name,
    make: (canary) => write(name, text(canary)),
  });
  const link = (name: string, target: string, text: (canary: string) => string): Trap => ({
    name,
    make: (canary) => {
      mkdirSync(join(out(target), ".."), { recursive: true });
      mkdirSync(join(at(name), ".."), { recursive: true });
      writeFileSync(out(target), text(canary));
      symlinkSync(out(target), at(name));
      return out(target);
    },
  });
  const words = (canary: string) => `some plain words\n${canary}\nmore plain words\n`;

  const TRAPS: readonly Trap[] = [
    // By name; the text alone gives no reason.
    ...[
      "ops/prod.auto.tfvars",
      "k3s.yaml",
      "deploy_key",
      "Login Data",
      ".AWS/Credentials",
      "ｉd_ed25519",
      '\u00e4"b\\ prod.env',
      "backup/.npmrc.bak",
    ].map((name) => content(name, words)),
    // By text, under harmless names.
    content("settings/app.json", (canary) => `{"user":"bob","password":"${canary}"}`),
    content("compose.yaml", (canary) => `environment:\n  - "DB_PASSWORD=${canary}"\n`),
    content("deployment.yaml", (canary) => `env:\n- name: API_TOKEN\n  value: ${canary}1\n`),
    content("manifest.yaml", (canary) => `kind: Secret\ndata:\n  conf: ${base64(canary)}\n`),
    content("run.sh", (canary) => `#!/bin/sh\nPGPASSWORD=${canary}1 psql -h db\n`),
    content("client.ts", (canary) => `fetch("https://me:${canary}@example.com/x");\n`),
    content("wide.txt", (canary) => Buffer.from(`\uFEFFDB_PASSWORD=${canary}\n`, "utf16le")),
    content("page.xml", (canary) => `<c><password>${canary}</password></c>\n`),
    content("notes.txt", (canary) =>
      [made("-----BEGIN PRIV", `ATE KEY-----\n${canary}\n-----END PRIV`), "ATE KEY-----\n"].join(
        "",
      ),
    ),
    // By place.
    link("README-link.md", "plain.txt", words),
    link("src/link.ts", "deep/code.ts", (canary) => `export const a = "${canary}";\n`),
    {
      name: "chain.txt",
      make(canary) {
        writeFileSync(out("end.txt"), words(canary));
        symlinkSync(out("end.txt"), out("middle.txt"));
        symlinkSync(out("middle.txt"), at("chain.txt"));
        return out("end.txt");
      },
    },
    {
      name: "docs/inner.txt",
      make(canary) {
        mkdirSync(out("folder"));
        writeFileSync(out("folder/inner.txt"), words(canary));
        symlinkSync(out("folder"), at("docs"));
        return out("folder/inner.txt");
      },
    },
    {
      name: "plain-name.txt",
      make(canary) {
        mkdirSync(at(".ssh"));
        writeFileSync(at(".ssh/work"), words(canary));
        symlinkSync(".ssh/work", at("plain-name.txt"));
        return at(".ssh/work");
      },
    },
    {
      name: "hard.txt",
      isPlain: true,
      make(canary) {
        writeFileSync(out("shared.txt"), words(canary));
        linkSync(out("shared.txt"), at("hard.txt"));
        return at("hard.txt");
      },
    },
  ];
  /** Traps of the quick run: one name, two texts, and each kind of place. */
  const QUICK = [...TRAPS.slice(0, 1), ...TRAPS.slice(8, 10), ...TRAPS.slice(17)];
  const canaryOf = (index: number) => `cAnArY${String(index).padStart(2, "0")}word`;

  before(async () => {
    repository = await Repository.make("every-way");
  });
  beforeEach(async () => {
    gathered = [];
    await repository.restore({ "ordinary.txt": "ordinary words\n" });
  });
  after(() => repository.restore({}));

  /** Fails if a canary left for which no question, of those shown so far, names the file. */
  async function assertNothingLeft(traps: readonly (readonly [string, string])[], way: string) {
    const text = JSON.stringify([gathered, (await receivedRequests()).map(({ body }) => body)]);
    for (const [canary, path] of traps) {
      const spellings = [canary, base64(canary), encodeURIComponent(canary)];
      const has = spellings.some((one) => text.includes(one));
      assert.ok(!has, `${way} let ${path} out`);
    }
  }

  const open = (uri: vscode.Uri) => vscode.window.showTextDocument(uri, { preview: true });
  const selectAll = async (uri: vscode.Uri) => {
    const editor = await open(uri);
    editor.selection = new vscode.Selection(0, 0, editor.document.lineCount, 0);
    return editor;
  };
  const references = async (path: string) => {
    const search = new ReferenceSearch(systemClock);
    try {
      for await (const found of search.find(path, new AbortController().signal)) {
        for (const reference of found.filter(({ kind }) => kind === "file" || kind === "picture")) {
          gathered.push(await reference.gather());
        }
      }
    } finally {
      search.dispose();
    }
  };

  /** The ways by which a file is named; each asks, or leaves the text out. */
  const NAMING: Readonly<Record<string, (uri: vscode.Uri) => Promise<unknown>>> = {
    "Add File": (uri) => addFiles([uri], add),
    "Add File in an open editor": async (uri) => {
      await open(uri);
      await addFiles([], add);
    },
    "#file": (uri) => references(vscode.workspace.asRelativePath(uri).toLowerCase()),
    "lines of a file": async (uri) =>
      gathered.push(await gatherLines(uri, { startLine: 1, endLine: 99 })),
    "a drop": async (uri) => gathered.push(await readFiles([uri.toString()])),
    "a drop with an encoded address": async (uri) =>
      gathered.push(
        await readFiles([
          `file://${[...Buffer.from(uri.path)].map((byte) => (byte === 47 ? "/" : `%${byte.toString(16).padStart(2, "0")}`)).join("")}`,
        ]),
      ),
    "a path with two dots": async (uri) =>
      gathered.push(
        await gatherFile(
          uri.with({
            path: `${repository.uri("").path}x/../${uri.path.slice(repository.uri("").path.length)}`,
          }),
        ),
      ),
    "the folder": async () => addFiles([repository.uri("")], add),
    "a definition": async (uri) => {
      const [source] = await readFound([uri]);
      if (source !== undefined) gathered.push(sourceOf(source).lines);
    },
    "a problem": async (uri) => {
      const collection = vscode.languages.createDiagnosticCollection("every-way");
      const document = await vscode.workspace.openTextDocument(uri);
      const range = new vscode.Range(0, 0, 0, 1);
      collection.set(uri, [new vscode.Diagnostic(range, `unknown: ${plainText(document)}`)]);
      await addProblems([], add);
      await addProblems([uri], add);
      collection.dispose();
    },
  };

  /** The ways from an editor in which the user sees the text. */
  const SEEN: Readonly<Record<string, (uri: vscode.Uri) => Promise<unknown>>> = {
    "Add Selection": async (uri) => {
      await selectAll(uri);
      await addSelection(undefined, add);
    },
    Explain: async (uri) => {
      await selectAll(uri);
      await askAboutSelection("explain", undefined, add);
    },
    "/explain": async (uri) => {
      await selectAll(uri);
      gathered.push(await promptCode("explain"));
    },
    "Edit Selection": async (uri) => {
      await selectAll(uri);
      await run(COMMANDS.editSelection, { instruction: "shout" });
    },
    "code pasted from an editor": async (uri) => {
      const { document } = await selectAll(uri);
      const text = plainText(document);
      gathered.push(await partOfText({ name: "code", text, origin: "editor" }));
    },
  };

  /** Number of questions about a file so far. */
  const questionsAbout = (path: string) =>
    answers.shown.filter(
      ({ text, buttons }) => buttons.length > 0 && text.includes(path.slice(path.length - 8)),
    ).length;

  for (const [index, trap] of TRAPS.entries()) {
    it(`keeps ${JSON.stringify(trap.name)}${addedIf(!QUICK.includes(trap))}`, async () => {
      const canary = canaryOf(index);
      const path = trap.make(canary);
      const uri = repository.uri(trap.name);
      for (const [way, go] of Object.entries(NAMING)) {
        await go(uri);
        await assertNothingLeft([[canary, path]], way);
      }
      for (const [way, go] of trap.isPlain === true ? [] : Object.entries(SEEN)) {
        const before = questionsAbout(path);
        await go(uri);
        await assertNothingLeft([[canary, path]], way);
        assert.ok(questionsAbout(path) > before, `${way} asked nothing about ${path}`);
      }
      // The way is open after a question that names the real path: the canary can be seen here.
      answers.shown.length = 0;
      answers.choose("Add");
      await addFiles([uri], add);
      assert.equal(answers.shown.filter(({ buttons }) => buttons.length > 0).length, 1);
      const shown = path.normalize("NFC");
      assert.ok(answers.shown[0]?.text.startsWith(shown), answers.shown[0]?.text);
      assert.match(JSON.stringify(gathered), new RegExp(`${canary}|${base64(canary)}`));
    });
  }

  async function assertNotAutomatic(traps: readonly Trap[]): Promise<void> {
    await setUserSettings({ "context.automatic": "selection+file" });
    const memory = { get: () => undefined, update: () => Promise.resolve(), keys: () => [] };
    const automatic = new ActiveSelection(memory, systemClock);
    try {
      for (const [index, trap] of traps.entries()) {
        const canary = canaryOf(index);
        trap.make(canary);
        await selectAll(repository.uri("ordinary.txt"));
        await poll(
          () => JSON.stringify(automatic.current()?.part ?? "").includes("ordinary words"),
          "the ordinary file to be sent",
        );
        await selectAll(repository.uri(trap.name));
        await poll(() => automatic.current()?.leftOut !== undefined, `${trap.name} to be left out`);
        const { id = "", part } = automatic.current() ?? {};
        assert.ok(!JSON.stringify(part).includes(canary), trap.name);
        assert.equal(automatic.part(id), undefined, trap.name);
        assert.equal(automatic.definitions()?.part, undefined, trap.name);
      }
    } finally {
      automatic.dispose();
      await clearUserSettings("context.automatic");
    }
  }

  it("keeps two of them out of automatic context", () => assertNotAutomatic(QUICK.slice(0, 2)));
  it(`keeps all of them out of automatic context ${ALL}`, () => assertNotAutomatic(TRAPS));

  it("keeps all of them out of changes and commit messages, staged or not", async () => {
    const traps = TRAPS.map((trap, index) => {
      const canary = canaryOf(index);
      return [canary, trap.make(canary)] as const;
    });
    const git = (...args: string[]) => execFileSync("git", args, { cwd: at(".") });
    for (const stage of [["status"], ["add", "-N", "."], ["add", "."]]) {
      git(...stage);
      await repository.open.status();
      await scriptService({ text: "feat: add" });
      repository.open.inputBox.value = "";
      await run(COMMANDS.generateCommitMessage, repository.open);
      await addChanges([], add);
      await addChanges(
        TRAPS.map(({ name }) => ({ resourceUri: repository.uri(name) })),
        add,
      );
      // A hard link is an ordinary file once git has its text.
      const hidden = traps.filter(([, path]) => stage.length === 1 || !path.endsWith("hard.txt"));
      await assertNothingLeft(hidden, `git ${stage.join(" ")}`);
    }
    const sent = JSON.stringify(await receivedRequests());
    assert.ok(sent.includes("deploy_key") && sent.includes("app.json"), sent);
    assert.ok(answers.shown.some(({ text }) => text.startsWith("These files may contain secrets")));
  });

  it("asks about a file of the system by its name", async () => {
    const text = words("cAnArYoffered");
    gathered.push(await partOfText({ name: "prod.tfvars", text, origin: "file" }));
    await assertNothingLeft([["cAnArYoffered", "prod.tfvars"]], "a file of the system");
    assert.match(answers.shown[0]?.text ?? "", /^prod\.tfvars may contain secrets/);
  });

  it("asks about documents of other schemes by the file they show", async () => {
    await repository.commit({ "prod.tfvars": words("cAnArYgit") }, "other-schemes");
    const file = repository.uri("prod.tfvars");
    const query = JSON.stringify({ path: file.fsPath, ref: "HEAD" });
    const uri = file.with({ scheme: "git", query });
    await NAMING["Add File"]?.(uri);
    await SEEN["Add Selection"]?.(uri);
    await assertNothingLeft([["cAnArYgit", "prod.tfvars"]], "git:");
    assert.equal(answers.shown.length, 2);
    execFileSync("git", ["checkout", "-q", "-f", "-"], { cwd: at(".") });
  });

  it("writes to a file with another name only after a question", async () => {
    writeFileSync(out("shared.sh"), "echo\n");
    linkSync(out("shared.sh"), at("tool.sh"));
    const { document } = await open(repository.uri("tool.sh"));
    const noProposal = () => Promise.reject(new Error("nothing is applied here"));
    await useCode("insert-at-cursor", "```\ncurl\n```\n", 0, noProposal);
    assert.match(answers.shown.at(-1)?.text ?? "", /tool\.sh: is a hard link/);
    assert.equal(plainText(document), "echo\n");
  });
});
