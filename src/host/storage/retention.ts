/** Retention period: asks before conversations are deleted by their age for the first time. */
import * as vscode from "vscode";
import { describeError, type Log } from "../../base/log";
import type { History } from "../../history/history";
import { SETTINGS_SECTION } from "../platform/contributions";
import { isFixed } from "../policy/policy";
import { readSettings } from "../settings/settings";

/** Shortest period that the user accepted, in days. */
const ACCEPTED_KEY = "coreChat.acceptedRetention";

/**
 * Returns the period of the settings once the user accepted it, in days; 0 keeps all conversations. A shorter
 * period is asked for again, as soon as it would delete something. A period of the organization is not
 * asked about. Never rejects.
 */
export async function acceptedRetention(
  history: Pick<History, "findUnchanged">,
  memory: vscode.Memento,
  log: Log,
): Promise<number> {
  const days = readSettings().settings["history.retentionDays"];
  if (isFixed("history.retentionDays")) return days;
  if (days === 0 || days >= memory.get(ACCEPTED_KEY, Infinity)) return days;
  try {
    const { length } = await history.findUnchanged(days);
    if (length === 0 || !(await accepts(length, days))) return 0;
    await memory.update(ACCEPTED_KEY, days);
    return days;
  } catch (error) {
    log.warn(`history: the retention period was not applied (${describeError(error)})`);
    return 0;
  }
}

async function accepts(count: number, days: number): Promise<boolean> {
  const remove = vscode.l10n.t("Delete Permanently");
  const change = vscode.l10n.t("Change Setting");
  const text = vscode.l10n.t(
    "From tomorrow on, conversations unchanged for {0} days are deleted for good, as you set. Now: {1}. Pinned ones stay.",
    days,
    count,
  );
  const chosen = await vscode.window.showWarningMessage(text, remove, change);
  if (chosen === change) {
    const setting = `${SETTINGS_SECTION}.history.retentionDays`;
    await vscode.commands.executeCommand("workbench.action.openSettings", `@id:${setting}`);
  }
  return chosen === remove;
}
