/**
 * Tests exporting and importing conversations with the commands of a real VS Code: pictures next to
 * the document or inside, JSON and back, and rejected files.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import * as vscode from "vscode";
import { COMMANDS } from "../../src/host/platform/contributions";
import { madePng } from "../support/pictures/madePng";
import { Answers, poll, readFile, workspaceUri } from "./editing";

const PNG = madePng(3, 2);

/** Returns an exported conversation with a picture. */
function exportedChat(question: string, reply = "A pattern.", thinking?: string): string {
  const hash = createHash("sha256").update(PNG).digest("hex");
  const size = { widthPx: 3, heightPx: 2, bytes: PNG.length };
  const picture = { kind: "image", hash, mediaType: "image/png", name: "a.png", ...size };
  return JSON.stringify({
    format: "core-chat-conversation",
    version: 1,
    createdAtMs: 5,
    leafId: "r",
    pictures: { [hash]: PNG.toString("base64") },
    messages: [
      {
        role: "user",
        id: "q",
        parentId: null,
        parts: [{ kind: "text", text: question }, picture],
        sentAtMs: 6,
      },
      {
        role: "assistant",
        id: "r",
        parentId: "q",
        text: reply,
        ...(thinking !== undefined && { thinking: { text: thinking, durationMs: 0 } }),
        modelKind: "vl",
        modelCode: "m",
        startedAtMs: 7,
        ending: { kind: "complete" },
      },
    ],
  });
}

describe("conversations in files", () => {
  let answers: Answers;
  const folder = "transfer";
  const place = (name: string) => workspaceUri(folder, name);

  beforeEach(async () => {
    answers = new Answers();
    answers.install();
    await vscode.workspace.fs.createDirectory(workspaceUri(folder));
  });
  afterEach(async () => {
    answers.restore();
    await vscode.workspace.fs.delete(workspaceUri(folder), { recursive: true });
  });

  async function write(name: string, text: string): Promise<vscode.Uri> {
    await vscode.workspace.fs.writeFile(place(name), new TextEncoder().encode(text));
    return place(name);
  }

  async function names(path = ""): Promise<string[]> {
    const entries = await vscode.workspace.fs.readDirectory(workspaceUri(folder, path));
    return entries.map(([name]) => name).sort();
  }

  async function exportTo(uri: vscode.Uri | undefined): Promise<void> {
    answers.chooseFile(uri);
    await vscode.commands.executeCommand(COMMANDS.exportConversation);
  }

  async function importFrom(uri: vscode.Uri): Promise<void> {
    answers.chooseFile(uri);
    await vscode.commands.executeCommand(COMMANDS.importConversation);
  }

  /** Waits until the panel shows the conversation whose export would have this file name. */
  async function untilShown(name: string): Promise<void> {
    await poll(async () => {
      await vscode.commands.executeCommand(COMMANDS.exportConversation);
      return answers.proposed.at(-1) === name;
    }, `the conversation ${name}`);
  }

  /** Imports a conversation that starts with this text, and waits until it is shown. */
  async function show(title: string): Promise<void> {
    await importFrom(await write("exported.json", exportedChat(title)));
    await untilShown(`${title.replaceAll(" ", "-")}.md`);
    await vscode.workspace.fs.delete(place("exported.json"));
  }

  async function failTo(uri: vscode.Uri): Promise<void> {
    const shown = answers.shown.length;
    await exportTo(uri);
    assert.deepEqual(
      answers.shown.slice(shown).map(({ text }) => text),
      ["The conversation could not be saved there. Choose another location."],
    );
  }

  it("are exported to Markdown with pictures in a folder next to it", async () => {
    await show("Beside it");
    await exportTo(place("talk.md"));
    assert.deepEqual(await names(), ["talk-pictures", "talk.md"]);
    const markdown = await readFile(`${folder}/talk.md`);
    assert.match(markdown, /## You\n\n> Beside it/);
    assert.match(markdown, /A pattern\./);
    const [name, ...others] = await names("talk-pictures");
    assert.deepEqual(others, []);
    assert.ok(markdown.includes(`](talk-pictures/${name})`), markdown);
    const bytes = await vscode.workspace.fs.readFile(place(`talk-pictures/${name}`));
    assert.deepEqual([...bytes], [...PNG]);
  });

  it("are exported with the model's thinking only if the user chooses that", async () => {
    const text = exportedChat("Thought about", "4", "Two and two.");
    await importFrom(await write("exported.json", text));
    await untilShown("Thought-about.md");
    const lists = answers.offered.length;
    answers.pick("Without the model's thinking");
    await exportTo(place("plain.md"));
    assert.equal(answers.offered.length, lists + 1);
    answers.pick("With the model's thinking");
    await exportTo(place("whole.md"));
    const plain = await readFile(`${folder}/plain.md`);
    assert.ok(plain.includes("\n4\n") && !plain.includes("Two and two"), plain);
    assert.match(await readFile(`${folder}/whole.md`), /> \*Thinking\*\n>\n> Two and two/);
    await exportTo(place("given-up.md"));
    assert.ok(!(await names()).includes("given-up.md"));
  });

  it("leave no file when the export is canceled or fails", async () => {
    await show("Given up");
    await exportTo(undefined);
    assert.deepEqual(await names(), []);
    await write("talk-pictures", "a file where the folder is to go");
    await failTo(place("talk.md"));
    assert.deepEqual(await names(), ["talk-pictures"]);
    assert.equal(await readFile(`${folder}/talk-pictures`), "a file where the folder is to go");
    await write("a-folder.md/kept.txt", "kept");
    await failTo(place("a-folder.md"));
    assert.deepEqual(await names(), ["a-folder.md", "talk-pictures"]);
    assert.equal(await readFile(`${folder}/a-folder.md/kept.txt`), "kept");
  });

  it("are not imported from a damaged or unknown file, and nothing changes", async () => {
    await show("Still here");
    await exportTo(place("talk.json"));
    const exported = await readFile(`${folder}/talk.json`);
    for (const [text, sentence] of [
      [exported.slice(0, -40), /is incomplete or not JSON\. Nothing was imported\.$/],
      [exported.replace(/"role": "\w+"/, '"role": "king"'), /is damaged\. Nothing was imported\./],
      ['{"name": "core"}', /is not a conversation that Core Chat exported\./],
    ] as const) {
      const shown = answers.shown.length;
      await importFrom(await write("bad.json", text));
      const said = answers.shown.slice(shown);
      assert.equal(said.length, 1, JSON.stringify(said));
      assert.match(said[0]?.text ?? "", sentence);
      await vscode.commands.executeCommand(COMMANDS.exportConversation);
      assert.equal(answers.proposed.at(-1), "Still-here.md");
    }
  });

  it("are imported from several files at once", async () => {
    const files = [
      await write("green.json", exportedChat("Green tea", "70 °C")),
      await write("black.json", exportedChat("Black tea", "95 °C")),
      await write("broken.json", "{}"),
    ];
    answers.chooseFile(...files);
    await vscode.commands.executeCommand(COMMANDS.importConversation);
    const done = "2 conversations were imported. The list has them under All Workspaces.";
    assert.equal(answers.shown.at(-1)?.text, `${done} Not readable: 1`);
  });
});
