/** Sets and clears user settings of Core Chat for a test. */
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";

/**
 * Sets `coreChat.*` user settings; a value of undefined removes the setting. Skips those with this
 * value, because VS Code takes a tenth of a second for each.
 */
export async function setUserSettings(values: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const section = vscode.workspace.getConfiguration("coreChat");
    if (isDeepStrictEqual(section.inspect(name)?.globalValue, value)) continue;
    await section.update(name, value, vscode.ConfigurationTarget.Global);
  }
}

/** Removes these user settings. */
export async function clearUserSettings(...names: readonly string[]): Promise<void> {
  await setUserSettings(Object.fromEntries(names.map((name) => [name, undefined])));
}

/** Sets VS Code's auto save; undefined removes the setting. Saving ends an undo step. */
export async function setAutoSave(autoSave: string | undefined): Promise<void> {
  const files = vscode.workspace.getConfiguration("files");
  await files.update("autoSave", autoSave, vscode.ConfigurationTarget.Global);
}
