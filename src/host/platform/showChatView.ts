/**
 * Brings the panel to front, by the command VS Code makes for every view.
 */
import * as vscode from "vscode";
import { CHAT_VIEW } from "./contributions";

/** Shows the panel; the caret goes there unless `preserveFocus`. Throws what VS Code throws. */
export async function showChatView(preserveFocus: boolean): Promise<void> {
  await vscode.commands.executeCommand(`${CHAT_VIEW}.focus`, { preserveFocus });
}
