/**
 * Tests Apply in editor: the target range is found or asked for, the diff is shown, and nothing is
 * written before the user keeps the change.
 */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { ALL } from "../support/depth";
import { silentLog } from "../support/fakes/silentLog";
import { Reviews } from "../../src/host/replyActions/reviews";
import { useCode } from "../../src/host/replyActions/codeActions";
import { PROPOSAL_SCHEME } from "../../src/host/platform/contributions";
import { closeAll, plainText, poll, putCaret, readFile, showFile, workspaceUri } from "./editing";
import { suiteWithAnswers } from "./editingSuite";

const SOURCE =
  "function one() {\n  return first(1);\n}\n\nfunction two() {\n  return second(2);\n}\n";
const CHANGED = "function two() {\n  log('two');\n  return second(2);\n}\n";
const RESULT = SOURCE.replace("  return second(2);", "  log('two');\n  return second(2);");

/** Returns the proposal that the active diff editor shows. */
function shownProposal(): vscode.Uri | undefined {
  const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
  if (!(input instanceof vscode.TabInputTextDiff)) return undefined;
  return input.modified.scheme === PROPOSAL_SCHEME ? input.modified : undefined;
}

/** Returns the proposal in front; VS Code reports the tab of a diff a moment after it is open. */
async function shown(): Promise<vscode.Uri> {
  await poll(() => shownProposal() !== undefined, "a diff of a proposal in front");
  return shownProposal() ?? assert.fail();
}

async function textOf(uri: vscode.Uri): Promise<string> {
  return plainText(await vscode.workspace.openTextDocument(uri));
}

/** Resolves when a document has this text; the text changes a moment after the event. */
async function untilShows(uri: vscode.Uri, text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uri);
  while (plainText(document) !== text) {
    await new Promise<void>((resolve) => {
      const listening = vscode.workspace.onDidChangeTextDocument(() => {
        listening.dispose();
        resolve();
      });
    });
  }
}

describe("applying a block of a reply", () => {
  const answers = suiteWithAnswers();
  let proposals: Reviews;

  beforeEach(() => {
    proposals = new Reviews(silentLog);
  });
  afterEach(() => proposals.dispose());

  it("shows the diff at the matching range, and writes the file when the user selects Keep", async () => {
    const { document } = await showFile("apply.ts", SOURCE);
    const reply = `Like this:\n\n\`\`\`ts\n${CHANGED}\`\`\`\n`;
    await useCode("apply-in-editor", reply, 0, (code) => proposals.propose(code));
    assert.equal(await textOf(await shown()), RESULT);
    assert.equal(plainText(document), SOURCE);
    assert.equal(document.isDirty, false);
    await proposals.keep(await shown());
    assert.equal(plainText(document), RESULT);
    assert.equal(shownProposal(), undefined);
    assert.equal(vscode.window.activeTextEditor?.document, document);
    await vscode.commands.executeCommand("undo");
    assert.equal(plainText(document), SOURCE);
    assert.deepEqual(answers.shown, []);
  });

  it("leaves the file unchanged when it is discarded or its diff is closed", async () => {
    const { document } = await showFile("apply.ts", SOURCE);
    await proposals.propose(CHANGED);
    await proposals.discard();
    assert.equal(shownProposal(), undefined);
    await proposals.propose(CHANGED);
    const uri = await shown();
    await vscode.commands.executeCommand("workbench.action.closeActiveEditor");
    await proposals.keep(uri);
    await proposals.keep();
    await proposals.discard();
    assert.equal(plainText(document), SOURCE);
    assert.equal(document.isDirty, false);
  });

  it("keeps line endings, and follows text typed above", async () => {
    const { document } = await showFile("apply-crlf.ts", SOURCE.replaceAll("\n", "\r\n"));
    await proposals.propose(CHANGED);
    const uri = await shown();
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), "// typed\n");
    await vscode.workspace.applyEdit(edit);
    await untilShows(uri, `// typed\n${RESULT}`);
    assert.ok(await proposals.keep(uri), answers.shown.at(-1)?.text);
    // VS Code refuses to save while it handles another change of the file.
    await poll(async () => !document.isDirty || (await document.save()), "the file to be saved");
    assert.equal(await readFile("apply-crlf.ts"), `// typed\n${RESULT}`.replaceAll("\n", "\r\n"));
  });

  it("does not overwrite lines that changed", async () => {
    const { document } = await showFile("apply-changed.ts", SOURCE);
    await proposals.propose(CHANGED);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(5, 2, 5, 8), "yield");
    await vscode.workspace.applyEdit(edit);
    const before = plainText(document);
    await proposals.keep(await shown());
    assert.equal(plainText(document), before);
    assert.match(answers.shown.at(-1)?.text ?? "", /has changed where the reply changes it/);
  });

  it("asks for the position when it is unclear", async () => {
    const { document } = await showFile("apply.ts", SOURCE);
    // VS Code restores the caret of a file that was open before, after the file is shown.
    const selection = new vscode.Range(3, 0, 3, 0);
    await vscode.window.showTextDocument(document, { selection });
    await proposals.propose("const brand = 'new';\n");
    assert.deepEqual(answers.offered.at(-1), ["Insert at the cursor", "Replace the whole file"]);
    assert.equal(shownProposal(), undefined);
    answers.pick("Insert at the cursor");
    await proposals.propose("const brand = 'new';\n");
    assert.equal(await textOf(await shown()), SOURCE.replace("\n\n", "\nconst brand = 'new';\n"));
    await proposals.discard();
    answers.pick("Replace the whole file");
    await vscode.window.showTextDocument(document, { selection });
    await proposals.propose("const brand = 'new';\n");
    assert.equal(await textOf(await shown()), "const brand = 'new';\n");
  });

  it(`is applied to the visible file it belongs to, not the active one ${ALL}`, async () => {
    const { document } = await showFile("apply.ts", SOURCE);
    const other = vscode.Uri.joinPath(workspaceUri("apply-other.ts"));
    await vscode.workspace.fs.writeFile(other, new TextEncoder().encode("nothing alike\n"));
    await vscode.window.showTextDocument(other, { viewColumn: vscode.ViewColumn.Beside });
    await proposals.propose(CHANGED);
    await proposals.keep(await shown());
    assert.equal(plainText(document), RESULT);
  });

  it("goes straight to the file that the reply names for the block", async () => {
    const named = workspaceUri("apply-named", "rates.ts");
    const bytes = new TextEncoder().encode("export const rate = 1;\nexport const base = 'EUR';\n");
    await vscode.workspace.fs.writeFile(named, bytes);
    await showFile("apply.ts", SOURCE);
    const code = "export const rate = 2;\nexport const base = 'EUR';\n";
    const propose = (text: string, markdown: string) => proposals.propose(text, markdown);
    const apply = (text: string) =>
      useCode("apply-in-editor", `${text}\n\n\`\`\`ts\n${code}\`\`\`\n`, 0, propose);
    await apply("**apply-named/rates.ts**");
    assert.equal(await textOf(await shown()), code);
    assert.deepEqual(answers.offered, []);
    await proposals.keep(await shown());
    assert.equal(plainText(await vscode.workspace.openTextDocument(named)), code);
    await apply("**apply-named/new.ts**");
    await proposals.keep();
    assert.equal(await readFile("apply-named/new.ts"), code.trimEnd() + "\n");
    assert.deepEqual(answers.offered, []);
  });

  it("asks where in the named file, if the block fits nowhere", async () => {
    const named = workspaceUri("apply-named", "other.ts");
    await vscode.workspace.fs.writeFile(named, new TextEncoder().encode("a();\nb();\nc();\n"));
    await showFile("apply.ts", SOURCE);
    const propose = (text: string, markdown: string) => proposals.propose(text, markdown);
    await useCode(
      "apply-in-editor",
      "In `apply-named/other.ts`:\n\n```ts\nd();\n```\n",
      0,
      propose,
    );
    assert.deepEqual(answers.offered.at(-1), ["Insert at the cursor", "Replace the whole file"]);
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), named.toString());
  });

  it("reports that the file already contains the code, and that no file is open", async () => {
    const { document } = await showFile("apply.ts", SOURCE);
    await proposals.propose(SOURCE);
    assert.match(answers.shown.at(-1)?.text ?? "", /already contains this code/);
    assert.equal(document.isDirty, false);
    await closeAll();
    await proposals.propose(CHANGED);
    assert.match(answers.shown.at(-1)?.text ?? "", /^No file is open/);
  });

  it("reports hidden characters before the diff is shown", async () => {
    await showFile("apply.ts", SOURCE);
    await proposals.propose(CHANGED.replace("two'", "t\u202ewo'"));
    assert.match(answers.shown.at(-1)?.text ?? "", /invisible characters/);
    assert.equal(shownProposal(), undefined);
    answers.choose("Remove and Use");
    await proposals.propose(CHANGED.replace("two'", "t\u202ewo'"));
    assert.equal(await textOf(await shown()), RESULT);
  });

  it("asks for confirmation before it writes a file that runs code automatically", async () => {
    const folder = workspaceUri(".husky");
    await vscode.workspace.fs.createDirectory(folder);
    const { document } = await showFile(".husky/pre-commit", "npm test\nnpm run lint\n");
    await proposals.propose("npm test\ncurl example.com\nnpm run lint\n");
    await proposals.keep(await shown());
    assert.match(answers.shown.at(-1)?.text ?? "", /can run code automatically/);
    assert.equal(plainText(document), "npm test\nnpm run lint\n");
    answers.choose("Keep Anyway");
    await proposals.keep(await shown());
    assert.equal(plainText(document), "npm test\ncurl example.com\nnpm run lint\n");
  });

  it("replaces the selection with its indentation, and inserts after it", async () => {
    const noProposal = () => Promise.reject(new Error("nothing is applied here"));
    const reply = "```js\nif (a) {\n  b();\n}\n```\n";
    const editor = await showFile("apply.ts", SOURCE);
    editor.selection = new vscode.Selection(1, 2, 1, 18);
    await useCode("replace-selection", reply, 0, noProposal);
    assert.match(
      plainText(editor.document),
      /^function one\(\) \{\n {2}if \(a\) \{\n {4}b\(\);\n {2}\}\n\}/,
    );
    await vscode.commands.executeCommand("undo");
    editor.selection = new vscode.Selection(1, 0, 2, 0);
    await useCode("replace-selection", reply, 0, noProposal);
    assert.match(
      plainText(editor.document),
      /^function one\(\) \{\n {2}if \(a\) \{\n {4}b\(\);\n {2}\}\n\}/,
    );
    await vscode.commands.executeCommand("undo");
    putCaret(editor, 1);
    await useCode("replace-selection", reply, 0, noProposal);
    assert.match(answers.shown.at(-1)?.text ?? "", /^No text is selected/);
    editor.selection = new vscode.Selection(0, 8, 0, 0);
    await useCode("insert-at-cursor", "```js\nx;\n```\n", 0, noProposal);
    assert.equal(plainText(editor.document), `x;\n${SOURCE}`);
  });

  it("asks before it inserts a diff as text, and can apply it instead", async () => {
    const code = "@@ -1,2 +1,2 @@\n-old();\n+fresh();\n";
    const proposed: string[] = [];
    const propose = (text: string) => Promise.resolve(void proposed.push(text));
    const reply = `\`\`\`js\n${code}\`\`\`\n`;
    const { document } = await showFile("partial.js", "old();\n");
    for (const action of ["insert-at-cursor", "replace-selection"] as const) {
      assert.equal(await useCode(action, reply, 0, propose), false);
      assert.match(answers.shown.at(-1)?.text ?? "", /Apply its changes instead of inserting it/);
    }
    assert.deepEqual([plainText(document), proposed], ["old();\n", []]);
    answers.choose("Apply");
    await useCode("insert-at-cursor", reply, 0, propose);
    assert.deepEqual([plainText(document), proposed], ["old();\n", [code]]);
    answers.choose("Insert Anyway");
    await useCode("insert-at-cursor", reply, 0, propose);
    assert.equal(plainText(document), `${code}old();\n`);
  });
});
