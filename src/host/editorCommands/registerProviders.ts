/**
 * Registers the providers for documents: the light bulb's actions, and questions on links to
 * pictures.
 */
import * as vscode from "vscode";
import { Disposables, type Disposable } from "../../base/disposables";
import { actionsAt, hoverAt } from "../pictures/onImageLinks";
import { actionsFor } from "./lightBulb";

const { CodeActionKind } = vscode;
const EXPLAIN = CodeActionKind.Refactor.append("coreChat.explain");
const EDIT = CodeActionKind.RefactorRewrite.append("coreChat.edit");
const ASK = CodeActionKind.Refactor.append("coreChat.askImage");

/** Languages in which links to pictures are detected. */
const LINKING = ["markdown", "html", "css", "scss", "less"];

/** Registers the providers until disposed. */
export function registerDocumentProviders(): Disposable {
  const owned = new Disposables();
  const { registerCodeActionsProvider, registerHoverProvider } = vscode.languages;
  const bulb: vscode.CodeActionProvider = {
    provideCodeActions: (_document, range, { diagnostics, only }) => {
      const isWanted = (kind: vscode.CodeActionKind) => only?.contains(kind) ?? true;
      return actionsFor(range, diagnostics, isWanted, { explain: EXPLAIN, edit: EDIT });
    },
  };
  const providedCodeActionKinds = [CodeActionKind.QuickFix, EXPLAIN, EDIT];
  owned.add(registerCodeActionsProvider({ pattern: "**" }, bulb, { providedCodeActionKinds }));

  const onLinks: vscode.CodeActionProvider & vscode.HoverProvider = {
    provideHover: hoverAt,
    provideCodeActions: (document, range, { only }) =>
      only && !only.contains(ASK) ? [] : actionsAt(document, range.start, ASK),
  };
  owned.add(registerHoverProvider(LINKING, onLinks));
  owned.add(registerCodeActionsProvider(LINKING, onLinks, { providedCodeActionKinds: [ASK] }));
  return owned;
}
