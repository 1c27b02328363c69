/** The context that goes with a question, next to its text: what is shown, and what is sent. */
import { isCovered, withoutRepeats } from "../../context/overlap";
import { sentParts } from "../../conversation/draft";
import type { Part } from "../../conversation/message";
import type { ClaimedQuestion, ConversationDraft } from "../conversation/conversationDraft";
import type {
  AutomaticContext,
  EditorContext,
  ProjectRules,
  SelectionDefinitions,
} from "./editorContext";

/** Returns the parts of the question, without its text and the rules. */
export function contextParts(context: EditorContext, draft: ConversationDraft): Part[] {
  const attached = draft.attachments.flatMap(sentParts);
  // An edited question has its own parts.
  if (draft.editedId !== undefined) return attached;
  const automatic = context.automatic();
  const isAdded = automatic?.isOn === true && !isCovered(automatic.part, attached);
  const definitions = shownDefinitions(context, draft)?.part;
  return withoutRepeats([
    ...attached,
    ...(isAdded ? [automatic.part] : []),
    ...(definitions ? [definitions] : []),
  ]);
}

/** Returns the rules that apply to the question in the composer. */
export function rulesFor(
  context: EditorContext,
  draft: ConversationDraft,
): ProjectRules | undefined {
  return context.rules(contextParts(context, draft));
}

/** Returns the definitions; they are shown with a selection that is sent or attached. */
export function shownDefinitions(
  context: EditorContext,
  draft: ConversationDraft | undefined,
): SelectionDefinitions | undefined {
  const automatic = context.automatic();
  const isSent = automatic && (automatic.isOn || isAttached(automatic, draft));
  return isSent ? context.definitions() : undefined;
}

/** Returns true if attachments have all of a part, which is then not shown or sent again. */
export function isAttached(
  { part, leftOut }: AutomaticContext,
  draft: ConversationDraft | undefined,
): boolean {
  const attached = (draft?.attachments ?? []).flatMap(sentParts);
  if (leftOut === undefined || part.kind !== "excerpt") return isCovered(part, attached);
  return attached.some((other) => other.kind === "excerpt" && other.uri === part.uri);
}

/** Returns the parts without repeats. Adds automatic context that is not attached yet. */
export function withAutomatic(
  { parts, isEdited }: ClaimedQuestion,
  automatic: readonly (Part | undefined)[],
): readonly Part[] {
  if (isEdited) return parts;
  const added = automatic.filter((part) => part !== undefined);
  return withoutRepeats([...parts, ...added.filter((part) => !isCovered(part, parts))]);
}
