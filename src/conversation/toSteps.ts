/**
 * The way back: the steps that make a given conversation. For a file that was lost while its
 * window has everything in memory, and for a conversation that comes from elsewhere. Applying
 * them to a conversation that already holds some or all of it changes nothing but what is missing.
 */
import type { Conversation, Step } from "./conversation";
import type { Reply } from "./message";

/** Steps in the order a window would have written them. */
export function toSteps(conversation: Conversation): Step[] {
  const { id, createdAtMs, workspace, title, leafId, isPinned, deletedAtMs } = conversation;
  const steps: Step[] = [
    { kind: "created", id, atMs: createdAtMs, ...(workspace !== undefined && { workspace }) },
  ];
  for (const message of conversation.messages.values()) {
    if (message.role === "user") steps.push({ kind: "message-added", message });
    else steps.push(...replySteps(message, conversation.turns?.writers.get(message.id)?.turnId));
  }
  steps.push({ kind: "path-chosen", leafId });
  if (title !== undefined) steps.push({ kind: "titled", title });
  if (isPinned) steps.push({ kind: "pinned", isPinned });
  steps.push(...choiceSteps(conversation));
  if (deletedAtMs !== undefined) steps.push({ kind: "deleted", atMs: deletedAtMs });
  return steps;
}

/** A choice that holds for one conversation. */
export type ChoiceStep = Extract<
  Step,
  { kind: "model-chosen" | "profile-chosen" | "parameters-chosen" }
>;

/** What the person chose for this conversation alone. */
export function choiceSteps({ model, profile, parameters }: Conversation): ChoiceStep[] {
  return [
    ...(model ? [{ kind: "model-chosen" as const, model }] : []),
    ...(profile !== undefined ? [{ kind: "profile-chosen" as const, profile }] : []),
    ...(parameters ? [{ kind: "parameters-chosen" as const, parameters }] : []),
  ];
}

/** `turnId` is the turn that writes in it now, where that is not the first. */
function replySteps(reply: Reply, turnId: string | undefined): Step[] {
  const { id, parentId, modelKind, modelCode, startedAtMs, text, receipt, ending } = reply;
  const own = { messageId: id, ...(turnId !== undefined && { turnId }) };
  const { followsGap, hasGap } = reply;
  const begun = {
    ...{ id, parentId, modelKind, modelCode, startedAtMs },
    ...(followsGap && { followsGap }),
    ...(hasGap && { hasGap }),
  };
  const steps: Step[] = [
    { kind: "message-added", message: { role: "assistant", text: "", ...begun } },
  ];
  if (turnId !== undefined) {
    steps.push({ kind: "reply-continued", ...own, atMs: startedAtMs });
  }
  if (receipt) steps.push({ kind: "request-sent", ...own, receipt });
  if (text !== "") {
    const atMs = reply.firstTextAtMs ?? startedAtMs;
    steps.push({ kind: "reply-grown", ...own, offset: 0, text, atMs });
  }
  if (ending) {
    const { endedAtMs: atMs = startedAtMs, usage, toolCalls, damagedParts } = reply;
    steps.push({
      kind: "reply-ended",
      ...own,
      atMs,
      ending,
      usage,
      toolCalls,
      damagedParts,
    });
  }
  return steps;
}
