import * as vscode from "vscode";
import { Disposables, type Disposable } from "../../base/disposables";
import { COMMANDS } from "../platform/contributions";
import { imageLinks } from "./imageLinks";

const ASK = vscode.CodeActionKind.Refactor.append("coreChat.askImage");

/** Languages in which links to pictures are detected. */
const LINKING = ["markdown", "html", "css", "scss", "less"];

export function registerImageLinks(): Disposable {
  const owned = new Disposables();
  const { registerCodeActionsProvider, registerHoverProvider } = vscode.languages;
  const provider: vscode.CodeActionProvider & vscode.HoverProvider = {
    provideHover: hoverAt,
    provideCodeActions: (document, range, { only }) =>
      only && !only.contains(ASK) ? [] : actionsAt(document, range.start),
  };
  owned.add(registerHoverProvider(LINKING, provider));
  owned.add(registerCodeActionsProvider(LINKING, provider, { providedCodeActionKinds: [ASK] }));
  return owned;
}

function hoverAt(document: vscode.TextDocument, position: vscode.Position) {
  const link = linkAt(document, position);
  if (link === undefined) return undefined;
  const text = new vscode.MarkdownString();
  text.isTrusted = { enabledCommands: [COMMANDS.askImage] };
  // VS Code decodes the argument twice, so the JSON must not contain a percent sign.
  const json = JSON.stringify([link.address]).replaceAll("%", "\\u0025");
  const argument = encodeURIComponent(json);
  text.appendMarkdown(`[${title()}](command:${COMMANDS.askImage}?${argument})`);
  return new vscode.Hover(text, link.range);
}

function actionsAt(document: vscode.TextDocument, position: vscode.Position): vscode.CodeAction[] {
  const link = linkAt(document, position);
  if (link === undefined) return [];
  const action = new vscode.CodeAction(title(), ASK);
  const argument = link.address;
  action.command = { title: title(), command: COMMANDS.askImage, arguments: [argument] };
  return [action];
}

function title(): string {
  return vscode.l10n.t("Ask Core Chat About This Picture");
}

/** Returns the range and the resolved address of the link at a position. */
function linkAt(document: vscode.TextDocument, { line, character }: vscode.Position) {
  const link = imageLinks(document.lineAt(line).text).find(
    ({ start, end }) => start <= character && character <= end,
  );
  if (link === undefined) return undefined;
  const { start, end, target } = link;
  return { range: new vscode.Range(line, start, line, end), address: resolved(document, target) };
}

function resolved({ uri }: vscode.TextDocument, target: string): string {
  if (/^https?:/i.test(target)) return target;
  const [encodedPath = ""] = target.split(/[?#]/, 1);
  const path = decoded(encodedPath);
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  // Like Markdown previews, resolves an absolute path against the workspace folder.
  const isFromRoot = path.startsWith("/") && root;
  return (
    isFromRoot ? vscode.Uri.joinPath(root, path) : vscode.Uri.joinPath(uri, "..", path)
  ).toString();
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // A literal percent sign.
  }
}
