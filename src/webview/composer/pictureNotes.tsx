import { t } from "@vscode/l10n";
import { Icon, TextButton } from "../ui/iconButton";
import { Toolbar } from "../ui/toolbar";
import type { MeterView } from "../../protocol/views";
import { useIsPictureSent, usePanel } from "../state/panelContext";
import { usePictures } from "../pictures/picturesContext";

/** Upper limit of named pictures in a sentence. */
const MAX_NAMES = 6;

/** Notes and buttons about the pictures of the next request. */
export function PictureNotes() {
  const pictures = usePictures();
  const { store, draft } = usePanel();
  const count = pictures.attaching.preparingCount.value;
  const meter = store.meter.value;
  const waiting =
    count > 0
      ? count === 1
        ? t("Preparing a picture")
        : t("Preparing {0} pictures", count)
      : draft.isWaiting.value && t("Attaching…");
  return (
    <>
      {waiting && (
        <div class="composer-note" role="status">
          <Icon name="loading codicon-modifier-spin" />
          {waiting}
        </div>
      )}
      <LeftOutNote />
      <PutBackNote
        summary={t("Not sent, because a request with them failed")}
        pictures={meter?.refusedPictures}
      />
      {store.panel.value?.model !== "llm" && (
        <PutBackNote
          summary={t("Pictures that will not be sent")}
          pictures={meter?.olderPicturesLeftOut}
        />
      )}
      <AddressNote />
      <PicturePrompts />
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

interface PutBackNoteProps {
  readonly summary: string;
  readonly pictures: MeterView["olderPicturesLeftOut"] | undefined;
}

/** Lists left out pictures that are not attached again, each with a button to put it back. */
function PutBackNote({ summary, pictures = [] }: PutBackNoteProps) {
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

/** Row of example questions and of the switch for marks, one stop of the Tab key. */
function PicturePrompts() {
  const { store, host, draft } = usePanel();
  const conversationId = store.conversationId.value;
  const attachments = store.attachments.value;
  const isMarking = attachments.some(({ kind }) => kind === "pointing");
  const isPictureSent = useIsPictureSent();
  const count = attachments.filter(({ kind }) => kind === "picture").length;
  const hasQuestion = draft.text.value !== "" || draft.editing.value !== undefined;
  if (conversationId === undefined || !(isPictureSent || isMarking)) return null;

  function switchMarking(isOn: boolean): void {
    if (conversationId) host.send({ type: "show-where-switched", conversationId, isOn });
  }
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
    [
      t("Explain error"),
      t("Explain the error in this picture. First write its text as it is, in a code block."),
    ],
    ...(count > 1 ? [[t("Compare"), t("Compare these pictures.")] as const] : []),
  ] as const;
  return (
    <Toolbar class="picture-prompts" label={t("Picture prompts")}>
      {count > 0 &&
        !hasQuestion &&
        prompts.map(([name, prompt]) => (
          <button
            key={name}
            type="button"
            class="secondary-button preset-question"
            title={prompt}
            onClick={() => {
              if (name === findProblems) switchMarking(true);
              draft.suggest(prompt);
            }}
          >
            {name}
          </button>
        ))}
      <button
        type="button"
        class="secondary-button toggle-button"
        aria-pressed={isMarking}
        title={t("Ask the model to mark what it mentions in the picture")}
        onClick={() => switchMarking(!isMarking)}
      >
        <Icon name="location" />
        {t("Mark in picture")}
      </button>
    </Toolbar>
  );
}
