/** Tests edits in a long file, and with a language server that does not answer. */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import { COMMANDS } from "../../src/host/platform/contributions";
import { fenced, plainText, selectLines, showFile, untilLens, untilText } from "./editing";
import { edit, run, suiteWithProblems, suiteWithService } from "./editingSuite";
import { scriptService } from "./reference";
import { setAutoSave } from "./settings";
import { ALL } from "../support/depth";

describe("an inline edit in a file of 30,000 lines", () => {
  suiteWithService();
  before(() => setAutoSave("off"));
  after(() => setAutoSave(undefined));

  it(`adds an import at the top, is kept, and is one undo ${ALL}`, async () => {
    const functions = Array.from(
      { length: 10_000 },
      (_, at) => `function f${at}() {\n  return ${at};\n}`,
    );
    const text = `import { one } from "./one";\n\n${functions.join("\n")}\n`;
    const editor = await showFile("long.ts", text);
    selectLines(editor, 15_003, 15_005);
    const target = editor.document.getText(editor.selection).split("\n");
    const reply = ['import { two } from "./two";', "", ...target];
    reply[3] = "  return two();";
    await scriptService(fenced(reply));
    await edit();
    await untilLens(editor.document, "Keep");
    await run(COMMANDS.inlineKeep);
    const lines = plainText(editor.document).split("\n");
    assert.equal(lines[1], 'import { two } from "./two";');
    assert.equal(lines[15_004], "  return two();");
    assert.equal(lines.length, text.split("\n").length + 1);
    await vscode.window.showTextDocument(editor.document); // Undo acts on what has the focus.
    await run("undo");
    await untilText(editor.document, text);
  });
});

describe("an inline edit beside a language server that does not answer", () => {
  suiteWithService({ "context.definitions": true });
  const addProblem = suiteWithProblems();

  it("is sent without the outline and the definitions", async () => {
    const never = () => new Promise<undefined>(() => undefined);
    const providers = [
      vscode.languages.registerDefinitionProvider("*", { provideDefinition: never }),
      vscode.languages.registerTypeDefinitionProvider("*", { provideTypeDefinition: never }),
      vscode.languages.registerDocumentSymbolProvider("*", { provideDocumentSymbols: never }),
    ];
    try {
      const editor = await showFile("no-answer.ts", "one();\n");
      addProblem(editor.document.uri, 1, "one is not defined");
      selectLines(editor, 1, 1);
      await scriptService(fenced(["two();"]), fenced(["three();"]));
      await edit();
      assert.equal(plainText(editor.document), "two();\n");
      await run(COMMANDS.inlineDiscard);
      const range = editor.document.lineAt(0).range;
      await run(COMMANDS.editSelection, { range, isFix: true });
      assert.equal(plainText(editor.document), "three();\n");
    } finally {
      for (const provider of providers) provider.dispose();
    }
  });
});
