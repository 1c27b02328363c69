/**
 * List of conversations of a view: answers the latest request and updates the answer until the view
 * leaves. Unsent questions are listed as drafts.
 */
import { Disposables, type Disposable } from "../base/disposables";
import { describeError, type Log } from "../base/log";
import type { MessageOf } from "../protocol/handlers";
import type { HostHandlers, ToHost } from "../protocol/messages";
import type { HistoryRow } from "../protocol/views";
import type { UnsentDraft } from "../history/drafts";
import { findInDraft } from "../history/findInDraft";
import type { IndexEntry } from "../history/indexEntry";
import type { TextRange } from "../history/matches";
import type { SearchHit } from "../history/search";
import type { Conversations } from "./conversations";
import type { Messages } from "./messages";
import { plainSnippet } from "./plainSnippet";
import type { ViewUpdater } from "./viewUpdater";

/** Maximum number of rows; further conversations are only counted. */
const MAX_ROWS = 500;

/** Number of recent conversations in an empty one. */
const MAX_RECENT = 3;

/** A row with its sort key. */
interface SortedRow {
  readonly row: HistoryRow;
  readonly changedAtMs: number;
}

type Asked = MessageOf<ToHost, "history-asked">;

export class HistoryList implements Disposable {
  private readonly owned = new Disposables();
  private following = new Disposables();
  private controller = new AbortController();
  private asked: Asked | undefined;
  /** Unsent questions of conversations without messages. */
  private drafts: ReadonlyMap<string, UnsentDraft> = new Map();

  readonly handlers: HostHandlers<
    | "history-asked"
    | "history-left"
    | "recent-asked"
    | "conversation-renamed"
    | "conversation-pinned"
    | "conversation-restored"
  > = {
    "history-asked": (asked) => this.ask(asked),
    "history-left": () => this.stop(),
    "recent-asked": () => this.showRecent(),
    "conversation-renamed": ({ conversationId, title }) =>
      this.conversations.change(conversationId, [{ kind: "titled", title: title.trim() }]),
    "conversation-pinned": ({ conversationId, isPinned }) =>
      this.conversations.change(conversationId, [{ kind: "pinned", isPinned }]),
    "conversation-restored": ({ conversationId }) => this.conversations.restore(conversationId),
  };

  constructor(
    private readonly conversations: Conversations,
    private readonly words: Messages,
    private readonly log: Log,
    private readonly view: ViewUpdater,
  ) {
    this.owned.add({ dispose: () => this.stop() });
  }

  /** Answers now, again while files are read, and after later changes. */
  private ask(asked: Asked): void {
    this.stop();
    this.asked = asked;
    const { index } = this.conversations.history;
    this.following = new Disposables();
    this.following.add(index.onChanged(() => void this.answerWithDrafts(asked)));
    this.following.add(this.conversations.onRunningChanged(() => this.answer()));
    this.answer();
    void index.refresh().then(() => this.answerWithDrafts(asked));
  }

  /** Stops updating: the view shows something else. */
  stop(): void {
    this.asked = undefined;
    this.controller.abort(new Error("the list is no longer looked at"));
    this.following.dispose();
  }

  dispose(): void {
    this.owned.dispose();
  }

  /** Sends the latest other conversations of the workspace, or of all if the workspace has none. */
  private async showRecent(): Promise<void> {
    const { index } = this.conversations.history;
    await index.refresh();
    const shownId = this.view.live?.conversation.id;
    const workspace = this.conversations.workspaceName();
    const entries = index
      .list()
      .filter(({ id, messageCount }) => id !== shownId && messageCount > 0)
      .sort((a, b) => b.changedAtMs - a.changedAtMs);
    const own = entries.filter((entry) => entry.workspace === workspace);
    const rows = (own.length > 0 ? own : entries).slice(0, MAX_RECENT);
    this.view.post({ type: "recent-shown", rows: rows.map((entry) => this.row(entry)) });
  }

  /** Reads drafts again, then answers unless there is a newer request. */
  private async answerWithDrafts(asked: Asked): Promise<void> {
    const { index, drafts } = this.conversations.history;
    const unsent = await drafts.unsent((id) => isWithoutMessages(index.get(id)));
    if (this.asked !== asked) return;
    this.drafts = new Map(unsent.map((draft) => [draft.id, draft]));
    this.answer();
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
      const drafts = this.draftRows(asked);
      const rows = entries.slice(0, MAX_ROWS).map((entry) => this.sortedRow(entry));
      this.show(asked, merged(rows, drafts), entries.length + drafts.length, index.isReady);
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
      const rows = found.hits.map((hit) => this.sortedRow(hit.entry, hit));
      const known = new Set(rows.map(({ row }) => row.id));
      const drafts = this.draftRows(asked).filter(({ row }) => !known.has(row.id));
      const all = [...drafts, ...rows].slice(0, MAX_ROWS).map(({ row }) => row);
      this.show(asked, all, found.foundCount + drafts.length, found.isComplete);
    }
  }

  /** Returns drafts of conversations that are not listed, or drafts that match the search. */
  private draftRows({ text, isInBin }: Asked): SortedRow[] {
    const { index } = this.conversations.history;
    return [...this.drafts.values()].flatMap((draft) => {
      const entry = index.get(draft.id);
      if (text.trim() === "" ? entry !== undefined : isDeleted(entry) !== isInBin) return [];
      if (entry === undefined && isInBin) return [];
      const found = findInDraft(draft.text, text);
      return found === undefined ? [] : [this.draftRow(draft, entry, found)];
    });
  }

  private draftRow(
    { id, text, attached, changedAtMs }: UnsentDraft,
    entry: IndexEntry | undefined,
    snippets: readonly { readonly text: string; readonly ranges: readonly TextRange[] }[],
  ): SortedRow {
    const row = {
      id,
      title: entry?.title ?? this.words.draftTitle(text, attached.length),
      titleRanges: [],
      when: this.words.when(changedAtMs),
      period: this.words.period(changedAtMs),
      detail: "",
      snippets: snippets.map(snippetView),
      isPinned: entry?.isPinned ?? false,
      isRunning: false,
      isShown: id === this.view.live?.conversation.id,
      isDamaged: false,
    };
    return { row, changedAtMs };
  }

  private show(asked: Asked, rows: HistoryRow[], foundCount: number, isComplete: boolean): void {
    const { text, isInBin } = asked;
    const { isUnavailable } = this.conversations.history.index;
    const answer = { text, isInBin, rows, foundCount, isComplete: isComplete || isUnavailable };
    this.view.post({ type: "history-shown", ...answer, ...(isUnavailable && { isUnavailable }) });
  }

  private sortedRow(entry: IndexEntry, hit?: SearchHit): SortedRow {
    return { row: this.row(entry, hit), changedAtMs: this.changedAtMs(entry) };
  }

  /** Returns the time of the last message or of the unsent question after it. */
  private changedAtMs({ id, changedAtMs }: IndexEntry): number {
    return Math.max(changedAtMs, this.drafts.get(id)?.changedAtMs ?? 0);
  }

  private row(entry: IndexEntry, hit?: SearchHit): HistoryRow {
    const draft = entry.title === undefined ? this.drafts.get(entry.id) : undefined;
    const untitled = draft && this.words.draftTitle(draft.text, draft.attached.length);
    const changedAtMs = this.changedAtMs(entry);
    return {
      id: entry.id,
      title: entry.title ?? untitled ?? this.words.untitled(),
      titleRanges: (hit?.titleRanges ?? []).map(rangeView),
      when: this.words.when(changedAtMs),
      period: this.words.period(changedAtMs),
      detail: this.words.historyDetail(entry),
      snippets: (hit?.snippets ?? []).map(snippetView),
      isPinned: entry.isPinned,
      isRunning: this.conversations.isRunning(entry.id),
      isShown: entry.id === this.view.live?.conversation.id,
      isDamaged: entry.damagedRecords > 0 || entry.isUnreadable,
    };
  }
}

function isWithoutMessages(entry: IndexEntry | undefined): boolean {
  return entry === undefined || (entry.messageCount === 0 && !entry.isUnreadable);
}

function isDeleted(entry: IndexEntry | undefined): boolean {
  return entry?.deletedAtMs !== undefined;
}

/** Merges two sorted lists by time; pinned rows stay first. */
function merged(rows: readonly SortedRow[], others: readonly SortedRow[]): HistoryRow[] {
  const all = [...rows, ...others];
  const byTime = (a: SortedRow, b: SortedRow) =>
    Number(b.row.isPinned) - Number(a.row.isPinned) || b.changedAtMs - a.changedAtMs;
  // The sort is stable, so rows of the same time keep their order.
  return all
    .sort(byTime)
    .slice(0, MAX_ROWS)
    .map(({ row }) => row);
}

function snippetView(found: Parameters<typeof plainSnippet>[0]): HistoryRow["snippets"][number] {
  const { text, ranges } = plainSnippet(found);
  return { text, ranges: ranges.map(rangeView) };
}

function rangeView([start, end]: TextRange): { start: number; end: number } {
  return { start, end };
}
