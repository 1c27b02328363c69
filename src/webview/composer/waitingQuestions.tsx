import { t } from "@vscode/l10n";
import { useSignal } from "@preact/signals";
import { useCallback, useLayoutEffect, useRef } from "preact/hooks";
import type { QueuedView } from "../../protocol/views";
import { IconButton } from "../ui/iconButton";
import { isOfInputMethod, isSendKey } from "../ui/sendKey";
import { usePanel } from "../state/panelContext";
import type { ChangingMemory } from "../state/viewMemory";

/** Delay before the text of an edit is sent to the host, in milliseconds. */
const EDIT_DELAY_MS = 300;

/** Queued questions above the composer; each can be edited, removed or, when no reply runs, sent. */
export function WaitingQuestions() {
  const { store, host, draft, announcer, memory } = usePanel();
  // Outlives the queued question and, through ViewMemory, the page.
  const changing = useSignal<ChangingMemory | undefined>(undefined);
  const conversationId = store.conversationId.value;
  const queued = store.queued.value;
  const isRunning = store.panel.value?.isRunning === true;
  const timerRef = useRef<ReturnType<typeof setTimeout>>(undefined);
  const change = useCallback(
    (value: ChangingMemory | undefined) => {
      const { id: queuedId } = value ?? changing.peek() ?? {};
      changing.value = value;
      if (conversationId === undefined) return;
      memory.saveChanging(conversationId, value);
      if (queuedId === undefined) return;
      const report = () => {
        timerRef.current = undefined;
        const text = changing.peek()?.text;
        const edited = { conversationId, queuedId, ...(text !== undefined && { text }) };
        host.send({ type: "queued-edit-typed", ...edited });
      };
      if (value === undefined) {
        clearTimeout(timerRef.current);
        report();
      } else timerRef.current ??= setTimeout(report, EDIT_DELAY_MS);
    },
    [changing, conversationId, memory, host],
  );

  useLayoutEffect(() => {
    clearTimeout(timerRef.current);
    timerRef.current = undefined;
    const edited = store.queued.peek().find((question) => question.edited !== undefined);
    changing.value =
      conversationId === undefined
        ? undefined
        : (memory.changingIn(conversationId) ??
          (edited && { id: edited.id, before: edited.text, text: edited.edited ?? "" }));
  }, [changing, conversationId, memory, store]);
  // A question that was sent during its edit: the new text moves to the composer.
  useLayoutEffect(() => {
    const { value } = changing;
    if (value === undefined || queued.some(({ id }) => id === value.id)) return;
    const isChanged = value.text.trim() !== "" && value.text !== value.before;
    if (isChanged) {
      const typed = draft.text.peek();
      draft.setText(typed === "" ? value.text : `${typed}\n\n${value.text}`);
      draft.flush(); // Before the host drops the edit.
    }
    change(undefined);
    draft.focus();
    if (isChanged)
      announcer.showToast(
        t("That question was already sent. Your changes are in the message box."),
      );
  }, [queued, changing, change, draft, announcer]);

  const askedId = draft.queuedEditAsked.value;
  useLayoutEffect(() => {
    if (askedId === undefined) return;
    draft.endQueuedEditAsked();
    const question = store.queued.peek().find(({ id }) => id === askedId);
    // An edit in progress keeps its text.
    if (question === undefined || changing.peek() !== undefined) return;
    change({ id: askedId, before: question.text, text: question.text });
  }, [askedId, store, draft, changing, change]);

  if (queued.length === 0) return null;
  return (
    <section class="waiting-questions" aria-label={t("Queue")}>
      <div class="waiting-heading">{t("Queued ({0})", queued.length)}</div>
      <ol class="waiting-list" aria-label={t("Queued questions")}>
        {queued.map((question, index) => (
          <li key={question.id} class="waiting-question">
            <span class="waiting-number" aria-hidden="true">
              {index + 1}
            </span>
            {changing.value?.id === question.id ? (
              <ChangeBox
                text={changing.value.text}
                onType={(text) => change({ id: question.id, before: question.text, text })}
                onDone={() => {
                  change(undefined);
                  draft.focus();
                }}
                question={question}
              />
            ) : (
              <WaitingQuestion
                question={question}
                isRunning={isRunning}
                onChange={() => {
                  const { id, text } = question;
                  change({ id, before: text, text });
                }}
              />
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

interface WaitingQuestionProps {
  readonly question: QueuedView;
  readonly isRunning: boolean;
  readonly onChange: () => void;
}

function WaitingQuestion({ question, isRunning, onChange }: WaitingQuestionProps) {
  const { host, draft } = usePanel();
  const { id: queuedId, text } = question;

  /** Moves the focus, as the pressed button is removed with its question. */
  function finish(type: "queued-removed" | "queued-sent"): void {
    host.send({ type, queuedId });
    draft.focus();
  }

  return (
    <>
      <span class="waiting-text">{text}</span>
      {!isRunning && (
        <button type="button" class="secondary-button" onClick={() => finish("queued-sent")}>
          {t("Send now")}
        </button>
      )}
      <IconButton icon="edit" label={t("Edit queued question")} onClick={onChange} />
      <IconButton
        icon="close"
        label={t("Remove queued question")}
        onClick={() => finish("queued-removed")}
      />
    </>
  );
}

interface ChangeBoxProps {
  readonly question: QueuedView;
  readonly text: string;
  readonly onType: (text: string) => void;
  readonly onDone: () => void;
}

function ChangeBox({ question, text, onType, onDone }: ChangeBoxProps) {
  const { store, host } = usePanel();
  const areaRef = useRef<HTMLTextAreaElement>(null);

  useLayoutEffect(() => {
    const area = areaRef.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, []);

  function save(): void {
    const isChanged = text.trim() !== "" && text !== question.text;
    if (isChanged) host.send({ type: "queued-rewritten", queuedId: question.id, text });
    onDone();
  }

  return (
    <>
      <textarea
        autocomplete="off"
        ref={areaRef}
        class="waiting-change"
        aria-label={t("Queued question")}
        rows={1}
        value={text}
        onInput={(event) => onType(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (isOfInputMethod(event)) return;
          if (isSendKey(event, store.panel.peek()?.settings.sendKey)) save();
          else if (event.key === "Escape") onDone();
          else return;
          event.preventDefault();
        }}
      />
      <IconButton icon="check" label={t("Save")} onClick={save} />
      <IconButton icon="discard" label={t("Cancel")} onClick={onDone} />
    </>
  );
}
