/**
 * Tests files of an in-memory file system, as extensions for remote repositories provide it. The
 * files are read, edited, attached and saved like files on disk.
 */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { COMMANDS } from "../../src/host/platform/contributions";
import { gatherFile } from "../../src/host/context/gather";
import { readPictures } from "../../src/host/pictures/pictureFiles";
import { Answers, closeAll, fenced, plainText, selectLines, workspaceUri } from "./editing";
import { receivedRequests, referenceUrl, resetService, scriptService } from "./reference";
import { clearUserSettings, setUserSettings } from "./settings";

const SCHEME = "core-chat-virtual";

/** In-memory files, all in the same folder. */
class MemoryFiles implements vscode.FileSystemProvider {
  readonly files = new Map<string, Uint8Array>();
  private readonly changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changes.event;

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }
  stat({ path }: vscode.Uri): vscode.FileStat {
    const times = { ctime: 0, mtime: 0 };
    if (path === "/") return { type: vscode.FileType.Directory, size: 0, ...times };
    return { type: vscode.FileType.File, size: this.bytesOf(path).length, ...times };
  }
  readDirectory(): [string, vscode.FileType][] {
    return [...this.files.keys()].map((path) => [path.slice(1), vscode.FileType.File]);
  }
  readFile({ path }: vscode.Uri): Uint8Array {
    return this.bytesOf(path);
  }
  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    this.files.set(uri.path, content);
    this.changes.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }
  createDirectory(): void {
    throw vscode.FileSystemError.NoPermissions();
  }
  delete({ path }: vscode.Uri): void {
    this.files.delete(path);
  }
  rename(): void {
    throw vscode.FileSystemError.NoPermissions();
  }

  private bytesOf(path: string): Uint8Array {
    const bytes = this.files.get(path);
    if (bytes === undefined) throw vscode.FileSystemError.FileNotFound(path);
    return bytes;
  }
}

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

  it("are attached as pictures", async () => {
    answers.choose("Attach");
    const [picture] = await readPictures([uri("shop.png").toString()]);
    assert.equal(picture?.name, "shop.png");
    assert.deepEqual(picture.bytes, memory.files.get("/shop.png"));
  });
});
