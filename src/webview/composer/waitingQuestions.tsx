import { t } from "@vscode/l10n";
import type { QueuedView } from "../../protocol/views";
import { IconButton, TextButton } from "../ui/iconButton";
import { usePanel } from "../state/panelContext";

/** Queued questions above the composer; each can be edited there, removed or, when no reply runs, sent. */
export function WaitingQuestions() {
  const { store } = usePanel();
  const queued = store.queued.value;
  const isRunning = store.panel.value?.isRunning === true;
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
            <WaitingQuestion question={question} isRunning={isRunning} />
          </li>
        ))}
      </ol>
    </section>
  );
}

interface WaitingQuestionProps {
  readonly question: QueuedView;
  readonly isRunning: boolean;
}

function WaitingQuestion({ question, isRunning }: WaitingQuestionProps) {
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
      {!isRunning && <TextButton label={t("Send now")} onClick={() => finish("queued-sent")} />}
      <IconButton
        icon="edit"
        label={t("Edit queued question")}
        onClick={() => draft.editQueued(question)}
      />
      <IconButton
        icon="close"
        label={t("Remove queued question")}
        onClick={() => finish("queued-removed")}
      />
    </>
  );
}
