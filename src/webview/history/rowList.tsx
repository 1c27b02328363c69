/**
 * Rows of the list. Enter, F2, Delete and Shift+Delete act on the active row; its buttons are in rowActions.tsx.
 */
import { t } from "@vscode/l10n";
import { useComputed } from "@preact/signals";
import { Fragment, type RefObject, type ComponentChild } from "preact";
import { useCallback, useLayoutEffect, useRef } from "preact/hooks";
import type { HistoryRow } from "../../protocol/views";
import { Icon } from "../ui/iconButton";
import type { HistoryPane } from "./historyPane";
import type { HistoryShown } from "../state/store";
import { useHistory } from "./historyContext";
import { menuContext } from "./rowActions";
import { useRowScroll } from "./rowScroll";

/** Element id of the list, for `aria-controls` of the search box. */
export const LIST_ID = "history-list";

/** Rows per Page Up and Page Down. */
const PAGE_STEP = 10;

export function optionId(rowId: string): string {
  return `history-row-${rowId}`;
}

/**
 * Handles a key in the list or in the search box.
 * @returns false if the key has no action
 */
export function handleRowKey(history: HistoryPane, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
  if (event.key === "ArrowDown") history.move(1);
  else if (event.key === "ArrowUp") history.move(-1);
  else if (event.key === "PageDown") history.move(PAGE_STEP);
  else if (event.key === "PageUp") history.move(-PAGE_STEP);
  else if (event.key === "Enter") history.openActive();
  else if (event.key === "F2") history.beginRenaming();
  else return false;
  event.preventDefault();
  return true;
}

interface RowListProps {
  readonly answer: HistoryShown;
  readonly searchRef: RefObject<HTMLInputElement | null>;
}

export function RowList({ answer, searchRef }: RowListProps) {
  const history = useHistory();
  const listRef = useRef<HTMLDivElement>(null);
  const activeRow = history.activeRow.value;
  const activeId = activeRow?.id;
  const loadRows = useCallback((index: number) => history.loadRows(index), [history]);
  const { beforePx, afterPx } = useRowScroll(listRef, answer, loadRows);
  const { rows, firstRow = 0, foundCount } = answer;

  useLayoutEffect(() => {
    const focusing = history.onListFocusAsked(() => listRef.current?.focus());
    return () => focusing.dispose();
  }, [history]);
  // Without rows the list is removed, so its focus moves to the search box.
  useLayoutEffect(() => {
    const list = listRef.current;
    const search = searchRef.current;
    return () => {
      if (list?.contains(document.activeElement)) search?.focus();
    };
  }, [searchRef]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing || handleRowKey(history, event)) return;
    const isCommand = event.ctrlKey || event.metaKey || event.altKey;
    if (event.key === "Home") history.move(-Infinity);
    else if (event.key === "End") history.move(Infinity);
    else if (event.key === "Delete") {
      if (event.shiftKey || history.isInBin.value) history.deleteActivePermanently();
      else history.deleteActive();
    } else if (event.key === " " && !isCommand) history.toggleSelected();
    else if (event.key.length === 1 && !isCommand) {
      searchRef.current?.focus(); // The browser then types the letter there.
      return;
    } else return;
    event.preventDefault();
  }

  return (
    <div
      ref={listRef}
      id={LIST_ID}
      class="history-list"
      role="listbox"
      aria-label={t("Conversations")}
      aria-multiselectable={history.selected.value.size > 0}
      aria-activedescendant={activeId && optionId(activeId)}
      tabIndex={0}
      {...(activeRow &&
        !history.isInBin.value && { "data-vscode-context": menuContext(activeRow) })}
      onKeyDown={onKeyDown}
    >
      {beforePx > 0 && <div role="none" style={{ height: `${beforePx}px` }} />}
      {rows.map((row, at) => (
        <Fragment key={row.id}>
          <PeriodHeading row={row} before={rows[at - 1]} />
          <Row row={row} position={firstRow + at + 1} count={foundCount} />
        </Fragment>
      ))}
      {afterPx > 0 && <div role="none" style={{ height: `${afterPx}px` }} />}
    </div>
  );
}

interface PeriodHeadingProps {
  readonly row: HistoryRow;
  /** Row above; undefined for the first row. */
  readonly before: HistoryRow | undefined;
}

/** Heading over the first row of a period. Each row names its period for screen readers. */
function PeriodHeading({ row, before }: PeriodHeadingProps) {
  const heading = usePeriodOf(row);
  const headingBefore = usePeriodOf(before);
  if (heading === undefined || heading === headingBefore) return null;
  return (
    <div class="history-period" aria-hidden="true">
      {heading}
    </div>
  );
}

/** Returns "Pinned" or the period of a row; undefined in a list that is not sorted by time. */
function usePeriodOf(row: HistoryRow | undefined): string | undefined {
  const history = useHistory();
  const { text = "", isInBin = false } = history.answer.value ?? {};
  if (row === undefined || isInBin || text.trim() !== "") return undefined;
  return row.isPinned ? t("Pinned") : row.period;
}

function picturesOf({ pictureCount: count }: HistoryRow): string {
  if (count === undefined) return "";
  return count === 1 ? t("1 picture") : t("{0} pictures", count);
}

interface RowProps {
  readonly row: HistoryRow;
  /** 1-based position among all rows. */
  readonly position: number;
  readonly count: number;
}

function Row({ row, position, count }: RowProps) {
  const history = useHistory();
  const elementRef = useRef<HTMLDivElement>(null);
  const isActive = useComputed(() => history.activeId.value === row.id).value;
  const isSelected = history.selected.value.has(row.id);
  const areSelected = history.selected.value.size > 0;
  const period = usePeriodOf(row);

  useLayoutEffect(() => {
    if (isActive && !history.isPointedAt) elementRef.current?.scrollIntoView({ block: "nearest" });
  }, [isActive, history]);

  return (
    <div
      ref={elementRef}
      id={optionId(row.id)}
      class={`history-row${isActive ? " is-active" : ""}${isSelected ? " is-selected" : ""}`}
      role="option"
      aria-selected={areSelected ? isSelected : isActive}
      aria-posinset={position}
      aria-setsize={Math.max(position, count)}
      {...(row.isShown && { "aria-current": "true" })}
      onPointerMove={() => {
        if (!isActive && history.renamingId.peek() === undefined)
          history.activate(row.id, "pointer");
      }}
      onMouseDown={(event) => {
        if (event.shiftKey) event.preventDefault(); // Selects rows, not text.
      }}
      onClick={(event) => {
        if (event.shiftKey) {
          history.selectTo(row.id);
          return;
        }
        history.activate(row.id, "pointer");
        if (event.ctrlKey || event.metaKey) {
          history.toggleSelected();
          return;
        }
        if (!history.isInBin.peek()) history.openActive();
      }}
    >
      <div class="history-head">
        {isSelected && <Icon name="check" />}
        {row.isPinned && <Icon name="pinned" />}
        {row.isPinned && <span class="visually-hidden">{t("Pinned")}</span>}
        <span class="history-title">
          <MarkedText text={row.title} ranges={row.titleRanges} />
        </span>
        <span class="history-actions-space" />
        <span class="history-when">
          {row.pictureCount !== undefined && <Icon name="file-media" />}
          <span class="visually-hidden">{picturesOf(row)}</span>
          {!row.isPinned && period !== undefined && <span class="visually-hidden">{period} </span>}
          {row.when}
        </span>
      </div>
      <div class="history-detail">
        {row.isShown && <span class="visually-hidden">{t("Open now")}</span>}
        {row.isRunning && <span class="history-sign is-running">{t("Running")}</span>}
        {row.isDamaged && <span class="history-sign is-damaged">{t("Damaged")}</span>}
        <span class="history-facts">{row.detail}</span>
      </div>
      {row.snippets.map(({ text, ranges }, index) => (
        <div key={index} class="history-snippet">
          <MarkedText text={text} ranges={ranges} />
        </div>
      ))}
    </div>
  );
}

interface MarkedTextProps {
  readonly text: string;
  /** Sorted ranges in UTF-16 units; ranges that overlap or exceed the text are ignored. */
  readonly ranges: readonly { readonly start: number; readonly end: number }[];
}

function MarkedText({ text, ranges }: MarkedTextProps) {
  const pieces: ComponentChild[] = [];
  let done = 0;
  for (const { start, end } of ranges) {
    if (start < done || end <= start || end > text.length) continue;
    pieces.push(text.slice(done, start), <mark key={start}>{text.slice(start, end)}</mark>);
    done = end;
  }
  return (
    <>
      {pieces}
      {text.slice(done)}
    </>
  );
}
