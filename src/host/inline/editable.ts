/** Checks if a document can be edited, as far as VS Code knows before a write. */
import * as vscode from "vscode";

/** Returns false for a document known to be read-only; VS Code may still refuse other writes. */
export async function isEditable({ uri, isUntitled }: vscode.TextDocument): Promise<boolean> {
  if (isUntitled) return true;
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) return false;
  // Documents of text document content providers have no file system.
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === undefined) {
    return uri.scheme === "vscode-notebook-cell" || uri.scheme.startsWith("vscode-");
  }
  try {
    const { permissions = 0 } = await vscode.workspace.fs.stat(uri);
    return (permissions & vscode.FilePermission.Readonly) === 0;
  } catch {
    // The file is not on disk, but the text can be edited.
    return true;
  }
}
