/** Actions of a message's context menu. */
import * as vscode from "vscode";
import * as z from "zod/mini";
import type { LiveConversation } from "../../chat/conversation/liveConversation";
import type { ActiveChat } from "./activeChat";

const clickedSchema = z.object({ messageId: z.string().check(z.maxLength(64)) });

/** Leaves the clicked message out of what is sent, or sends it again. */
export async function leaveOutClicked(
  live: LiveConversation | undefined,
  clicked: unknown,
  isOut: boolean,
): Promise<void> {
  const parsed = clickedSchema.safeParse(clicked);
  if (live === undefined || !parsed.success) return;
  await live.leaveOut(parsed.data.messageId, isOut);
}

/** Forks the shown conversation at the clicked message; at its last message without a click. */
export async function forkClicked(activeChat: ActiveChat, clicked: unknown): Promise<void> {
  const parsed = clickedSchema.safeParse(clicked);
  const path = activeChat.shownConversation?.path() ?? [];
  const last = path.findLast((message) => message.role === "user" || message.ending !== undefined);
  const messageId = parsed.success ? parsed.data.messageId : last?.id;
  if (messageId === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t("This conversation has no messages to fork yet."),
    );
    return;
  }
  await activeChat.revealAnd((session) => session.fork(messageId));
}
