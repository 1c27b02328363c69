/** Actions of a message's context menu. */
import * as vscode from "vscode";
import * as z from "zod/mini";
import { systemClock } from "../../base/clock";
import { chooseSending } from "../../chat/sendingActions";
import type { LiveConversation } from "../../chat/conversation/liveConversation";
import type { SendChoice } from "../../conversation/sending";
import type { ActiveChat } from "./activeChat";

const clickedSchema = z.object({ messageId: z.string().check(z.maxLength(64)) });

/** Leaves the clicked message out, always sends it, or sends it as usual again. */
export async function chooseClicked(
  live: LiveConversation | undefined,
  clicked: unknown,
  choice: SendChoice | null,
): Promise<void> {
  const parsed = clickedSchema.safeParse(clicked);
  if (live === undefined || !parsed.success) return;
  await chooseSending(live, systemClock, parsed.data.messageId, choice);
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
  await activeChat.fork(messageId);
}
