/**
 * Completions for "#" of a view. Answers the newest query only and resolves the items that the page
 * selects by index.
 */
import type { Disposable } from "../base/disposables";
import { describeError, type Log } from "../base/log";
import type { ToView } from "../protocol/messages";
import type { EditorContext, Reference, ReferenceContent } from "./editorContext";

type ReferencesFound = Extract<ToView, { type: "references-found" }>;

export class References implements Disposable {
  private controller: AbortController | undefined;
  /** Last completions and their query. */
  private offered: { readonly query: number; readonly items: readonly Reference[] } | undefined;

  constructor(
    private readonly context: Pick<EditorContext, "findReferences">,
    private readonly log: Log,
    private readonly post: (found: ReferencesFound) => void,
  ) {}

  /** Searches completions; cancels the previous search. */
  async ask(query: number, text: string): Promise<void> {
    this.cancel();
    const controller = new AbortController();
    this.controller = controller;
    const { signal } = controller;
    try {
      for await (const items of this.context.findReferences(text, signal)) {
        if (signal.aborted) return;
        this.sendItems(query, items, false);
      }
    } catch (error) {
      if (!signal.aborted) this.log.warn(`references: not all found (${describeError(error)})`);
    }
    if (!signal.aborted) this.sendItems(query, this.offered?.items ?? [], true);
  }

  /** Cancels the search; the items found can still be picked. */
  cancel(): void {
    this.controller?.abort(new Error("asked anew"));
    this.controller = undefined;
  }

  /** Returns the content of an item; undefined if the query is not the latest. */
  async gather(query: number, index: number): Promise<ReferenceContent | undefined> {
    const { offered } = this;
    return offered?.query === query ? offered.items[index]?.gather() : undefined;
  }

  dispose(): void {
    this.cancel();
  }

  private sendItems(query: number, items: readonly Reference[], isComplete: boolean): void {
    this.offered = { query, items };
    this.post({
      type: "references-found",
      query,
      items: items.map(({ kind, label, detail }) => ({ kind, label, detail })),
      isComplete,
    });
  }
}
