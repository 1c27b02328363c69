/**
 * Writes the text of an edit session into a VS Code document. Needs a visible editor, because only
 * `TextEditor.edit` controls undo stops.
 */
import * as vscode from "vscode";
import type { TextSink, UndoStops, WriteResult } from "../../inline/textSink";
import type { TextChange } from "../../inline/trackedRange";

/** Sink of a document; a renamed file continues with another document. */
export class DocumentSink implements TextSink {
  constructor(public document: vscode.TextDocument) {}

  async replace(change: TextChange, version: number, stops: UndoStops): Promise<WriteResult> {
    const { document } = this;
    if (document.isClosed) return "hidden";
    if (document.version !== version) return "moved";
    const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
    if (editor === undefined) return "hidden";
    const range = new vscode.Range(
      document.positionAt(change.offset),
      document.positionAt(change.offset + change.length),
    );
    const isDone = await written(editor, range, change.text, stops);
    if (isDone) return "done";
    if (document.version !== version) return "moved";
    return vscode.window.visibleTextEditors.includes(editor) ? "refused" : "hidden";
  }
}

async function written(
  editor: vscode.TextEditor,
  range: vscode.Range,
  text: string,
  stops: UndoStops,
): Promise<boolean> {
  try {
    return await editor.edit((edit) => edit.replace(range, text), {
      undoStopBefore: stops.before,
      undoStopAfter: stops.after,
    });
  } catch {
    // The editor was closed during the write; the caller looks for another visible editor.
    return false;
  }
}
