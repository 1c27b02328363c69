import { t } from "@vscode/l10n";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { estimateTextTokens } from "../../base/tokens";
import { MAX_SUMMARY_TOKENS, type SummaryView } from "../../protocol/sendingMessages";
import { Icon, IconButton, TextButton } from "../ui/iconButton";
import { Notice } from "../ui/notice";
import { usePanel } from "../state/panelContext";
import { codeBlockCount } from "./replyParts";

/** Time without a key after which an edited summary is saved, in milliseconds. */
const SAVE_AFTER_MS = 1_000;

export function Summaries({ messageId }: { readonly messageId: string }) {
  const { store } = usePanel();
  const all = store.sending.value?.summaries ?? [];
  return all
    .filter(({ beforeId }) => beforeId === messageId)
    .map((summary) => <SummaryCard key={summary.id ?? "draft"} summary={summary} />);
}

/** A summary: nothing changes until the user uses it, and using it can be undone at any time. */
function SummaryCard({ summary }: { readonly summary: SummaryView }) {
  const { host, store } = usePanel();
  const { id, state, messageCount, notice, isCut = false } = summary;
  const [edited, setEdited] = useState<string>();
  const conversationId = store.conversationId.value ?? "";
  const text = edited ?? summary.text;
  const cardRef = useRef<HTMLElement>(null);
  useEffect(() => {
    if (state === "writing") cardRef.current?.scrollIntoView({ block: "center" });
  }, [state]);
  const unsaved = useRef<string>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  function save(): void {
    clearTimeout(timer.current);
    const { current } = unsaved;
    unsaved.current = undefined;
    if (current !== undefined) host.send({ type: "summary-edited", conversationId, text: current });
  }
  // Another conversation may be shown before the time is over.
  useLayoutEffect(() => save, []);
  function edit(changed: string | undefined): void {
    setEdited(changed);
    unsaved.current = changed;
    clearTimeout(timer.current);
    timer.current = setTimeout(save, SAVE_AFTER_MS);
  }

  const tokens = estimateTextTokens(text);
  const isTooLong = tokens > MAX_SUMMARY_TOKENS;
  const isEmpty = text.trim() === "";
  const isDraft = state === "draft";
  const title =
    messageCount === 1 ? t("Summary of 1 message") : t("Summary of {0} messages", messageCount);
  const again = () => {
    edit(undefined);
    host.send({ type: "summary-asked", conversationId });
  };
  return (
    <section ref={cardRef} class="summary-card" aria-label={title} aria-busy={state === "writing"}>
      <div class="summary-bar">
        <strong>{title}</strong>
        {state === "used" && (
          <span class="sending-mark">{t("sent in place of the messages above")}</span>
        )}
        {state === "outdated" && <span class="sending-mark">{t("not sent")}</span>}
      </div>
      {edited === undefined ? (
        <div class="summary-text">{text}</div>
      ) : (
        <textarea
          autocomplete="off"
          class="summary-edit"
          aria-label={title}
          rows={10}
          value={text}
          onInput={(event) => edit(event.currentTarget.value)}
          onBlur={save}
          onKeyDown={(event) => event.stopPropagation()}
        />
      )}
      <Missing summary={summary} />
      {notice && (
        <Notice
          notice={notice}
          onAction={(action) =>
            action === "try-again" ? again() : host.send({ type: "action-asked", action })
          }
        />
      )}
      {isDraft && problemOf(isEmpty, isTooLong, isCut && edited === undefined) !== "" && (
        <p class="summary-problem" role="status">
          <Icon name="warning" />
          {problemOf(isEmpty, isTooLong, isCut && edited === undefined)}
        </p>
      )}
      {state === "outdated" && (
        <p class="summary-problem">
          {t("A message of this summary is not sent any longer, or one is sent again.")}
        </p>
      )}
      <div class="summary-actions">
        {state === "writing" && (
          <TextButton
            label={t("Stop")}
            onClick={() => host.send({ type: "summary-stopped", conversationId })}
          />
        )}
        {isDraft && (
          <>
            <TextButton
              label={t("Use summary")}
              look="primary-button"
              isDisabled={isEmpty || isTooLong}
              onClick={() => {
                edit(undefined);
                host.send({ type: "summary-used", conversationId, text });
              }}
            />
            {(isEmpty || isTooLong || isCut) && (
              <TextButton label={t("Try again")} onClick={again} />
            )}
            {edited === undefined && !isEmpty && (
              <TextButton label={t("Edit")} onClick={() => setEdited(text)} />
            )}
            <TextButton
              label={t("Discard")}
              onClick={() => host.send({ type: "summary-discarded", conversationId })}
            />
          </>
        )}
        {id !== undefined && (
          <IconButton
            icon="discard"
            label={t("Undo")}
            onClick={() => host.send({ type: "summary-undone", conversationId, summaryId: id })}
          />
        )}
      </div>
    </section>
  );
}

function problemOf(isEmpty: boolean, isTooLong: boolean, isCut: boolean): string {
  if (isEmpty) return t("The model wrote no summary.");
  if (isTooLong)
    return t("A summary can have up to {0} tokens. Shorten it, or try again.", MAX_SUMMARY_TOKENS);
  return isCut ? t("The summary ended early. Check it, or try again.") : "";
}

/** Sentence about what the summary does not hold. */
function Missing({ summary }: { readonly summary: SummaryView }) {
  const messages = usePanel().store.messages.value;
  const { beforeId, excerpts, pictures } = summary;
  const end = messages.findIndex(({ id }) => id === beforeId);
  const codeBlocks = messages
    .slice(0, end)
    .reduce(
      (sum, model) => sum + (model.role === "assistant" ? codeBlockCount(model) : 0),
      excerpts,
    );
  if (codeBlocks + pictures === 0) return null;
  const blocks = codeBlocks === 1 ? t("1 code block") : t("{0} code blocks", codeBlocks);
  const shownPictures = pictures === 1 ? t("1 picture") : t("{0} pictures", pictures);
  const missing = [codeBlocks > 0 ? blocks : [], pictures > 0 ? shownPictures : []].flat();
  return (
    <div class="summary-missing">
      {t("Not in the summary:")} {missing.join(", ")}
    </div>
  );
}
