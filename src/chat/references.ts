/**
 * One view's side of completing "#": answers the newest question only, and knows what it offered,
 * so that the page can name one of these and nothing else.
 */
import type { Disposable } from "../base/disposables";
import { describeError, type Log } from "../base/log";
import type { ToView } from "../protocol/messages";
import type { EditorContext, Reference, ReferencedThings } from "./editorContext";

type ReferencesFound = Omit<Extract<ToView, { type: "references-found" }>, "seq">;

/** The references of one view. */
export class References implements Disposable {
  private controller: AbortController | undefined;
  /** What was offered last, and for which question. */
  private offered: { readonly query: number; readonly items: readonly Reference[] } | undefined;

  constructor(
    private readonly context: Pick<EditorContext, "findReferences">,
    private readonly log: Log,
    private readonly tell: (found: ReferencesFound) => void,
  ) {}

  /** Looks for what fits; an older search that still runs is given up. */
  async ask(query: number, text: string): Promise<void> {
    this.leave();
    const controller = new AbortController();
    this.controller = controller;
    const { signal } = controller;
    try {
      for await (const items of this.context.findReferences(text, signal)) {
        if (signal.aborted) return;
        this.offer(query, items, false);
      }
    } catch (error) {
      if (!signal.aborted) this.log.warn(`references: not all found (${describeError(error)})`);
    }
    if (!signal.aborted) this.offer(query, this.offered?.items ?? [], true);
  }

  /** Nothing is asked any more; what was offered can still be picked. */
  leave(): void {
    this.controller?.abort(new Error("asked anew"));
    this.controller = undefined;
  }

  /** What something that was offered stands for; undefined when it is not on offer any more. */
  async gather(query: number, index: number): Promise<ReferencedThings | undefined> {
    const { offered } = this;
    return offered?.query === query ? offered.items[index]?.gather() : undefined;
  }

  dispose(): void {
    this.leave();
  }

  private offer(query: number, items: readonly Reference[], isComplete: boolean): void {
    this.offered = { query, items };
    this.tell({
      type: "references-found",
      query,
      items: items.map(({ kind, label, detail }) => ({ kind, label, detail })),
      isComplete,
    });
  }
}
