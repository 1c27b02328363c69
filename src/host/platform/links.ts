import * as vscode from "vscode";
import type { Log } from "../../base/log";
import { parseUrl } from "../../base/parseUrl";

const OPENED_SCHEMES = new Set(["https:", "http:", "mailto:"]);

/**
 * Opens a link of a reply outside VS Code, after VS Code's own question. Ignores other schemes than
 * https, http and mailto, and logs them.
 */
export function openLink(url: string, log: Log): void {
  const scheme = parseUrl(url)?.protocol ?? "none";
  if (OPENED_SCHEMES.has(scheme)) void vscode.env.openExternal(vscode.Uri.parse(url, true));
  else log.warn(`view: a link with scheme ${JSON.stringify(scheme)} was not opened`);
}
