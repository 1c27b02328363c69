/**
 * Opens the walkthrough. VS Code 1.106 reads the walkthroughs of extensions when the first one is wanted,
 * may wait five seconds for its own experiments then, and where it was never used before it shows one of
 * its own instead of one that is not read yet. So older ones are made to read them first.
 */
import * as vscode from "vscode";
import type { Clock } from "../../base/clock";

/** Of package.json, after the extension's id. */
const WALKTHROUGH = "core-chat.core-chat#firstSteps";

/** VS Code that opens a walkthrough as soon as it is read; seen in this one. */
const OPENS_BY_ITSELF = 139;

/** VS Code's own limit for reading them and half a second, in milliseconds. */
const READ_AFTER_MS = 5_500;

/** One for each window. */
export class FirstStepsPage {
  private wereRead = false;

  constructor(private readonly clock: Clock) {}

  /** Resolves when VS Code was asked for it. */
  async show(): Promise<void> {
    const minor = Number(vscode.version.split(".")[1]);
    if (!this.wereRead && minor < OPENS_BY_ITSELF) await readWalkthroughs(this.clock);
    this.wereRead = true;
    await vscode.commands.executeCommand("workbench.action.openWalkthrough", WALKTHROUGH, false);
  }
}

async function readWalkthroughs(clock: Clock): Promise<void> {
  // There is no such step: VS Code says so, after it has begun to read the walkthroughs.
  const asked = vscode.commands.executeCommand("welcome.markStepIncomplete", `${WALKTHROUGH}#none`);
  await asked.then(undefined, () => undefined);
  const location = vscode.ProgressLocation.Window;
  await vscode.window.withProgress(
    { location, title: "Core Chat" },
    () => new Promise<void>((resolve) => void clock.after(READ_AFTER_MS, resolve)),
  );
}
