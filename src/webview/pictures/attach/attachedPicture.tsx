/**
 * An attached picture in its chip: thumbnails of the pictures to send, buttons for the editor and the
 * preview, and the choice between tiles and scaling for a large picture.
 */
import { t } from "@vscode/l10n";
import { useState } from "preact/hooks";
import type { AttachmentView } from "../../../protocol/views";
import { tooltipOf } from "../../ui/chip";
import { Icon, IconButton, TextButton } from "../../ui/iconButton";
import type { ComposerDraft } from "../../state/draft";
import { usePanel } from "../../state/panelContext";
import { PictureLost, Thumbnail } from "./thumbnail";
import { notApplied } from "../editor/attachedMarks";
import { readMarks } from "../marks";
import { usePictures } from "../picturesContext";

export function AttachedPicture({ attachment }: { readonly attachment: AttachmentView }) {
  const pictures = usePictures();
  const [lost, setLost] = useState("");
  const { id, picture, label, tilesAfterOverview } = attachment;
  if (picture === undefined) return null;
  const sent = attachment.sent ?? [picture];
  const [first] = sent;
  const isCovered = readMarks(attachment.marks).some(({ kind }) => kind === "redaction");
  return (
    <>
      <button
        type="button"
        class="thumbnail-button picture-tile"
        aria-label={t("Mark up {0}", label)}
        title={[tooltipOf(attachment), attachment.detail].filter((part) => part !== "").join("\n")}
        onClick={() => pictures.markUp(attachment)}
      >
        {first && <Thumbnail key={first.hash} picture={first} onLost={setLost} />}
        {sent.length > 1 && (
          <span class="tile-note">{t("{0} tiles", tilesAfterOverview ?? sent.length)}</span>
        )}
        {isCovered && sent.length === 1 && <span class="tile-note">{t("Redacted")}</span>}
        <span class="tile-badge">
          <Icon name="edit" />
        </span>
      </button>
      {lost !== "" && <PictureLost reason={lost} />}
      {sent.length === 0 ? (
        <Unfinished attachment={attachment} />
      ) : (
        <IconButton
          icon="open-preview"
          label={t("Open {0} as it will be sent", label)}
          onClick={() => (pictures.shown.value = { kind: "previewed", attachmentId: id })}
        />
      )}
    </>
  );
}

/** Warning that the marks were not applied, so that the picture is not sent, with ways to continue. */
function Unfinished({ attachment }: { readonly attachment: AttachmentView }) {
  const { draft } = usePanel();
  const pictures = usePictures();
  if (pictures.attaching.preparingCount.value > 0) return null;
  return (
    <span class="picture-unfinished">
      <span>{t("The changes could not be applied, so this picture will not be sent.")}</span>
      <TextButton
        label={t("Try again")}
        look="link-button"
        onClick={() => void report(draft, pictures.marks.reapply(attachment))}
      />
      <TextButton
        label={t("Use original")}
        look="link-button"
        onClick={() => void report(draft, pictures.marks.apply(attachment, []))}
      />
    </span>
  );
}

/** Shows the error text of marks that could not be applied. */
async function report(draft: ComposerDraft, applying: Promise<string>): Promise<void> {
  const problem = await applying.catch(() => notApplied());
  if (problem !== "") draft.showWarning(problem);
}

type FitChosen = "tiles" | "scaled" | "crop";

/** Menu for a picture beyond the limits; empty for other pictures. */
export function FitChoice({ attachment }: { readonly attachment: AttachmentView }) {
  const { draft } = usePanel();
  const pictures = usePictures();
  const { fit, label, sent } = attachment;
  if ((fit !== "tiles" && fit !== "scaled") || sent?.length === 0) return null;
  const names: Readonly<Record<FitChosen, string>> = {
    tiles: t("Tiles"),
    scaled: t("Scale down"),
    crop: t("Crop…"),
  };
  function choose(chosen: FitChosen): void {
    if (chosen === "crop") pictures.markUp(attachment, "crop");
    else void report(draft, pictures.marks.reapply(attachment, chosen));
  }
  return (
    <select
      class="fit-choice"
      aria-label={t("How to send {0}", label)}
      value={fit}
      onChange={(event) => {
        choose(event.currentTarget.value as FitChosen);
        event.currentTarget.value = fit;
      }}
    >
      {Object.entries(names).map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}
