/**
 * Core Chat in VS Code's light bulb: fixes where there are problems, explaining and editing where
 * something is selected. Read when VS Code first asks.
 */
import * as vscode from "vscode";
import { COMMANDS } from "../platform/contributions";

/** The actions at a place, of the kinds that are wanted. */
export function actionsFor(
  range: vscode.Range,
  diagnostics: readonly vscode.Diagnostic[],
  isWanted: (kind: vscode.CodeActionKind) => boolean,
  kinds: Readonly<Record<"explain" | "edit", vscode.CodeActionKind>>,
): vscode.CodeAction[] {
  const actions: vscode.CodeAction[] = [];
  const add = (
    title: string,
    kind: vscode.CodeActionKind,
    command: string,
    actionRange: vscode.Range,
  ) => {
    const action = new vscode.CodeAction(title, kind);
    action.command = { title, command, arguments: [{ range: actionRange }] };
    actions.push(action);
    return action;
  };
  const whole = diagnostics.reduce((all, one) => all.union(one.range), range);
  if (diagnostics.length > 0 && isWanted(vscode.CodeActionKind.QuickFix)) {
    const title = vscode.l10n.t("Fix with Core Chat");
    const fix = add(title, vscode.CodeActionKind.QuickFix, COMMANDS.fixSelection, whole);
    fix.diagnostics = [...diagnostics];
  }
  if (range.isEmpty) return actions;
  if (isWanted(kinds.explain)) {
    const title = vscode.l10n.t("Explain with Core Chat");
    add(title, kinds.explain, COMMANDS.explainSelection, range);
  }
  if (isWanted(kinds.edit)) {
    add(vscode.l10n.t("Edit with Core Chat…"), kinds.edit, COMMANDS.editSelection, range);
  }
  return actions;
}
