/**
 * Tests adding content of the editor to a question, by every command and menu: the chips, their
 * contents, confirmations and error messages.
 */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { systemClock } from "../../src/base/clock";
import type { Reference } from "../../src/chat/view/editorContext";
import type { Part } from "../../src/conversation/message";
import {
  addChanges,
  addFiles,
  addProblems,
  addSelection,
  addTerminal,
} from "../../src/host/context/addCommands";
import { ActiveSelection } from "../../src/host/context/activeSelection";
import { pickFiles } from "../../src/host/context/attachedFiles";
import { StaleExcerpts } from "../../src/host/context/staleExcerpts";
import { selectedExcerpt } from "../../src/host/context/excerpts";
import { openPart } from "../../src/host/context/openPart";
import { ReferenceSearch } from "../../src/host/context/references";
import { pathOf } from "../../src/host/platform/sourceText";
import { VirtualDocuments } from "../../src/host/platform/virtualDocuments";
import { closeAll, putCaret, selectLines, showFile, workspaceUri } from "./editing";
import { suiteWithAnswers, suiteWithOutsideFolder, suiteWithProblems } from "./editingSuite";
import { Repository } from "./repository";
import { clearUserSettings, setUserSettings } from "./settings";

type Excerpt = Extract<Part, { kind: "excerpt" }>;

function isExcerpt(part: Part | undefined): part is Excerpt {
  return part?.kind === "excerpt";
}

describe("adding to a question", () => {
  const answers = suiteWithAnswers();
  const setProblem = suiteWithProblems();
  let added: Part[] = [];
  const add = (parts: readonly Part[]) => Promise.resolve(void added.push(...parts));

  beforeEach(() => {
    added = [];
  });

  it("names a notebook's cell, and no folder outside the workspace", async () => {
    const uri = workspaceUri("analysis.ipynb");
    const cells = ["import a", "a.run()", "total = 1"].map((source) => ({
      cell_type: "code",
      metadata: {},
      outputs: [],
      execution_count: null,
      source: [source],
    }));
    const notebook = { cells, metadata: {}, nbformat: 4, nbformat_minor: 5 };
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(JSON.stringify(notebook)));
    const opened = await vscode.workspace.openNotebookDocument(uri);
    const cell = opened.cellAt(2).document;
    assert.equal(pathOf(cell.uri), "analysis.ipynb, cell 3");
    assert.equal(pathOf(workspaceUri("src", "a.ts")), "src/a.ts");
    assert.equal(pathOf(workspaceUri("src", "a.ts").with({ scheme: "git" })), "src/a.ts");
    assert.equal(pathOf(vscode.Uri.file("/home/somebody/secret/plan.txt")), "plan.txt");
    assert.equal(pathOf(vscode.Uri.parse("untitled:/home/somebody/new.txt")), "new.txt");
  });

  it("adds the selection with its path, lines and problems as one chip", async () => {
    const editor = await showFile("adding.ts", "one\ntwo\nthree\n");
    setProblem(editor.document.uri, 2, "two is wrong");
    selectLines(editor, 2, 3);
    await addSelection(undefined, add);
    const [part] = added;
    assert.ok(isExcerpt(part) && added.length === 1);
    assert.deepEqual(
      [part.path, part.startLine, part.endLine, part.text, part.languageId],
      ["adding.ts", 2, 3, "two\nthree", "typescript"],
    );
    assert.match(part.problems ?? "", /line 2: error: two is wrong/);
  });

  it("explains the next step when no editor is open", async () => {
    await addSelection(undefined, add);
    await addFiles([], add);
    assert.deepEqual(added, []);
    assert.equal(answers.shown.length, 2);
    for (const { text } of answers.shown) assert.match(text, /^No file is open in an editor\./);
  });

  it("adds files and folders selected together, and reports which are not added", async () => {
    const folder = workspaceUri("several", "inside");
    mkdirSync(folder.fsPath, { recursive: true });
    writeFileSync(join(folder.fsPath, "deep.txt"), "deep");
    const text = workspaceUri("several", "text.txt");
    writeFileSync(text.fsPath, "some text");
    const binary = workspaceUri("several", "binary.bin");
    writeFileSync(binary.fsPath, Uint8Array.of(1, 0, 2));
    const clicked = [text, binary, workspaceUri("several")];
    await addFiles([text, clicked], add);
    const [file, list] = added;
    assert.ok(isExcerpt(file));
    assert.deepEqual(
      [file.path, file.text, file.startLine],
      ["several/text.txt", "some text", undefined],
    );
    assert.ok(list?.kind === "note");
    assert.deepEqual([list.source, list.label], ["folder", "several/"]);
    assert.match(list.text, /^binary\.bin\ninside\/deep\.txt\ntext\.txt$/m);
    assert.equal(added.length, 2);
    assert.match(answers.shown[0]?.text ?? "", /^several\/binary\.bin is not text/);
  });

  it("omits the middle of a file that is over the budget, and reports it", async () => {
    const long = workspaceUri("long.txt");
    writeFileSync(long.fsPath, "some words in a line\n".repeat(9_000));
    await addFiles([long], add);
    const [part] = added;
    assert.ok(isExcerpt(part));
    assert.ok(part.text.length < 150_000 && part.text.includes("lines left out …]"));
    assert.match(
      answers.shown[0]?.text ?? "",
      /^long\.txt is long, so \d+ lines in the middle are omitted/,
    );
  });

  it("adds the problems of a file, or all problems, with a label", async () => {
    const { document } = await showFile("problems.ts", "one\n");
    await addProblems([document.uri], add);
    assert.match(answers.shown[0]?.text ?? "", /^There are no problems to add/);
    setProblem(document.uri, 1, "one is wrong");
    await addProblems([document.uri], add);
    await addProblems([], add);
    const notes = added.map((part) => (part.kind === "note" ? [part.source, part.label] : []));
    assert.deepEqual(notes, [
      ["problems", "Problems in problems.ts"],
      ["problems", "Problems"],
    ]);
    assert.match(added[0]?.kind === "note" ? added[0].text : "", /problems\.ts:\n- line 1/);
  });

  it("adds the terminal selection and restores the clipboard", async () => {
    await vscode.env.clipboard.writeText("mine");
    const writes = new vscode.EventEmitter<string>();
    const pty: vscode.Pseudoterminal = {
      onDidWrite: writes.event,
      open: () => writes.fire("error: out of cheese\r\n"),
      close: () => {},
    };
    const terminal = vscode.window.createTerminal({ name: "adding", pty });
    try {
      terminal.show();
      // The terminal renders asynchronously, without an event.
      for (let tries = 0; tries < 500 && added.length === 0; tries++) {
        await vscode.commands.executeCommand("workbench.action.terminal.selectAll");
        await addTerminal(add);
      }
      const [part] = added;
      assert.ok(part?.kind === "note");
      assert.deepEqual([part.source, part.label], ["terminal", "Terminal"]);
      assert.match(part.text, /out of cheese/);
      assert.equal(await vscode.env.clipboard.readText(), "mine");
    } finally {
      terminal.dispose();
    }
  });

  it("finds sources, open editors, files, folders and symbols by typed text", async () => {
    const { document } = await showFile("find/needleOne.ts", "one\n");
    writeFileSync(workspaceUri("find", "needleTwo.ts").fsPath, "two");
    writeFileSync(workspaceUri("find", "needle.png").fsPath, Uint8Array.of(1, 2, 3));
    writeFileSync(workspaceUri("find", "needle.tiff").fsPath, "neither text nor to be shown");
    const range = new vscode.Range(0, 0, 0, 3);
    const symbols = vscode.languages.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: () => [
        new vscode.SymbolInformation(
          "needleSymbol",
          vscode.SymbolKind.Function,
          "",
          new vscode.Location(document.uri, range),
        ),
      ],
    });
    const search = new ReferenceSearch(systemClock);
    const find = async (text: string): Promise<readonly Reference[]> => {
      let last: readonly Reference[] = [];
      for await (const found of search.find(text, new AbortController().signal)) last = found;
      return last;
    };
    try {
      const found = await find("needle");
      assert.deepEqual(
        found.map(({ kind, label }) => `${kind} ${label}`),
        ["file needleOne.ts", "picture needle.png", "file needleTwo.ts", "symbol needleSymbol"],
      );
      const [part] = (await found.at(-1)?.gather())?.parts ?? [];
      assert.ok(isExcerpt(part));
      assert.deepEqual([part.symbol, part.startLine, part.text], ["needleSymbol", 1, "one"]);
      const [file] =
        (await found.find(({ label }) => label === "needleTwo.ts")?.gather())?.parts ?? [];
      assert.ok(isExcerpt(file) && file.text === "two");
      const picture = await found.find(({ kind }) => kind === "picture")?.gather();
      assert.deepEqual(picture, {
        parts: [],
        pictures: [{ name: "needle.png", bytes: Uint8Array.of(1, 2, 3) }],
      });
      assert.deepEqual(
        (await find("find")).filter(({ kind }) => kind === "folder").map(({ label }) => label),
        ["find/"],
      );
      const all = await find("");
      assert.deepEqual(
        all.slice(0, 4).map(({ kind }) => kind),
        ["file", "problems", "changes", "terminal"],
      );
      assert.equal(all[0]?.label, "needleOne.ts");
      const { parts } = await pickFiles("project");
      assert.ok(parts.some((one) => one.kind === "note" && one.source === "folder"));
      assert.equal((await find("prob"))[0]?.kind, "problems");
    } finally {
      search.dispose();
      symbols.dispose();
    }
  });

  async function firstOf(text: string, isWanted: (one: Reference) => boolean): Promise<Part[]> {
    const search = new ReferenceSearch(systemClock);
    try {
      let last: readonly Reference[] = [];
      for await (const found of search.find(text, new AbortController().signal)) last = found;
      const wanted = last.find(isWanted);
      assert.ok(wanted, `${text}: ${last.map(({ label }) => label).join()}`);
      return [...(await wanted.gather()).parts];
    } finally {
      search.dispose();
    }
  }

  it("adds the lines that are typed after a path, and those that exist of them", async () => {
    const lines = Array.from({ length: 20 }, (_unused, at) => `line ${at + 1}`);
    await showFile("ranges/open.txt", lines.join("\n"));
    writeFileSync(workspaceUri("ranges", "closed.txt").fsPath, lines.join("\n"));
    for (const name of ["open.txt", "closed.txt"]) {
      for (const [range, start, end] of [
        ["3-5", 3, 5],
        ["7", 7, 7],
        ["18-99", 18, 20],
        ["6-2", 2, 6],
      ] as const) {
        const typed = `ranges/${name}:${range}`;
        const [part] = await firstOf(typed, ({ label }) => label === `${name}:${range}`);
        assert.ok(isExcerpt(part), typed);
        assert.deepEqual([part.path, part.startLine, part.endLine], [`ranges/${name}`, start, end]);
        assert.equal(part.text, lines.slice(start - 1, end).join("\n"));
      }
      const [whole] = await firstOf(`${name}:`, ({ label }) => label === `${name}:`);
      assert.ok(isExcerpt(whole) && whole.startLine === undefined);
    }
  });

  it("adds the files of all tabs", async () => {
    await showFile("tabs/one.txt", "one");
    await vscode.window.showTextDocument(workspaceUri("tabs", "one.txt"), { preview: false });
    writeFileSync(workspaceUri("tabs", "two.txt").fsPath, "two");
    await vscode.window.showTextDocument(workspaceUri("tabs", "two.txt"), { preview: false });
    const parts = await firstOf("openF", ({ label }) => label === "Open files");
    assert.deepEqual(
      parts.map((part) => isExcerpt(part) && part.path),
      ["tabs/one.txt", "tabs/two.txt"],
    );
  });

  it("finds files beyond the listed ones in a large workspace", async () => {
    await showFile("beyond/aFile.ts", "one\n");
    writeFileSync(workspaceUri("beyond", "zz-Needle[1].ts").fsPath, "beyond");
    const search = new ReferenceSearch(systemClock, undefined, 1);
    const labels = async (text: string) => {
      let last: readonly Reference[] = [];
      for await (const found of search.find(text, new AbortController().signal)) last = found;
      return last.map(({ label }) => label);
    };
    try {
      assert.deepEqual(await labels("zz-needle[1"), ["zz-Needle[1].ts"]);
      assert.deepEqual(await labels("beyond/zz-n"), ["zz-Needle[1].ts"]);
    } finally {
      search.dispose();
    }
  });

  it("opens the location of an excerpt and the text of a note", async () => {
    const editor = await showFile("open.ts", "one\ntwo\nthree\n");
    selectLines(editor, 2, 2);
    const { part } = selectedExcerpt(editor);
    await closeAll();
    const notes = new Map<string, string>();
    const documents = new VirtualDocuments("core-chat-test-note", (name) => notes.get(name));
    try {
      await openPart(part, notes, documents);
      const active = vscode.window.activeTextEditor;
      assert.equal(active?.document.uri.toString(), editor.document.uri.toString());
      assert.deepEqual([active.selection.start.line, active.selection.end.line], [1, 1]);
      const note: Part = { kind: "note", source: "problems", label: "a/b", text: "the text" };
      await openPart(note, notes, documents);
      assert.equal(vscode.window.activeTextEditor?.document.getText(), "the text");
      await openPart({ ...part, uri: "http://example.com/x" }, notes, documents);
      assert.match(answers.shown[0]?.text ?? "", /^open\.ts could not be opened/);
    } finally {
      documents.dispose();
    }
  });

  it("detects that a file differs from the sent text", async () => {
    const editor = await showFile("since.ts", "one\ntwo\nthree\n");
    selectLines(editor, 2, 2);
    const { part } = selectedExcerpt(editor);
    const since = new StaleExcerpts(systemClock);
    const told = () =>
      new Promise<void>((resolve) => {
        const listening = since.onChanged(() => {
          listening.dispose();
          resolve();
        });
      });
    try {
      assert.equal(since.isChanged(part), false);
      const changed = told();
      const line = new vscode.Range(1, 0, 1, 3);
      await editor.edit((edit) => edit.replace(line, "2"));
      await changed;
      assert.equal(since.isChanged(part), true);
      const back = told();
      await editor.edit((edit) => edit.replace(new vscode.Range(1, 0, 1, 1), "moved\ntwo"));
      await back;
      assert.equal(since.isChanged(part), false, "it stands one line below");
    } finally {
      since.dispose();
    }
  });
});

describe("adding the changes of a real repository", () => {
  const answers = suiteWithAnswers();
  let repository: Repository;
  let added: Part[] = [];
  const add = (parts: readonly Part[]) => Promise.resolve(void added.push(...parts));

  before(async () => {
    repository = await Repository.make("changes");
  });
  beforeEach(() => {
    added = [];
  });
  // Later tests must not find the changes of this group.
  after(() => repository.restore({}));

  /** Returns the only part that was added, a note. */
  function note(): { label: string; text: string } {
    const [part, ...more] = added;
    assert.ok(part?.kind === "note" && more.length === 0, JSON.stringify(added));
    assert.equal(part.source, "changes");
    return part;
  }

  it("adds all changes, with the start of new files", async () => {
    await repository.restore({ "a.txt": "one\ntwo\n", "new.txt": "brand new\n" });
    await addChanges([], add);
    const { label, text } = note();
    assert.equal(label, "Changes");
    assert.match(text, /^Changes in changes:\n/);
    assert.match(text, /^\+two$/m);
    assert.match(text, /new\.txt:\nbrand new/);
  });

  it("adds the staged changes, if there are any", async () => {
    const files = { "a.txt": "one\ntwo\n", "staged.txt": "staged line\n" };
    await repository.restore(files, ["staged.txt"]);
    await addChanges([], add);
    const { text } = note();
    assert.match(text, /^Staged changes in changes:\n/);
    assert.match(text, /^\+staged line$/m);
    assert.doesNotMatch(text, /two/);
  });

  it("adds the changes of the files selected in source control", async () => {
    const files = { "a.txt": "one\ntwo\n", "other.txt": "other\n", "new.txt": "brand new\n" };
    await repository.restore(files, ["other.txt"]);
    await addChanges([{ resourceUri: repository.uri("a.txt") }], add);
    const { label, text } = note();
    assert.equal(label, "Changes in changes/a.txt");
    assert.match(text, /^\+two$/m);
    assert.doesNotMatch(text, /other|brand new/);
  });

  it("names the workspace folder by its name, not by its path on this machine", async () => {
    await addFiles([workspaceUri()], add);
    const [part] = added;
    assert.ok(part?.kind === "note" && part.source === "folder");
    assert.equal(part.label, "workspace/");
    assert.ok(!part.text.includes(workspaceUri().fsPath), part.text);
  });

  it("reports that there are no changes", async () => {
    await repository.restore({});
    await addChanges([], add);
    assert.deepEqual(added, []);
    assert.match(answers.shown[0]?.text ?? "", /^There are no changes to add/);
  });
});

describe("the automatic selection", () => {
  const outsideFolder = suiteWithOutsideFolder();
  const memory = { get: () => undefined, update: () => Promise.resolve(), keys: () => [] };
  let automatic: ActiveSelection;

  beforeEach(() => {
    automatic = new ActiveSelection(memory, systemClock);
  });
  afterEach(async () => {
    automatic.dispose();
    await clearUserSettings("context.automatic");
    await closeAll();
  });

  /** Resolves when the automatic selection meets the condition. */
  async function until(condition: () => boolean): Promise<void> {
    if (condition()) return;
    await new Promise<void>((resolve) => {
      const listening = automatic.onChanged(() => {
        if (!condition()) return;
        listening.dispose();
        resolve();
      });
    });
  }

  function lines(): string {
    const part = automatic.current()?.part;
    return isExcerpt(part) ? `${part.path} ${part.startLine ?? ""}-${part.endLine ?? ""}` : "none";
  }

  it("follows the selection, and resolves an id to exactly its text", async () => {
    const editor = await showFile("follow.ts", "one\ntwo\nthree\n");
    await until(() => lines() === "none");
    selectLines(editor, 1, 2);
    await until(() => lines() === "follow.ts 1-2");
    const id = automatic.current()?.id ?? "";
    selectLines(editor, 3, 3);
    await until(() => lines() === "follow.ts 3-3");
    const before = automatic.part(id);
    assert.ok(isExcerpt(before) && before.text === "one\ntwo");
    putCaret(editor, 1);
    await until(() => lines() === "none");
  });

  it("includes the visible file if the setting says so, and nothing if it is off", async () => {
    await setUserSettings({ "context.automatic": "selection+file" });
    await showFile("seen.ts", "one\ntwo\n");
    await until(() => lines() === "seen.ts -");
    const id = automatic.current()?.id ?? "";
    await automatic.switch(false);
    await until(() => automatic.current()?.isOn !== true);
    assert.equal(automatic.part(id), undefined);
    await automatic.switch(true);
    await setUserSettings({ "context.automatic": "selection+file" });
    await until(() => automatic.current()?.isOn === true);
  });

  it("names the open file without a selection, and no file outside the workspace", async () => {
    await showFile("open.ts", "one\n");
    await until(() => automatic.openFile()?.name === "open.ts");
    assert.equal(automatic.openFile()?.uri, workspaceUri("open.ts").toString());
    assert.equal(automatic.current(), undefined);
    const outside = join(outsideFolder(), "other.ts");
    writeFileSync(outside, "one\n");
    await vscode.window.showTextDocument(vscode.Uri.file(outside));
    await until(() => automatic.openFile() === undefined);
    await closeAll();
  });
});
