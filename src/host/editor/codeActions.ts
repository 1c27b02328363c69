/**
 * Core Chat in VS Code's light bulb: fixes where there are problems, explaining and editing where
 * something is selected.
 */
import * as vscode from "vscode";
import type { Disposable } from "../../base/disposables";
import { COMMANDS } from "../contributions";

const EXPLAIN = vscode.CodeActionKind.Refactor.append("coreChat.explain");
const EDIT = vscode.CodeActionKind.RefactorRewrite.append("coreChat.edit");

/** Offers the actions in every language. */
export function offerCodeActions(): Disposable {
  const provider: vscode.CodeActionProvider = { provideCodeActions: actionsFor };
  return vscode.languages.registerCodeActionsProvider({ pattern: "**" }, provider, {
    providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, EXPLAIN, EDIT],
  });
}

function actionsFor(
  _document: vscode.TextDocument,
  range: vscode.Range,
  { diagnostics, only }: vscode.CodeActionContext,
): vscode.CodeAction[] {
  const isWanted = (kind: vscode.CodeActionKind) => only?.contains(kind) ?? true;
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
  if (isWanted(EXPLAIN)) {
    add(vscode.l10n.t("Explain with Core Chat"), EXPLAIN, COMMANDS.explainSelection, range);
  }
  if (isWanted(EDIT)) {
    add(vscode.l10n.t("Edit with Core Chat…"), EDIT, COMMANDS.editSelection, range);
  }
  return actions;
}
