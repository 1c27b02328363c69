/** Tests pending edits and commit messages while Git, formatters and auto save change the same texts. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { COMMANDS } from "../../src/host/platform/contributions";
import { fenced, plainText, poll, readFile, selectLines, showFile, untilText } from "./editing";
import { edit, run, suiteWithService } from "./editingSuite";
import { receivedRequests, releaseGate, scriptService } from "./reference";
import { Repository } from "./repository";

describe("a commit message in a repository with a template", () => {
  suiteWithService();
  const TEMPLATE = "# Why:\n\n# Ticket: \n";

  it("replaces the template, which is not sent as a begun message", async () => {
    const repository = await Repository.make("repository-template");
    writeFileSync(join(repository.open.rootUri.fsPath, ".git", "template"), TEMPLATE);
    await repository.configure("commit.template", ".git/template");
    await repository.restore({ "a.txt": "one\ntwo\n" });
    const { inputBox } = repository.open;
    const shown = inputBox.value;
    await scriptService({ text: "fix: add two" });
    await run(COMMANDS.generateCommitMessage, repository.open);
    const asked = JSON.stringify((await receivedRequests())[0]?.body);
    console.log("TRY template shown", JSON.stringify(shown), "result", JSON.stringify(inputBox.value), "sent", asked.includes("Ticket"));
    inputBox.value = TEMPLATE;
    await scriptService({ text: "fix: add two" });
    await run(COMMANDS.generateCommitMessage, repository.open);
    const again = JSON.stringify((await receivedRequests()).at(-1)?.body);
    console.log("TRY template typed", JSON.stringify(inputBox.value), "sent", again.includes("Ticket"));
    await repository.restore({});
  });
});

describe("a pending edit", () => {
  const answers = suiteWithService();
  afterEach(async () => {
    for (const [section, name] of [["editor", "formatOnSave"], ["files", "autoSave"], ["files", "autoSaveDelay"]] as const) {
      await vscode.workspace.getConfiguration(section).update(name, undefined, vscode.ConfigurationTarget.Global);
    }
  });
  const set = (section: string, name: string, value: unknown) =>
    vscode.workspace.getConfiguration(section).update(name, value, vscode.ConfigurationTarget.Global);

  for (const when of ["streaming", "pending"] as const) {
    it(`loses nothing when the branch is switched while it is ${when}`, async () => {
      const repository = await Repository.make(`repository-branch-${when}`);
      await repository.restore({});
      await repository.commit({ "a.txt": "other\n" }, "other");
      repository.checkOut("-");
      await repository.open.status();
      const editor = await vscode.window.showTextDocument(repository.uri("a.txt"));
      await untilText(editor.document, "one\n");
      selectLines(editor, 1, 1);
      await scriptService(fenced(when === "streaming" ? ["ONE", "|", "TWO"] : ["ONE"]));
      const done = edit();
      await untilText(editor.document, "ONE\n");
      if (when === "pending") await done;
      await editor.document.save();
      repository.checkOut("other");
      await poll(() => plainText(editor.document) !== "ONE\n", "the file of the other branch");
      if (when === "streaming") await releaseGate();
      await done;
      await new Promise((resolve) => setTimeout(resolve, 500));
      console.log("TRY branch", when, JSON.stringify(plainText(editor.document)), JSON.stringify(answers.shown));
      assert.equal(plainText(editor.document), "other\n");
    });
  }

  it("is kept as the formatter left it when the file is saved", async () => {
    const provider = vscode.languages.registerDocumentFormattingEditProvider({ pattern: "**/format-*.ts" }, {
      provideDocumentFormattingEdits: (document) => {
        const edits: vscode.TextEdit[] = [];
        for (let line = 0; line < document.lineCount; line++) {
          const { text, range } = document.lineAt(line);
          const wanted = text.replace(/'/g, '"').replace(/ +$/, "");
          if (wanted !== text) edits.push(vscode.TextEdit.replace(range, wanted));
        }
        return edits;
      },
    });
    try {
      await set("editor", "formatOnSave", true);
      const editor = await showFile("format-it.ts", "one('a');\ntwo();\n");
      selectLines(editor, 2, 2);
      await scriptService(fenced(["two('b');", "three('c');"]));
      await edit();
      await editor.document.save();
      console.log("TRY format", JSON.stringify(plainText(editor.document)));
      await run(COMMANDS.inlineKeep);
      assert.equal(plainText(editor.document), 'one("a");\ntwo("b");\nthree("c");\n');
      await run("undo");
      console.log("TRY format undo", JSON.stringify(plainText(editor.document)));
    } finally {
      provider.dispose();
    }
  });

  it("stays discardable after auto save with onFocusChange", async () => {
    await set("files", "autoSave", "onFocusChange");
    const editor = await showFile("focus.ts", "one\ntwo\n");
    selectLines(editor, 1, 1);
    await scriptService(fenced(["ONE"]));
    await edit();
    await showFile("focus-other.ts", "x\n");
    await poll(() => !editor.document.isDirty, "the file to be saved");
    await vscode.window.showTextDocument(editor.document);
    await run(COMMANDS.inlineDiscard);
    assert.equal(plainText(editor.document), "one\ntwo\n");
    await editor.document.save();
    assert.equal(await readFile("focus.ts"), "one\ntwo\n");
  });

  it("is sent with its selection when definitions come after five seconds", async () => {
    let asked = 0;
    const late = vscode.languages.registerDefinitionProvider({ pattern: "**/late.ts" }, {
      provideDefinition: (document) => {
        asked++;
        return new Promise((resolve) => setTimeout(() => resolve(new vscode.Location(document.uri, new vscode.Position(0, 0))), 5_000));
      },
    });
    try {
      const editor = await showFile("late.ts", "function one() {}\none();\n");
      selectLines(editor, 2, 2);
      await scriptService(fenced(["two();"]));
      const started = Date.now();
      await edit();
      console.log("TRY late", Date.now() - started, "ms; asked", asked, JSON.stringify(plainText(editor.document)));
      assert.equal(plainText(editor.document), "function one() {}\ntwo();\n");
    } finally {
      late.dispose();
    }
  });

  it("measures Keep in 30,000 lines", async () => {
    const text = Array.from({ length: 30_000 }, (_, at) => `const v${at} = ${at};`).join("\n") + "\n";
    const editor = await showFile("thirty.ts", text);
    selectLines(editor, 15_001, 15_002);
    await scriptService(fenced(["const v15000 = 1;", "const v15001 = 2;"]));
    const t0 = Date.now();
    await edit();
    const t1 = Date.now();
    await run(COMMANDS.inlineKeep);
    console.log("TRY 30000: edit", t1 - t0, "ms, keep", Date.now() - t1, "ms");
    assert.equal(editor.document.lineAt(15_000).text, "const v15000 = 1;");
  }).timeout(120_000);
});
