/**
 * The place over the panel where one picture is looked at or marked up; what it shows is loaded when it
 * is first wanted.
 */
import { useEffect, useState } from "preact/hooks";
import { usePanel } from "../panelContext";
import type * as Dialogs from "./dialogs";

export function PictureLayer() {
  const { pictures, host } = usePanel();
  const [dialogs, setDialogs] = useState<typeof Dialogs>();
  const shown = pictures.shown.value;
  const isWanted = shown !== undefined && dialogs === undefined;
  useEffect(() => {
    if (!isWanted) return;
    import("./dialogs").then(
      (loaded) => setDialogs(() => loaded),
      () => host.send({ type: "view-failed", where: "picture dialogs" }),
    );
  }, [isWanted, host]);
  if (shown === undefined || dialogs === undefined) return null;
  const close = () => (pictures.shown.value = undefined);
  return shown.kind === "looked-at" ? (
    <dialogs.PictureViewer chip={shown.chip} messageId={shown.messageId} onClose={close} />
  ) : (
    <dialogs.PictureEditor attachment={shown.attachment} onClose={close} />
  );
}
