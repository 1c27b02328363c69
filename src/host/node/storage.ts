/**
 * Where the journal lies: a folder of this machine's disk.
 */
import type * as vscode from "vscode";
import type { FileSystem } from "../../history/fileSystem";
import { nodeFileSystem } from "./nodeFileSystem";

/** The journal's disk below VS Code's folder for us. */
export function storageAt(folder: vscode.Uri): FileSystem {
  return nodeFileSystem(folder.fsPath);
}
