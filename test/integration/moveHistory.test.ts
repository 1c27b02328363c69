/**
 * Tests the history folder in a real VS Code: the setting, a missing folder, the notice in a remote
 * window, and the command that moves the history.
 */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { systemClock } from "../../src/base/clock";
import { silentLog } from "../support/fakes/silentLog";
import type { Step } from "../../src/conversation/conversation";
import { IndexedHistory } from "../support/history/indexedHistory";
import { HistoryFolder } from "../../src/host/storage/historyFolder";
import { moveHistory } from "../../src/host/storage/moveCommand";
import { MapMemento } from "./editing";

const QUESTION: Step = {
  kind: "message-added",
  message: {
    role: "user",
    id: "q1",
    parentId: null,
    parts: [{ kind: "text", text: "Is it still here?" }],
    sentAtMs: 1,
  },
};

describe("the folder of the history", () => {
  let root: string;
  const owned: HistoryFolder[] = [];

  beforeEach(async () => {
    root = await fs.mkdtemp(join(tmpdir(), "core-chat-folder-"));
    for (const name of ["own", "chosen"]) await fs.mkdir(join(root, name));
  });
  afterEach(async () => {
    for (const folder of owned.splice(0)) folder.dispose();
    await choose(undefined);
    await fs.rm(root, { recursive: true, force: true });
  });

  function choose(folder: string | undefined): Thenable<void> {
    return vscode.workspace
      .getConfiguration("coreChat")
      .update("history.folder", folder, vscode.ConfigurationTarget.Global);
  }

  /** Opens the history folder of a window; its own changes of the setting cause no reload. */
  function openFolder(remoteName?: string): HistoryFolder {
    const folder = new HistoryFolder(vscode.Uri.file(join(root, "own")), remoteName, silentLog);
    folder.isMoving = true;
    owned.push(folder);
    return folder;
  }

  async function noticeOf(folder: HistoryFolder): Promise<string> {
    if (folder.notice() === undefined)
      await new Promise<void>((resolve) => folder.onChanged(resolve));
    return folder.notice()!.text;
  }

  async function ask(folder: HistoryFolder): Promise<void> {
    const history = new IndexedHistory(folder.files, systemClock, silentLog, folder.caches);
    assert.equal(await history.journal.append("c1", [QUESTION]), true);
    await (await history.fullIndex.list()).refresh();
    await history.close();
    history.dispose();
  }

  /** Makes the files older than files that a window may be writing. */
  async function age(folder: string): Promise<void> {
    const path = join(root, folder, "conversations");
    for (const name of await fs.readdir(path)) await fs.utimes(join(path, name), 1_000, 1_000);
  }

  /** Returns the files of a folder that have a text, in any case. */
  async function filesWith(folder: string, text: string): Promise<string[]> {
    const found: string[] = [];
    const entries = await fs.readdir(join(root, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((entry) => entry.isFile())) {
      const path = join(entry.parentPath, entry.name);
      if ((await fs.readFile(path, "latin1")).toLowerCase().includes(text)) found.push(path);
    }
    return found;
  }

  const hasQuestion = (folder: string) =>
    fs.access(join(root, folder, "conversations/c1.jsonl")).then(
      () => true,
      () => false,
    );

  it("is the extension's storage, or the folder that the setting names", async () => {
    await ask(openFolder());
    assert.deepEqual([await hasQuestion("own"), await hasQuestion("chosen")], [true, false]);
    await choose(join(root, "chosen"));
    await ask(openFolder());
    assert.equal(await hasQuestion("chosen"), true);
  });

  it("is not created if it is missing, and a notice reports that", async () => {
    await choose(join(root, "missing"));
    const folder = openFolder();
    await ask(folder);
    assert.equal(await hasQuestion("own"), true);
    assert.match(await noticeOf(folder), /was not found/);
    await assert.rejects(fs.access(join(root, "missing")));
  });

  it("is named in a container, which may be deleted any day", async () => {
    await ask(openFolder());
    const container = openFolder("dev-container");
    assert.match(await noticeOf(container), /container only, and deleted with it/);
    assert.equal(container.notice()?.action?.id, "move-history");
  });

  it("is moved by the command, which can be repeated for the remaining files", async () => {
    await ask(openFolder());
    await age("own");
    const target = vscode.Uri.file(join(root, "chosen"));
    const memory = new MapMemento();
    const move = async () => {
      const historyFolder = openFolder();
      const history = new IndexedHistory(
        historyFolder.files,
        systemClock,
        silentLog,
        historyFolder.caches,
      );
      await (await history.fullIndex.list()).refresh();
      const conversations = { isAnyRunning: false, history };
      await moveHistory({ conversations, historyFolder, memory, log: silentLog }, target);
      assert.deepEqual([await hasQuestion("own"), await hasQuestion("chosen")], [false, true]);
      await (await history.fullIndex.list()).refresh();
      await history.close();
      assert.deepEqual(await filesWith("own", "still here"), []);
      history.dispose();
    };
    await move();
    const { globalValue } =
      vscode.workspace.getConfiguration("coreChat").inspect("history.folder") ?? {};
    assert.equal(globalValue, target.fsPath);
    await choose(undefined);
    await ask(openFolder());
    await age("own");
    await choose(target.fsPath);
    assert.match(await noticeOf(openFolder()), /still in VS Code's storage/);
    await move();
  });
});
