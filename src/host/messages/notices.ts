/** Builds notices from a severity, a sentence and a button. */
import { l10n } from "vscode";
import type { NoticeAction, NoticeView } from "../../protocol/views";

/** Returns the button for an action, in the display language. */
export function actionButton(id: NoticeAction): { id: NoticeAction; label: string } {
  return { id, label: actionLabel(id) };
}

function actionLabel(id: NoticeAction): string {
  switch (id) {
    case "set-api-key":
      return l10n.t("Set API Key");
    case "set-base-url":
      return l10n.t("Set Base URL");
    case "set-secret-header":
      return l10n.t("Set Secret Header");
    case "switch-profile":
      return l10n.t("Switch Service");
    case "manage-trust":
      return l10n.t("Manage Workspace Trust");
    case "open-settings":
      return l10n.t("Open Settings");
    case "set-model":
      return l10n.t("Set Model ID");
    case "try-again":
      return l10n.t("Try again");
    case "send-fewer":
      return l10n.t("Send fewer earlier messages");
    case "continue":
      return l10n.t("Continue");
    case "stop":
      return l10n.t("Stop");
    case "show-first-steps":
      return l10n.t("Show First Steps");
    case "swap-draft":
      return l10n.t("Swap drafts");
    case "show-system-prompt":
    case "show-unused-code":
      return l10n.t("Show");
    case "show-log":
      return l10n.t("Show Log");
    case "move-history":
      return l10n.t("Move History");
    case "save-conversation":
      return l10n.t("Save");
    case "add-project":
    case "add-changes":
      return l10n.t("Attach");
    default:
      return id satisfies never;
  }
}

/** Returns true for an action that sends the same question again. */
export function isRetry(id: NoticeAction): boolean {
  return id === "try-again" || id === "send-fewer";
}

/** Returns a notice for a failure. */
export function error(text: string, action?: NoticeAction): NoticeView {
  return { tone: "error", text, ...(action && { action: actionButton(action) }) };
}

/** Returns a notice for a problem that does not stop the user. */
export function warning(text: string, action?: NoticeAction): NoticeView {
  return { tone: "warning", text, ...(action && { action: actionButton(action) }) };
}

/** Returns a notice without a problem. */
export function info(text: string, action?: NoticeAction): NoticeView {
  return { tone: "info", text, ...(action && { action: actionButton(action) }) };
}

/** Returns the text of a notice together with its service message. */
export function plainNotice({ text, serviceMessage }: NoticeView): string {
  return serviceMessage === undefined
    ? text
    : l10n.t("{0} Service message: “{1}”", text, serviceMessage);
}
