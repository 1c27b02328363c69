import { t } from "@vscode/l10n";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { IconButton, TextButton } from "../ui/iconButton";
import { StandingNotices } from "../ui/standingNotices";
import type { HistoryShown } from "../state/store";
import { RowActions } from "./rowActions";
import { handleRowKey, LIST_ID, optionId, RowList } from "./rowList";
import { useHistory } from "./historyContext";

export function HistoryView({ onClose }: { readonly onClose: () => void }) {
  const history = useHistory();
  const searchRef = useRef<HTMLInputElement>(null);
  const answer = history.answer.value;
  const activeId = history.activeRow.value?.id;

  useLayoutEffect(() => searchRef.current?.focus(), []);

  const hiddenCount = history.isThisWorkspace.value ? (answer?.hiddenCount ?? 0) : 0;

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "Escape" && history.selected.peek().size > 0) {
      event.preventDefault(); // The list stays open.
      history.clearSelection();
      return;
    }
    const isCommand = event.ctrlKey || event.metaKey;
    if (!isCommand || event.altKey || event.shiftKey) return;
    if (event.key.toLowerCase() === "f") searchRef.current?.select();
    else if (event.key.toLowerCase() === "z" && !isTypedField(event)) history.undo();
    else return;
    event.preventDefault();
    event.stopPropagation(); // The find bar of the conversation must not open.
  }

  return (
    <section class="history" aria-label={t("All conversations")} onKeyDown={onKeyDown}>
      <div class="history-bar">
        <h2 class="history-heading">{t("Conversations")}</h2>
        <span class="history-count" aria-live={answer?.isComplete === true ? "polite" : "off"}>
          {countText(answer)}
        </span>
        <IconButton icon="close" label={t("Back to the conversation")} onClick={onClose} />
      </div>
      <search class="history-search">
        <div class="history-field">
          <input
            ref={searchRef}
            type="search"
            aria-label={t("Search conversations")}
            placeholder={t("Search conversations")}
            value={history.text.value}
            spellcheck={false}
            autocomplete="off"
            {...(activeId !== undefined && {
              "aria-controls": LIST_ID,
              "aria-activedescendant": optionId(activeId),
            })}
            onInput={(event) => history.search(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (!event.isComposing) handleRowKey(history, event);
            }}
          />
          {history.text.value !== "" && (
            <IconButton
              icon="close"
              label={t("Clear search")}
              onClick={() => {
                history.search("");
                searchRef.current?.focus();
              }}
            />
          )}
        </div>
        <div class="history-filters">
          {history.hasWorkspace.value && (
            <div class="toggle-group" role="group" aria-label={t("Workspaces")}>
              <Toggle
                label={t("This workspace")}
                isOn={history.isThisWorkspace.value}
                onToggle={() => history.filterByWorkspace(true)}
              />
              <Toggle
                label={
                  hiddenCount > 0
                    ? t("All workspaces ({0} more)", hiddenCount.toLocaleString())
                    : t("All workspaces")
                }
                isOn={!history.isThisWorkspace.value}
                onToggle={() => history.filterByWorkspace(false)}
              />
            </div>
          )}
          <Toggle
            label={t("Bin")}
            isOn={history.isInBin.value}
            onToggle={() => history.toggleBin()}
          />
          {history.isInBin.value && answer && (answer.binCount ?? 0) > 0 && (
            <TextButton
              label={t("Empty Bin ({0})", (answer.binCount ?? 0).toLocaleString())}
              onClick={() => history.emptyBin()}
            />
          )}
        </div>
      </search>
      {answer && answer.rows.length > 0 ? (
        <div class="history-scroller">
          <RowList answer={answer} searchRef={searchRef} />
          <RowActions />
        </div>
      ) : (
        <EmptyMessage answer={answer} searchRef={searchRef} />
      )}
      <SelectionBar />
      <UndoNotice />
      <StandingNotices />
    </section>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onToggle: () => void;
}

function Toggle({ label, isOn, onToggle }: ToggleProps) {
  return (
    <button type="button" class="toggle-button" aria-pressed={isOn} onClick={onToggle}>
      {label}
    </button>
  );
}

interface EmptyMessageProps {
  readonly answer: HistoryShown | undefined;
  readonly searchRef: RefObject<HTMLInputElement | null>;
}

/** Reason why no row is shown. Offers all workspaces if they may have rows. */
function EmptyMessage({ answer, searchRef }: EmptyMessageProps) {
  const history = useHistory();
  if (answer === undefined || !answer.isComplete) return <div class="history-empty" />;
  const { text, isUnavailable, workspace, hiddenCount = 0 } = answer;
  const isSearch = text.trim() !== "";
  const isFiltered = history.isThisWorkspace.value && workspace !== undefined && !isUnavailable;
  const hasOthers = isFiltered && (isSearch || hiddenCount > 0);
  return (
    <div class="history-empty">
      <p>{emptyText(answer, hasOthers)}</p>
      {hasOthers && (
        <TextButton
          label={isSearch ? t("Search all workspaces") : t("Show all workspaces")}
          onClick={() => {
            history.filterByWorkspace(false);
            searchRef.current?.focus();
          }}
        />
      )}
    </div>
  );
}

function emptyText({ text, isInBin, isUnavailable }: HistoryShown, hasOthers: boolean): string {
  if (isUnavailable) return t("Check access to the storage folder, then open the list again.");
  if (text.trim() !== "") {
    return hasOthers
      ? t("No matches in this workspace.")
      : t("No matching conversations. Try different words.");
  }
  if (isInBin) {
    return hasOthers
      ? t("No deleted conversations in this workspace.")
      : t("The bin is empty. Deleted conversations are kept for 30 days.");
  }
  return hasOthers
    ? t("No conversations in this workspace yet.")
    : t("No conversations yet. Your chats will appear here.");
}

function SelectionBar() {
  const history = useHistory();
  const rows = [...history.selected.value.values()];
  return (
    <div role="status">
      {rows.length > 0 && (
        <div class="history-selection" role="group" aria-label={t("Selected conversations")}>
          <span class="history-selected-count">{t("{0} selected", rows.length)}</span>
          <IconButton
            icon="pin"
            label={rows.every(({ isPinned }) => isPinned) ? t("Unpin all") : t("Pin all")}
            onClick={() => history.togglePin()}
          />
          <IconButton
            icon="export"
            label={t("Export all")}
            onClick={() => history.exportSelected()}
          />
          <IconButton icon="trash" label={t("Delete all")} onClick={() => history.deleteActive()} />
          <IconButton
            icon="close"
            label={t("Clear selection")}
            onClick={() => history.clearSelection()}
          />
        </div>
      )}
    </div>
  );
}

function UndoNotice() {
  const history = useHistory();
  const undoable = history.undoable.value;
  return (
    <div class="history-deleted" role="status">
      {undoable && (
        <div class="notice is-info">
          <span class="notice-text">{undoable.text}</span>
          <TextButton label={t("Undo")} onClick={() => history.undo()} />
        </div>
      )}
    </div>
  );
}

function countText(answer: HistoryShown | undefined): string {
  if (answer === undefined) return t("Reading…");
  const { foundCount, isComplete, isUnavailable, indexing } = answer;
  if (isUnavailable) return t("Could not read the conversations.");
  const count = foundCount.toLocaleString();
  const words = foundCount === 1 ? t("1 conversation") : t("{0} conversations", count);
  if (indexing && answer.text !== "") {
    const percent = Math.floor((100 * indexing.done) / Math.max(1, indexing.total));
    return t("{0}, preparing search: {1}%", words, percent);
  }
  return isComplete ? words : t("{0}, reading…", words);
}

/** True for a field with text, where Ctrl+Z undoes typing. */
function isTypedField({ target }: Event): boolean {
  return target instanceof HTMLInputElement && target.value !== "";
}
