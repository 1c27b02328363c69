/**
 * Asks before a file or folder outside the workspace is read, with the path that it really has.
 */
import * as vscode from "vscode";
import { realPath } from "../node/realPath";

/** True inside the workspace, by the real path too; else the person is asked with that path. */
export async function mayRead(uri: vscode.Uri): Promise<boolean> {
  let real = uri.toString(true);
  let places = [uri];
  if (uri.scheme === "file") {
    real = await realPath(uri.fsPath).catch(() => uri.fsPath);
    places = [uri, vscode.Uri.file(real)];
  }
  if (places.every(isInWorkspace)) return true;
  const add = vscode.l10n.t("Add It");
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t("{0} is outside the workspace. Add it all the same?", real),
    { modal: true },
    add,
  );
  return chosen === add;
}

function isInWorkspace(uri: vscode.Uri): boolean {
  return vscode.workspace.getWorkspaceFolder(uri) !== undefined;
}
