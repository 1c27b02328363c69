import type * as vscode from "vscode";
import type { FileSystem } from "../../history/fileSystem";
import { nodeFileSystem } from "./nodeFileSystem";

/** Returns the file system of the journal in a folder of this machine; undefined for other schemes. */
export function storageAt(folder: vscode.Uri): FileSystem | undefined {
  return folder.scheme === "file" ? nodeFileSystem(folder.fsPath) : undefined;
}
