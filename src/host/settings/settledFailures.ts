/**
 * Failed replies whose cause the user has since removed: after a key or a base URL was set, their
 * notice offers "Try again" instead. Kept for this window only.
 */
import { l10n } from "vscode";
import type { NoticeAction, NoticeView } from "../../protocol/views";
import type { Reply } from "../../conversation/message";
import { failureNotice } from "../messages/failureMessages";
import { info } from "../messages/notices";

/** Setting that can make a failed request work. */
export type SettingUp = Extract<NoticeAction, "set-api-key" | "set-base-url">;

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
    const saved = action === "set-api-key" ? l10n.t("API key saved.") : l10n.t("Base URL saved.");
    return info(saved, text === "" ? "try-again" : "continue");
  }
}
