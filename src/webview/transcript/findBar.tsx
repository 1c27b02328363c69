/**
 * Find in the conversation (Ctrl+F): Enter goes to the next match, Shift+Enter back, Escape closes.
 */
import { t } from "@vscode/l10n";
import { useEffect, useRef, useState } from "preact/hooks";
import { toDisposable, type Disposable } from "../../base/disposables";
import { IconButton } from "../ui/iconButton";
import { usePanel } from "../state/panelContext";
import { bringIntoSight, markMatches, Matches, type Match } from "./findMatches";

interface Found {
  readonly matches: readonly Match[];
  /** 0-based; -1 without any match. */
  readonly current: number;
}

const NOTHING: Found = { matches: [], current: -1 };

export function FindBar() {
  const { draft, store } = usePanel();
  const conversationId = store.conversationId.value;
  const [isOpen, setIsOpen] = useState(false);
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<Found>(NOTHING);
  const inputRef = useRef<HTMLInputElement>(null);
  const finderRef = useRef<Matches | undefined>(undefined);
  const foundRef = useRef(found);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const isFind = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isFind || event.key.toLowerCase() !== "f") return;
      event.preventDefault();
      setIsOpen(true);
      focusQuery(inputRef.current);
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  useEffect(() => {
    if (!isOpen) return undefined;
    focusQuery(inputRef.current);
    const following = followChanges((changed) => {
      for (const node of changed) finderRef.current?.forget(node);
      lookAgain();
    });
    return () => {
      following.dispose();
      markMatches([], undefined);
    };
  }, [isOpen]);

  function mark(next: Found): void {
    foundRef.current = next;
    setFound(next);
    markMatches(next.matches, next.matches[next.current]);
  }

  function show(next: Found): void {
    mark(next);
    const match = next.matches[next.current];
    if (match) void bringIntoSight(match);
  }

  function search(text: string): void {
    setQuery(text);
    const log = document.querySelector("[role=log]");
    finderRef.current = log ? new Matches(log, text) : undefined;
    const matches = finderRef.current?.all() ?? [];
    show({ matches, current: matches.length - 1 });
  }

  /** The conversation has changed: the current match stays the one it was, as far as it is there. */
  function lookAgain(): void {
    const before = foundRef.current;
    const was = before.matches[before.current];
    const matches = finderRef.current?.all() ?? [];
    const same = matches.findIndex(
      ({ element, ordinal }) => element === was?.element && ordinal === was.ordinal,
    );
    const current = same >= 0 ? same : Math.min(Math.max(before.current, 0), matches.length - 1);
    const now = matches[current];
    // What was found far away has another shape now that it has come near.
    if (was && now && was.isInSource && !now.isInSource) show({ matches, current });
    else mark({ matches, current });
  }

  function go(step: -1 | 1): void {
    const { matches, current } = found;
    const count = matches.length;
    const isFirst = current < 0 || count === 0;
    show({ matches, current: isFirst ? count - 1 : (current + step + count) % count });
  }

  // A search belongs to the conversation it was typed for.
  useEffect(reset, [conversationId]);

  function close(): void {
    reset();
    draft.focus();
  }

  function reset(): void {
    setIsOpen(false);
    finderRef.current = undefined;
    foundRef.current = NOTHING;
    setFound(NOTHING);
    setQuery("");
  }

  if (!isOpen) return null;
  return (
    <search class="find-bar" aria-label={t("Find in conversation")}>
      <input
        ref={inputRef}
        type="text"
        aria-label={t("Find")}
        placeholder={t("Find")}
        value={query}
        onInput={(event) => search(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
          else if (event.key === "Escape") close();
          else return;
          event.preventDefault();
        }}
      />
      <span class="find-count" role="status">
        {query !== "" && countWords(found)}
      </span>
      <IconButton icon="arrow-up" label={t("Previous match")} onClick={() => go(-1)} />
      <IconButton icon="arrow-down" label={t("Next match")} onClick={() => go(1)} />
      <IconButton icon="close" label={t("Close")} onClick={close} />
    </search>
  );
}

/** Focuses the search box without scrolling the frames around the page. */
function focusQuery(input: HTMLInputElement | null): void {
  input?.focus({ preventScroll: true });
  input?.select();
}

/** Tells, at most once a frame, what has changed in the conversation. */
function followChanges(onChange: (changed: readonly Node[]) => void): Disposable {
  let changed: Node[] = [];
  let frame: number | undefined;
  const observer = new MutationObserver((records) => {
    for (const { target } of records) changed.push(target);
    frame ??= requestAnimationFrame(() => {
      const nodes = changed;
      changed = [];
      frame = undefined;
      onChange(nodes);
    });
  });
  const log = document.querySelector("[role=log]");
  if (log) observer.observe(log, { childList: true, characterData: true, subtree: true });
  return toDisposable(() => {
    observer.disconnect();
    if (frame !== undefined) cancelAnimationFrame(frame);
  });
}

function countWords({ matches, current }: Found): string {
  if (matches.length === 0) return t("No results");
  return t("{0} of {1}", current + 1, matches.length);
}
