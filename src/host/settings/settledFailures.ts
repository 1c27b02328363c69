/**
 * Failed replies whose cause the user has since removed: after a key or a setting was changed, their
 * notice offers "Try again" instead. Kept for this window only.
 */
import { l10n } from "vscode";
import type { NoticeAction, NoticeView } from "../../protocol/views";
import type { Reply } from "../../conversation/message";
import { failureNotice } from "../messages/failureMessages";
import { info } from "../messages/notices";

export type SettingUp = Extract<
  NoticeAction,
  "set-api-key" | "set-base-url" | "set-model" | "open-settings"
>;

export class SettledFailures {
  /** Time of the last change, by action and profile. */
  private readonly setAtMs = new Map<string, number>();

  /** @param profile name of the changed profile; empty for the default service */
  noteSet(action: SettingUp, profile: string, atMs: number): void {
    this.setAtMs.set(`${action} ${profile}`, atMs);
  }

  /** Returns the notice for a reply that failed before its cause was removed, else undefined. */
  noticeFor({ ending, text, endedAtMs = 0 }: Reply, profile: string): NoticeView | undefined {
    if (ending?.kind !== "failed") return undefined;
    const action = failureNotice(ending.failure, text !== "").action?.id;
    const atMs = this.setAtMs.get(`${action} ${profile}`);
    if (atMs === undefined || atMs < endedAtMs) return undefined;
    return info(savedSentence(action, profile), text === "" ? "try-again" : "continue");
  }
}

function savedSentence(action: NoticeAction | undefined, profile: string): string {
  if (action === "set-api-key") return l10n.t("API key saved.");
  // The base URL of a profile is part of a larger setting.
  if (action === "set-base-url" && profile === "") return l10n.t("Address saved.");
  return l10n.t("Settings saved.");
}
