/**
 * Actions in VS Code's light bulb: fixes for problems, and explaining and editing for a selection.
 * Loaded with VS Code's first request.
 */
import * as vscode from "vscode";
import { COMMANDS } from "../platform/contributions";

/** Returns the actions for a range, limited to the requested kinds. */
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
    argument: { readonly range: vscode.Range; readonly isFix?: boolean },
  ) => {
    const action = new vscode.CodeAction(title, kind);
    action.command = { title, command, arguments: [argument] };
    actions.push(action);
    return action;
  };
  const whole = diagnostics.reduce((all, one) => all.union(one.range), range);
  if (diagnostics.length > 0 && isWanted(vscode.CodeActionKind.QuickFix)) {
    const title = vscode.l10n.t("Fix with Core Chat");
    const fix = add(title, vscode.CodeActionKind.QuickFix, COMMANDS.editSelection, {
      range: whole,
      isFix: true,
    });
    fix.diagnostics = [...diagnostics];
  }
  if (range.isEmpty) return actions;
  if (isWanted(kinds.explain)) {
    const title = vscode.l10n.t("Explain with Core Chat");
    add(title, kinds.explain, COMMANDS.explainSelection, { range });
  }
  if (isWanted(kinds.edit)) {
    add(vscode.l10n.t("Edit with Core Chat…"), kinds.edit, COMMANDS.editSelection, { range });
  }
  return actions;
}
