/**
 * Layer over the panel with the viewer or the editor. Both are chunks of their own, loaded when a
 * picture is first opened.
 */
import { t } from "@vscode/l10n";
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { usePanel } from "../state/panelContext";
import { attachedPictures, galleryOf, sentPicture, type GalleryPicture } from "./gallery";
import type { PictureViewerProps } from "./pictureViewer";
import { usePictures } from "./picturesContext";

const loadEditor = async () => (await import("./pictureEditor")).PictureEditor;
const loadViewer = async () => (await import("./pictureViewer")).PictureViewer;

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
      const opened = sentPicture(shown.chip, shown.messageId);
      const { overlay } = shown;
      return <LateViewer opened={opened} {...(overlay && { overlay })} onClose={close} />;
    }
    case "previewed": {
      const attachment = store.attachments.value.find(({ id }) => id === shown.attachmentId);
      return <LateViewer opened={attachment ? attachedPictures(attachment) : []} onClose={close} />;
    }
    case "marked-up":
      return (
        <Late
          load={loadEditor}
          attachment={shown.attachment}
          onClose={close}
          {...(shown.tool && { firstTool: shown.tool })}
        />
      );
    default:
      return shown satisfies never;
  }
}

interface LateViewerProps extends Pick<PictureViewerProps, "overlay" | "onClose"> {
  /** Pictures of the chip or the attachment that was opened; the first is shown. */
  readonly opened: readonly GalleryPicture[];
}

/** Shows the opened picture among all pictures of the conversation. */
function LateViewer({ opened, ...props }: LateViewerProps) {
  const { store } = usePanel();
  const [picture] = opened;
  if (picture === undefined) return null;
  const all = galleryOf(store);
  const found = all.findIndex(
    ({ hash, messageId }) => hash === picture.hash && messageId === picture.messageId,
  );
  // A receipt can name a picture that no question shows any longer.
  const gallery = found === -1 ? [...opened, ...all] : all;
  return <Late load={loadViewer} gallery={gallery} first={Math.max(0, found)} {...props} />;
}

interface LateProps<Props> {
  readonly load: () => Promise<ComponentType<Props>>;
}

/** Loads a component when it is first shown; later loads come from the browser's memory. */
function Late<Props extends { readonly onClose: () => void }>(props: LateProps<Props> & Props) {
  const { draft } = usePanel();
  const { load, onClose } = props;
  const [Loaded, setLoaded] = useState<ComponentType<Props>>();
  useEffect(() => {
    load().then(
      (component) => setLoaded(() => component),
      () => {
        draft.showWarning(
          t("The picture editor could not be loaded. Reopen the panel, then try again."),
        );
        onClose();
      },
    );
    // Once: `load` is the same for as long as the layer shows this component.
  }, []);
  return Loaded === undefined ? null : <Loaded {...props} />;
}
