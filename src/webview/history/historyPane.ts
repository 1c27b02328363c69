/**
 * The list of conversations as the person looks at it: what is searched for, which line is active
 * and what is done with it. The host answers with lines; nothing here is kept when it is closed,
 * but for the choice of workspace.
 */
import { t } from "@vscode/l10n";
import { batch, computed, signal, type ReadonlySignal } from "@preact/signals";
import type { Clock } from "../../base/clock";
import type { Disposable } from "../../base/disposables";
import { Emitter } from "../../base/event";
import type { HistoryRow } from "../../protocol/views";
import type { Host } from "../state/host";
import type { HistoryShown, PanelStore, StoreEvent } from "../state/store";

/** How long after the last keystroke the host is asked, in milliseconds. */
const SEARCH_DELAY_MS = 120;

/** Longest search the host takes, in UTF-16 units. */
const MAX_SEARCH_LENGTH = 1000;

/** Longest title the host takes, in UTF-16 units. */
export const MAX_TITLE_LENGTH = 500;

/** A conversation that went into the bin a moment ago. */
export interface Deleted {
  readonly id: string;
  readonly title: string;
}

/** One per page; closed at first. */
export class HistoryPane {
  private readonly opened = signal(false);
  private readonly typed = signal("");
  private readonly bin = signal(false);
  private readonly workspaceOnly = signal(false);
  private readonly answered = signal<HistoryShown | undefined>(undefined);
  private readonly active = signal<string | undefined>(undefined);
  private readonly renamed = signal<string | undefined>(undefined);
  private readonly binned = signal<Deleted | undefined>(undefined);
  private readonly listFocus = new Emitter<void>();
  /** False while the first line is active only because nobody chose another. */
  private hasChosen = false;
  /** True when the pointer made the line active: then nothing may scroll under it. */
  isPointedAt = false;
  /** The conversation that is shown, and whether the next one is only its stand-in. */
  private shownId: string | undefined;
  private isReplaced = false;
  private timer: Disposable | undefined;

  readonly isOpen: ReadonlySignal<boolean> = this.opened;
  /** What is searched for. */
  readonly text: ReadonlySignal<string> = this.typed;
  readonly isInBin: ReadonlySignal<boolean> = this.bin;
  readonly isThisWorkspace: ReadonlySignal<boolean> = this.workspaceOnly;
  /** The host's answer; undefined until it comes, and after the list itself became another. */
  readonly answer: ReadonlySignal<HistoryShown | undefined> = this.answered;
  readonly activeId: ReadonlySignal<string | undefined> = this.active;
  readonly activeRow: ReadonlySignal<HistoryRow | undefined> = computed(() =>
    this.answered.value?.rows.find(({ id }) => id === this.active.value),
  );
  /** The line whose title is being written anew. */
  readonly renamingId: ReadonlySignal<string | undefined> = this.renamed;
  /** What can be taken back. */
  readonly deleted: ReadonlySignal<Deleted | undefined> = this.binned;
  /** The list should have the focus now. */
  readonly onListFocusAsked = this.listFocus.event;

  /** @param say shows and reads a short word */
  constructor(
    private readonly host: Host,
    store: PanelStore,
    private readonly clock: Clock,
    private readonly say: (text: string) => void,
  ) {
    store.onEvent((event) => this.take(event));
  }

  /** Shows all conversations, from the newest on. */
  open(): void {
    batch(() => {
      this.opened.value = true;
      this.typed.value = "";
      this.bin.value = false;
      this.startAnew();
    });
  }

  /** Goes back to the conversation. */
  close(): void {
    if (!this.opened.peek()) return;
    this.forgetTimer();
    batch(() => {
      this.opened.value = false;
      this.answered.value = undefined;
      this.renamed.value = undefined;
      this.binned.value = undefined;
    });
    this.host.send({ type: "history-left" });
  }

  /** The person typed: this is the whole search now. */
  search(text: string): void {
    this.typed.value = text;
    this.forgetTimer();
    this.timer = this.clock.after(SEARCH_DELAY_MS, () => this.ask());
  }

  toggleBin(): void {
    batch(() => {
      this.bin.value = !this.bin.peek();
      this.binned.value = undefined;
      this.startAnew();
    });
  }

  toggleThisWorkspace(): void {
    batch(() => {
      this.workspaceOnly.value = !this.workspaceOnly.peek();
      this.startAnew();
    });
  }

  /** Makes a line the active one. */
  activate(id: string, by: "keys" | "pointer"): void {
    this.hasChosen = true;
    this.isPointedAt = by === "pointer";
    this.active.value = id;
  }

  /** Goes some lines down, or up when negative; stays within the list. */
  move(step: number): void {
    const rows = this.answered.peek()?.rows ?? [];
    const index = rows.findIndex(({ id }) => id === this.active.peek());
    const row = rows[Math.max(0, Math.min(rows.length - 1, index + step))];
    if (row) this.activate(row.id, "keys");
  }

  /** Opens the active conversation; in the bin, takes it out of it. */
  openActive(): void {
    const row = this.activeRow.peek();
    if (row === undefined) return;
    if (this.bin.peek()) this.restoreActive();
    else if (row.id === this.shownId) this.close();
    else this.host.send({ type: "conversation-opened", conversationId: row.id });
  }

  beginRenaming(): void {
    const row = this.activeRow.peek();
    if (row === undefined || this.bin.peek()) return;
    this.hasChosen = true;
    this.renamed.value = row.id;
  }

  /** Gives the title to the conversation being renamed; a blank one leaves it as it was. */
  rename(title: string): void {
    const conversationId = this.renamed.peek();
    const row = this.answered.peek()?.rows.find(({ id }) => id === conversationId);
    this.renamed.value = undefined;
    const trimmed = title.trim();
    if (conversationId === undefined || trimmed === "" || trimmed === row?.title) return;
    this.host.send({ type: "conversation-renamed", conversationId, title: trimmed });
    this.say(t("Renamed"));
  }

  cancelRenaming(): void {
    this.renamed.value = undefined;
  }

  togglePin(): void {
    const row = this.activeRow.peek();
    if (row === undefined) return;
    const { id: conversationId, isPinned } = row;
    this.hasChosen = true;
    this.host.send({ type: "conversation-pinned", conversationId, isPinned: !isPinned });
    this.say(isPinned ? t("Unpinned") : t("Pinned"));
  }

  /** Puts the active conversation into the bin. */
  deleteActive(): void {
    const row = this.activeRow.peek();
    if (row === undefined || this.bin.peek() || this.binned.peek()?.id === row.id) return;
    const { id, title } = row;
    this.hasChosen = true;
    this.isReplaced = id === this.shownId;
    this.binned.value = { id, title };
    this.host.send({ type: "conversation-deleted", conversationId: id });
    this.listFocus.fire();
  }

  /** Takes the last deletion back. */
  undoDelete(): void {
    const deleted = this.binned.peek();
    if (deleted === undefined) return;
    this.binned.value = undefined;
    this.activate(deleted.id, "keys");
    this.restore(deleted.id);
  }

  /** Takes the active conversation out of the bin. */
  restoreActive(): void {
    const row = this.activeRow.peek();
    if (row) this.restore(row.id);
  }

  private restore(conversationId: string): void {
    this.host.send({ type: "conversation-restored", conversationId });
    this.say(t("Restored"));
    this.listFocus.fire();
  }

  /** Asks for another list; the lines shown so far have no meaning in it. */
  private startAnew(): void {
    this.answered.value = undefined;
    this.active.value = undefined;
    this.renamed.value = undefined;
    this.ask();
  }

  private ask(): void {
    this.forgetTimer();
    this.hasChosen = false;
    this.isPointedAt = false;
    this.host.send({
      type: "history-asked",
      text: this.searchText(),
      isInBin: this.bin.peek(),
      isThisWorkspace: this.workspaceOnly.peek(),
    });
  }

  private searchText(): string {
    return this.typed.peek().slice(0, MAX_SEARCH_LENGTH);
  }

  private take(event: StoreEvent): void {
    if (event.type === "history-opened") this.open();
    else if (event.type === "history-shown") this.show(event);
    else if (event.type === "snapshot") this.follow(event.conversationId);
    // The caret belongs into the composer, which the list would hide.
    else if (event.type === "focus-asked") this.close();
  }

  private show(shown: HistoryShown): void {
    const isAnswer = shown.text === this.searchText() && shown.isInBin === this.bin.peek();
    if (!this.opened.peek() || !isAnswer) return;
    batch(() => {
      const rowsBefore = this.answered.peek()?.rows ?? [];
      this.answered.value = shown;
      this.active.value = this.activeIn(shown.rows, rowsBefore);
      const { value: renamingId } = this.renamed;
      if (!shown.rows.some(({ id }) => id === renamingId)) this.renamed.value = undefined;
    });
  }

  /** The same line as before; where that is gone, the one that moved up into its place. */
  private activeIn(rows: readonly HistoryRow[], before: readonly HistoryRow[]): string | undefined {
    const activeId = this.active.peek();
    if (!this.hasChosen) return rows[0]?.id;
    if (rows.some(({ id }) => id === activeId)) return activeId;
    const index = before.findIndex(({ id }) => id === activeId);
    return rows[Math.max(0, Math.min(index, rows.length - 1))]?.id;
  }

  /** Another conversation is shown: the person wants to see it, unless it replaces a deleted one. */
  private follow(conversationId: string): void {
    const isOther = conversationId !== this.shownId;
    this.shownId = conversationId;
    if (!isOther) return;
    if (this.isReplaced) this.isReplaced = false;
    else this.close();
  }

  private forgetTimer(): void {
    this.timer?.dispose();
    this.timer = undefined;
  }
}
