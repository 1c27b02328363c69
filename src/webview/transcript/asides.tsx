/**
 * Questions asked aside, at the end of the paragraph that they are about. The renderer owns the paragraphs,
 * so the boxes are not among them: a margin below the paragraph makes the space that a box fills.
 */
import { t } from "@vscode/l10n";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Quoted } from "../../pointing/quoted";
import type { NoticeView } from "../../protocol/views";
import { useIsRunning, usePanel } from "../state/panelContext";
import { cutText } from "../state/questionWords";
import type { AsideModel } from "../state/store";
import { Icon, IconButton, TextButton } from "../ui/iconButton";
import { Notice } from "../ui/notice";
import { isOfInputMethod, isSendKey } from "../ui/sendKey";
import type { AsideDraft } from "../state/viewMemory";
import { openAsideIds, openAsides } from "./asideDrafts";
import { quotedRange, quotedRoot } from "./marking";
import { withCode } from "./questionText";
import { ReplyBody } from "./replyBody";
import { TurnStatusLine } from "./turnStatusLine";

/** Distance of a box to the next paragraph, in CSS pixels. */
const GAP_PX = 8;

const SPACED_CLASS = "has-aside";

/** Elements of a message with paragraphs, and the one that hides thinking. */
const BODIES = ".question-text, .reply-body, .thinking-region";

/** An aside, or one that is being typed. */
interface Item {
  readonly id: string;
  readonly quoted: Quoted | undefined;
  readonly draft?: AsideDraft;
  readonly aside?: AsideModel;
}

export function Asides({ messageId }: { readonly messageId: string }) {
  const { store, memory } = usePanel();
  const conversationId = store.conversationId.value;
  const asides = store.asides.value.filter(({ view }) => view.messageId === messageId);
  const sent = new Set(asides.map(({ view }) => view.id));
  const drafts = memory.asideDrafts.value.filter(
    (draft) =>
      draft.conversationId === conversationId &&
      draft.quoted.messageId === messageId &&
      !sent.has(draft.id),
  );
  const items: Item[] = [
    ...asides.map((aside) => ({ id: aside.view.id, quoted: aside.view.quoted, aside })),
    ...drafts.map((draft) => ({ id: draft.id, quoted: draft.quoted, draft })),
  ];
  return items.length === 0 ? null : <PlacedAsides items={items} />;
}

/** Groups asides by their paragraphs, again when the message is rendered again. */
function PlacedAsides({ items }: { readonly items: readonly Item[] }) {
  const anchorRef = useRef<HTMLSpanElement>(null);
  const [, setRendered] = useState(0);
  useLayoutEffect(() => {
    const article = anchorRef.current?.closest("article");
    const renderAgain = () => setRendered((count) => count + 1);
    renderAgain();
    const observer = new MutationObserver(renderAgain);
    const changes = { childList: true, attributeFilter: ["class", "hidden"] };
    for (const body of article?.querySelectorAll(BODIES) ?? []) {
      if (body.closest(".aside-group") === null) observer.observe(body, changes);
    }
    return () => observer.disconnect();
  }, []);
  const article = anchorRef.current?.closest("article") ?? undefined;
  const groups = new Map<HTMLElement | undefined, Item[]>();
  for (const item of items) {
    const block = article && item.quoted && blockOf(article, item.quoted);
    groups.set(block, [...(groups.get(block) ?? []), item]);
  }
  return (
    <>
      <span ref={anchorRef} hidden />
      {[...groups].map(([block, own]) => (
        <AsideGroup key={own[0]?.id} block={block} items={own} />
      ))}
    </>
  );
}

/** Returns the element that the box of a quote is below; undefined for the end of the message. */
function blockOf(article: HTMLElement, quoted: Quoted): HTMLElement | undefined {
  const root = quotedRoot(article, quoted);
  const thinking = quoted.isThinking ? root?.closest<HTMLElement>(".thinking") : undefined;
  // Closed thinking has no visible paragraphs, nor has the cut part of a question.
  if (thinking?.querySelector(".thinking-region[hidden]")) return thinking;
  if (root?.matches(".is-cut")) return root;
  const range = quotedRange(article, quoted);
  if (root === undefined || range === undefined) return undefined;
  range.collapse(false);
  if (root.matches(".question-text")) {
    const ends = [...root.querySelectorAll<HTMLElement>(".paragraph-end")];
    return ends.find((end) => range.comparePoint(end, 0) >= 0) ?? root;
  }
  let block: HTMLElement | undefined;
  for (let at = range.endContainer.parentElement; at && at !== root; at = at.parentElement) {
    // A table or code scrolls as a whole, so the box is below all of it.
    const isChild = at.parentElement === root;
    if (isChild && (block === undefined || at.matches(":has(table, pre)"))) block = at;
    else if (at.matches("p, li, dd, h3, h4, h5, h6")) block ??= at;
  }
  return block;
}

interface AsideGroupProps {
  readonly block: HTMLElement | undefined;
  readonly items: readonly Item[];
}

function AsideGroup({ block, items }: AsideGroupProps) {
  const groupRef = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const group = groupRef.current;
    const article = group?.closest("article");
    if (!group || !article || !block) return undefined;
    const place = () => {
      block.style.setProperty("--aside-space", `${group.offsetHeight + GAP_PX}px`);
      const { bottom } = block.getBoundingClientRect();
      group.style.top = `${bottom - article.getBoundingClientRect().top + GAP_PX / 2}px`;
    };
    block.classList.add(SPACED_CLASS);
    // In the next frame, because the margin changes the size of an observed element.
    const observer = new ResizeObserver(() => requestAnimationFrame(place));
    for (const element of [group, block, article]) observer.observe(element);
    place();
    return () => {
      observer.disconnect();
      block.classList.remove(SPACED_CLASS);
      group.style.top = "";
    };
  }, [block]);
  const ids = items.map(({ id }) => id);
  const opened = useRef(new Set<string>());
  // Asked in the message box, so that no box was open.
  const arriving = items.filter(
    ({ quoted, aside }) => quoted === undefined && aside?.reply?.view.value.isStreaming,
  );
  useLayoutEffect(() => {
    for (const { id } of arriving) if (!opened.current.has(id)) openAsides([id], true);
    for (const { id } of arriving) opened.current.add(id);
  }, [arriving.map(({ id }) => id).join(" ")]);
  const isOpen = items.some(({ id, draft }) => draft || openAsideIds.value.has(id));
  const count = items.filter(({ aside }) => aside).length;
  const mark = count === 1 ? t("1 aside") : t("{0} asides", count);
  const about = items.find(({ aside }) => aside)?.aside?.view.chips[0]?.label;

  function fold(): void {
    openAsides(ids, false);
    groupRef.current?.querySelector<HTMLElement>(".aside-mark")?.focus();
  }

  function close(event: KeyboardEvent): void {
    if (event.key !== "Escape" || event.defaultPrevented || !isOpen || count === 0) return;
    event.preventDefault();
    fold();
  }

  return (
    <div
      ref={groupRef}
      onKeyDown={close}
      class={block ? "aside-group is-placed" : "aside-group"}
      // The menu of the message around the box is not for the box.
      data-vscode-context={'{"coreChat.message":""}'}
    >
      {count > 0 && (
        <button
          type="button"
          class="aside-mark"
          aria-label={about === undefined ? mark : t("{0} about {1}", mark, about)}
          aria-expanded={isOpen}
          onClick={() => openAsides(ids, !isOpen)}
        >
          <Icon name={isOpen ? "chevron-down" : "chevron-right"} />
          {mark}
        </button>
      )}
      {isOpen &&
        items.map(({ id, draft, aside }) =>
          aside ? (
            <AsideBox key={id} aside={aside} onFold={fold} />
          ) : (
            draft && <AsideInput key={id} draft={draft} />
          ),
        )}
    </div>
  );
}

/** Ids of questions whose boxes had the focus when they were asked; the answers take it. */
const askedHere = new Set<string>();

/** Length of the words of a quote in the name of its box, in UTF-16 units. */
const NAME_LENGTH = 80;

/** Moves the focus of a box that is removed to its message. */
function useFocusAfter(boxRef: { readonly current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const box = boxRef.current;
    return () => {
      if (box?.contains(document.activeElement))
        box.closest("article")?.focus({ preventScroll: true });
    };
  }, [boxRef]);
}

/** Box in which a question is typed. */
function AsideInput({ draft }: { readonly draft: AsideDraft }) {
  const { store, host, memory } = usePanel();
  const [isSending, setSending] = useState(false);
  const [notice, setNotice] = useState<NoticeView>();
  const boxRef = useRef<HTMLDivElement>(null);
  const areaRef = useRef<HTMLTextAreaElement>(null);
  useFocusAfter(boxRef);
  const { id, conversationId, quoted, text, words, question: typed } = draft;
  useLayoutEffect(() => {
    if (!openAsideIds.peek().has(id)) return; // It was typed before the page was reloaded.
    areaRef.current?.focus({ preventScroll: true });
    areaRef.current?.scrollIntoView({ block: "nearest" });
  }, []);

  async function ask(): Promise<void> {
    if (typed.trim() === "" || isSending) return;
    setSending(true);
    if (boxRef.current?.contains(document.activeElement)) askedHere.add(id);
    const { messageId } = quoted;
    const quote = { quoted, text, words };
    const asked = { conversationId, asideId: id, messageId, text: typed, quote };
    try {
      const reply = await host.request({ type: "aside-asked", ...asked });
      if (reply.isAccepted) memory.removeAsideDraft(id);
      else askedHere.delete(id);
      setNotice(reply.notice);
    } catch {
      setNotice({ tone: "warning", text: t("Your question was not sent. Try again.") });
    }
    setSending(false);
  }

  return (
    <div
      ref={boxRef}
      class="aside-box"
      role="group"
      aria-label={t("Ask aside about {0}", cutText(words, NAME_LENGTH))}
    >
      <div class="aside-quote">{words}</div>
      <textarea
        autocomplete="off"
        ref={areaRef}
        class="aside-input"
        rows={1}
        value={typed}
        readOnly={isSending}
        aria-label={t("Question about the quote")}
        placeholder={t("Ask without changing the conversation")}
        onInput={(event) =>
          memory.saveAsideDraft({ ...draft, question: event.currentTarget.value })
        }
        onKeyDown={(event) => {
          if (isOfInputMethod(event)) return;
          if (isSendKey(event, store.panel.value?.settings.sendKey)) {
            event.preventDefault();
            void ask();
          } else if (event.key === "Escape") {
            event.preventDefault();
            event.currentTarget.closest("article")?.focus();
            if (typed.trim() === "") memory.removeAsideDraft(id);
          }
        }}
      />
      {notice && (
        <Notice
          notice={notice}
          onAction={(action) => host.send({ type: "action-asked", action })}
        />
      )}
      <div class="aside-actions">
        <TextButton
          label={t("Ask")}
          isDisabled={typed.trim() === "" || isSending}
          onClick={() => void ask()}
        />
        <IconButton icon="close" label={t("Close")} onClick={() => memory.removeAsideDraft(id)} />
      </div>
    </div>
  );
}

interface AsideBoxProps {
  readonly aside: AsideModel;
  readonly onFold: () => void;
}

/** A question that was asked, with its answer. */
function AsideBox({ aside: { view, reply }, onFold }: AsideBoxProps) {
  const { host, navigation } = usePanel();
  const isRunning = useIsRunning();
  const boxRef = useRef<HTMLDivElement>(null);
  const { id: asideId, text, chips } = view;
  const shown = reply?.view.value;
  const isStreaming = shown?.isStreaming === true;
  const hasAnswer = !isStreaming && (shown?.text !== "" || reply?.text.whole !== "");
  useFocusAfter(boxRef);
  useLayoutEffect(() => {
    if (askedHere.delete(asideId)) boxRef.current?.focus({ preventScroll: true });
    if (isStreaming && boxRef.current) navigation.jumps?.followElement(boxRef.current);
  }, [asideId, isStreaming]);
  const isJoining = useRef(false);
  // It is a message of the conversation now.
  useEffect(
    () => () => {
      if (isJoining.current) navigation.show({ messageId: asideId });
    },
    [asideId, navigation],
  );
  const [quoteChip] = chips;
  const name =
    quoteChip?.kind === "quote"
      ? t("Aside about {0}: {1}", quoteChip.label, text)
      : t("Aside: {0}", text);
  return (
    <div
      ref={boxRef}
      class="aside-box"
      role="group"
      tabIndex={-1}
      aria-label={name}
      aria-busy={isStreaming}
    >
      {chips.map(({ label }, index) => (
        <div key={index} class="aside-quote">
          {label}
        </div>
      ))}
      <div class="aside-question">{withCode(text)}</div>
      {reply && <ReplyBody model={reply} />}
      {shown && <TurnStatusLine messageId={shown.id} isStreaming={isStreaming} />}
      {shown?.notice && (
        <Notice
          notice={shown.notice}
          onAction={(action) => host.send({ type: "action-asked", action, messageId: shown.id })}
        />
      )}
      <div class="aside-actions">
        {isStreaming && (
          <TextButton
            label={t("Stop")}
            onClick={() => host.send({ type: "aside-stopped", asideId })}
          />
        )}
        {shown && hasAnswer && (
          <>
            <TextButton
              label={t("Add to conversation")}
              isDisabled={isRunning}
              onClick={() => {
                isJoining.current = true;
                host.send({ type: "aside-joined", asideId });
              }}
            />
            <IconButton
              icon="copy"
              label={t("Copy")}
              hasTick
              onClick={() => host.send({ type: "copy-asked", messageId: shown.id })}
            />
          </>
        )}
        <IconButton icon="chevron-up" label={t("Fold")} onClick={onFold} />
        <IconButton
          icon="trash"
          label={t("Remove")}
          onClick={() => host.send({ type: "aside-removed", asideId })}
        />
      </div>
    </div>
  );
}
