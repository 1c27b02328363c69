/**
 * Writes the text of an edit session into a VS Code document. Needs a visible editor, because only
 * `TextEditor.edit` controls undo stops.
 */
import * as vscode from "vscode";
import { CheckedSink } from "../../edit/checkedSink";
import type { TextSink, UndoStops, WriteResult } from "../../edit/textSink";
import type { TextChange } from "../../edit/trackedRange";
import {
  askToWrite,
  canTextMatter,
  isSameConcern,
  writeConcernOf,
  type WriteConcern,
} from "../access/writeAccess";

/** Sink of a document; a renamed file continues with another document. */
export class DocumentSink implements TextSink {
  /** Concern about the file that the user accepted before text of an answer was written. */
  accepted: WriteConcern | undefined;

  /** Sink for text of answers, which asks before the text makes the file a sensitive one. */
  readonly checked = new CheckedSink({
    sink: this,
    mayBecome: (text) => this.mayBecome(text),
  });

  constructor(public document: vscode.TextDocument) {}

  current(): ReturnType<TextSink["current"]> {
    return { text: this.document.getText(), version: this.document.version };
  }

  async replace(
    changes: readonly TextChange[],
    version: number,
    stops: UndoStops,
  ): Promise<WriteResult> {
    const { document } = this;
    if (document.isClosed) return "hidden";
    if (document.version !== version) return "moved";
    const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
    if (editor === undefined) return "hidden";
    const isDone = await written(editor, changes, stops);
    if (isDone) return "done";
    if (document.version !== version) return "moved";
    return vscode.window.visibleTextEditors.includes(editor) ? "refused" : "hidden";
  }

  /** Undoes the last step in the editor that has the focus. */
  async undo(): Promise<void> {
    await vscode.commands.executeCommand("undo");
  }

  async redo(): Promise<void> {
    await vscode.commands.executeCommand("redo");
  }

  private async mayBecome(text: string): Promise<boolean> {
    const { uri } = this.document;
    if (!canTextMatter(uri, text)) return true;
    const concern = await writeConcernOf(uri, { text });
    if (concern === undefined || isSameConcern(concern, this.accepted)) return true;
    if (!(await askToWrite(concern, vscode.l10n.t("Edit Anyway")))) return false;
    this.accepted = concern;
    return true;
  }
}

async function written(
  editor: vscode.TextEditor,
  changes: readonly TextChange[],
  { before, after }: UndoStops,
): Promise<boolean> {
  const { document } = editor;
  try {
    return await editor.edit(
      (edit) => {
        for (const { offset, length, text } of changes) {
          const start = document.positionAt(offset);
          edit.replace(new vscode.Range(start, document.positionAt(offset + length)), text);
        }
      },
      { undoStopBefore: before, undoStopAfter: after },
    );
  } catch {
    // The editor was closed during the write; the caller looks for another visible editor.
    return false;
  }
}
