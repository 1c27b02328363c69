/**
 * Parts shared by viewer and editor: the modal dialog, which restores the focus, the loading of the
 * picture, and the zoom buttons.
 */
import { t } from "@vscode/l10n";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { IconButton } from "../ui/iconButton";
import type { MenuItem } from "../ui/menu";
import { zoomed, type ZoomArea } from "./zoomArea";

interface PictureDialogProps {
  readonly label: string;
  readonly onClose: () => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly tools: ComponentChildren;
  readonly children: ComponentChildren;
}

export function PictureDialog({ label, onClose, onKeyDown, tools, children }: PictureDialogProps) {
  const dialogRef = useRef<HTMLDialogElement>(null);
  const isUnmountedRef = useRef(false);
  const [before] = useState(() => document.activeElement);
  useLayoutEffect(() => {
    const dialog = dialogRef.current;
    dialog?.showModal();
    return () => {
      isUnmountedRef.current = true;
      // While the dialog is open, the rest of the page is inert and takes no focus.
      dialog?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, [before]);
  return (
    <dialog
      ref={dialogRef}
      class="picture-dialog"
      aria-label={label}
      onClose={() => {
        if (!isUnmountedRef.current) onClose();
      }}
      onKeyDown={(event) => {
        // Escape closes only the dialog.
        event.stopPropagation();
        onKeyDown?.(event);
      }}
    >
      <div class="picture-tools" role="toolbar" aria-label={t("Picture")}>
        <div class="picture-tool-group">{tools}</div>
        <IconButton icon="close" label={t("Close")} onClick={() => dialogRef.current?.close()} />
      </div>
      {children}
    </dialog>
  );
}

interface PictureImageProps {
  /** Undefined while loading, an error text after a failure. */
  readonly picture: Blob | string | undefined;
  readonly name: string;
  readonly size: { readonly widthPx: number; readonly heightPx: number };
  /** CSS pixels per picture pixel. */
  readonly zoom: number;
}

/** A picture at a zoom, or the reason why it cannot be shown. */
export function PictureImage({ picture, name, size, zoom }: PictureImageProps) {
  const address = useObjectUrl(picture);
  if (typeof picture === "string") return <p role="alert">{picture}</p>;
  return (
    <img
      {...(address !== undefined && { src: address })}
      alt={name}
      width={Math.max(1, Math.round(size.widthPx * zoom))}
      height={Math.max(1, Math.round(size.heightPx * zoom))}
      class={zoom >= 2 ? "is-magnified" : ""}
      draggable={false}
    />
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

export function fitItem({ fit }: ZoomArea): MenuItem {
  return { icon: "screen-full", label: t("Fit to panel"), choose: fit };
}

/** Buttons of an area; the zoom is shown in screen pixels per picture pixel. */
export function ZoomTools({ area }: { readonly area: ZoomArea }) {
  const { zoom, setZoom } = area;
  return (
    <>
      <IconButton icon="zoom-out" label={t("Zoom out")} onClick={() => setZoom(zoomed(zoom, -1))} />
      <span class="picture-zoom">{`${Math.round(zoom * devicePixelRatio * 100)} %`}</span>
      <IconButton icon="zoom-in" label={t("Zoom in")} onClick={() => setZoom(zoomed(zoom, 1))} />
    </>
  );
}
