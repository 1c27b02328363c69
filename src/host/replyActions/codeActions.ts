/**
 * Actions on a code block of a reply. Reads the text from the stored reply by the block's number;
 * the page never sends text.
 */
import * as vscode from "vscode";
import type { CodeAction } from "../../protocol/actions";
import { insertionOf } from "../../replyCode/insertedText";
import { languageOfName } from "../../replyCode/labels";
import { indentOf } from "../../replyCode/lines";
import { isPatch } from "../../replyCode/patch";
import { codeBlocks } from "../../markdown/codeBlocks";
import { newPlaceholder } from "../../replyCode/placeholders";
import { indentIn } from "../inline/editTarget";
import { openText } from "../platform/files";
import { sourceOf } from "../platform/sourceText";
import { confirmedText } from "../access/confirmInsert";

const { t } = vscode.l10n;

/** Shows a diff of a file with a code block of a reply applied. */
export type ProposeCode = (text: string, markdown: string) => Promise<void>;

/**
 * Runs `action` on block number `block` (0-based) of `markdown`.
 * @returns false if the block does not exist or the user cancels
 */
export async function useCode(
  action: Exclude<CodeAction, "preview">,
  markdown: string,
  block: number,
  propose: ProposeCode,
): Promise<boolean> {
  const code = codeBlocks(markdown)[block];
  if (code === undefined) return false;
  switch (action) {
    case "copy": {
      const text = await confirmedText(code.text);
      if (text === undefined) return false;
      await vscode.env.clipboard.writeText(text);
      return true;
    }
    case "insert-at-cursor":
    case "replace-selection": {
      const choice = await askAboutPart(code.text);
      if (choice === "apply") await propose(code.text, markdown);
      else if (choice === "insert") await writeInto(action === "replace-selection", code.text);
      return choice !== undefined;
    }
    case "apply-in-editor":
      await propose(code.text, markdown);
      return true;
    case "new-file":
      await openAsNewFile(code.text, code.language);
      return true;
    default:
      return action satisfies never;
  }
}

/**
 * Copies a whole message; asks first if a code block contains hidden characters.
 * @returns false if the user cancels
 */
export async function copyMessage(markdown: string): Promise<boolean> {
  const hasCode = codeBlocks(markdown).length > 0;
  const text = hasCode ? await confirmedText(markdown) : markdown;
  if (text === undefined) return false;
  await vscode.env.clipboard.writeText(text);
  return true;
}

/**
 * Asks before a diff, or code with a placeholder for left-out code, is inserted as text; asks nothing
 * for other code.
 * @returns undefined if the user cancels
 */
async function askAboutPart(text: string): Promise<"insert" | "apply" | undefined> {
  const document = vscode.window.activeTextEditor?.document;
  const lines = text.split("\n");
  const placeholder = newPlaceholder(lines, document && sourceOf(document).lines);
  const isDiff = isPatch(lines) && document?.languageId !== "diff";
  if (document === undefined || !(isDiff || placeholder !== undefined)) return "insert";
  const apply = t("Apply");
  const insert = t("Insert Anyway");
  const chosen = await vscode.window.showWarningMessage(
    isDiff
      ? t("This code block is a diff. Apply its changes instead of inserting it?")
      : t(
          "This code block omits code: {0}. Apply its changes instead of inserting it?",
          placeholder?.trim() ?? "",
        ),
    { modal: true },
    apply,
    insert,
  );
  if (chosen === apply) return "apply";
  return chosen === insert ? "insert" : undefined;
}

async function writeInto(isReplacing: boolean, code: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const isWritten = (range: vscode.Selection) => !isReplacing || !range.isEmpty;
  if (editor === undefined || !editor.selections.some(isWritten)) {
    void vscode.window.showInformationMessage(
      isReplacing
        ? t("No text is selected in an editor. Select the code to replace, then try again.")
        : t("No file is open in an editor. Open a file, place the cursor in it and insert again."),
    );
    return;
  }
  const confirmed = await confirmedText(code, editor.document);
  if (confirmed === undefined) return;
  const change = (edit: vscode.TextEditorEdit) => {
    for (const selection of editor.selections.filter(isWritten)) {
      const { active } = selection;
      const range = isReplacing ? selection : new vscode.Range(active, active);
      replaceRange(editor, edit, range, confirmed);
    }
  };
  // The promise rejects if the editor was closed while a question was open.
  const isDone = await Promise.resolve(editor.edit(change)).catch(() => false);
  if (isDone) await vscode.window.showTextDocument(editor.document, editor.viewColumn);
  else {
    void vscode.window.showErrorMessage(
      t("The file could not be changed and may be read-only. Insert into another file."),
    );
  }
}

function replaceRange(
  editor: vscode.TextEditor,
  edit: vscode.TextEditorEdit,
  { start, end }: vscode.Range,
  code: string,
): void {
  const { document } = editor;
  const line = document.lineAt(start.line);
  const isWholeLines = end.character === 0 && end.line > start.line;
  const { text, isFromLineStart } = insertionOf(code, {
    before: line.text.slice(0, start.character),
    after: isWholeLines ? undefined : document.lineAt(end.line).text.slice(end.character),
    isReplacing: !start.isEqual(end),
    lineIndent: indentOf([line.text]),
    style: indentIn(editor),
  });
  edit.replace(new vscode.Range(isFromLineStart ? line.range.start : start, end), text);
}

async function openAsNewFile(code: string, label: string): Promise<void> {
  const text = await confirmedText(code);
  if (text === undefined) return;
  const languages = await vscode.languages.getLanguages();
  const languageId = languageOfName(label) || label.toLowerCase();
  await openText(text, languages.includes(languageId) ? languageId : undefined);
}
