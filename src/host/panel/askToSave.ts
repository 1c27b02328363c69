/** Asks what to do with a conversation in memory only that the user closes. */
import * as vscode from "vscode";

export async function askToSave(): Promise<"save" | "discard" | "cancel"> {
  const save = vscode.l10n.t("Save");
  const discard = vscode.l10n.t("Don't Save");
  const detail = vscode.l10n.t("It is in memory only and is lost if you don't save it.");
  const chosen = await vscode.window.showWarningMessage(
    vscode.l10n.t("Do you want to save this conversation?"),
    { modal: true, detail },
    save,
    discard,
  );
  if (chosen === undefined) return "cancel";
  return chosen === save ? "save" : "discard";
}
