/**
 * Opens the walkthrough. VS Code 1.106 reads the walkthroughs of extensions with the first use, and
 * may wait five seconds for its experiments. On first use VS Code shows its own walkthrough instead
 * of an unread walkthrough. Older versions are therefore made to read all walkthroughs first.
 */
import * as vscode from "vscode";
import { systemClock } from "../../base/clock";

/** Id of the walkthrough in package.json, after the id of the extension. */
const WALKTHROUGH = "core-chat.core-chat#firstSteps";

/** Minor version of the first VS Code that was seen to open a walkthrough once it is read. */
const OPENS_WHEN_READ = 139;

/** VS Code's limit for reading walkthroughs plus half a second, in milliseconds. */
const READ_AFTER_MS = 5_500;

/** True once VS Code was made to read all walkthroughs. */
let wereRead = false;

/** Opens the walkthrough. Resolves after the call of VS Code's command. */
export async function openWalkthrough(): Promise<void> {
  const minor = Number(vscode.version.split(".")[1]);
  if (!wereRead && minor < OPENS_WHEN_READ) await readWalkthroughs();
  wereRead = true;
  await vscode.commands.executeCommand("workbench.action.openWalkthrough", WALKTHROUGH, false);
}

async function readWalkthroughs(): Promise<void> {
  // This step does not exist. VS Code rejects the call after it started to read the walkthroughs.
  const asked = vscode.commands.executeCommand("welcome.markStepIncomplete", `${WALKTHROUGH}#none`);
  await asked.then(undefined, () => undefined);
  const location = vscode.ProgressLocation.Window;
  await vscode.window.withProgress(
    { location, title: "Core Chat" },
    () => new Promise<void>((resolve) => void systemClock.after(READ_AFTER_MS, resolve)),
  );
}
