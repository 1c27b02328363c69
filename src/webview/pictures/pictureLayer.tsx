/**
 * The place over the panel where one picture is looked at or marked up.
 */
import { usePanel } from "../panelContext";
import { PictureEditor } from "./pictureEditor";
import { PictureViewer } from "./pictureViewer";

export function PictureLayer() {
  const { pictures } = usePanel();
  const shown = pictures.shown.value;
  if (shown === undefined) return null;
  const close = () => (pictures.shown.value = undefined);
  return shown.kind === "looked-at" ? (
    <PictureViewer chip={shown.chip} messageId={shown.messageId} onClose={close} />
  ) : (
    <PictureEditor attachment={shown.attachment} onClose={close} />
  );
}
