/**
 * Sends a question from the editor in the chat that was used last and shows that chat. Opens the
 * panel if necessary.
 */
import * as vscode from "vscode";
import type { ActiveChat } from "../panel/activeChat";
import { failureNotice } from "../messages/failureMessages";
import { panelMessages } from "../messages/panelMessages";
import type { SendQuestion } from "./askCommands";
import { plainNotice } from "../messages/notices";

/** Returns a function that sends a question, or reports the reason of a failure. */
export function sendFromEditor(places: ActiveChat): SendQuestion {
  return async (parts) => {
    const live = await places.show();
    const result = await live.askQuestion(parts);
    if (result.isTaken) return;
    const { failure } = result;
    const notice = failure === "busy" ? panelMessages.busy() : failureNotice(failure, false);
    void vscode.window.showWarningMessage(plainNotice(notice));
  };
}
