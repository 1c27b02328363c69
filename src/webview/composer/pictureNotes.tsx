import { t } from "@vscode/l10n";
import { Icon, TextButton } from "../ui/iconButton";
import type { MeterView } from "../../protocol/views";
import { useIsPictureSent, usePanel } from "../state/panelContext";
import { usePictures } from "../pictures/picturesContext";

/** Upper limit of named pictures in a sentence. */
const MAX_NAMES = 6;

/** Notes and buttons about the pictures of the next request. */
export function PictureNotes() {
  const pictures = usePictures();
  const { draft } = usePanel();
  const count = pictures.attaching.preparingCount.value;
  return (
    <>
      {count > 0 && (
        <div class="composer-note" role="status">
          <Icon name="loading codicon-modifier-spin" />
          {count === 1 ? t("Preparing a picture") : t("Preparing {0} pictures", count)}
        </div>
      )}
      {count === 0 && draft.isWaiting.value && (
        <div class="composer-note" role="status">
          <Icon name="loading codicon-modifier-spin" />
          {t("Attaching…")}
        </div>
      )}
      <LeftOutNote />
      <RefusedNote />
      <OverBudgetNote />
      <AddressNote />
      <div class="picture-prompts">
        <PresetQuestions />
        <ShowWhere />
      </div>
    </>
  );
}

/** Names the pictures that a text model leaves out; a button selects Auto. */
function LeftOutNote() {
  const { store, host, draft } = usePanel();
  const { model, models = [] } = store.panel.value ?? {};
  const attached = store.attachments.value.filter(({ kind }) => kind === "picture");
  const older = store.meter.value?.olderPicturesLeftOut ?? [];
  const names = [...attached, ...older].map(({ label: name }) => name);
  if (model !== "llm" || names.length === 0) return null;
  const more = names.length - MAX_NAMES;
  const label = (wanted: string) => models.find(({ id }) => id === wanted)?.label ?? wanted;
  return (
    <div class="composer-note" role="alert">
      <Icon name="warning" />
      <span class="composer-note-text">
        {t(
          "{0} does not accept pictures. Not sent: {1}.",
          label("llm"),
          [...names.slice(0, MAX_NAMES), ...(more > 0 ? [t("{0} more", more)] : [])].join(", "),
        )}
      </span>
      <TextButton
        label={t("Use {0}", label("vl"))}
        onClick={() => {
          host.send({ type: "model-chosen", model: "auto" });
          draft.focus(); // The note is removed.
        }}
      />
    </div>
  );
}

/** Pictures of refused requests, which are not sent again unless the user puts them back. */
function RefusedNote() {
  const { store } = usePanel();
  return (
    <PutBackNote
      summary={t("Not sent, because a request with them failed")}
      pictures={store.meter.value?.refusedPictures ?? []}
    />
  );
}

/** Pictures of earlier questions that the budget leaves out; the user can put each back. */
function OverBudgetNote() {
  const { store } = usePanel();
  if (store.panel.value?.model === "llm") return null;
  return (
    <PutBackNote
      summary={t("Pictures that will not be sent")}
      pictures={store.meter.value?.olderPicturesLeftOut ?? []}
    />
  );
}

interface PutBackNoteProps {
  readonly summary: string;
  readonly pictures: MeterView["olderPicturesLeftOut"];
}

/** Lists left out pictures that are not attached again, each with a button to put it back. */
function PutBackNote({ summary, pictures }: PutBackNoteProps) {
  const { store, host, draft } = usePanel();
  const conversationId = store.conversationId.value;
  const attached = store.attachments.value.map(({ picture, label }) => picture?.hash ?? label);
  const missing = pictures.filter(
    ({ picture, label }) => !attached.includes(picture?.hash ?? label),
  );
  if (conversationId === undefined || missing.length === 0) return null;
  return (
    <details class="composer-note" open>
      <summary>{summary}</summary>
      <ul class="left-out-pictures">
        {missing.map(({ label, picture, messageId }, index) => (
          <li key={index}>
            <bdi class="composer-note-text">{label}</bdi>
            <button
              type="button"
              class="secondary-button"
              aria-label={t("Send anyway: {0}", label)}
              onClick={() => {
                host.send(
                  picture
                    ? { type: "picture-put-back", conversationId, messageId, hash: picture.hash }
                    : { type: "picture-address-attached", conversationId, url: label },
                );
                draft.focus(); // The row is removed.
              }}
            >
              {t("Send anyway")}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** A single URL, as not every URL of a picture has a file extension. */
const SINGLE_URL = /^https?:\/\/\S{1,8000}$/i;

/** Offers to attach a URL as a picture while the draft has no other text. */
function AddressNote() {
  const { store, host, draft } = usePanel();
  const conversationId = store.conversationId.value;
  const url = draft.text.value.trim();
  if (conversationId === undefined || !SINGLE_URL.test(url)) return null;
  return (
    <div class="composer-note">
      <TextButton
        label={t("Attach as picture")}
        onClick={() => {
          host.send({ type: "picture-address-attached", conversationId, url });
          draft.setText("");
          draft.focus();
        }}
      />
    </div>
  );
}

/** Toggle that asks the model for positions in the picture. */
function ShowWhere() {
  const { store, host } = usePanel();
  const conversationId = store.conversationId.value;
  const isOn = store.attachments.value.some(({ kind }) => kind === "pointing");
  const isPictureSent = useIsPictureSent();
  if (conversationId === undefined || !(isPictureSent || isOn)) return null;
  return (
    <button
      type="button"
      class="secondary-button toggle-button"
      aria-pressed={isOn}
      title={t("Ask the model to mark what it mentions in the picture")}
      onClick={() => host.send({ type: "show-where-switched", conversationId, isOn: !isOn })}
    >
      <Icon name="location" />
      {t("Mark in picture")}
    </button>
  );
}

/** Example questions while a picture is attached and no text is typed. */
function PresetQuestions() {
  const { store, host, draft } = usePanel();
  const conversationId = store.conversationId.value;
  const count = store.attachments.value.filter(({ kind }) => kind === "picture").length;
  if (count === 0 || draft.text.value !== "" || draft.editing.value !== undefined) return null;
  const findProblems = t("Find problems");
  const prompts = [
    [findProblems, t("Find the problems in this picture and show where they are.")],
    [
      t("Build this page"),
      t(
        "Write this user interface as code: one page with its styles and scripts inside, and nothing loaded from the web.",
      ),
    ],
    [t("Read text"), t("Read the text in this picture.")],
    [t("Explain error"), t("Explain the error in this picture.")],
    ...(count > 1 ? [[t("Compare"), t("Compare these pictures.")] as const] : []),
  ] as const;
  function ask(name: string, prompt: string): void {
    if (name === findProblems && conversationId !== undefined) {
      host.send({ type: "show-where-switched", conversationId, isOn: true });
    }
    draft.suggestText(prompt);
  }
  return (
    <ul class="preset-questions" aria-label={t("Picture prompts")}>
      {prompts.map(([name, prompt]) => (
        <li key={name}>
          <button
            type="button"
            class="secondary-button"
            title={prompt}
            onClick={() => ask(name, prompt)}
          >
            {name}
          </button>
        </li>
      ))}
    </ul>
  );
}
