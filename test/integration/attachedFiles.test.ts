/**
 * Tests attaching files and folders that are dropped from VS Code, and code that is copied in an
 * editor and pasted into the chat.
 */
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { partOfText, readFiles } from "../../src/host/context/attachedFiles";
import { changeOf } from "../../src/host/replyActions/replyChange";
import { closeAll, selectLines, showFile, workspaceUri } from "./editing";
import { suiteWithAnswers } from "./editingSuite";

const FOLDER = "dropped";
const CODE = "// first\none();\ntwo();\nthree();\n";

describe("attaching files and code", () => {
  suiteWithAnswers();

  before(() => {
    const folder = workspaceUri(FOLDER).fsPath;
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "code.js"), CODE);
    writeFileSync(join(folder, ".env"), "KEY=1\n");
    writeFileSync(join(folder, "tool.bin"), Buffer.from([0, 1, 2, 0]));
  });
  afterEach(closeAll);

  it("sends no text of a file in another encoding until it is reopened with that encoding", async () => {
    const write = (name: string, bytes: Uint8Array) => {
      const uri = workspaceUri(FOLDER, name);
      writeFileSync(uri.fsPath, bytes);
      return uri;
    };
    const textOf = async (uri: vscode.Uri) => {
      const [part] = (await readFiles([uri.toString()])).parts;
      return part?.kind === "excerpt" ? part.text : undefined;
    };
    const gbk = write("gbk.txt", Buffer.from([0xc4, 0xe3, 0xba, 0xc3, 0x0a]));
    const latin = write("latin.txt", Buffer.from("caf\u00e9\n", "latin1"));
    const sjis = write("sjis.txt", Buffer.from([0x82, 0xb1, 0x82, 0xf1, 0x0a]));
    for (const uri of [gbk, latin, sjis]) assert.equal(await textOf(uri), undefined);
    const right = ["a\ufffdb", "你好"];
    for (const text of right) {
      assert.equal(await textOf(write("utf8.txt", Buffer.from(text))), text);
      assert.equal(await textOf(write("mark.txt", Buffer.from(`\ufeff${text}`))), text);
      assert.equal(await textOf(write("u16.txt", Buffer.from(`\ufeff${text}`, "utf16le"))), text);
    }
    const wrong = await vscode.workspace.openTextDocument(gbk);
    assert.ok(wrong.getText().includes("\ufffd"));
    assert.equal(await textOf(gbk), undefined);
    const change = await changeOf(`\`\`\`txt ${FOLDER}/gbk.txt\nnew\n\`\`\`\n`);
    assert.deepEqual([change?.files, change?.unused.map(({ why }) => why)], [[], ["misread"]]);
    await vscode.workspace.openTextDocument(gbk, { encoding: "gbk" });
    assert.equal(await textOf(gbk), "你好\n");
  });

  it("finds copied code in the selection and in a visible file", async () => {
    const editor = await showFile(`${FOLDER}/code.js`, CODE);
    selectLines(editor, 2, 3);
    const selected = editor.document.getText(editor.selection);
    const offered = { name: "Pasted text", origin: "editor" as const };
    const part = await partOfText({ ...offered, text: selected });
    assert.ok(part?.kind === "excerpt");
    assert.deepEqual([part.path, part.startLine, part.endLine], ["dropped/code.js", 2, 3]);
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    const found = await partOfText({ ...offered, text: "two();\r\nthree();\r\n" });
    assert.ok(found?.kind === "excerpt");
    assert.deepEqual([found.startLine, found.endLine], [3, 4]);
    assert.equal(await partOfText({ ...offered, text: "not\nthere" }), undefined);
  });
});
