/**
 * Viewer for pictures exactly as they were or will be sent, with zoom and keyboard. Sent pictures can be
 * attached again.
 */
import { t } from "@vscode/l10n";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ChipView } from "../../protocol/views";
import { IconButton } from "../ui/iconButton";
import { usePanel } from "../state/panelContext";
import { PictureDialog, usePicture, ZoomTools } from "./pictureDialog";
import { useZoomArea, type ZoomArea } from "./zoomArea";
import { usePictures } from "./picturesContext";

interface PictureViewerProps {
  readonly label: string;
  readonly detail: string;
  /** A picture or its tiles; never empty. */
  readonly shown: readonly NonNullable<ChipView["picture"]>[];
  /** Id of the question; absent before sending. */
  readonly messageId?: string;
  /** Returns a layer over the picture. */
  readonly overlay?: (area: ZoomArea) => ComponentChildren;
  readonly onClose: () => void;
}

export function PictureViewer(props: PictureViewerProps) {
  const { label, detail, shown, messageId, overlay, onClose } = props;
  const { host, store, announcer } = usePanel();
  const pictures = usePictures();
  const [chosen, setChosen] = useState(0);
  const at = Math.min(chosen, shown.length - 1);
  const { hash = "", widthPx = 1, heightPx = 1 } = shown[at] ?? {};
  const picture = usePicture(hash);
  const address = useObjectUrl(picture);
  const area = useZoomArea(hash, widthPx, heightPx, false);
  const { zoom } = area;
  const name = shown.length === 1 ? label : `${label} (${at + 1}/${shown.length})`;

  async function copy(): Promise<void> {
    if (!(picture instanceof Blob)) return;
    try {
      const png = await pictures.asPng(picture);
      await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
      announcer.showToast(t("Copied"));
    } catch {
      announcer.showToast(t("The picture could not be copied. Save it instead."));
    }
  }

  function putBack(): void {
    const conversationId = store.conversationId.peek();
    if (conversationId === undefined || messageId === undefined) return;
    host.send({ type: "picture-put-back", conversationId, messageId, hash });
    onClose();
  }

  function step(by: 1 | -1): void {
    setChosen(Math.max(0, Math.min(shown.length - 1, at + by)));
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "1") area.setZoom(1);
    else if (event.key === "PageDown") step(1);
    else if (event.key === "PageUp") step(-1);
    else if (!area.onKey(event.key)) return;
    event.preventDefault();
  }

  return (
    <PictureDialog
      label={label}
      onClose={onClose}
      onKeyDown={onKeyDown}
      tools={
        <>
          {shown.length > 1 && (
            <>
              <IconButton
                icon="chevron-left"
                label={t("Previous tile")}
                isDisabled={at === 0}
                onClick={() => step(-1)}
              />
              <span class="picture-zoom">{`${at + 1} / ${shown.length}`}</span>
              <IconButton
                icon="chevron-right"
                label={t("Next tile")}
                isDisabled={at === shown.length - 1}
                onClick={() => step(1)}
              />
            </>
          )}
          <ZoomTools area={area} />
          <IconButton icon="copy" label={t("Copy picture")} onClick={() => void copy()} />
          <IconButton
            icon="save"
            label={t("Save picture")}
            onClick={() => host.send({ type: "picture-save-asked", hash, name })}
          />
          {messageId !== undefined && (
            <IconButton icon="attach" label={t("Attach this picture again")} onClick={putBack} />
          )}
        </>
      }
    >
      <div {...area.props} class="picture-area" tabIndex={0} role="group" aria-label={name}>
        {typeof picture === "string" ? (
          <p role="alert">{picture}</p>
        ) : (
          <img
            {...(address !== undefined && { src: address })}
            alt={name}
            width={Math.max(1, Math.round(widthPx * zoom))}
            height={Math.max(1, Math.round(heightPx * zoom))}
            class={zoom >= 2 ? "is-magnified" : ""}
            draggable={false}
          />
        )}
        {overlay?.(area)}
      </div>
      <p class="picture-facts">
        <span>{messageId === undefined ? t("This will be sent: {0}", detail) : detail}</span>
        <span class="picture-hash">{`SHA-256 ${hash}`}</span>
      </p>
    </PictureDialog>
  );
}

/** Returns an object URL of a blob and revokes the URL afterwards. */
function useObjectUrl(blob: Blob | string | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!(blob instanceof Blob)) return undefined;
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return address;
}
