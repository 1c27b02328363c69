/** Commands that send a question about the selection at once: explain, fix, test, document. */
import * as vscode from "vscode";
import { withoutRepeats } from "../../context/overlap";
import type { Part } from "../../conversation/message";
import { maySendExcerpts } from "../access/readAccess";
import { editorQuestion } from "../context/questionCode";
import { failureNotice } from "../messages/failureMessages";
import { plainNotice } from "../messages/notices";
import { panelMessages } from "../messages/panelMessages";
import type { ActiveChat } from "../panel/activeChat";
import { builtInPrompts, type BuiltInPrompt } from "../settings/prompts";

type SendQuestion = (parts: readonly Part[]) => Promise<void>;

/** Asks about the selection, or about the range of a code action. */
export async function askAboutSelection(
  kind: BuiltInPrompt,
  argument: unknown,
  send: SendQuestion,
): Promise<void> {
  const asked = await editorQuestion(kind, argument);
  if (asked === undefined) return;
  const { document, own, found } = asked;
  if (!(await maySendExcerpts(document, own, "send"))) return;
  await send(withoutRepeats([{ kind: "text", text: builtInPrompts()[kind] }, ...own, ...found]));
}

/** Returns a function that shows the chat that was used last and sends a question there. */
export function sendFromEditor(activeChat: ActiveChat): SendQuestion {
  return async (parts) => {
    const conversation = await activeChat.show();
    const result = await conversation.askQuestion(parts);
    if (result.isAccepted) return;
    const { failure } = result;
    const notice = failure === "busy" ? panelMessages.busy() : failureNotice(failure, false);
    void vscode.window.showWarningMessage(plainNotice(notice));
  };
}
