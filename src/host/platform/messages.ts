/** Messages of VS Code without buttons. */
import * as vscode from "vscode";

export function showInformation(text: string): void {
  void vscode.window.showInformationMessage(text);
}

export function showWarning(text: string): void {
  void vscode.window.showWarningMessage(text);
}

export function showError(text: string): void {
  void vscode.window.showErrorMessage(text);
}

/** Returns the active editor; undefined after a message if there is none. */
export function activeEditor(): vscode.TextEditor | undefined {
  const { activeTextEditor } = vscode.window;
  if (activeTextEditor === undefined) {
    showInformation(
      vscode.l10n.t("No file is open in an editor. Open a file and place the cursor in it."),
    );
  }
  return activeTextEditor;
}
