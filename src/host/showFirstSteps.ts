/**
 * Opens the walkthrough, until it is really there: a VS Code that was never used before reads the
 * walkthroughs of extensions only when the first one is opened, for up to five seconds (1.106), and shows
 * its own meanwhile and ever after.
 */
import * as vscode from "vscode";
import type { Clock } from "../base/clock";

/** Of package.json, after the extension's id. */
const WALKTHROUGH = "core-chat.core-chat#firstSteps";

const LOOK_EVERY_MS = 500;
const LOOKS = 14;

/** Resolves when it is shown, or the person went on to something else. */
export async function showFirstSteps(
  clock: Clock,
  { packageJSON }: vscode.Extension<unknown>,
): Promise<void> {
  const { contributes } = packageJSON as {
    contributes: { walkthroughs: readonly { title: string }[] };
  };
  const title = contributes.walkthroughs[0]?.title ?? "";
  let wasOpen = false;
  for (let looks = 0; looks < LOOKS; looks += 1) {
    // Harmless where it is shown already.
    await vscode.commands.executeCommand("workbench.action.openWalkthrough", WALKTHROUGH, false);
    await new Promise<void>((resolve) => void clock.after(LOOK_EVERY_MS, resolve));
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    // A walkthrough's page is of no kind that extensions know; its label ends with the title.
    const isOpen = activeTab !== undefined && activeTab.input === undefined;
    if (isOpen ? activeTab.label.includes(title) : wasOpen) return;
    wasOpen ||= isOpen;
  }
}
