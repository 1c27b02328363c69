/**
 * Opens an address from a reply, outside of VS Code and with VS Code's own question about it.
 */
import * as vscode from "vscode";
import type { Log } from "../../base/log";
import { parseUrl } from "../../base/parseUrl";

const OPENED_SCHEMES = new Set(["https:", "http:", "mailto:"]);

/** Opens https, http and mailto; anything else is dropped and logged by its scheme. */
export function openLink(url: string, log: Log): void {
  const scheme = parseUrl(url)?.protocol ?? "none";
  if (OPENED_SCHEMES.has(scheme)) void vscode.env.openExternal(vscode.Uri.parse(url, true));
  else log.warn(`view: a link with scheme ${JSON.stringify(scheme)} was not opened`);
}
