import { t } from "@vscode/l10n";
import { useLayoutEffect, useMemo } from "preact/hooks";
import { usePictures } from "../pictures/picturesContext";
import { usePanel } from "../state/panelContext";
import { Icon } from "../ui/iconButton";
import { openAsideDraft } from "./asideDrafts";
import { BAR_PX, GAP_PX, Marking } from "./marking";

/** Width that the bar needs to the right of its start, in CSS pixels. */
const BAR_WIDTH_PX = 246;

interface QuoteBarProps {
  /** True while a list is over the conversation. */
  readonly isUnderList: boolean;
}

/** Small bar at the end of marked text. */
export function QuoteBar({ isUnderList }: QuoteBarProps) {
  const { store, host, draft, announcer, navigation, memory } = usePanel();
  const pictures = usePictures();
  const isCovered = pictures.shown.value !== undefined;
  const conversationId = store.conversationId.value;
  const marking = useMemo(() => new Marking(), [conversationId]);
  useLayoutEffect(() => () => marking.dispose(), [marking]);
  const isMarked = marking.marked.value !== undefined;
  const isHidden = isCovered || isUnderList || navigation.isOutlineOpen.value;

  function ask(isAside = false): void {
    const current = marking.marked.peek();
    if (current === undefined || conversationId === undefined) {
      announcer.showToast(t("Select text in a message first."));
      return;
    }
    const { quoted, text, words } = current;
    marking.clear();
    if (isAside) {
      openAsideDraft(memory, { conversationId, quoted, text, words });
      return;
    }
    host.send({ type: "quote-added", conversationId, quoted, text, words });
    draft.focus();
  }

  useLayoutEffect(() => {
    if (isCovered) return undefined;
    const subscription = store.on("navigation-asked", ({ command }) => {
      if (command === "ask-about-this" || command === "ask-aside") ask(command === "ask-aside");
    });
    const onKeyDown = (event: KeyboardEvent) => {
      const { code, altKey, ctrlKey, metaKey, shiftKey } = event;
      // The keys of a dialog over the panel are not for what is below it.
      if (document.querySelector("dialog:modal")) return;
      if (event.key === "Escape" && !isHidden && marking.barPlace.peek() !== undefined) {
        event.preventDefault();
        // As in VS Code's editor. Otherwise, the next press of a button shows the bar again.
        document.getSelection()?.removeAllRanges();
        marking.clear();
        return;
      }
      // By the position of the key, as Option+Q writes another letter on a Mac.
      if (code !== "KeyQ" || !altKey || ctrlKey || metaKey) return;
      if (marking.marked.peek() === undefined) return;
      event.preventDefault();
      ask(shiftKey);
    };
    // Before the viewer, which keeps the keys to itself.
    document.addEventListener("keydown", onKeyDown, true);
    return () => {
      subscription.dispose();
      document.removeEventListener("keydown", onKeyDown, true);
    };
  }, [store, conversationId, marking, isCovered, isHidden]);

  // VS Code passes these to the conditions of the context menu.
  useLayoutEffect(() => {
    if (!isMarked || isCovered) return undefined;
    const { dataset } = document.documentElement;
    dataset["vscodeContext"] = JSON.stringify({ "coreChat.isMarked": true });
    return () => {
      delete dataset["vscodeContext"];
    };
  }, [isMarked, isCovered]);

  const place = marking.barPlace.value;
  if (place === undefined || isHidden) return null;
  const { x, y } = place;
  const isLow = y + BAR_PX > innerHeight;
  const left = Math.max(4, Math.min(x, innerWidth - BAR_WIDTH_PX));
  const top = Math.max(4, isLow ? innerHeight - BAR_PX : y + GAP_PX);
  return (
    <div
      class="quote-bar"
      role="toolbar"
      aria-label={t("Selected text")}
      style={{ left: `${left}px`, top: `${top}px` }}
    >
      <button type="button" class="quote-button" aria-keyshortcuts="Alt+Q" onClick={() => ask()}>
        <Icon name="quote" />
        {t("Ask about this")}
      </button>
      <button
        type="button"
        class="quote-button"
        aria-keyshortcuts="Alt+Shift+Q"
        onClick={() => ask(true)}
      >
        <Icon name="comment" />
        {t("Ask aside")}
      </button>
    </div>
  );
}
