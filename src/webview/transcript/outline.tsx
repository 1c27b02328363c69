import { t } from "@vscode/l10n";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { usePanel } from "../state/panelContext";
import { Icon } from "../ui/iconButton";
import { filterEntries, outlineOf, type OutlineEntry } from "./outlineEntries";

/** Height of a row; the style sheet has the same. */
const ROW_PX = 24;

/** Rows with elements on each side of the visible ones. */
const MARGIN_ROWS = 20;

const LIST_ID = "outline-list";

const ICONS = {
  question: "comment",
  heading: "symbol-string",
  code: "code",
  picture: "file-media",
} as const satisfies Record<OutlineEntry["kind"], string>;

/**
 * List of what a conversation has, over the transcript. The focus stays in the text box, whose keys
 * preview the places.
 */
export function Outline({ onClose }: { readonly onClose: () => void }) {
  const { store, navigation } = usePanel();
  const messages = store.messages.value;
  const leftOut = store.sending.value?.leftOut;
  const entries = useMemo(() => {
    const whole = (leftOut ?? []).filter(({ picture }) => picture === undefined);
    const ids = new Set(whole.map(({ messageId }) => messageId));
    return outlineOf(messages, (id) => ids.has(id));
  }, [messages, leftOut]);
  const [query, setQuery] = useState("");
  const shownEntries = useMemo(() => filterEntries(entries, query), [entries, query]);
  const [active, setActive] = useState(() => firstActive(entries, navigation.jumps?.currentId()));
  const rootRef = useRef<HTMLDivElement>(null);
  const inputRef = useRef<HTMLInputElement>(null);
  const listRef = useRef<HTMLUListElement>(null);
  const backRef = useRef<() => void>(() => undefined);
  const [firstRow, setFirstRow] = useState(0);
  const conversationId = store.conversationId.value;
  const openedRef = useRef(conversationId);

  useLayoutEffect(() => {
    const scrollBack = navigation.jumps?.savePosition();
    const focused = document.activeElement;
    backRef.current = () => {
      scrollBack?.();
      if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    };
    inputRef.current?.focus({ preventScroll: true });
    // Another conversation can be empty, and shows no outline.
    return () => navigation.closeOutline();
  }, [navigation]);
  useEffect(() => {
    if (conversationId !== openedRef.current) onClose();
  }, [conversationId]);
  const at = Math.min(active, shownEntries.length - 1);
  useEffect(() => {
    const list = listRef.current;
    if (list === null || at < 0) return;
    const topPx = at * ROW_PX;
    const lowest = topPx + ROW_PX - list.clientHeight;
    list.scrollTop = Math.min(topPx, Math.max(lowest, list.scrollTop));
  }, [at, shownEntries]);

  function preview(index: number): void {
    const entry = shownEntries[index];
    if (entry === undefined) return;
    setActive(index);
    void navigation.jumps?.show(entry.place, false);
  }

  function accept(entry: OutlineEntry | undefined): void {
    if (entry === undefined) return;
    onClose();
    navigation.show(entry.place);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const page = Math.max(1, Math.floor((listRef.current?.clientHeight ?? 0) / ROW_PX) - 1);
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
    };
    const step = steps[event.key];
    if (step !== undefined) {
      preview(Math.max(0, Math.min(at + step, shownEntries.length - 1)));
    } else if (event.key === "Enter") accept(shownEntries[at]);
    else if (event.key === "Escape") {
      onClose();
      backRef.current();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const visibleRows = Math.ceil((listRef.current?.clientHeight ?? 400) / ROW_PX);
  const start = Math.max(0, firstRow - MARGIN_ROWS);
  const end = Math.min(shownEntries.length, firstRow + visibleRows + MARGIN_ROWS);
  return (
    <div
      ref={rootRef}
      class="outline"
      onFocusOut={({ relatedTarget }) => {
        if (relatedTarget instanceof Node && !rootRef.current?.contains(relatedTarget)) onClose();
      }}
    >
      <input
        autocomplete="off"
        ref={inputRef}
        type="text"
        role="combobox"
        aria-label={t("Search the outline")}
        aria-expanded="true"
        aria-autocomplete="list"
        aria-controls={LIST_ID}
        {...(shownEntries[at] && { "aria-activedescendant": `${LIST_ID}-${at}` })}
        placeholder={t("Search the outline")}
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul
        ref={listRef}
        id={LIST_ID}
        class="outline-list"
        role="listbox"
        aria-label={t("Outline")}
        onScroll={(event) => setFirstRow(Math.floor(event.currentTarget.scrollTop / ROW_PX))}
        style={{
          "--px-before": `${start * ROW_PX}px`,
          "--px-after": `${(shownEntries.length - end) * ROW_PX}px`,
        }}
      >
        {shownEntries.slice(start, end).map((entry, offset) => (
          <Row
            key={start + offset}
            entry={entry}
            index={start + offset}
            count={shownEntries.length}
            isActive={start + offset === at}
            onAccept={accept}
          />
        ))}
      </ul>
      <div class={shownEntries.length === 0 ? "outline-empty" : "visually-hidden"} role="status">
        {shownEntries.length === 0 && t("No results")}
      </div>
    </div>
  );
}

interface RowProps {
  readonly entry: OutlineEntry;
  readonly index: number;
  readonly count: number;
  readonly isActive: boolean;
  readonly onAccept: (entry: OutlineEntry) => void;
}

function Row({ entry, index, count, isActive, onAccept }: RowProps) {
  return (
    <li
      id={`${LIST_ID}-${index}`}
      class="outline-row"
      role="option"
      aria-selected={isActive}
      aria-setsize={count}
      aria-posinset={index + 1}
      style={{ "--depth": entry.depth }}
      onMouseDown={(event) => event.preventDefault() /* Keeps the focus in the text box. */}
      onClick={() => onAccept(entry)}
    >
      <Icon name={ICONS[entry.kind]} />
      <span class="visually-hidden">{kindName(entry.kind)} </span>
      <bdi class="outline-text">{entry.text}</bdi>
      {entry.marks !== "" && <span class="outline-marks"> {entry.marks}</span>}
    </li>
  );
}

function kindName(kind: OutlineEntry["kind"]): string {
  return {
    question: t("Question"),
    heading: t("Heading"),
    code: t("Code"),
    picture: t("Picture"),
  }[kind];
}

function firstActive(entries: readonly OutlineEntry[], currentId: string | undefined): number {
  const currentIndex = entries.findIndex(({ place }) => place.messageId === currentId);
  const upTo = currentIndex < 0 ? entries.length - 1 : currentIndex;
  const question = entries.findLastIndex(({ kind }, index) => kind === "question" && index <= upTo);
  return Math.max(0, question);
}
