/**
 * Looks at a picture of the conversation: the very bytes that were sent, with zoom and keyboard, to be
 * copied, saved or sent again.
 */
import { t } from "@vscode/l10n";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ChipView } from "../../bridge/views";
import { IconButton } from "../iconButton";
import { usePanel } from "../panelContext";
import { fittingZoom, PictureDialog, usePicture, zoomed, ZoomTools } from "./pictureDialog";

interface PictureViewerProps {
  readonly chip: ChipView;
  readonly messageId: string;
  readonly onClose: () => void;
}

export function PictureViewer({ chip, messageId, onClose }: PictureViewerProps) {
  const { pictures, host, store, announcer } = usePanel();
  const { hash = "", widthPx = 1, heightPx = 1 } = chip.picture ?? {};
  const picture = usePicture(hash);
  const areaRef = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState(0);
  const address = useObjectUrl(picture);
  const fit = () => areaRef.current && setZoom(fittingZoom(areaRef.current, widthPx, heightPx));
  useEffect(() => void fit(), [hash]);

  async function copy(): Promise<void> {
    if (!(picture instanceof Blob)) return;
    try {
      const png = await pictures.asPng(picture);
      await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
      announcer.say(t("Copied"));
    } catch {
      announcer.say(t("The picture could not be copied. Save it instead."));
    }
  }

  function putBack(): void {
    const conversationId = store.conversationId.peek();
    if (conversationId === undefined) return;
    host.send({ type: "picture-put-back", conversationId, messageId, hash });
    onClose();
  }

  function onKeyDown({ key }: KeyboardEvent): void {
    if (key === "+" || key === "=") setZoom(zoomed(zoom, 1));
    else if (key === "-") setZoom(zoomed(zoom, -1));
    else if (key === "0") fit();
    else if (key === "1") setZoom(1);
  }

  return (
    <PictureDialog
      label={chip.label}
      onClose={onClose}
      onKeyDown={onKeyDown}
      tools={
        <>
          <ZoomTools zoom={zoom} onZoom={setZoom} onFit={fit} />
          <IconButton icon="copy" label={t("Copy picture")} onClick={() => void copy()} />
          <IconButton
            icon="save"
            label={t("Save picture")}
            onClick={() => host.send({ type: "picture-save-asked", hash, name: chip.label })}
          />
          <IconButton icon="attach" label={t("Attach this picture again")} onClick={putBack} />
        </>
      }
    >
      <div ref={areaRef} class="picture-area" tabIndex={0} role="group" aria-label={chip.label}>
        {typeof picture === "string" ? (
          <p role="alert">{picture}</p>
        ) : (
          <img
            {...(address !== undefined && { src: address })}
            alt={chip.label}
            width={Math.max(1, Math.round(widthPx * zoom))}
            height={Math.max(1, Math.round(heightPx * zoom))}
            class={zoom >= 2 ? "is-magnified" : ""}
          />
        )}
      </div>
      <p class="picture-facts">
        <span>{chip.detail}</span>
        <span class="picture-hash">{`SHA-256 ${hash}`}</span>
      </p>
    </PictureDialog>
  );
}

/** An address of a blob for as long as it is shown. */
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
