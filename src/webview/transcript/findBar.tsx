import { t } from "@vscode/l10n";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { toDisposable, type Disposable } from "../../base/disposables";
import { IconButton } from "../ui/iconButton";
import { usePanel } from "../state/panelContext";
import { revealMatch, markMatches, Matches, type Match } from "./findMatches";

interface SearchResult {
  readonly matches: readonly Match[];
  /** 0-based; -1 without matches. */
  readonly current: number;
}

const NO_RESULT: SearchResult = { matches: [], current: -1 };

/** Events with which the user scrolls or goes elsewhere. */
const USER_EVENTS = ["wheel", "pointerdown", "touchmove", "keydown", "blur"];

interface FindBarProps {
  /** Text that was typed before this part of the panel was loaded. */
  readonly earlyText: { current: string };
  readonly onClose: () => void;
}

/** Search in the shown conversation. */
export function FindBar({ earlyText, onClose }: FindBarProps) {
  const { navigation, isWholeNeeded } = usePanel();
  const findCount = navigation.findCount.value;
  const [query, setQuery] = useState("");
  const [result, setResult] = useState<SearchResult>(NO_RESULT);
  const inputRef = useRef<HTMLInputElement>(null);
  const finderRef = useRef<Matches | undefined>(undefined);
  const resultRef = useRef(result);
  const revealRef = useRef<AbortController | undefined>(undefined);
  /** True while the current match is kept in view, until the user does something outside the bar. */
  const isFollowed = useRef(false);

  useLayoutEffect(() => focusQuery(inputRef.current), [findCount]);
  useLayoutEffect(() => {
    isWholeNeeded.value = true;
    const observing = observeChanges((changed) => {
      for (const node of changed) finderRef.current?.invalidate(node);
      searchAgain();
    });
    const listening = new AbortController();
    const options = { capture: true, passive: true, signal: listening.signal };
    for (const name of USER_EVENTS) addEventListener(name, stopFollowing, options);
    const { current: typed } = earlyText;
    earlyText.current = "";
    if (typed !== "") search(typed);
    return () => {
      observing.dispose();
      listening.abort();
      revealRef.current?.abort();
      markMatches([], undefined);
    };
  }, []);

  function stopFollowing({ target }: Event): void {
    if (target instanceof Element && target.closest(".find-bar")) return;
    isFollowed.current = false;
    revealRef.current?.abort();
  }

  function mark(next: SearchResult): void {
    resultRef.current = next;
    setResult(next);
    markMatches(next.matches, next.matches[next.current]);
  }

  function show(next: SearchResult): void {
    mark(next);
    const match = next.matches[next.current];
    revealRef.current?.abort();
    isFollowed.current = true;
    if (match === undefined) return;
    revealRef.current = new AbortController();
    void revealMatch(match, revealRef.current.signal);
  }

  function search(text: string): void {
    setQuery(text);
    const log = document.querySelector("[role=log]");
    finderRef.current = log ? new Matches(log, text) : undefined;
    const matches = finderRef.current?.findAll() ?? [];
    show({ matches, current: matches.length - 1 });
  }

  /**
   * Searches again after a change; the current match stays current if it still exists. Replies that
   * are rendered move the match, or take it away for a while.
   */
  function searchAgain(): void {
    const before = resultRef.current;
    const was = before.matches[before.current];
    const matches = finderRef.current?.findAll() ?? [];
    const same = matches.findIndex(
      ({ element, ordinal }) => element === was?.element && ordinal === was.ordinal,
    );
    const current = same >= 0 ? same : Math.min(Math.max(before.current, 0), matches.length - 1);
    if (isFollowed.current) show({ matches, current });
    else mark({ matches, current });
  }

  function go(step: -1 | 1): void {
    const { matches, current } = result;
    const count = matches.length;
    const isFirst = current < 0 || count === 0;
    show({ matches, current: isFirst ? count - 1 : (current + step + count) % count });
  }

  return (
    <search class="find-bar" aria-label={t("Find in conversation")}>
      <input
        autocomplete="off"
        ref={inputRef}
        type="text"
        aria-label={t("Find")}
        placeholder={t("Find")}
        value={query}
        onInput={(event) => search(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
          else if (event.key === "Escape") onClose();
          else return;
          event.preventDefault();
        }}
      />
      <span class="find-count" role="status">
        {query !== "" && countText(result)}
      </span>
      <IconButton icon="arrow-up" label={t("Previous match")} onClick={() => go(-1)} />
      <IconButton icon="arrow-down" label={t("Next match")} onClick={() => go(1)} />
      <IconButton icon="close" label={t("Close")} onClick={onClose} />
    </search>
  );
}

/** Focuses the search box without scrolling the frames around the page. */
function focusQuery(input: HTMLInputElement | null): void {
  input?.focus({ preventScroll: true });
  input?.select();
}

/** Reports the changed nodes of the conversation, at most once a frame. */
function observeChanges(onChange: (changed: readonly Node[]) => void): Disposable {
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

function countText({ matches, current }: SearchResult): string {
  if (matches.length === 0) return t("No results");
  return t("{0} of {1}", current + 1, matches.length);
}
