/**
 * Layer over the panel with the viewer or the editor. Each is a chunk of its own, loaded when it is first
 * opened.
 */
import { usePanel } from "../../state/panelContext";
import { later } from "../../ui/later";
import { attachedPictures, galleryOf, sentPicture, type GalleryPicture } from "./gallery";
import type { PictureViewerProps } from "./pictureViewer";
import { usePictures } from "../picturesContext";

const PictureEditor = later(async () => (await import("../editor/pictureEditor")).PictureEditor);
const ContentCopier = later(async () => (await import("./contentCopier")).ContentCopier);
const PictureViewer = later(async () => (await import("./pictureViewer")).PictureViewer);

export function PictureLayer() {
  const { store, host } = usePanel();
  const pictures = usePictures();
  const shown = pictures.shown.value;
  if (shown === undefined) return null;
  const close = () => {
    if (pictures.shown.peek() === shown) pictures.shown.value = undefined;
  };
  switch (shown.kind) {
    case "looked-at": {
      const opened = sentPicture(shown.chip, shown.messageId);
      const { overlay, footer } = shown;
      return (
        <GalleryViewer
          opened={opened}
          {...(overlay && { overlay })}
          footer={footer}
          onClose={close}
        />
      );
    }
    case "previewed": {
      const attachment = store.attachments.value.find(({ id }) => id === shown.attachmentId);
      return (
        <GalleryViewer opened={attachment ? attachedPictures(attachment) : []} onClose={close} />
      );
    }
    case "content": {
      const { picture, back } = shown;
      return (
        <ContentCopier
          picture={picture}
          onClose={() => {
            if (pictures.shown.peek() === shown) pictures.shown.value = back;
          }}
        />
      );
    }
    case "marked-up":
      return (
        <PictureEditor
          attachment={shown.attachment}
          onClose={() => {
            close();
            // Marks that are not applied stay in this page.
            if (!shown.isWholeTab || pictures.marks.unused.has(shown.attachment.id)) return;
            host.send({ type: "picture-editor-closed" });
          }}
          {...(shown.tool && { firstTool: shown.tool })}
        />
      );
    default:
      return shown satisfies never;
  }
}

interface GalleryViewerProps extends Pick<PictureViewerProps, "overlay" | "footer" | "onClose"> {
  /** Pictures of the chip or the attachment that was opened; the first is shown. */
  readonly opened: readonly GalleryPicture[];
}

function GalleryViewer({ opened, ...props }: GalleryViewerProps) {
  const { store } = usePanel();
  const [picture] = opened;
  if (picture === undefined) return null;
  const all = galleryOf(store);
  const index = all.findIndex(
    ({ hash, messageId }) => hash === picture.hash && messageId === picture.messageId,
  );
  // A receipt can name a picture that no question shows any longer.
  const gallery = index === -1 ? [...opened, ...all] : all;
  return <PictureViewer gallery={gallery} first={Math.max(0, index)} {...props} />;
}
