/**
 * Find in the conversation (Ctrl+F): Enter goes to the next match, Shift+Enter back, Escape closes.
 */
import { t } from "@vscode/l10n";
import { useEffect, useRef, useState } from "preact/hooks";
import { IconButton } from "../iconButton";
import { usePanel } from "../panelContext";
import { bringIntoSight, findMatches, markMatches } from "./matches";

interface Found {
  readonly matches: readonly Range[];
  /** 0-based; -1 without any match. */
  readonly current: number;
}

const NOTHING: Found = { matches: [], current: -1 };

export function FindBar() {
  const { draft } = usePanel();
  const [isOpen, setIsOpen] = useState(false);
  const [query, setQuery] = useState("");
  const [found, setFound] = useState<Found>(NOTHING);
  const inputRef = useRef<HTMLInputElement>(null);

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const isFind = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (!isFind || event.key.toLowerCase() !== "f") return;
      event.preventDefault();
      setIsOpen(true);
      inputRef.current?.select();
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  useEffect(() => {
    if (isOpen) inputRef.current?.select();
    else markMatches([], undefined);
  }, [isOpen]);

  function show(next: Found): void {
    setFound(next);
    const range = next.matches[next.current];
    markMatches(next.matches, range);
    if (range) bringIntoSight(range);
  }

  function search(text: string): void {
    setQuery(text);
    const log = document.querySelector("[role=log]");
    const matches = log ? findMatches(log, text) : [];
    show({ matches, current: matches.length - 1 });
  }

  /** Looks again first: the conversation may have changed since. */
  function go(step: -1 | 1): void {
    const log = document.querySelector("[role=log]");
    const matches = log ? findMatches(log, query) : [];
    const count = matches.length;
    const isFirst = found.current < 0 || found.matches.length === 0;
    const next = isFirst ? count - 1 : (found.current + step + count) % count;
    show({ matches, current: count === 0 ? -1 : Math.min(next, count - 1) });
  }

  function close(): void {
    setIsOpen(false);
    setFound(NOTHING);
    setQuery("");
    draft.focus();
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

function countWords({ matches, current }: Found): string {
  if (matches.length === 0) return t("No results");
  return t("{0} of {1}", current + 1, matches.length);
}
