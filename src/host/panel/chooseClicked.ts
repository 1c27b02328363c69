import * as vscode from "vscode";
import * as z from "zod/mini";
import type { LiveConversation } from "../../chat/conversation/liveConversation";
import type { ActiveChat } from "./activeChat";
import { showInformation } from "../platform/messages";

/** Argument that VS Code passes from the menu of a message in the page. */
const clickedSchema = z.object({ messageId: z.string().check(z.maxLength(64)) });

/** Returns the id of the clicked message; undefined for a command without a click. */
export function clickedMessageId(clicked: unknown): string | undefined {
  return clickedSchema.safeParse(clicked).data?.messageId;
}

/** Leaves the clicked message out of what is sent, or sends it again. */
export async function leaveOutClicked(
  live: LiveConversation | undefined,
  clicked: unknown,
  isOut: boolean,
): Promise<void> {
  const messageId = clickedMessageId(clicked);
  if (messageId !== undefined) await live?.leaveOut(messageId, isOut);
}

/** Forks the shown conversation at the clicked message; at its last message without a click. */
export async function forkClicked(activeChat: ActiveChat, clicked: unknown): Promise<void> {
  const path = activeChat.shownConversation?.path() ?? [];
  const last = path.findLast((message) => message.role === "user" || message.ending !== undefined);
  const messageId = clickedMessageId(clicked) ?? last?.id;
  if (messageId === undefined) {
    showInformation(vscode.l10n.t("This conversation has no messages to fork yet."));
    return;
  }
  await activeChat.revealAnd((session) => session.fork(messageId));
}
