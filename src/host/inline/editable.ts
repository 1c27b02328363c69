/**
 * Whether a document can be written to, as far as VS Code tells before one tries.
 */
import * as vscode from "vscode";

/** False for what is known to be read-only; a try may still be refused. */
export async function isEditable({ uri, isUntitled }: vscode.TextDocument): Promise<boolean> {
  if (isUntitled) return true;
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) return false;
  // Documents that an extension only provides the text of have no file system at all.
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === undefined) {
    return uri.scheme === "vscode-notebook-cell" || uri.scheme.startsWith("vscode-");
  }
  try {
    const { permissions = 0 } = await vscode.workspace.fs.stat(uri);
    return (permissions & vscode.FilePermission.Readonly) === 0;
  } catch {
    // Not on the disk (any more); its text can still be edited.
    return true;
  }
}
