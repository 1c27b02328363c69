/**
 * Layer over the panel with the viewer or the editor.
 */
import { t } from "@vscode/l10n";
import { useEffect, useState } from "preact/hooks";
import { usePanel } from "../state/panelContext";
import type * as editorModule from "./pictureEditor";
import { PictureViewer } from "./pictureViewer";
import { usePictures } from "./picturesContext";

export function PictureLayer() {
  const { store } = usePanel();
  const pictures = usePictures();
  const shown = pictures.shown.value;
  if (shown === undefined) return null;
  const close = () => {
    if (pictures.shown.peek() === shown) pictures.shown.value = undefined;
  };
  switch (shown.kind) {
    case "looked-at": {
      const { label, detail, picture } = shown.chip;
      if (picture === undefined) return null;
      const { messageId, overlay } = shown;
      const view = { label, detail, shown: [picture], messageId, ...(overlay && { overlay }) };
      return <PictureViewer {...view} onClose={close} />;
    }
    case "previewed": {
      const attachment = store.attachments.value.find(({ id }) => id === shown.attachmentId);
      if (attachment?.picture === undefined) return null;
      const { label, detail, picture, sent = [picture] } = attachment;
      if (sent.length === 0) return null;
      return <PictureViewer {...{ label, detail, shown: sent }} onClose={close} />;
    }
    case "marked-up":
      return (
        <LateEditor
          attachment={shown.attachment}
          onClose={close}
          {...(shown.tool && { firstTool: shown.tool })}
        />
      );
    default:
      return shown satisfies never;
  }
}

/** Loads the editor, which is a chunk of its own, when a picture is first marked up. */
function LateEditor(props: editorModule.PictureEditorProps) {
  const { draft } = usePanel();
  const { onClose } = props;
  const [editor, setEditor] = useState<typeof editorModule>();
  useEffect(() => {
    import("./pictureEditor").then(setEditor, () => {
      draft.showWarning(
        t("The picture editor could not be loaded. Reopen the panel, then try again."),
      );
      onClose();
    });
    // Once: later loads come from the browser's memory.
  }, []);
  return editor === undefined ? null : <editor.PictureEditor {...props} />;
}
