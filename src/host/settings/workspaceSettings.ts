/**
 * Which settings of the person alone a workspace tries to set. VS Code leaves these out by their
 * scope, so the workspace's own files are read for what they say; it is named and stays ignored.
 */
import * as vscode from "vscode";
import { describeError, type Log } from "../../base/log";
import { PERSONAL_SETTINGS, personalSettingsIn } from "./personalSettings";

/** Larger files are nobody's settings, in bytes. */
const MAX_BYTES = 1024 * 1024;

/** Full names of the settings that the files of this workspace name, in a fixed order. */
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
