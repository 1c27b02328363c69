/**
 * Finds user-only settings that a workspace tries to set. VS Code ignores them by scope, so the
 * workspace's files are read directly, and the user is warned.
 */
import * as vscode from "vscode";
import { describeError, type Log } from "../../base/log";
import { PERSONAL_SETTINGS, personalSettingsIn } from "./personalSettings";

/** Largest settings file that is read, in bytes. */
const MAX_BYTES = 1024 * 1024;

/** Returns the full names of such settings in the files of this workspace, in a fixed order. */
export async function settingsOfWorkspace(log: Log): Promise<string[]> {
  const { workspaceFolders = [], workspaceFile } = vscode.workspace;
  const files = workspaceFolders.map(({ uri }) =>
    vscode.Uri.joinPath(uri, ".vscode/settings.json"),
  );
  if (workspaceFile && workspaceFile.scheme !== "untitled") files.push(workspaceFile);
  const found = new Set<string>();
  for (const file of files) {
    try {
      const { size } = await vscode.workspace.fs.stat(file);
      if (size > MAX_BYTES) continue;
      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
      for (const name of personalSettingsIn(text)) found.add(name);
    } catch (error) {
      if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") continue;
      log.info(`settings: a workspace's file could not be read (${describeError(error)})`);
    }
  }
  return PERSONAL_SETTINGS.filter((name) => found.has(name));
}
