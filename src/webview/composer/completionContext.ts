import { createRequiredContext } from "../state/requiredContext";
import type { CompletionController } from "./completion";

export const [CompletionProvider, useCompletion] =
  createRequiredContext<CompletionController>("CompletionController");

/** Element id of the list, for `aria-controls` of the composer. */
export const COMPLETION_LIST_ID = "completion-list";

export function optionId(index: number): string {
  return `${COMPLETION_LIST_ID}-${index}`;
}
