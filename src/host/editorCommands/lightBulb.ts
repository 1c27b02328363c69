/** Actions in VS Code's light bulb: fixes for problems, and explaining and editing for a selection. */
import * as vscode from "vscode";
import { COMMANDS, MARK_SOURCE } from "../platform/contributions";

const { QuickFix, Refactor, RefactorRewrite } = vscode.CodeActionKind;
const EXPLAIN = Refactor.append("coreChat.explain");
const EDIT = RefactorRewrite.append("coreChat.edit");

export function registerLightBulb(): vscode.Disposable {
  return vscode.languages.registerCodeActionsProvider(
    { pattern: "**" },
    {
      provideCodeActions: (_document, range, { diagnostics, only }) =>
        actionsFor(range, diagnostics).filter(({ kind }) => !only || (kind && only.contains(kind))),
    },
    { providedCodeActionKinds: [QuickFix, EXPLAIN, EDIT] },
  );
}

function actionsFor(
  range: vscode.Range,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  const actions: vscode.CodeAction[] = [];
  const add = (title: string, kind: vscode.CodeActionKind, command: string, argument: object) => {
    const action = new vscode.CodeAction(title, kind);
    action.command = { title, command, arguments: [argument] };
    actions.push(action);
    return action;
  };
  if (diagnostics.length > 0) {
    const whole = diagnostics.reduce((all, one) => all.union(one.range), range);
    const title = vscode.l10n.t("Fix with Core Chat");
    const marks = diagnostics.filter(({ source }) => source === MARK_SOURCE);
    const labels = marks.map(({ message }) => message).join("; ");
    const instruction = marks.length > 0 ? vscode.l10n.t("Fix this: {0}", labels) : undefined;
    const argument = { range: whole, isFix: true, instruction };
    const fix = add(title, QuickFix, COMMANDS.editSelection, argument);
    fix.diagnostics = [...diagnostics];
    fix.isPreferred = marks.length > 0;
    if (marks.length > 0) add(vscode.l10n.t("Clear Marks"), QuickFix, COMMANDS.clearMarks, {});
  }
  if (range.isEmpty) return actions;
  add(vscode.l10n.t("Explain with Core Chat"), EXPLAIN, COMMANDS.explainSelection, { range });
  add(vscode.l10n.t("Edit with Core Chat…"), EDIT, COMMANDS.editSelection, { range });
  return actions;
}
