/**
 * Tests files of an in-memory file system, as extensions for remote repositories provide it. The
 * files are read, edited, attached and saved like files on disk.
 */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { COMMANDS } from "../../src/host/platform/contributions";
import { gatherFile } from "../../src/host/context/gather";
import { Answers, closeAll, fenced, plainText, selectLines, workspaceUri } from "./editing";
import { MemoryFiles } from "./memoryFiles";
import { receivedRequests, referenceUrl, resetService, scriptService } from "./reference";
import { clearUserSettings, setUserSettings } from "./settings";

const SCHEME = "core-chat-virtual";

describe("files of a virtual workspace", () => {
  const memory = new MemoryFiles();
  const answers = new Answers();
  let registration: vscode.Disposable;
  const uri = (name: string) => vscode.Uri.from({ scheme: SCHEME, path: `/${name}` });

  before(async () => {
    registration = vscode.workspace.registerFileSystemProvider(SCHEME, memory);
    await resetService();
    await setUserSettings({ baseUrl: referenceUrl(), retries: 0 });
    const picture = workspaceUri("pictures", "checkout.png");
    memory.files.set("/shop.png", await vscode.workspace.fs.readFile(picture));
    memory.files.set("/note.ts", new TextEncoder().encode("one\ntwo\n"));
  });
  beforeEach(() => answers.install());
  afterEach(() => answers.restore());
  after(async () => {
    await closeAll();
    await clearUserSettings("baseUrl", "retries");
    registration.dispose();
  });

  it("are edited by a reply and saved to the same location", async () => {
    const editor = await vscode.window.showTextDocument(uri("note.ts"), { preview: false });
    selectLines(editor, 1, 2);
    await scriptService(fenced(["ONE", "TWO"]));
    await vscode.commands.executeCommand(COMMANDS.editSelection, { instruction: "shout" });
    await vscode.commands.executeCommand(COMMANDS.inlineKeep);
    assert.equal(plainText(editor.document), "ONE\nTWO\n");
    assert.ok(await editor.document.save());
    assert.equal(new TextDecoder().decode(memory.files.get("/note.ts")), "ONE\nTWO\n");
    assert.ok(JSON.stringify((await receivedRequests()).at(-1)?.body).includes("note.ts"));
  });

  it("are sent with a question, after confirmation if they are outside the workspace", async () => {
    answers.choose("Add");
    const gathered = await gatherFile(uri("note.ts"));
    assert.ok(gathered.ok);
    const [part] = gathered.parts;
    assert.equal(part?.kind === "excerpt" && part.uri, uri("note.ts").toString());
    assert.deepEqual(await gatherFile(uri("note.ts")), { ok: false, sentence: "" });
    answers.choose("Add");
    assert.deepEqual(await gatherFile(uri("missing.ts")), {
      ok: false,
      sentence: "missing.ts could not be read. Check that it exists.",
    });
  });
});
