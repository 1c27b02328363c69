/** Questions aside that are being typed, and the asides that are open. Kept by the page alone. */
import { signal } from "@preact/signals";
import { newId } from "../../base/id";
import type { QuotedView } from "../../protocol/views";

export interface AsideDraft {
  /** Id of the question once it is sent. */
  readonly id: string;
  readonly conversationId: string;
  readonly quoted: QuotedView;
  /** Markdown of the quote for the model. */
  readonly text: string;
  readonly words: string;
}

export const asideDrafts = signal<readonly AsideDraft[]>([]);
/** Ids of the asides that are shown; the others are a mark at their line. */
export const openAsideIds = signal<ReadonlySet<string>>(new Set());

export function openAsideDraft(draft: Omit<AsideDraft, "id">): void {
  const id = newId(Date.now());
  asideDrafts.value = [...asideDrafts.peek(), { ...draft, id }];
  openAsides([id], true);
}

export function closeAsideDraft(id: string): void {
  asideDrafts.value = asideDrafts.peek().filter((draft) => draft.id !== id);
}

export function openAsides(ids: readonly string[], isOpen: boolean): void {
  const open = new Set(openAsideIds.peek());
  for (const id of ids) {
    if (isOpen) open.add(id);
    else open.delete(id);
  }
  openAsideIds.value = open;
}
