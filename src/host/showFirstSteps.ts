/**
 * Opens the walkthrough. A VS Code that was never used before reads the walkthroughs of extensions only
 * when the first one is opened, may wait five seconds for its own experiments then (1.106), and shows a
 * walkthrough of its own meanwhile and ever after: so it is asked once more when it must have read them.
 */
import * as vscode from "vscode";
import type { Clock } from "../base/clock";

/** Of package.json, after the extension's id. */
const WALKTHROUGH = "core-chat.core-chat#firstSteps";

/** Time until VS Code has read all walkthroughs, in milliseconds: its own limit and a second. */
const READ_AFTER_MS = 6_000;

let wereRead = false;

/** Resolves when it is shown, or was asked for again where another one came instead. */
export async function showFirstSteps(
  clock: Clock,
  noting: (open: () => PromiseLike<unknown>) => Promise<void>,
): Promise<void> {
  const open = () =>
    vscode.commands.executeCommand("workbench.action.openWalkthrough", WALKTHROUGH, false);
  await noting(open);
  if (wereRead) return;
  await new Promise<void>((resolve) => void clock.after(READ_AFTER_MS, resolve));
  wereRead = true;
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  // The page is of no kind that extensions know. "Walkthrough: TITLE" is one that VS Code chose itself,
  // one that was asked for is called "Welcome".
  if (activeTab === undefined || activeTab.input !== undefined) return;
  if (/[:：]/u.test(activeTab.label)) await noting(open);
}
