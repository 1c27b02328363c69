/**
 * The panel's page: one script, two style sheets, the strings of the person's language, and a
 * policy under which the page can load nothing and reach no one.
 */
import * as vscode from "vscode";
import { newId } from "../base/id";

/** Folders of the extension the page may load from. */
export function pageRoots(extensionUri: vscode.Uri): vscode.Uri[] {
  return [vscode.Uri.joinPath(extensionUri, "dist"), vscode.Uri.joinPath(extensionUri, "media")];
}

/** The whole page as HTML. */
export function panelPage(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = newId() + newId();
  const asset = (...path: string[]) =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, ...path)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} blob: data:`,
    `connect-src ${webview.cspSource}`,
    "worker-src blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types core-chat-worker",
  ].join("; ");
  // In a JSON script only "<" could end the element early.
  const strings = JSON.stringify(vscode.l10n.bundle ?? {}).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${asset("dist", "webview", "codicon.css")}">
<link rel="stylesheet" href="${asset("media", "panel.css")}">
<title>Core Chat</title>
</head>
<body>
<div id="root"></div>
<script type="application/json" id="core-chat-strings">${strings}</script>
<script type="module" nonce="${nonce}" src="${asset("dist", "webview", "main.js")}"></script>
</body>
</html>`;
}
