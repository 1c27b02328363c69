/**
 * Sends a question from the editor in the conversation the panel shows, whether the panel was ever
 * opened or not, and shows the panel.
 */
import * as vscode from "vscode";
import type { Conversations } from "../../chat/conversations";
import { ViewStore, type ShownMemory } from "../../chat/viewStore";
import type { ChatView } from "../chatView";
import { failureNotice } from "../failureWords";
import { words } from "../words";
import type { SendQuestion } from "./askCommands";

/** What sending needs. */
export interface SendPorts {
  readonly conversations: Conversations;
  readonly view: ChatView;
  readonly memory: ShownMemory;
}

/** Makes the way in. A question that cannot be asked is said, with the reason. */
export function sendFromEditor({ conversations, view, memory }: SendPorts): SendQuestion {
  return async (parts) => {
    const live = view.shownConversation ?? (await new ViewStore(conversations, memory).current());
    await view.reveal();
    const result = await live.askQuestion(parts);
    if (result.isTaken) return;
    const { failure } = result;
    const notice = failure === "busy" ? words.busy() : failureNotice(failure, false);
    void vscode.window.showWarningMessage(notice.text);
  };
}
