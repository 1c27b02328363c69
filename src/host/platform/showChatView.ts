import * as vscode from "vscode";
import { CHAT_VIEW } from "./contributions";

/**
 * Shows the panel and focuses it unless `preserveFocus`. Uses the command that VS Code registers for
 * every view; throws its errors.
 */
export async function showChatView(preserveFocus: boolean): Promise<void> {
  await vscode.commands.executeCommand(`${CHAT_VIEW}.focus`, { preserveFocus });
}
