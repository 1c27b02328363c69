/** Suggest Title: the model names a conversation once, when the user asks for that. */
import * as vscode from "vscode";
import type { Log } from "../../base/log";
import type { Conversations } from "../../chat/conversation/conversations";
import { UnreadableConversation } from "../../chat/conversation/conversations";
import { titleOf } from "../../conversation/title";
import { failureNotice } from "../messages/failureMessages";
import { plainNotice } from "../messages/notices";
import { panelMessages } from "../messages/panelMessages";
import { linkedSignal } from "../platform/cancellation";
import { clickedConversation } from "./clickedConversation";

/** @param shownId conversation for a call without a clicked row */
export async function suggestTitle(
  conversations: Conversations,
  log: Log,
  shownId: string | undefined,
  clicked: unknown,
): Promise<void> {
  const id = clickedConversation(clicked) ?? shownId;
  if (id === undefined) {
    showNothingToName();
    return;
  }
  const live = await conversations.get(id).catch(unlessUnreadable);
  if (live === undefined) {
    void vscode.window.showErrorMessage(panelMessages.fileNotice("unreadable").text);
    return;
  }
  const before = live.conversation.title;
  const suggested = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t(
        "Suggesting a title for “{0}”",
        titleOf(live.conversation) ?? panelMessages.untitled(),
      ),
      cancellable: true,
    },
    async (_progress, token) => {
      const linked = linkedSignal(token);
      try {
        return await conversations.suggestTitle(live, linked.signal);
      } finally {
        linked.dispose();
      }
    },
  );
  switch (suggested.kind) {
    case "canceled":
      return;
    case "no-messages":
      showNothingToName();
      return;
    case "no-title":
      void vscode.window.showWarningMessage(
        vscode.l10n.t("The model gave no title. Try again, or rename the conversation."),
      );
      return;
    case "failed":
      log.warn(`title: none was suggested (${suggested.failure.kind})`);
      void vscode.window.showErrorMessage(plainNotice(failureNotice(suggested.failure, false)));
      return;
    case "title":
      break;
    default:
      suggested satisfies never;
  }
  // The user renamed or removed the conversation meanwhile.
  if (live.conversation.title !== before || (await conversations.isRemoved(id))) return;
  await conversations.change(id, [{ kind: "titled", title: suggested.title }]);
  const undo = vscode.l10n.t("Undo");
  const text = vscode.l10n.t("The conversation is now named “{0}”.", suggested.title);
  const chosen = await vscode.window.showInformationMessage(text, undo);
  if (chosen === undo && live.conversation.title === suggested.title)
    await conversations.change(id, [{ kind: "titled", title: before ?? "" }]);
}

function unlessUnreadable(error: unknown): undefined {
  if (!(error instanceof UnreadableConversation)) throw error;
}

function showNothingToName(): void {
  void vscode.window.showInformationMessage(
    vscode.l10n.t("This conversation has no messages yet, so there is nothing to name."),
  );
}
