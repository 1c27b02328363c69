import type * as vscode from "vscode";
import type { FileSystem } from "../../history/fileSystem";
import { nodeFileSystem } from "./nodeFileSystem";

/** Returns the file system of the journal in the extension's storage folder on this machine. */
export function storageAt(folder: vscode.Uri): FileSystem {
  return nodeFileSystem(folder.fsPath);
}
