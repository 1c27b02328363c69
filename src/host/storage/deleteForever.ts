/** Asks before something is deleted for ever, then deletes it. */
import * as vscode from "vscode";
import { describeError, type Log } from "../../base/log";
import type { Conversations } from "../../chat/conversation/conversations";
import { imagesOf } from "../../conversation/message";
import type { LiveConversation } from "../../chat/conversation/liveConversation";
import { asideMessagesOf } from "../../conversation/asides";
import type { Conversation } from "../../conversation/conversation";
import { clickedMessageId } from "../panel/chooseClicked";
import { showError, showInformation, showWarning } from "../platform/messages";

const { t } = vscode.l10n;

export async function deletePermanently(
  conversations: Conversations,
  log: Log,
  conversationId: string,
  title: string,
): Promise<void> {
  const loaded = await conversations.history.journal.load(conversationId).catch(() => undefined);
  const question = {
    text: t("Are you sure you want to permanently delete “{0}”?", title),
    detail: [
      ...(hasForkLinks(loaded?.conversation) ? [copiesStay()] : []),
      t("Its messages, draft and pictures are removed from this computer. You cannot undo this."),
    ].join(" "),
    action: t("Delete Permanently"),
  };
  await removeConfirmed(question, log, () => conversations.removeForever([conversationId]));
}

export async function emptyBin(conversations: Conversations, log: Log): Promise<void> {
  const { length } = await conversations.index.binnedIds();
  if (length === 0) {
    showInformation(t("The bin is empty."));
    return;
  }
  const question = {
    text:
      length === 1
        ? t("Are you sure you want to permanently delete the conversation in the bin?")
        : t(
            "Are you sure you want to permanently delete the {0} conversations in the bin?",
            length,
          ),
    detail: t(
      "They are of all workspaces. Their messages, drafts and pictures are removed from this computer. You cannot undo this.",
    ),
    action: t("Empty Bin"),
    progress: t("Emptying the bin"),
  };
  await removeConfirmed(question, log, async () =>
    conversations.removeForever(await conversations.index.binnedIds()),
  );
}

/**
 * Deletes the conversations and drafts of this workspace, pinned ones and those in the bin too.
 * @param deleteOthers deletes what else is stored for the workspace
 */
export async function deleteWorkspaceConversations(
  conversations: Conversations,
  log: Log,
  deleteOthers: () => Promise<void>,
): Promise<void> {
  const workspace = conversations.workspaceName();
  if (workspace === undefined) {
    showInformation(t("Open a folder or a workspace first."));
    return;
  }
  const ids = await conversations.idsOf(workspace);
  const question = {
    text: t("Are you sure you want to permanently delete everything of “{0}”?", workspace),
    detail: t(
      "These are {0} conversations with their messages, drafts and pictures, pinned ones and those in the bin too, and the earlier instructions. Conversations of other folders with this name are among them. You cannot undo this.",
      ids.length,
    ),
    action: t("Delete Everything"),
    progress: t("Deleting"),
  };
  await removeConfirmed(question, log, async () => {
    await conversations.removeForever(ids);
    await deleteOthers();
  });
}

/** Removes the pictures of the messages of a conversation; their names stay. */
export async function forgetPictures(
  conversations: Conversations,
  log: Log,
  live: LiveConversation | undefined,
): Promise<void> {
  const count = live && picturesOf(live).length;
  if (live === undefined || !count) {
    showInformation(t("The messages of this conversation have no pictures."));
    return;
  }
  if (live.isReceiving) {
    warnInProgress();
    return;
  }
  const question = {
    text:
      count === 1
        ? t("Are you sure you want to delete the picture of this conversation?")
        : t("Are you sure you want to delete the {0} pictures of this conversation?", count),
    detail: t(
      "They are removed from this computer and are not sent again. The messages stay, with the names of the pictures. Pictures that other conversations or unsent questions use stay there. You cannot undo this.",
    ),
    action: t("Delete Pictures"),
  };
  await removeConfirmed(question, log, () => conversations.forgetPictures(live));
}

function picturesOf({ conversation }: LiveConversation): string[] {
  const hashes = [...conversation.messages.values()].flatMap((message) =>
    imagesOf(message).map(({ hash }) => hash),
  );
  return [...new Set(hashes)];
}

/** Removes the content of a clicked message; a placeholder stays in the conversation. */
export async function forgetMessage(
  conversations: Conversations,
  log: Log,
  live: LiveConversation | undefined,
  clicked: unknown,
): Promise<void> {
  const message = live?.message(clickedMessageId(clicked) ?? "");
  if (live === undefined || message === undefined) {
    showInformation(t("Right-click the message to delete, or open its menu with Shift+F10."));
    return;
  }
  const isUnended = message.role === "assistant" && message.ending === undefined;
  if (isUnended || live.isReceiving) {
    warnInProgress();
    return;
  }
  if (live.draft.editedId === message.id) {
    showWarning(t("You are editing this message. Send or cancel the edit first."));
    return;
  }
  const isQuestion = message.role === "user";
  const hasVersions = (live.conversation.children.get(message.parentId)?.length ?? 1) > 1;
  const question = {
    text: isQuestion
      ? t("Are you sure you want to delete your message?")
      : t("Are you sure you want to delete this reply?"),
    detail: [
      isQuestion
        ? t(
            "Its text, pictures and attachments are removed from this computer, and a placeholder is shown instead. The replies to it stay and may repeat parts of it.",
          )
        : t(
            "Its text and thinking are removed from this computer, and a placeholder is shown instead. The messages after it stay.",
          ),
      ...(asideMessagesOf(live.conversation, message.id).length > 0
        ? [t("Questions that you asked aside about it are removed too.")]
        : []),
      ...(live.conversation.title === undefined
        ? []
        : [
            t(
              "The title of the conversation is removed too, because it may contain words of the message.",
            ),
          ]),
      ...(hasForkLinks(live.conversation) ? [copiesStay()] : []),
      ...(hasVersions ? [t("Other versions of it stay.")] : []),
      t("You cannot undo this."),
    ].join(" "),
    action: t("Delete Message"),
  };
  await removeConfirmed(question, log, () => conversations.forgetMessage(live, message.id));
}

/** Warns that a command needs a conversation without a running reply. */
export function warnInProgress(): void {
  showWarning(t("A reply is still in progress. Stop it, or wait until it is finished."));
}

/** Asks whether an aside with an answer is to be removed for good. */
export function confirmAsideRemoval(): Promise<boolean> {
  return confirm({
    text: t("Are you sure you want to remove this aside?"),
    detail: t("Its question and its reply are removed from this computer. You cannot undo this."),
    action: t("Remove"),
  });
}

function hasForkLinks(conversation: Conversation | undefined): boolean {
  return conversation?.forkedFrom !== undefined || conversation?.forks !== undefined;
}

function copiesStay(): string {
  return t("Copies in conversations that were forked stay.");
}

/** Question before a removal. */
interface Confirmation {
  readonly text: string;
  readonly detail: string;
  readonly action: string;
  /** Title of a notification during the removal; none for a short one. */
  readonly progress?: string;
}

async function confirm({ text, detail, action }: Confirmation): Promise<boolean> {
  return (await vscode.window.showWarningMessage(text, { modal: true, detail }, action)) === action;
}

/** Removes after the user's confirmation, and reports a failure. */
async function removeConfirmed(
  question: Confirmation,
  log: Log,
  remove: () => Promise<void>,
): Promise<void> {
  if (!(await confirm(question))) return;
  const { progress: title } = question;
  const location = vscode.ProgressLocation.Notification;
  try {
    await (title === undefined
      ? remove()
      : vscode.window.withProgress({ location, title }, remove));
  } catch (error) {
    log.error(`history: a deletion failed (${describeError(error)})`);
    showError(
      t(
        "Not everything could be deleted. Check that the storage folder can be written, then reload the window to finish.",
      ),
    );
  }
}
