/**
 * Forks: a new conversation with a copy of the messages up to one of them. Pictures are not copied, as
 * both conversations name the same ones. Other versions of the messages are not in the fork.
 */
import { emptyConversation, type Conversation } from "./conversation";
import { pathTo } from "./paths";
import type { Sending } from "./sending";
import { toSteps } from "./toSteps";

/**
 * Returns the fork at a reply, which is its last message, or before a question; undefined without the
 * message and for a reply that is still received.
 * @param title title of the fork if it has messages. A title that is made of the first question must not be
 *   stored, because it would stay when the question is forgotten.
 */
export function forkAt(
  conversation: Conversation,
  messageId: string,
  {
    id,
    atMs,
    title,
  }: { readonly id: string; readonly atMs: number; readonly title: string | undefined },
) {
  const message = conversation.messages.get(messageId);
  if (message === undefined || message.isAside === true) return undefined;
  if (message.role === "assistant" && message.ending === undefined) return undefined;
  const asked = message.role === "user" ? message : undefined;
  const leafId = asked ? asked.parentId : messageId;
  const path = pathTo(conversation, leafId);
  const { workspace, turns, model, profile, parameters } = conversation;
  const sending = sendingOf(conversation, leafId);
  const copy: Conversation = {
    ...emptyConversation(id, atMs, workspace),
    title: path.length > 0 ? title : undefined,
    messages: new Map(path.map((one) => [one.id, one])),
    leafId,
    ...(turns && { turns }),
    ...(model && { model }),
    ...(profile !== undefined && { profile }),
    ...(parameters && { parameters }),
    ...(sending && { sending }),
    forkedFrom: { conversationId: conversation.id, atId: messageId },
  };
  // The question is for the draft of the new conversation, which ends before it.
  return { steps: toSteps(copy), asked: asked?.isForgotten === true ? undefined : asked };
}

/** Returns the choices for the copied messages. */
function sendingOf(conversation: Conversation, leafId: string | null): Sending | undefined {
  const ids = new Set(pathTo(conversation, leafId).map(({ id }) => id));
  const entries = (conversation.sending?.entries ?? []).filter((entry) =>
    entry.kind === "summary-used"
      ? entry.covers.every(({ messageId }) => ids.has(messageId))
      : ids.has(entry.messageId),
  );
  return entries.length > 0 ? { entries, undone: new Set() } : undefined;
}
