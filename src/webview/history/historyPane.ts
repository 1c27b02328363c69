/**
 * State of the list of conversations: search text, filters, active row and actions. The host sends the
 * rows. Closing the list resets everything except the workspace filter, which is on at first.
 */
import { t } from "@vscode/l10n";
import { batch, computed, signal, type ReadonlySignal } from "@preact/signals";
import type { Clock } from "../../base/clock";
import type { Disposable } from "../../base/disposables";
import { Emitter } from "../../base/event";
import type { HistoryRow } from "../../protocol/views";
import type { Host } from "../state/host";
import type { HistoryShown, PanelStore } from "../state/store";

/** Delay between the last keystroke and the search, in milliseconds. */
const SEARCH_DELAY_MS = 120;

/** Number of rows before the first visible row that the page asks for. */
const ROWS_BEFORE = 40;

/** Maximum length of a search text, in UTF-16 units; limit of the protocol. */
const MAX_SEARCH_LENGTH = 1000;

/** Maximum length of a title, in UTF-16 units; limit of the protocol. */
export const MAX_TITLE_LENGTH = 500;

/** Last change that the user can undo. */
interface Undoable {
  readonly text: string;
  /** Conversations that were moved to the bin. */
  readonly deletedIds: readonly string[];
  readonly undo: () => void;
}

/** List of the page; closed at first. */
export class HistoryPane {
  readonly isOpen = signal(false);
  readonly text = signal("");
  readonly isInBin = signal(false);
  readonly isThisWorkspace = signal(true);
  /** True if the window has a workspace, or until the host answers. */
  readonly hasWorkspace = signal(true);
  /** Rows from the host; undefined until they arrive. */
  readonly answer = signal<HistoryShown | undefined>(undefined);
  readonly activeId = signal<string | undefined>(undefined);
  readonly renamingId = signal<string | undefined>(undefined);
  readonly undoable = signal<Undoable | undefined>(undefined);
  /** Rows that were selected for a common action, by id; also those that are no longer loaded. */
  readonly selected = signal<ReadonlyMap<string, HistoryRow>>(new Map());
  /** Row where a range of selected rows begins. */
  private anchorId: string | undefined;
  private readonly listFocus = new Emitter<void>();
  /** Number of rows before those that were asked for. */
  private firstRow = 0;
  /** Position of the active row among all rows, also when it is not loaded. */
  private activeIndex = 0;
  /** True if the row at `activeIndex` becomes active once it is loaded. */
  private isMoving = false;
  /** False while the first row is active by default. */
  private hasChosen = false;
  /** True if the pointer activated the row; the list must not scroll then. */
  isPointedAt = false;
  private shownId: string | undefined;
  /** True if the next shown conversation replaces a deleted conversation. */
  private isReplaced = false;
  private timer: Disposable | undefined;

  readonly activeRow: ReadonlySignal<HistoryRow | undefined> = computed(() =>
    this.answer.value?.rows.find(({ id }) => id === this.activeId.value),
  );
  /** Fires when the list should get the focus. */
  readonly onListFocusAsked = this.listFocus.event;

  /** @param announce shows a short text and reads it to screen readers */
  constructor(
    private readonly host: Host,
    store: PanelStore,
    private readonly clock: Clock,
    private readonly announce: (text: string) => void,
  ) {
    store.on("history-opened", () => this.open());
    store.on("history-shown", (answer) => this.showAnswer(answer));
    store.on("snapshot", ({ conversationId }) => this.onConversationShown(conversationId));
    // The list would hide the composer, which gets the focus.
    store.on("focus-asked", () => this.close());
  }

  /** Opens the list with an empty search. */
  open(): void {
    batch(() => {
      this.isOpen.value = true;
      this.text.value = "";
      this.isInBin.value = false;
      this.reload();
    });
  }

  close(): void {
    if (!this.isOpen.peek()) return;
    this.clearTimer();
    batch(() => {
      this.isOpen.value = false;
      this.answer.value = undefined;
      this.renamingId.value = undefined;
      this.undoable.value = undefined;
      this.clearSelection();
    });
    this.host.send({ type: "history-left" });
  }

  /** Sets the search text and searches after a delay. */
  search(text: string): void {
    this.text.value = text;
    this.clearTimer();
    this.timer = this.clock.after(SEARCH_DELAY_MS, () => this.askFromTop());
  }

  toggleBin(): void {
    batch(() => {
      this.isInBin.value = !this.isInBin.peek();
      this.undoable.value = undefined;
      this.reload();
    });
  }

  filterByWorkspace(isThisWorkspace: boolean): void {
    if (this.isThisWorkspace.peek() === isThisWorkspace) return;
    batch(() => {
      this.isThisWorkspace.value = isThisWorkspace;
      this.reload();
    });
  }

  /** Makes a row the active row. */
  activate(id: string, by: "keys" | "pointer"): void {
    this.hasChosen = true;
    this.isMoving = false;
    this.isPointedAt = by === "pointer";
    this.activeId.value = id;
    this.updateActiveIndex();
  }

  /** Moves the active row down, or up if negative, within the list. Loads the row if necessary. */
  move(step: number): void {
    const { rows = [], firstRow = 0, foundCount = 0 } = this.answer.peek() ?? {};
    const rowCount = Math.max(foundCount, firstRow + rows.length);
    this.activeIndex = Math.max(0, Math.min(rowCount - 1, this.activeIndex + step));
    const row = rows[this.activeIndex - firstRow];
    if (row) {
      this.activate(row.id, "keys");
      return;
    }
    this.isMoving = true;
    this.loadRows(this.activeIndex);
  }

  /** Asks for the rows around a position, unless they were asked for. */
  loadRows(index: number): void {
    const firstRow = Math.max(0, Math.floor(index) - ROWS_BEFORE);
    if (firstRow !== this.firstRow) this.ask(firstRow);
  }

  /** Opens the active conversation, or restores it in the bin. */
  openActive(): void {
    const row = this.activeRow.peek();
    if (row === undefined) return;
    this.isReplaced = false;
    if (this.isInBin.peek()) this.restoreActive();
    else if (row.id === this.shownId) this.close();
    else this.host.send({ type: "conversation-opened", conversationId: row.id });
  }

  beginRenaming(): void {
    const row = this.activeRow.peek();
    if (row === undefined || this.isInBin.peek()) return;
    this.hasChosen = true;
    this.renamingId.value = row.id;
  }

  /** Ends renaming with a new title; a blank title changes nothing. */
  rename(title: string): void {
    const conversationId = this.renamingId.peek();
    const row = this.answer.peek()?.rows.find(({ id }) => id === conversationId);
    this.renamingId.value = undefined;
    const trimmed = title.trim();
    if (conversationId === undefined || trimmed === "" || trimmed === row?.title) return;
    this.host.send({ type: "conversation-renamed", conversationId, title: trimmed });
    this.announce(t("Renamed"));
  }

  cancelRenaming(): void {
    this.renamingId.value = undefined;
  }

  toggleSelected(): void {
    const row = this.activeRow.peek();
    if (row === undefined || this.isInBin.peek()) return;
    const selected = new Map(this.selected.peek());
    if (!selected.delete(row.id)) selected.set(row.id, row);
    this.anchorId = row.id;
    this.hasChosen = true;
    this.selected.value = selected;
  }

  /** Selects the loaded rows from the row that was selected last to this row. */
  selectTo(id: string): void {
    const rows = this.answer.peek()?.rows ?? [];
    const from = rows.findIndex((row) => row.id === this.anchorId);
    const to = rows.findIndex((row) => row.id === id);
    if (to === -1 || this.isInBin.peek()) return;
    if (from === -1) this.anchorId = id;
    const first = from === -1 ? to : Math.min(from, to);
    const range = rows.slice(first, Math.max(from, to) + 1);
    this.selected.value = new Map([
      ...this.selected.peek(),
      ...range.map((row) => [row.id, row] as const),
    ]);
  }

  clearSelection(): void {
    this.anchorId = undefined;
    this.selected.value = new Map();
  }

  /** Pins the selected rows or else the active row; unpins rows that are all pinned. */
  togglePin(): void {
    const rows = this.targets();
    const isPinned = !rows.every((row) => row.isPinned);
    const changed = rows.filter((row) => row.isPinned !== isPinned);
    const pin = (to: boolean) => {
      for (const { id: conversationId } of changed) {
        this.host.send({ type: "conversation-pinned", conversationId, isPinned: to });
      }
    };
    if (changed.length === 0) return;
    this.hasChosen = true;
    pin(isPinned);
    this.announce(isPinned ? t("Pinned") : t("Unpinned"));
    if (this.selected.peek().size === 0) return;
    const text = isPinned
      ? t("{0} conversations were pinned.", changed.length)
      : t("{0} conversations were unpinned.", changed.length);
    this.undoable.value = { text, deletedIds: [], undo: () => pin(!isPinned) };
    this.clearSelection();
  }

  exportSelected(): void {
    const conversationIds = this.targets().map(({ id }) => id);
    this.host.send({ type: "conversations-exported", conversationIds });
  }

  /** Moves the selected conversations, or else the active one, into the bin. */
  deleteActive(): void {
    if (this.isInBin.peek()) return;
    const before = this.undoable.peek()?.deletedIds ?? [];
    const rows = this.targets().filter(({ id }) => !before.includes(id));
    const [first] = rows;
    if (first === undefined) return;
    const deletedIds = rows.map(({ id }) => id);
    this.hasChosen = true;
    this.isReplaced = deletedIds.some((id) => id === this.shownId);
    const text =
      rows.length === 1
        ? t("“{0}” was moved to the bin.", first.title)
        : t("{0} conversations were moved to the bin.", rows.length);
    const undo = () => {
      this.activate(first.id, "keys");
      this.restore(deletedIds);
    };
    this.undoable.value = { text, deletedIds, undo };
    for (const conversationId of deletedIds) {
      this.host.send({ type: "conversation-deleted", conversationId });
    }
    this.clearSelection();
    this.listFocus.fire();
  }

  private targets(): HistoryRow[] {
    const selected = [...this.selected.peek().values()];
    const active = this.activeRow.peek();
    return selected.length > 0 ? selected : active ? [active] : [];
  }

  /** Deletes the active conversation for ever; VS Code asks before. */
  deleteActivePermanently(): void {
    const row = this.activeRow.peek();
    if (row === undefined) return;
    const { id: conversationId, title } = row;
    this.hasChosen = true;
    this.isReplaced = conversationId === this.shownId;
    this.host.send({
      type: "conversation-removed",
      conversationId,
      title: title.slice(0, MAX_TITLE_LENGTH),
    });
    this.listFocus.fire();
  }

  /** Deletes all conversations in the bin for ever; VS Code asks before. */
  emptyBin(): void {
    this.host.send({ type: "bin-emptied" });
  }

  /** Undoes the last change, of all its conversations. */
  undo(): void {
    const undoable = this.undoable.peek();
    this.undoable.value = undefined;
    undoable?.undo();
  }

  restoreActive(): void {
    const row = this.activeRow.peek();
    if (row) this.restore([row.id]);
  }

  private restore(ids: readonly string[]): void {
    for (const conversationId of ids) {
      this.host.send({ type: "conversation-restored", conversationId });
    }
    this.announce(t("Restored"));
    this.listFocus.fire();
  }

  /** Removes the rows and asks the host for another list. */
  private reload(): void {
    this.clearSelection();
    this.answer.value = undefined;
    this.activeId.value = undefined;
    this.renamingId.value = undefined;
    this.askFromTop();
  }

  private askFromTop(): void {
    this.hasChosen = false;
    this.isPointedAt = false;
    this.isMoving = false;
    this.activeIndex = 0;
    this.ask(0);
  }

  private ask(firstRow: number): void {
    this.clearTimer();
    this.firstRow = firstRow;
    this.host.send({
      type: "history-asked",
      text: this.searchText(),
      isInBin: this.isInBin.peek(),
      isThisWorkspace: this.isThisWorkspace.peek(),
      ...(firstRow > 0 && { firstRow }),
    });
  }

  private searchText(): string {
    return this.text.peek().slice(0, MAX_SEARCH_LENGTH);
  }

  private showAnswer(shown: HistoryShown): void {
    const { firstRow = 0, rows } = shown;
    const isAnswer =
      shown.text === this.searchText() &&
      shown.isInBin === this.isInBin.peek() &&
      firstRow === this.firstRow;
    if (!this.isOpen.peek() || !isAnswer) return;
    // Rows were removed since the list was scrolled there.
    if (rows.length === 0 && firstRow > 0) {
      this.loadRows(Math.min(shown.foundCount, firstRow) - 1);
      return;
    }
    batch(() => {
      this.activeId.value = this.activeIn(shown);
      this.answer.value = shown;
      this.hasWorkspace.value = shown.workspace !== undefined;
      this.updateActiveIndex();
      const { value: renamingId } = this.renamingId;
      if (!rows.some(({ id }) => id === renamingId)) this.renamingId.value = undefined;
    });
  }

  /** Returns the active row's id, or that of the row at its position if the row was removed. */
  private activeIn({ rows, firstRow = 0 }: HistoryShown): string | undefined {
    const activeId = this.activeId.peek();
    const index = this.activeIndex - firstRow;
    if (this.isMoving) {
      this.isMoving = false;
      this.isPointedAt = false;
      this.hasChosen = true;
      return rows[Math.max(0, Math.min(index, rows.length - 1))]?.id;
    }
    if (!this.hasChosen && firstRow === 0) return rows[0]?.id;
    if (rows.some(({ id }) => id === activeId)) return activeId;
    // Scrolling moves the active row out of the loaded rows; it stays active.
    const before = this.answer.peek();
    const isScrolled = before !== undefined && (before.firstRow ?? 0) !== firstRow;
    if (isScrolled || index < 0 || index >= rows.length + ROWS_BEFORE) return activeId;
    return rows[Math.max(0, Math.min(index, rows.length - 1))]?.id;
  }

  private updateActiveIndex(): void {
    const { rows = [], firstRow = 0 } = this.answer.peek() ?? {};
    const index = rows.findIndex(({ id }) => id === this.activeId.peek());
    if (index !== -1) this.activeIndex = firstRow + index;
  }

  /** Closes the list for another conversation, unless that replaces a deleted conversation. */
  private onConversationShown(conversationId: string): void {
    const isOther = conversationId !== this.shownId;
    this.shownId = conversationId;
    if (!isOther) return;
    if (this.isReplaced) this.isReplaced = false;
    else this.close();
  }

  private clearTimer(): void {
    this.timer?.dispose();
    this.timer = undefined;
  }
}
