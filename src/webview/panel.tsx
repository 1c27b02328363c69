import { t } from "@vscode/l10n";
import type { ReadonlySignal } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { VSCODE_FONT_SIZE_PX } from "../protocol/views";
import { Composer } from "./composer/composer";
import { HistoryLayer } from "./history/historyLayer";
import { usePanel } from "./state/panelContext";
import { Transcript } from "./transcript/transcript";
import { useHistory } from "./history/historyContext";
import { later } from "./ui/later";
import { IconButton, Icon } from "./ui/iconButton";

const ContextNote = later(async () => (await import("./composer/contextMeter")).ContextNote);
const PictureLayer = later(
  async () => (await import("./pictures/viewer/pictureLayer")).PictureLayer,
);
const WaitingQuestions = later(
  async () => (await import("./composer/waitingQuestions")).WaitingQuestions,
);
const QuoteBar = later(async () => (await import("./transcript/quoteBar")).QuoteBar);

const FindBar = later(async () => (await import("./transcript/findBar")).FindBar, true);

interface PanelProps {
  /** True while files are dragged over the page. */
  readonly isDragging: ReadonlySignal<boolean>;
}

export function Panel({ isDragging }: PanelProps) {
  const { store, host, draft, navigation } = usePanel();
  const history = useHistory();

  const fontSizePx = store.panel.value?.settings.fontSize;
  useLayoutEffect(() => {
    if (store.panel.peek() === undefined) return; // The host wrote the size into the page.
    const zoom = fontSizePx ? String(fontSizePx / VSCODE_FONT_SIZE_PX) : "initial";
    document.documentElement.style.setProperty("--core-chat-zoom", zoom);
  }, [store, fontSizePx]);

  useLayoutEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const isFind = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
      if (isFind && event.key.toLowerCase() === "f") {
        event.preventDefault();
        navigation.find();
        return;
      }
      if (event.key !== "Escape" || event.isComposing || event.defaultPrevented) return;
      if (history.isOpen.peek()) history.close();
      else if (store.panel.peek()?.isRunning) host.send({ type: "stop-asked" });
      else draft.cancelEditing();
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [store, host, draft, history, navigation]);

  const title = store.title.value || t("Core Chat");
  useEffect(() => void (document.title = title), [title]);

  return (
    <main class="panel">
      <h1 class="visually-hidden">{title}</h1>
      <HistoryLayer>
        <PanelHeader />
        <FindLayer />
        <Transcript />
        <WaitingQuestions />
        <ContextNote />
        <Composer />
      </HistoryLayer>
      <PanelQuoteBar />
      <PictureLayer />
      <DropOverlay isDragging={isDragging} />
      <ReadAloud />
      <Toast />
    </main>
  );
}

function FindLayer() {
  const { draft, navigation, store } = usePanel();
  const earlyText = useRef("");
  const conversationId = store.conversationId.value;
  // A search belongs to the conversation it was opened in, also before the bar is loaded.
  useEffect(
    () => (conversationId === undefined ? undefined : () => navigation.closeFind()),
    [conversationId],
  );
  if (navigation.findCount.value === 0) return null;
  return (
    <FindBar
      field={{ label: t("Find"), onText: (text) => (earlyText.current = text) }}
      earlyText={earlyText}
      onClose={() => {
        navigation.closeFind();
        draft.focus();
      }}
    />
  );
}

function PanelQuoteBar() {
  return <QuoteBar isUnderList={useHistory().isOpen.value} />;
}

/** Live region that reads each finished sentence of a reply; not visible. */
function ReadAloud() {
  const { announcer } = usePanel();
  return (
    <div class="visually-hidden" aria-live="polite" data-spoken="reply">
      {announcer.sentences}
    </div>
  );
}

/** Short message, visible and read by screen readers. */
function Toast() {
  const toast = usePanel().announcer.toast.value;
  return (
    <div class="toast-area" role="status">
      {toast && (
        <div key={toast.number} class="toast">
          {toast.text}
        </div>
      )}
    </div>
  );
}

/** Title of the conversation, and the way to the others; an empty conversation lists the latest ones. */
function PanelHeader() {
  const { store, navigation } = usePanel();
  if (store.messages.value.length === 0) return null;
  const title = store.title.value;
  return (
    <header class="panel-header">
      <IconButton
        icon="history"
        label={t("Show history")}
        onClick={() => navigation.openHistory()}
      />
      {/* The heading of the panel has it for screen readers. */}
      <bdi class="panel-title" title={title} aria-hidden="true">
        {title}
      </bdi>
    </header>
  );
}

/** Says over the whole panel that files can be dropped. */
function DropOverlay({ isDragging }: { readonly isDragging: ReadonlySignal<boolean> }) {
  if (!isDragging.value) return null;
  return (
    <div class="drop-overlay">
      <Icon name="attach" />
      {t("Drop files or pictures")}
    </div>
  );
}
