/**
 * Deleting for ever in a real VS Code: the commands, their questions, and every byte of a history on a
 * real disk afterwards.
 */
import assert from "node:assert/strict";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { systemClock } from "../../src/base/clock";
import { silentLog } from "../support/fakes/silentLog";
import { Conversations } from "../../src/chat/conversation/conversations";
import type { TurnOptions } from "../../src/chat/conversation/prepareTurn";
import type { Step } from "../../src/conversation/conversation";
import { IndexedHistory } from "../support/history/indexedHistory";
import { nodeFileSystem } from "../../src/host/node/nodeFileSystem";
import { COMMANDS } from "../../src/host/platform/contributions";
import { deletePermanently, emptyBin, forgetMessage } from "../../src/host/storage/deleteForever";
import { filesWith } from "../support/fakes/byteSearch";
import { Answers, poll } from "./editing";

/** A single word: the search index stores words apart. */
const SECRET = "Paßwortübung";

function questionOf(id: string, parentId: string | null, text: string): Step {
  const parts = [{ kind: "text" as const, text }];
  return {
    kind: "message-added",
    message: { role: "user", id, parentId, parts, sentAtMs: Date.now() },
  };
}

describe("deleting for ever", () => {
  let root: string;
  let history: IndexedHistory;
  let conversations: Conversations;
  const answers = new Answers();

  beforeEach(async () => {
    root = await fs.mkdtemp(join(tmpdir(), "core-chat-delete-"));
    history = new IndexedHistory(nodeFileSystem(root), systemClock, silentLog);
    const unused = {} as TurnOptions; // No question is asked.
    conversations = new Conversations(
      history,
      history.fullIndex,
      unused,
      systemClock,
      silentLog,
      () => undefined,
    );
    for (let number = 0; number < 70; number++)
      await history.journal.append(`other${number}`, [questionOf("q", null, "Something else")]);
    // The search index writes a file once a mebibyte of texts changed.
    await history.journal.append("secret", [
      questionOf("first", null, SECRET),
      questionOf("second", "first", `A later question, ${"large ".repeat(200_000)}`),
    ]);
    await history.fullIndex.refresh();
    await history.fullIndex.build();
    await history.close();
    answers.install();
  });
  afterEach(async () => {
    answers.restore();
    conversations.dispose();
    history.dispose();
    await fs.rm(root, { recursive: true, force: true });
  });

  async function filesWithSecret(): Promise<string[]> {
    await history.close();
    const names = await fs.readdir(root, { recursive: true, withFileTypes: true });
    const files = names.filter((entry) => entry.isFile());
    const paths = files.map(({ parentPath, name }) => join(parentPath, name));
    const read = await Promise.all(
      paths.map(async (path) => [path, new Uint8Array(await fs.readFile(path))] as const),
    );
    return filesWith(read, SECRET);
  }

  it("deletes a conversation only after a question that names it", async () => {
    assert.ok((await filesWithSecret()).length >= 3);
    await deletePermanently(conversations, silentLog, "secret", SECRET);
    assert.ok((await filesWithSecret()).length >= 3, "canceled");
    answers.choose("Delete Permanently");
    await deletePermanently(conversations, silentLog, "secret", SECRET);
    assert.ok(answers.shown.at(-1)?.text.includes(SECRET));
    assert.deepEqual(await filesWithSecret(), []);
  });

  it("empties the bin after a question with the number", async () => {
    await conversations.delete("secret");
    await conversations.delete("other1");
    answers.choose("Empty Bin");
    await emptyBin(conversations, silentLog);
    assert.match(answers.shown.at(-1)?.text ?? "", /\b2\b/);
    assert.deepEqual(await filesWithSecret(), []);
    assert.equal((await history.fullIndex.list()).count({ isInBin: "either" }), 69);
  });

  it("forgets a message and shows a placeholder", async () => {
    const live = await conversations.get("secret");
    answers.choose("Delete Message");
    await forgetMessage(conversations, silentLog, live, { messageId: "first" });
    assert.deepEqual(await filesWithSecret(), []);
    assert.deepEqual(
      live.path().map(({ id, isForgotten = false }) => [id, isForgotten]),
      [
        ["first", true],
        ["second", false],
      ],
    );
  });

  it("has commands that say what is missing", async () => {
    const saysAny = (text: RegExp) => answers.shown.some((one) => text.test(one.text));
    answers.pick("Empty Bin");
    await vscode.commands.executeCommand(COMMANDS.manageHistory);
    await poll(() => Promise.resolve(saysAny(/bin/)), "the answer of Empty Bin");
    await vscode.commands.executeCommand(COMMANDS.forgetMessage);
    await poll(
      () => Promise.resolve(saysAny(/Right-click the message/)),
      "the answer of Delete Message",
    );
  });
});
