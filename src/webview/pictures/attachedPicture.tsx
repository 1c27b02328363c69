/**
 * A picture in its chip: a likeness that opens it for marking up and, where it is too large to go whole,
 * the choice of how it goes.
 */
import { t } from "@vscode/l10n";
import { useState } from "preact/hooks";
import type { AttachmentView, PictureFit } from "../../bridge/views";
import { usePanel } from "../panelContext";
import { ChipLabel } from "../composer/chipFace";
import { PictureLost, Thumbnail } from "./thumbnail";

export function AttachedPicture({ attachment }: { readonly attachment: AttachmentView }) {
  const { pictures } = usePanel();
  const [lost, setLost] = useState("");
  const { picture, label } = attachment;
  if (picture === undefined) return null;
  const edit = () => (pictures.shown.value = { kind: "marked-up", attachment });
  return (
    <>
      <button
        type="button"
        class="thumbnail-button"
        aria-label={t("Mark up {0}", label)}
        title={t("Mark up {0}", label)}
        onClick={edit}
      >
        <Thumbnail picture={picture} alt="" maxWidthPx={96} maxHeightPx={40} onLost={setLost} />
      </button>
      {lost === "" ? <ChipLabel chip={attachment} /> : <PictureLost words={lost} />}
    </>
  );
}

/** Only for a picture beyond the limits. */
export function FitChoice({ attachment }: { readonly attachment: AttachmentView }) {
  const { host, store, pictures } = usePanel();
  const { id, fit, label } = attachment;
  if (fit !== "tiles" && fit !== "scaled") return null;
  const names: Readonly<Record<"tiles" | "scaled" | "crop", string>> = {
    tiles: t("Tiles"),
    scaled: t("Scale down"),
    crop: t("Crop…"),
  };
  function choose(chosen: PictureFit): void {
    const conversationId = store.conversationId.peek();
    if (chosen === "crop") pictures.shown.value = { kind: "marked-up", attachment };
    else if (conversationId !== undefined && (chosen === "tiles" || chosen === "scaled")) {
      host.send({ type: "picture-fit-chosen", conversationId, attachmentId: id, fit: chosen });
    }
  }
  return (
    <select
      class="fit-choice"
      aria-label={t("How {0} goes", label)}
      value={fit}
      onChange={(event) => {
        choose(event.currentTarget.value as PictureFit);
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
