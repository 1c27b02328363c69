/**
 * Tests pending inline edits whose window reloads, or whose file changes on disk: another branch,
 * another program, a revert.
 */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { COMMANDS } from "../../src/host/platform/contributions";
import { silentLog } from "../support/fakes/silentLog";
import { rewriteTarget } from "../../src/host/inline/editTarget";
import { InlineEdits } from "../../src/host/inline/inlineEdits";
import { SAVED_EDITS_KEY } from "../../src/host/inline/savedEdits";
import {
  fenced,
  lensTitles,
  MapMemento,
  plainText,
  poll,
  selectLines,
  showFile,
  untilLens,
  untilText,
} from "./editing";
import { edit, run, suiteWithAnswers, suiteWithService } from "./editingSuite";
import { scriptService } from "./reference";
import { Repository } from "./repository";

const MAIN = "one\ntwo\nthree\nfour\nfive\nsix\n";
const OTHER = "// other\n// branch\none\ntwo\nthree\nfour!\nfive\nsix\n";
const EDITED = "one\ntwo\nTHREE\nFOUR\nfive\nsix\n";

describe("a pending edit after a reload", () => {
  const answers = suiteWithAnswers();
  const memory = new MapMemento();
  const owned: InlineEdits[] = [];
  afterEach(() => {
    for (const edits of owned.splice(0)) edits.dispose();
    return memory.update(SAVED_EDITS_KEY, undefined);
  });

  /** Opens the edits of a new window; all windows share the storage. */
  function openWindow(): InlineEdits {
    const edits = new InlineEdits({
      ask: async function* () {
        await Promise.resolve();
        yield { type: "text-delta", text: "```\nONE\nTWO\n```\n" };
        yield { type: "turn-ended", ending: { kind: "complete" } };
      },
      memory,
      log: silentLog,
    });
    owned.push(edits);
    return edits;
  }

  /** Leaves an edit of the first two lines pending in a window that closes. */
  async function leavePending(name: string): Promise<vscode.TextEditor> {
    const editor = await showFile(name, "one\ntwo\nthree\n");
    const edits = openWindow();
    const entry = edits.open(editor.document, rewriteTarget(editor, new vscode.Range(0, 0, 1, 3)));
    await entry.edit.ask([{ kind: "text", text: "shout" }]);
    edits.dispose();
    assert.equal(plainText(editor.document), "ONE\nTWO\nthree\n");
    return editor;
  }

  it("is pending again, and restores the original lines when it is discarded", async () => {
    const { document } = await leavePending("reloaded-a.rs");
    const edits = openWindow();
    const [entry] = edits.inDocument(document);
    assert.equal(entry?.session.hunks.length, 1);
    assert.equal(await entry.session.discard(), true);
    assert.equal(plainText(document), "one\ntwo\nthree\n");
    edits.dispose();
    assert.deepEqual(openWindow().all, []);
  });

  it("is found after its lines moved, and ends once it is kept", async () => {
    const editor = await leavePending("reloaded-b.rs");
    await editor.edit((change) => change.insert(new vscode.Position(0, 0), "zero\n"));
    const edits = openWindow();
    const [entry] = edits.inDocument(editor.document);
    assert.equal(entry?.startLine, 1);
    entry.session.keep();
    edits.dispose();
    assert.deepEqual(openWindow().all, []);
    assert.deepEqual(answers.shown, []);
  });

  it("is reported as ended if its lines changed meanwhile", async () => {
    const editor = await leavePending("reloaded-c.rs");
    await editor.edit((change) => change.insert(new vscode.Position(0, 1), "!"));
    assert.deepEqual(openWindow().all, []);
    assert.deepEqual(openWindow().all, []);
    assert.equal(answers.shown.length, 1);
    assert.match(
      answers.shown[0]?.text ?? "",
      /^reloaded-c\.rs changed while its edit was pending/,
    );
  });
});

describe("a pending edit whose file changes on disk", () => {
  const answers = suiteWithService();
  let repository: Repository;

  before(async () => {
    repository = await Repository.make("branches");
    await repository.commit({ "b.rs": OTHER }, "other");
    await repository.commit({ "b.rs": MAIN }, "main-branch");
  });
  beforeEach(() => repository.checkOut("main-branch"));
  afterEach(async () => {
    const files = vscode.workspace.getConfiguration("files");
    await files.update("autoSave", undefined, vscode.ConfigurationTarget.Global);
    await repository.restore({});
  });

  async function editedDocument(): Promise<vscode.TextDocument> {
    const editor = await vscode.window.showTextDocument(repository.uri("b.rs"));
    await untilText(editor.document, MAIN);
    await scriptService(fenced(["THREE", "FOUR"]));
    selectLines(editor, 3, 4);
    await edit();
    assert.equal(plainText(editor.document), EDITED);
    await untilLens(editor.document, "Keep");
    return editor.document;
  }

  async function assertOver(document: vscode.TextDocument, text: string): Promise<void> {
    await untilText(document, text);
    await poll(async () => (await lensTitles(document)).length === 0, "the edit to be over");
    assert.match(
      answers.shown.at(-1)?.text ?? "",
      /b\.rs went back to the text on disk, so its pending edit has ended/,
    );
    assert.deepEqual(answers.shown.at(-1)?.buttons, ["Open Reply"]);
    await run(COMMANDS.inlineDiscard);
    assert.equal(plainText(document), text);
  }

  it("ends when another branch is checked out, and reverts nothing", async () => {
    const document = await editedDocument();
    await document.save();
    repository.checkOut("other");
    await assertOver(document, OTHER);
  });

  it("continues when the file is saved, also with a formatter", async () => {
    const formatter = vscode.languages.registerDocumentFormattingEditProvider(
      { pattern: "**/b.rs" },
      {
        provideDocumentFormattingEdits: (document) => [
          vscode.TextEdit.insert(document.lineAt(document.lineCount - 1).range.end, "// end\n"),
        ],
      },
    );
    const editor = vscode.workspace.getConfiguration("editor");
    await editor.update("formatOnSave", true, vscode.ConfigurationTarget.Global);
    try {
      const document = await editedDocument();
      await document.save();
      assert.equal(plainText(document), `${EDITED}// end\n`);
      assert.ok(!document.isDirty);
      assert.ok((await lensTitles(document)).includes("Keep"));
      await run(COMMANDS.inlineDiscard);
      assert.equal(plainText(document), `${MAIN}// end\n`);
    } finally {
      await editor.update("formatOnSave", undefined, vscode.ConfigurationTarget.Global);
      formatter.dispose();
    }
  });
});
