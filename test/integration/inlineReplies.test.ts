/**
 * Tests common forms of model replies in a real editor with both commands: if text surrounds the
 * code, the file receives the code alone, or nothing.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { COMMANDS, READING_SCHEME } from "../../src/host/platform/contributions";
import {
  lensTitles,
  plainText,
  poll,
  putCaret,
  selectLines,
  showFile,
  untilLens,
  untilText,
} from "./editing";
import { edit, run, suiteWithService } from "./editingSuite";
import { releaseGate, scriptService } from "./reference";

interface Reply {
  readonly name: string;
  readonly language: string;
  readonly document: string;
  readonly reply: string;
  readonly rewrite: readonly string[] | null;
  readonly generate: readonly string[] | null;
}

/** Returns the reading that a diff shows. */
function shownReading(): vscode.TextDocument | undefined {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const shown = tabs.flatMap(({ input }) =>
    input instanceof vscode.TabInputTextDiff ? input.modified : [],
  );
  const isShown = ({ uri }: vscode.TextDocument) =>
    uri.scheme === READING_SCHEME && shown.some((one) => one.toString() === uri.toString());
  return vscode.workspace.textDocuments.find(isShown);
}

async function untilReading(
  isWanted = (text: string) => text !== "",
): Promise<vscode.TextDocument> {
  await poll(
    () => Promise.resolve(isWanted(shownReading()?.getText() ?? "")),
    "the diff of a reading",
  );
  const reading = shownReading();
  assert.ok(reading);
  return reading;
}

describe("an inline edit with text around the code", () => {
  const answers = suiteWithService();
  const root = join(import.meta.dirname, "..", "..", "..");
  const { documents, replies } = JSON.parse(
    readFileSync(join(root, "test/fixtures/replies/replies.json"), "utf8"),
  ) as {
    documents: Record<string, { before: string[]; target: string[]; after: string[] }>;
    replies: Reply[];
  };

  it("writes only the code, with both commands; the unit tests have all replies", async () => {
    const isExample = ({ name, language }: Reply) =>
      name === "sentence with symbols before the fence" && language === "English";
    const one = replies.find(isExample);
    assert.ok(one);
    const around = documents[one.document];
    assert.ok(around);
    const { before, target, after } = around;
    const extension = one.document === "python" ? "py" : "ts";
    const text = (lines: readonly string[]) => [...before, ...lines, ...after, ""].join("\n");
    await scriptService({ text: one.reply }, { text: one.reply });
    const editor = await showFile(`reply-rewrite.${extension}`, text(target));
    selectLines(editor, before.length + 1, before.length + target.length);
    await edit("change it");
    assert.equal(plainText(editor.document), text(one.rewrite ?? target));
    await run(COMMANDS.inlineDiscard);
    assert.equal(plainText(editor.document), text(target));
    const other = await showFile(`reply-generate.${extension}`, text([""]));
    putCaret(other, before.length + 1);
    await run(COMMANDS.generateAtCursor, { instruction: "write it" });
    assert.equal(plainText(other.document), text(one.generate ?? [""]));
  });

  it("does not write text above a fence, not even for a moment", async () => {
    const editor = await showFile("reply-late.ts", "one();\ntwo();\n");
    selectLines(editor, 1, 2);
    await scriptService({
      blocks: [
        "example(1);\nexample(2);\n",
        { gate: true },
        "Use it like this:\n```ts\nONE();\n",
        { gate: true },
        "```\n",
      ],
    });
    const done = edit();
    await releaseGate();
    await untilText(editor.document, "ONE();\ntwo();\n");
    await releaseGate();
    await done;
    assert.equal(plainText(editor.document), "ONE();\n");
    await untilLens(editor.document, "Open Reply");
  });

  const UNCLEAR = "Either of these:\n```python\ntwo = 2\n```\n```css\np { }\n```\n";

  it("shows both readings of an unclear reply as diffs and writes the chosen one", async () => {
    const editor = await showFile("reply-readings.ts", "one();\nlast();\n");
    selectLines(editor, 1, 1);
    await scriptService({ text: UNCLEAR });
    await edit();
    const first = await untilReading();
    assert.equal(first.getText(), "two = 2\nlast();\n");
    // VS Code shows the actions in the title only of the group with the focus.
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    assert.ok(activeTab?.input instanceof vscode.TabInputTextDiff);
    assert.equal(activeTab.input.modified.toString(), first.uri.toString());
    assert.equal(plainText(editor.document), "one();\nlast();\n");
    await run(COMMANDS.readingShowOther, first.uri);
    const second = await untilReading((text) => text.startsWith("p"));
    assert.equal(second.getText(), "p { }\nlast();\n");
    await run(COMMANDS.readingShowOther, second.uri);
    await untilReading((text) => text.startsWith("two"));
    await run(COMMANDS.readingShowOther, first.uri);
    await untilReading((text) => text.startsWith("p"));
    await run(COMMANDS.readingInsert, second.uri);
    await untilText(editor.document, "p { }\nlast();\n");
    assert.equal(shownReading(), undefined);
    await run(COMMANDS.readingInsert, second.uri);
    await run("undo");
    assert.equal(plainText(editor.document), "one();\nlast();\n");
  });

  /** Asks for an edit whose reply is withdrawn; `meanwhile` runs when the file has a part of the reply. */
  async function withdrawn(
    name: string,
    meanwhile: (document: vscode.TextDocument) => PromiseLike<unknown>,
  ): Promise<vscode.TextDocument> {
    const editor = await showFile(name, "one();\ntwo();\n");
    const { document } = editor;
    selectLines(editor, 1, 2);
    const blocks = ["```ts\nONE();\n", { gate: true as const }, "TWO();\n```\n"];
    await scriptService({ blocks, finishReason: "content_filter" });
    const done = edit();
    await untilText(document, "ONE();\ntwo();\n");
    await meanwhile(document);
    await releaseGate();
    await done;
    assert.equal(plainText(document), "one();\ntwo();\n");
    return document;
  }

  it("leaves a file unchanged that held a part of a reply that is withdrawn", async () => {
    const document = await withdrawn("reply-clean.ts", () => Promise.resolve());
    assert.equal(document.isDirty, false);
  });

  it("gives back the text of a file that was saved with a part of a reply that is withdrawn", async () => {
    const document = await withdrawn("reply-saved.ts", (saved) => saved.save());
    assert.equal(document.isDirty, true); // The disk has the part of the reply.
  });

  it("writes no reading into lines that changed since", async () => {
    const editor = await showFile("reply-stale.ts", "one();\n");
    selectLines(editor, 1, 1);
    await scriptService({ text: UNCLEAR });
    await edit();
    const reading = await untilReading();
    await vscode.window.showTextDocument(editor.document);
    await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), "changed"));
    await run(COMMANDS.readingInsert, reading.uri);
    assert.match(answers.shown.at(-1)?.text ?? "", /The file has changed since/);
    assert.match(plainText(editor.document), /changed/);
    assert.doesNotMatch(plainText(editor.document), /two/);
  });

  it("lists the removed characters after the actions", async () => {
    const editor = await showFile("reply-blocks.ts", "one();\n");
    selectLines(editor, 1, 1);
    await scriptService({ text: "```ts\ntwo();\n```\nOr:\n```ts\nthree();\n```\n" });
    await edit();
    await untilLens(editor.document, "Keep");
    const titles = await lensTitles(editor.document);
    assert.equal(titles[0], "Keep");
    assert.match(titles.at(-1) ?? "", /Only part of the code in the reply was used/);
    assert.equal(plainText(editor.document), "two();\n");
  });
});
