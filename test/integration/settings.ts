/**
 * The user's own settings for a test, and back to what they were.
 */
import * as vscode from "vscode";

/** Sets `coreChat.*` user settings; a value of undefined takes one out. */
export async function setUserSettings(values: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const section = vscode.workspace.getConfiguration("coreChat");
    await section.update(name, value, vscode.ConfigurationTarget.Global);
  }
}

/** Takes all of these out of the user's settings. */
export async function clearUserSettings(...names: readonly string[]): Promise<void> {
  await setUserSettings(Object.fromEntries(names.map((name) => [name, undefined])));
}
