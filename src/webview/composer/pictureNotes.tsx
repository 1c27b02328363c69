/**
 * What is said about pictures before they are sent: that one is being prepared, that the chosen model
 * takes none, and questions that are often asked about them.
 */
import { t } from "@vscode/l10n";
import { Icon } from "../iconButton";
import { usePanel } from "../panelContext";

/** True when the question being written or the conversation before it holds a picture. */
export function useHoldsPicture(): boolean {
  const { store } = usePanel();
  return (
    store.attachments.value.some(({ kind }) => kind === "picture") ||
    store.messages.value.some(
      ({ role, view }) =>
        role === "user" && view.value.chips.some(({ kind }) => kind === "picture"),
    )
  );
}

export function PictureNotes() {
  const { pictures } = usePanel();
  const count = pictures.preparingCount.value;
  return (
    <>
      {count > 0 && (
        <div class="composer-note" role="status">
          <Icon name="loading codicon-modifier-spin" />
          {count === 1 ? t("Preparing a picture") : t("Preparing {0} pictures", count)}
        </div>
      )}
      <LeftOutNote />
      <PresetQuestions />
    </>
  );
}

/** A model that takes no pictures was chosen: they are named, and one click changes it. */
function LeftOutNote() {
  const { store, host } = usePanel();
  const { model, models = [] } = store.panel.value ?? {};
  const names = store.attachments.value.filter(({ kind }) => kind === "picture");
  if (model !== "llm" || names.length === 0) return null;
  const label = (wanted: string) => models.find(({ id }) => id === wanted)?.label ?? wanted;
  return (
    <div class="composer-note" role="alert">
      <Icon name="warning" />
      <span class="composer-note-text">
        {t(
          "{0} takes no pictures. Left out: {1}.",
          label("llm"),
          names.map((name) => name.label).join(", "),
        )}
      </span>
      <button
        type="button"
        class="secondary-button"
        onClick={() => host.send({ type: "model-chosen", model: "auto" })}
      >
        {t("Use {0}", label("vl"))}
      </button>
    </div>
  );
}

/** Offered while there is a picture and no word yet. */
function PresetQuestions() {
  const { store, draft } = usePanel();
  const count = store.attachments.value.filter(({ kind }) => kind === "picture").length;
  if (count === 0 || draft.text.value !== "" || draft.editing.value !== undefined) return null;
  const questions = [
    t("Read the text in this picture."),
    t("Explain the error in this picture."),
    t("Write this user interface as code."),
    ...(count > 1 ? [t("Compare these pictures.")] : []),
  ];
  return (
    <ul class="preset-questions" aria-label={t("Questions about pictures")}>
      {questions.map((question) => (
        <li key={question}>
          <button type="button" class="secondary-button" onClick={() => draft.suggest(question)}>
            {question}
          </button>
        </li>
      ))}
    </ul>
  );
}
