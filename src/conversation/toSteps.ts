/**
 * Conversion of a conversation into steps, for an import and for a file that was deleted while its
 * conversation is in memory. Applying the steps to a partial copy adds only the missing parts.
 */
import type { Conversation, Step } from "./conversation";
import type { Message, Reply } from "./message";
import { sendingSteps } from "./sending";

/** Returns the steps in the order in which a window writes them. */
export function toSteps(conversation: Conversation): Step[] {
  const { id, createdAtMs, workspace, title, leafId, isPinned, sending, deletedAtMs } =
    conversation;
  const steps: Step[] = [
    { kind: "created", id, atMs: createdAtMs, ...(workspace !== undefined && { workspace }) },
  ];
  for (const message of conversation.messages.values()) {
    if (message.isForgotten === true) steps.push({ kind: "forgotten", message });
    else if (message.role === "user") steps.push({ kind: addedKind(message), message });
    else steps.push(...replySteps(message, conversation.turns?.writers.get(message.id)?.turnId));
  }
  steps.push({ kind: "path-chosen", leafId });
  if (title !== undefined) steps.push({ kind: "titled", title });
  if (isPinned) steps.push({ kind: "pinned", isPinned });
  steps.push(...choiceSteps(conversation));
  if (sending) steps.push(...sendingSteps(sending));
  const { forkedFrom, forks = [] } = conversation;
  if (forkedFrom) steps.push({ kind: "forked-from", ...forkedFrom });
  steps.push(...forks.map((link) => ({ kind: "forked" as const, ...link })));
  if (deletedAtMs !== undefined) steps.push({ kind: "deleted", atMs: deletedAtMs });
  return steps;
}

export function addedKind({ isAside }: Message): "aside-added" | "message-added" {
  return isAside === true ? "aside-added" : "message-added";
}

export type ChoiceStep = Extract<
  Step,
  { kind: "model-chosen" | "profile-chosen" | "parameters-chosen" }
>;

/** Returns the user's choices for this conversation only. */
export function choiceSteps({ model, profile, parameters }: Conversation): ChoiceStep[] {
  return [
    ...(model ? [{ kind: "model-chosen" as const, model }] : []),
    ...(profile !== undefined ? [{ kind: "profile-chosen" as const, profile }] : []),
    ...(parameters ? [{ kind: "parameters-chosen" as const, parameters }] : []),
  ];
}

/** Returns the steps of a reply; `turnId` is its current turn, undefined for the first. */
function replySteps(reply: Reply, turnId: string | undefined): Step[] {
  const { id, parentId, modelKind, modelCode, startedAtMs, text, receipt, ending } = reply;
  const ids = { messageId: id, ...(turnId !== undefined && { turnId }) };
  const { followsGap, hasGap } = reply;
  const start = {
    id,
    parentId,
    modelKind,
    modelCode,
    startedAtMs,
    ...(followsGap && { followsGap }),
    ...(hasGap && { hasGap }),
  };
  const steps: Step[] = [
    { kind: addedKind(reply), message: { role: "assistant", text: "", ...start } },
  ];
  if (turnId !== undefined) {
    steps.push({ kind: "reply-continued", ...ids, atMs: startedAtMs });
  }
  if (receipt) steps.push({ kind: "request-sent", ...ids, receipt });
  if (reply.thinking) {
    const { text: thought, durationMs } = reply.thinking;
    steps.push({ kind: "reply-thought", ...ids, offset: 0, text: thought, durationMs });
  }
  if (text !== "") {
    const atMs = reply.firstTextAtMs ?? startedAtMs;
    steps.push({ kind: "reply-grown", ...ids, offset: 0, text, atMs });
  }
  if (ending) {
    const { endedAtMs: atMs = startedAtMs, usage, toolCalls, pictures, damagedParts } = reply;
    steps.push({
      kind: "reply-ended",
      ...ids,
      atMs,
      ending,
      usage,
      toolCalls,
      pictures,
      damagedParts,
    });
  }
  return steps;
}
