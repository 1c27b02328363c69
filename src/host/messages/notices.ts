import { l10n } from "vscode";
import type { NoticeAction, NoticeView } from "../../protocol/views";

/** Returns the button for an action, in the display language. */
export function actionButton(id: NoticeAction): { id: NoticeAction; label: string } {
  return { id, label: actionLabel(id) };
}

function actionLabel(id: NoticeAction): string {
  const labels: Readonly<Record<NoticeAction, string>> = {
    "set-api-key": l10n.t("Set API Key"),
    "set-base-url": l10n.t("Set Address"),
    "set-secret-header": l10n.t("Set Secret Header"),
    "switch-profile": l10n.t("Switch Service"),
    "manage-trust": l10n.t("Manage Workspace Trust"),
    "open-settings": l10n.t("Open Settings"),
    "set-model": l10n.t("Set Model ID"),
    "try-again": l10n.t("Try again"),
    "send-fewer": l10n.t("Send fewer earlier messages"),
    continue: l10n.t("Continue"),
    stop: l10n.t("Stop"),
    "show-first-steps": l10n.t("Show First Steps"),
    "test-connection": l10n.t("Test the model"),
    "swap-draft": l10n.t("Swap drafts"),
    "show-system-prompt": l10n.t("Show"),
    "show-unused-code": l10n.t("Show"),
    "show-log": l10n.t("Show Log"),
    "move-history": l10n.t("Move History"),
    "save-conversation": l10n.t("Save"),
  };
  return labels[id];
}

/** Returns true for an action that sends the same question again. */
export function isRetry(id: NoticeAction): boolean {
  return id === "try-again" || id === "send-fewer";
}

function noticeOf(tone: NoticeView["tone"]) {
  return (text: string, action?: NoticeAction): NoticeView => {
    return { tone, text, ...(action && { action: actionButton(action) }) };
  };
}

export const error = noticeOf("error");

/** Returns a notice for a problem that does not stop the user. */
export const warning = noticeOf("warning");

/** Returns a notice without a problem. */
export const info = noticeOf("info");

export function plainNotice({ text, serviceMessage }: NoticeView): string {
  return serviceMessage === undefined
    ? text
    : l10n.t("{0} Service message: “{1}”", text, serviceMessage);
}
