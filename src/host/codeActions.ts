/**
 * What can be done with one code block of a reply. The text is looked up here, from the stored
 * reply and the block's number; the page never sends any.
 */
import * as vscode from "vscode";
import type { CodeAction } from "../bridge/messages";
import { codeBlocks } from "../markup/codeBlocks";
import { guardedText } from "./editor/replyGuard";

/** Does `action` with block number `block` (0-based) of `markdown`; nothing if there is none. */
export async function useCode(action: CodeAction, markdown: string, block: number): Promise<void> {
  const code = codeBlocks(markdown)[block];
  if (code === undefined) return;
  switch (action) {
    case "copy": {
      const text = await guardedText(code.text, undefined);
      if (text !== undefined) await vscode.env.clipboard.writeText(text);
      return;
    }
    case "insert-at-cursor":
    case "replace-selection":
      await insertAtCursor(code.text);
      return;
    case "new-file":
      await openAsNewFile(code.text, code.language);
      return;
    default:
      action satisfies never;
  }
}

async function insertAtCursor(text: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    await vscode.window.showInformationMessage(
      vscode.l10n.t(
        "No file is open in an editor. Open one, put the cursor there and insert again.",
      ),
    );
    return;
  }
  const guarded = await guardedText(text, editor.document.uri);
  if (guarded === undefined) return;
  const isDone = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, guarded);
  });
  if (isDone) await vscode.window.showTextDocument(editor.document, editor.viewColumn);
  else {
    await vscode.window.showErrorMessage(
      vscode.l10n.t("The file could not be changed. It may be read-only; insert into another one."),
    );
  }
}

async function openAsNewFile(unguarded: string, label: string): Promise<void> {
  const text = await guardedText(unguarded, undefined);
  if (text === undefined) return;
  const known = await vscode.languages.getLanguages();
  const wanted = LANGUAGE_IDS[label.toLowerCase()] ?? label.toLowerCase();
  const language = known.includes(wanted) ? { language: wanted } : {};
  const document = await vscode.workspace.openTextDocument({ content: text, ...language });
  await vscode.window.showTextDocument(document);
}

/** Fence labels models use for VS Code's language ids, where the two differ. */
const LANGUAGE_IDS: Readonly<Record<string, string>> = {
  bash: "shellscript",
  sh: "shellscript",
  shell: "shellscript",
  zsh: "shellscript",
  "c#": "csharp",
  cs: "csharp",
  "c++": "cpp",
  js: "javascript",
  jsx: "javascriptreact",
  md: "markdown",
  py: "python",
  rb: "ruby",
  rs: "rust",
  ts: "typescript",
  tsx: "typescriptreact",
  yml: "yaml",
};
