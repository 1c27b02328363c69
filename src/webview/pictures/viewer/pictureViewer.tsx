/**
 * Viewer for pictures exactly as they were or will be sent, with zoom and keyboard. Leads through all
 * pictures of the conversation. Sent pictures can be attached again.
 */
import { t } from "@vscode/l10n";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { IconButton, ItemsButton } from "../../ui/iconButton";
import type { MenuItem } from "../../ui/menu";
import { usePanel } from "../../state/panelContext";
import type { GalleryPicture } from "./gallery";
import { fitItem, PictureDialog, PictureImage, ZoomTools } from "../pictureDialog";
import { usePicture } from "../pictureLoader";
import { useZoomArea, type ZoomArea } from "../zoomArea";
import { usePictures } from "../picturesContext";

export interface PictureViewerProps {
  /** Pictures to step through; never empty. */
  readonly gallery: readonly GalleryPicture[];
  readonly first: number;
  /** Returns a layer over the picture that is shown first. */
  readonly overlay?: (area: ZoomArea) => ComponentChildren;
  /** Shown below the picture that is shown first. */
  readonly footer?: ComponentChildren;
  readonly onClose: () => void;
}

export function PictureViewer({ gallery, first, overlay, footer, onClose }: PictureViewerProps) {
  const { host, store, announcer } = usePanel();
  const pictures = usePictures();
  const [chosen, setChosen] = useState(first);
  const at = Math.min(chosen, gallery.length - 1);
  const {
    hash = "",
    widthPx = 1,
    heightPx = 1,
    name = "",
    detail = "",
    messageId,
  } = gallery[at] ?? {};
  const picture = usePicture(hash, pictures.loaded);
  const area = useZoomArea(hash, widthPx, heightPx, false);

  async function copy(): Promise<void> {
    if (!(picture instanceof Blob)) return;
    const isCopied = await pictures.copy(picture);
    announcer.showToast(
      isCopied ? t("Copied") : t("The picture could not be copied. Save it instead."),
    );
  }

  function putBack(): void {
    const conversationId = store.conversationId.peek();
    if (conversationId === undefined || messageId === undefined) return;
    host.send({ type: "picture-put-back", conversationId, messageId, hash });
    onClose();
  }

  function copyContent(): void {
    pictures.openContent({ hash, name, widthPx, heightPx });
  }

  const items: readonly MenuItem[] = [
    fitItem(area),
    { icon: "list-selection", label: t("Copy from the picture"), choose: copyContent },
    {
      icon: "save",
      label: t("Save picture"),
      choose: () => host.send({ type: "picture-save-asked", hash, name }),
    },
    ...(messageId === undefined
      ? []
      : [{ icon: "attach", label: t("Attach this picture again"), choose: putBack }]),
  ];

  function step(by: 1 | -1): void {
    setChosen(Math.max(0, Math.min(gallery.length - 1, at + by)));
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "PageDown") step(1);
    else if (event.key === "PageUp") step(-1);
    else if (event.key === "t") copyContent();
    else if (!area.onKey(event.key)) return;
    event.preventDefault();
  }

  return (
    <PictureDialog
      label={t("Picture")}
      onClose={onClose}
      onKeyDown={onKeyDown}
      tools={
        <>
          {gallery.length > 1 && (
            <>
              <IconButton
                icon="chevron-left"
                label={t("Previous picture")}
                isDisabled={at === 0}
                onClick={() => step(-1)}
              />
              <span class="picture-zoom">{`${at + 1} / ${gallery.length}`}</span>
              <IconButton
                icon="chevron-right"
                label={t("Next picture")}
                isDisabled={at === gallery.length - 1}
                onClick={() => step(1)}
              />
            </>
          )}
          <ZoomTools area={area} />
          <IconButton icon="copy" label={t("Copy picture")} onClick={() => void copy()} />
          <ItemsButton icon="ellipsis" label={t("More actions")} items={items} />
        </>
      }
    >
      <div {...area.props} class="picture-area" tabIndex={0} role="group" aria-label={name}>
        <PictureImage picture={picture} name={name} size={{ widthPx, heightPx }} zoom={area.zoom} />
        {at === first && overlay?.(area)}
      </div>
      {at === first && footer}
      <p class="picture-facts" title={`SHA-256 ${hash}`}>
        <bdi>{name}</bdi>
        <span>{messageId === undefined ? t("This will be sent: {0}", detail) : detail}</span>
      </p>
    </PictureDialog>
  );
}
