import { t } from "@vscode/l10n";
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Icon } from "../ui/iconButton";
import { later } from "../ui/later";
import { usePanel } from "../state/panelContext";
import { handleCodeClick } from "./codeActions";
import { keepFocus } from "./keepFocus";
import { handleLink } from "./links";
import { followMessageKeys } from "./messageKeys";
import { groupsOf, MessageGroup, type MessageGroupModels } from "./messageGroup";
import { MESSAGE_GROUP } from "../../protocol/views";
import { useMountedCount } from "./progressiveMount";
import { handleTableClick } from "./tableActions";
import { followToolbarFocus, handleToolbarKey } from "../ui/toolbar";
import { ViewportObserver, ViewportObserverProvider } from "./viewportObserver";
import { Scrolling } from "./scrolling";
import { useRenderer } from "./rendererContext";

const EmptyState = later(async () => (await import("../ui/emptyState")).EmptyState);
const Outline = later(async () => (await import("./outline")).Outline, true);
const ForkOrigin = later(async () => (await import("./forks")).ForkOrigin);

export function Transcript() {
  const { store, host, memory, draft, announcer, navigation, isWholeNeeded } = usePanel();
  const { renderers } = useRenderer();
  const logRef = useRef<HTMLDivElement>(null);
  const contentRef = useRef<HTMLDivElement>(null);
  const scrolling = useSignal<Scrolling | undefined>(undefined);
  const viewport = useMemo(() => new ViewportObserver(), []);
  const messages = store.messages.value;
  const panel = store.panel.value;
  const conversationId = store.conversationId.value;
  const isEmpty = messages.length === 0;

  const position = useMemo(
    () => (conversationId === undefined ? undefined : memory.placeIn(conversationId)),
    [conversationId, memory],
  );
  const positionIndex = position ? messages.findIndex(({ id }) => id === position.anchorId) : -1;
  const earlierCount = store.earlierCount.value;
  const isPositionLater = position !== undefined && positionIndex < 0 && earlierCount > 0;
  const messageCount = messages.length + earlierCount;
  const mountedCount = useMountedCount(conversationId, messageCount, isWholeNeeded.value);
  const groupsRef = useRef<readonly MessageGroupModels[]>([]);
  const groups = useMemo(
    () => (groupsRef.current = groupsOf(messages, groupsRef.current)),
    [messages],
  );
  const firstGroup = Math.floor((messages.length - mountedCount) / MESSAGE_GROUP);
  const positionGroup = Math.floor(positionIndex / MESSAGE_GROUP);
  const soughtId = navigation.soughtId.value;
  const soughtIndex = soughtId === undefined ? -1 : messages.findIndex(({ id }) => id === soughtId);
  const soughtGroup = Math.floor(soughtIndex / MESSAGE_GROUP);
  const isNeeded = (group: number) =>
    group >= firstGroup ||
    (positionIndex >= 0 && Math.abs(group - positionGroup) <= 1) ||
    (soughtIndex >= 0 && Math.abs(group - soughtGroup) <= 1);

  useLayoutEffect(() => {
    const log = logRef.current;
    const content = contentRef.current;
    if (log === null || content === null) return undefined;
    viewport.attach(log);
    const created = new Scrolling(log, content, (current) => {
      const shownId = store.conversationId.peek();
      if (shownId !== undefined) memory.savePlace(shownId, current);
    });
    scrolling.value = created;
    const focus = keepFocus(log, () => draft.focus());
    const keys = followMessageKeys(log, () => draft.focus());
    return () => {
      keys.dispose();
      focus.dispose();
      created.dispose();
      viewport.dispose();
    };
  }, [viewport, scrolling, store, memory, draft]);

  useLayoutEffect(() => {
    const log = logRef.current;
    const current = scrolling.value;
    if (log === null || current === undefined) return undefined;
    let isCurrent = true;
    import("./transcriptJumps").then(
      ({ TranscriptJumps }) => {
        if (!isCurrent) return;
        navigation.setJumps(new TranscriptJumps(log, current, store, navigation, renderers));
      },
      () => undefined, // Another part of the same kind has shown the warning.
    );
    return () => {
      isCurrent = false;
      navigation.setJumps(undefined);
    };
  }, [scrolling.value, store, navigation, renderers]);

  useLayoutEffect(() => {
    if (isPositionLater) return;
    isWholeNeeded.value = false;
    if (positionIndex >= 0 && position) scrolling.peek()?.toPosition(position);
    else scrolling.peek()?.toEnd();
  }, [conversationId, isPositionLater]);

  // The user's new question is scrolled into view from any position.
  const lastQuestionId = messages.findLast(({ role }) => role === "user")?.id;
  const seenRef = useRef<{ conversationId: string | undefined; questionId: string | undefined }>({
    conversationId,
    questionId: lastQuestionId,
  });
  useLayoutEffect(() => {
    const seen = seenRef.current;
    const isNew = seen.conversationId === conversationId && seen.questionId !== lastQuestionId;
    seenRef.current = { conversationId, questionId: lastQuestionId };
    if (isNew) scrolling.peek()?.toEnd();
  }, [conversationId, lastQuestionId, scrolling]);

  function onClick(event: MouseEvent): void {
    if (!(event.target instanceof Element)) return;
    if (handleLink(event, event.target, host) || handleCodeClick(event.target, host)) return;
    const failed = () => announcer.showToast(t("The table could not be copied. Try again."));
    if (handleTableClick(event.target, host, failed)) return;
    toggleDiagramSize(event.target);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if ((event.ctrlKey || event.metaKey) && event.key === "a") isWholeNeeded.value = true;
    handleToolbarKey(event);
    if (event.key === "Enter" && event.target instanceof Element) toggleDiagramSize(event.target);
    const isOwnLink =
      event.target instanceof Element && event.target.matches("[data-href], [data-file]");
    if (event.key === "Enter" && isOwnLink) handleLink(event, event.target, host);
  }

  return (
    <ViewportObserverProvider value={viewport}>
      <div class="transcript-area">
        <div
          ref={logRef}
          class={store.isQuestionSticky.value ? "transcript has-bands" : "transcript"}
          role="log"
          aria-label={t("Conversation")}
          aria-live="off"
          tabIndex={0}
          onClick={onClick}
          onAuxClick={onClick}
          onKeyDown={onKeyDown}
          onFocusIn={followToolbarFocus}
          onFocusOut={followToolbarFocus}
        >
          <div
            ref={contentRef}
            class={isEmpty ? "transcript-content is-empty" : "transcript-content"}
          >
            {panel && isEmpty && <EmptyState panel={panel} />}
            <ForkOrigin />
            {groups.map((models, index) => (
              <MessageGroup
                key={`${conversationId} ${index + earlierCount / MESSAGE_GROUP}`}
                models={models}
                viewport={viewport}
                isNeeded={isNeeded(index)}
              />
            ))}
          </div>
        </div>
        {navigation.isOutlineOpen.value && !isEmpty && (
          <Outline onClose={() => navigation.closeOutline()} />
        )}
        <ScrollToEnd scrolling={scrolling.value} onDone={() => draft.focus()} />
      </div>
    </ViewportObserverProvider>
  );
}

/** Switches a diagram between the width of the panel and a size larger than its own. */
function toggleDiagramSize(target: Element): void {
  target.closest(".diagram-container")?.classList.toggle("is-enlarged");
}

interface ScrollToEndProps {
  readonly scrolling: Scrolling | undefined;
  readonly onDone: () => void;
}

function ScrollToEnd({ scrolling, onDone }: ScrollToEndProps) {
  if (scrolling === undefined || scrolling.isAtEnd.value) return null;
  return (
    <button
      type="button"
      class="scroll-to-end"
      title={t("Scroll to end")}
      onClick={() => {
        scrolling.toEnd();
        onDone();
      }}
    >
      <Icon name="arrow-down" />
    </button>
  );
}
