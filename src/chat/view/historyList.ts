/**
 * List of conversations of a view: answers the latest request and updates the answer until the view
 * leaves. Unsent questions are listed as drafts.
 */
import { DisposableOwner, Disposables } from "../../base/disposables";
import { describeError, type Log } from "../../base/log";
import type { MessageOf } from "../../protocol/handlers";
import type { HistoryToHost, HostHandlers, ToHost } from "../../protocol/toHost";
import type { ToView } from "../../protocol/toView";
import type { HistoryRow } from "../../protocol/views";
import type { UnsentDraft } from "../../history/drafts";
import { findInDraft, type TextRange } from "../../search/matches";
import type { ConversationList, ListFilter } from "../../search/conversationList";
import type { IndexEntry } from "../../search/indexEntry";
import type { SearchHit } from "../../search/search";
import type { Conversations } from "../conversation/conversations";
import type { Messages } from "./messages";
import type { ViewUpdater } from "./viewUpdater";

/** Number of rows in an answer, more than a tall window shows. */
const ROWS = 100;

/** Number of recent conversations in an empty one. */
const MAX_RECENT = 3;

interface Snippet {
  readonly text: string;
  readonly ranges: readonly TextRange[];
}

/** Conversation or draft at its position in the list. */
interface ListItem {
  readonly isPinned: boolean;
  readonly changedAtMs: number;
  readonly row: () => HistoryRow;
}

type Asked = MessageOf<ToHost, "history-asked">;
type Shown = Omit<MessageOf<ToView, "history-shown">, "type">;

export class HistoryList extends DisposableOwner {
  private following = new Disposables();
  private controller = new AbortController();
  private asked: Asked | undefined;
  /** Last answer to `asked`. */
  private last: Shown | undefined;
  private isSearching = false;
  /** True if the list changed during the search. */
  private isOutdated = false;
  /** Unsent questions: for a search all of them, else those of conversations without messages. */
  private drafts: ReadonlyMap<string, UnsentDraft> = new Map();

  readonly handlers: HostHandlers<HistoryToHost["type"]> = {
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
    private readonly list: ConversationList,
    private readonly texts: Messages,
    private readonly log: Log,
    private readonly view: ViewUpdater,
  ) {
    super();
    this.owned.add({ dispose: () => this.stop() });
  }

  /** Answers now, again while files are read, and after later changes. */
  private ask(asked: Asked): void {
    const isOpened = this.asked === undefined;
    this.stop();
    this.asked = asked;
    const { index } = this.conversations;
    this.following = new Disposables();
    this.following.add(this.list.onChanged(() => void this.answerChange(asked)));
    this.following.add(index.onProgressChanged(() => this.showIndexing(asked)));
    this.following.add(this.conversations.onRunningChanged(() => this.answer()));
    this.answer();
    index.prepareSearch();
    void index
      .refresh(isOpened)
      .then(() => this.answerRefreshed(asked))
      .then(() => index.build());
  }

  /** Stops updating: the view shows something else. */
  stop(): void {
    this.asked = undefined;
    this.last = undefined;
    this.isSearching = false;
    this.controller.abort(new Error("the list is no longer looked at"));
    this.following.dispose();
  }

  /** Sends the latest other conversations of the workspace, or of all if the workspace has none. */
  private async showRecent(): Promise<void> {
    let shown: IndexEntry[] | undefined;
    if (!this.list.isReady) {
      await this.list.load();
      shown = this.recent();
      this.postRecent(shown);
    }
    await this.conversations.index.refresh();
    const entries = this.recent();
    if (JSON.stringify(shown) !== JSON.stringify(entries)) this.postRecent(entries);
  }

  private recent(): IndexEntry[] {
    const { list } = this;
    const shownId = this.view.live?.conversation.id;
    const newest = (filter: ListFilter) =>
      list
        .newest(filter, MAX_RECENT + 1)
        .filter(({ id }) => id !== shownId)
        .slice(0, MAX_RECENT);
    const workspace = this.conversations.workspaceName();
    const ofWorkspace = workspace === undefined ? [] : newest({ workspace });
    return ofWorkspace.length > 0 ? ofWorkspace : newest({});
  }

  private postRecent(entries: readonly IndexEntry[]): void {
    this.view.post({ type: "recent-shown", rows: entries.map((entry) => this.row(entry)) });
  }

  /** Answers again after the first refresh, unless the search would only run twice. */
  private async answerRefreshed(asked: Asked): Promise<void> {
    const isSearch = asked.text.trim() !== "";
    const hasNewDrafts = await this.readDrafts(asked);
    const { isUnavailable } = this.list;
    if (this.asked === asked && (!isSearch || hasNewDrafts || isUnavailable)) this.answer();
  }

  private async answerChange(asked: Asked): Promise<void> {
    await this.readDrafts(asked);
    if (this.asked !== asked) return;
    // A search that each checkpoint of a reply starts again would never end.
    if (this.isSearching) this.isOutdated = true;
    else this.answer();
  }

  /** Resolves with true if the drafts changed. */
  private async readDrafts(asked: Asked): Promise<boolean> {
    const { drafts } = this.conversations.history;
    // A search also finds what was typed after the last message of a conversation.
    const isSearch = asked.text.trim() !== "";
    const unsent = await drafts.unsent((id) => isSearch || isWithoutMessages(this.list.get(id)));
    if (this.asked !== asked) return false;
    const before = JSON.stringify([...this.drafts.values()]);
    this.drafts = new Map(unsent.map((draft) => [draft.id, draft]));
    return JSON.stringify(unsent) !== before;
  }

  private showIndexing(asked: Asked): void {
    if (this.asked !== asked || this.last === undefined) return;
    this.view.post({ type: "history-shown", ...this.withIndexing(this.last) });
  }

  private withIndexing(shown: Shown): Shown {
    const indexing = this.conversations.index.progress;
    return { ...shown, ...(indexing && { indexing }) };
  }

  private answer(): void {
    const { asked } = this;
    if (asked === undefined) return;
    this.controller.abort(new Error("something else is asked"));
    this.controller = new AbortController();
    this.isSearching = false;
    this.isOutdated = false;
    const { signal } = this.controller;
    const filter = this.filterOf(asked);
    if (asked.text.trim() === "") {
      this.showAll(asked, filter);
      return;
    }
    this.isSearching = true;
    this.search(asked, filter, signal)
      .catch((error: unknown) => {
        if (!signal.aborted) this.log.error(`history: a search failed (${describeError(error)})`);
      })
      .finally(() => {
        if (signal.aborted) return;
        this.isSearching = false;
        if (this.isOutdated) this.answer();
      });
  }

  /** Returns the filter of a request. A window without a workspace lists all conversations. */
  private filterOf({ isInBin, isThisWorkspace }: Asked): ListFilter & { isInBin: boolean } {
    const workspace = isThisWorkspace ? this.conversations.workspaceName() : undefined;
    return { isInBin, ...(workspace !== undefined && { workspace }) };
  }

  private showAll(asked: Asked, filter: ListFilter & { isInBin: boolean }): void {
    const { list } = this;
    const { firstRow = 0 } = asked;
    const drafts = this.draftItems(asked);
    const { isInBin } = filter;
    const count = list.count(filter);
    const hiddenCount = filter.workspace && list.count({ isInBin }) - count;
    const items = list.list(filter, firstRow + ROWS).map((entry) => this.item(entry));
    const rows = merged(items, drafts)
      .slice(firstRow, firstRow + ROWS)
      .map(({ row }) => row());
    this.show(asked, {
      rows,
      foundCount: count + drafts.length,
      isComplete: list.isReady,
      ...(hiddenCount && { hiddenCount }),
    });
  }

  private async search(asked: Asked, filter: ListFilter, signal: AbortSignal): Promise<void> {
    const search = await this.conversations.index.search();
    const draftItems = this.draftItems(asked);
    const { firstRow = 0 } = asked;
    const firstHit = Math.max(0, firstRow - draftItems.length);
    const query = { ...filter, text: asked.text, firstHit, maxHits: ROWS };
    for await (const answer of search.search(query, signal)) {
      const { hits, foundCount, isComplete } = answer;
      const hitIds = new Set(hits.map(({ entry }) => entry.id));
      const drafts = draftItems.map(({ row }) => row()).filter(({ id }) => !hitIds.has(id));
      const rows = hits.map((hit) => this.row(hit.entry, hit));
      this.show(asked, {
        rows: [...drafts.slice(firstRow), ...rows],
        foundCount: foundCount + drafts.length,
        isComplete,
      });
    }
  }

  /**
   * Returns drafts of conversations that are not listed, or drafts that match the search. A draft
   * without a conversation has no workspace and is in the list of each.
   */
  private draftItems(asked: Asked): ListItem[] {
    const { text, isInBin } = asked;
    const { list } = this;
    const { workspace } = this.filterOf(asked);
    return [...this.drafts.values()].flatMap((draft) => {
      const entry = list.get(draft.id);
      if (entry === undefined ? isInBin : text.trim() === "") return [];
      if (entry && (entry.deletedAtMs !== undefined) !== isInBin) return [];
      if (entry && workspace !== undefined && entry.workspace !== workspace) return [];
      const match = findInDraft(draft.text, text);
      return match === undefined ? [] : [this.draftItem(draft, entry, match)];
    });
  }

  private draftItem(
    { id, text, attached, changedAtMs }: UnsentDraft,
    entry: IndexEntry | undefined,
    snippets: readonly Snippet[],
  ): ListItem {
    const row = {
      ...this.baseRow(id, changedAtMs),
      title: entry?.title ?? this.texts.draftTitle(text, attached.length),
      detail: entry && entry.messageCount > 0 ? this.detailOf(entry) : "",
      snippets: snippets.map(snippetView),
      isPinned: entry?.isPinned ?? false,
    };
    return { isPinned: row.isPinned, changedAtMs, row: () => row };
  }

  private show(
    asked: Asked,
    found: Pick<Shown, "rows" | "foundCount" | "hiddenCount" | "isComplete">,
  ): void {
    const { text, isInBin, firstRow } = asked;
    const { isUnavailable } = this.list;
    const workspace = this.conversations.workspaceName();
    this.last = {
      text,
      isInBin,
      ...(isInBin && { binCount: this.list.count({ isInBin }) }),
      ...(firstRow !== undefined && { firstRow }),
      ...found,
      isComplete: found.isComplete || isUnavailable,
      ...(isUnavailable && { isUnavailable }),
      ...(workspace !== undefined && { workspace }),
    };
    this.view.post({ type: "history-shown", ...this.withIndexing(this.last) });
  }

  private item(entry: IndexEntry): ListItem {
    return {
      isPinned: entry.isPinned,
      changedAtMs: this.changedAtMs(entry),
      row: () => this.row(entry),
    };
  }

  /** Returns the time of the last message or of the unsent question after it. */
  private changedAtMs({ id, changedAtMs }: IndexEntry): number {
    return Math.max(changedAtMs, this.drafts.get(id)?.changedAtMs ?? 0);
  }

  private detailOf(entry: IndexEntry): string {
    return this.texts.historyDetail(entry, this.conversations.workspaceName());
  }

  private row(entry: IndexEntry, hit?: SearchHit): HistoryRow {
    const draft = entry.title === undefined ? this.drafts.get(entry.id) : undefined;
    const untitled = draft && this.texts.draftTitle(draft.text, draft.attached.length);
    return {
      ...this.baseRow(entry.id, this.changedAtMs(entry)),
      title: titleOfEntry(entry, this.texts) ?? untitled ?? this.texts.untitled(),
      titleRanges: (hit?.titleRanges ?? []).map(rangeView),
      detail: this.detailOf(entry),
      ...(entry.pictureCount > 0 && { pictureCount: entry.pictureCount }),
      snippets: (hit?.snippets ?? []).map(snippetView),
      isPinned: entry.isPinned,
      isDamaged: entry.damagedRecords > 0 || entry.isUnreadable,
    };
  }

  private baseRow(id: string, changedAtMs: number) {
    return {
      id,
      titleRanges: [],
      when: this.texts.when(changedAtMs),
      period: this.texts.period(changedAtMs),
      isRunning: this.conversations.isRunning(id),
      isShown: id === this.view.live?.conversation.id,
      isDamaged: false,
    };
  }
}

/** Returns the title of a conversation; undefined without one. */
export function titleOfEntry(
  { title, isFork = false }: IndexEntry,
  texts: Pick<Messages, "forkTitle">,
): string | undefined {
  return title !== undefined && isFork ? texts.forkTitle(title) : title;
}

function isWithoutMessages(entry: IndexEntry | undefined): boolean {
  return entry === undefined || (entry.messageCount === 0 && !entry.isUnreadable);
}

/** Merges two sorted lists by time; pinned rows stay first. */
function merged(items: readonly ListItem[], others: readonly ListItem[]): ListItem[] {
  // The sort is stable, so rows of the same time keep their order.
  return [...items, ...others].sort(
    (a, b) => Number(b.isPinned) - Number(a.isPinned) || b.changedAtMs - a.changedAtMs,
  );
}

function snippetView({ text, ranges }: Snippet): HistoryRow["snippets"][number] {
  return { text, ranges: ranges.map(rangeView) };
}

function rangeView([start, end]: TextRange): { start: number; end: number } {
  return { start, end };
}
