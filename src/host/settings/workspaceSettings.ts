/**
 * Finds user-only settings that a workspace tries to set. VS Code ignores them by scope, so the
 * workspace's files are read directly, and the user is warned.
 */
import { parse } from "jsonc-parser";
import * as vscode from "vscode";
import { describeError, type Log } from "../../base/log";
import { SETTINGS_SECTION, type SettingName } from "../platform/contributions";

/** User-only settings: they decide where questions, keys and headers are sent. */
const NAMES: readonly SettingName[] = ["baseUrl", "profiles"];

/** Largest settings file that is read, in bytes. */
const MAX_BYTES = 1024 * 1024;

/** Returns the full names of such settings in the files of this workspace, in a fixed order. */
export async function settingsOfWorkspace(log: Log): Promise<string[]> {
  const { workspaceFolders = [], workspaceFile } = vscode.workspace;
  const files = workspaceFolders.map(({ uri }) =>
    vscode.Uri.joinPath(uri, ".vscode/settings.json"),
  );
  if (workspaceFile && workspaceFile.scheme !== "untitled") files.push(workspaceFile);
  const names = new Set<string>();
  for (const file of files) {
    try {
      const { size } = await vscode.workspace.fs.stat(file);
      if (size > MAX_BYTES) continue;
      // eslint-disable-next-line no-restricted-syntax -- only names of settings are used
      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
      for (const name of personalSettingsIn(text)) names.add(name);
    } catch (error) {
      if (error instanceof vscode.FileSystemError && error.code === "FileNotFound") continue;
      log.info(`settings: a workspace's file could not be read (${describeError(error)})`);
    }
  }
  return NAMES.map(fullName).filter((name) => names.has(name));
}

/** Returns the full names of user-only settings in the text of a settings or workspace file. */
export function personalSettingsIn(text: string): string[] {
  const file: unknown = parse(text, undefined, { allowTrailingComma: true });
  const sections = [file, memberOf(file, "settings")];
  return NAMES.filter((name) =>
    sections.some(
      (section) =>
        memberOf(section, fullName(name)) !== undefined ||
        memberOf(memberOf(section, SETTINGS_SECTION), name) !== undefined,
    ),
  ).map(fullName);
}

function fullName(name: SettingName): string {
  return `${SETTINGS_SECTION}.${name}`;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
