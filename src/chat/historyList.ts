/**
 * The list of conversations as one view looks at it: answers the last thing asked, again whenever
 * the answer is different, and lets go of it when the view leaves.
 */
import { Disposables, type Disposable } from "../base/disposables";
import { describeError, type Log } from "../base/log";
import type { ToHost, ToView } from "../bridge/messages";
import type { HistoryRow } from "../bridge/views";
import type { IndexEntry } from "../history/indexEntry";
import type { TextRange } from "../history/matches";
import type { SearchHit } from "../history/search";
import type { Conversations } from "./conversations";
import type { Words } from "./words";

/** Most lines sent to the view; more are counted. A person narrows the search instead. */
const MAX_ROWS = 500;

type Asked = Extract<ToHost, { type: "history-asked" }>;
type Shown = Omit<Extract<ToView, { type: "history-shown" }>, "seq">;

/** One view's look at the list; idle until it is asked. */
export class HistoryList implements Disposable {
  private readonly owned = new Disposables();
  private following = new Disposables();
  private controller = new AbortController();
  private asked: Asked | undefined;

  constructor(
    private readonly conversations: Conversations,
    private readonly words: Words,
    private readonly log: Log,
    private readonly shownId: () => string | undefined,
    private readonly send: (shown: Shown) => void,
  ) {
    this.owned.add({ dispose: () => this.leave() });
  }

  /** Answers `asked` now, completes the answer as files are read, and follows later changes. */
  ask(asked: Asked): void {
    this.leave();
    this.asked = asked;
    const { index } = this.conversations.history;
    this.following = new Disposables();
    this.following.add(index.onChanged(() => this.answer()));
    this.following.add(this.conversations.onRunningChanged(() => this.answer()));
    this.answer();
    void index.refresh().then(() => {
      if (this.asked === asked) this.answer();
    });
  }

  /** The view shows something else now. */
  leave(): void {
    this.asked = undefined;
    this.controller.abort(new Error("the list is no longer looked at"));
    this.following.dispose();
  }

  dispose(): void {
    this.owned.dispose();
  }

  private answer(): void {
    const { asked } = this;
    if (asked === undefined) return;
    this.controller.abort(new Error("something else is asked"));
    this.controller = new AbortController();
    const { signal } = this.controller;
    const workspace = asked.isThisWorkspace ? this.conversations.workspaceName() : undefined;
    const filter = { isInBin: asked.isInBin, ...(workspace !== undefined && { workspace }) };
    const { index } = this.conversations.history;
    if (asked.text.trim() === "") {
      const entries = index.list(filter);
      const rows = entries.slice(0, MAX_ROWS).map((entry) => this.row(entry));
      this.show(asked, rows, entries.length, index.isReady);
      return;
    }
    this.search({ ...filter, text: asked.text, maxHits: MAX_ROWS }, asked, signal).catch(
      (error: unknown) => {
        if (!signal.aborted) this.log.error(`history: a search failed (${describeError(error)})`);
      },
    );
  }

  private async search(
    query: Parameters<Conversations["history"]["search"]["search"]>[0],
    asked: Asked,
    signal: AbortSignal,
  ): Promise<void> {
    for await (const found of this.conversations.history.search.search(query, signal)) {
      const rows = found.hits.map((hit) => this.row(hit.entry, hit));
      this.show(asked, rows, found.foundCount, found.isComplete);
    }
  }

  private show(asked: Asked, rows: HistoryRow[], foundCount: number, isComplete: boolean): void {
    const { text, isInBin } = asked;
    this.send({ type: "history-shown", text, isInBin, rows, foundCount, isComplete });
  }

  private row(entry: IndexEntry, hit?: SearchHit): HistoryRow {
    return {
      id: entry.id,
      title: entry.title ?? this.words.untitled(),
      titleRanges: (hit?.titleRanges ?? []).map(rangeView),
      when: this.words.when(entry.changedAtMs),
      detail: this.words.historyDetail(entry),
      snippets: (hit?.snippets ?? []).map(({ text, ranges }) => ({
        text,
        ranges: ranges.map(rangeView),
      })),
      isPinned: entry.isPinned,
      isRunning: this.conversations.isRunning(entry.id),
      isShown: entry.id === this.shownId(),
      isDamaged: entry.damagedRecords > 0 || entry.isUnreadable,
    };
  }
}

function rangeView([start, end]: TextRange): { start: number; end: number } {
  return { start, end };
}
