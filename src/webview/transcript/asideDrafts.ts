/** The asides that are open; the others are a mark at their line. */
import { signal } from "@preact/signals";
import { newId } from "../../base/id";
import type { AsideDraft, ViewMemory } from "../state/viewMemory";

export const openAsideIds = signal<ReadonlySet<string>>(new Set());

export function openAsideDraft(
  memory: ViewMemory,
  draft: Omit<AsideDraft, "id" | "question">,
): void {
  const id = newId(Date.now());
  openAsides([id], true);
  memory.saveAsideDraft({ ...draft, id, question: "" });
}

export function openAsides(ids: readonly string[], isOpen: boolean): void {
  const open = new Set(openAsideIds.peek());
  for (const id of ids) {
    if (isOpen) open.add(id);
    else open.delete(id);
  }
  openAsideIds.value = open;
}
