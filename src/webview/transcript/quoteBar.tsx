import { t } from "@vscode/l10n";
import { useEffect, useMemo } from "preact/hooks";
import { usePictures } from "../pictures/picturesContext";
import { usePanel } from "../state/panelContext";
import { Icon } from "../ui/iconButton";
import { openAsideDraft } from "./asideDrafts";
import { Marking } from "./marking";

/** Height of the bar with its distance to the marking, in CSS pixels. */
const BAR_PX = 34;

/** Width that the bar needs to the right of its start, in CSS pixels. */
const BAR_WIDTH_PX = 246;

interface QuoteBarProps {
  /** True in the dialog over the panel, which makes the rest of the page inert. */
  readonly isInViewer?: boolean;
}

/** Small bar at the end of marked text. */
export function QuoteBar({ isInViewer = false }: QuoteBarProps) {
  const { store, host, draft, announcer, navigation, memory } = usePanel();
  const pictures = usePictures();
  const isCovered = !isInViewer && pictures.shown.value !== undefined;
  const conversationId = store.conversationId.value;
  const marking = useMemo(() => new Marking(), [conversationId]);
  useEffect(() => () => marking.dispose(), [marking]);
  const marked = marking.marked.value;

  function ask(isAside = false): void {
    const current = marking.marked.peek();
    if (current === undefined || conversationId === undefined) {
      announcer.showToast(t("Mark text in a message first."));
      return;
    }
    const { quoted, text, words } = current;
    marking.clear();
    if (isInViewer) pictures.shown.value = undefined;
    if (isAside) {
      openAsideDraft(memory, { conversationId, quoted, text, words });
      return;
    }
    host.send({ type: "quote-added", conversationId, quoted, text, words });
    draft.focus();
  }

  useEffect(() => {
    if (isCovered) return undefined;
    const subscription = store.on("navigation-asked", ({ command }) => {
      if (command === "ask-about-this" || command === "ask-aside") ask(command === "ask-aside");
    });
    const onKeyDown = (event: KeyboardEvent) => {
      const { code, altKey, ctrlKey, metaKey, shiftKey } = event;
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
  }, [store, conversationId, marking, isCovered]);

  // VS Code passes this to the conditions of the context menu.
  useEffect(() => {
    const { dataset } = document.documentElement;
    if (marked) dataset["vscodeContext"] = JSON.stringify({ "coreChat.isMarked": true });
    else delete dataset["vscodeContext"];
  }, [marked]);

  const isHidden = isCovered || navigation.isOutlineOpen.value;
  if (marked === undefined || !marking.isBarShown.value || isHidden) return null;
  const { x, y } = marked.end;
  const isLow = y + BAR_PX > innerHeight;
  const left = Math.max(4, Math.min(x, innerWidth - BAR_WIDTH_PX));
  const top = Math.max(4, isLow ? innerHeight - BAR_PX : y + 4);
  return (
    <div
      class="quote-bar"
      role="toolbar"
      aria-label={t("Marked text")}
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
