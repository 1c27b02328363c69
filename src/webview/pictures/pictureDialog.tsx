/**
 * The frame both picture dialogs share: modal, closed by Escape or its button, the keyboard's focus
 * back where it was. And what they both need: the picture's bytes, and a zoom.
 */
import { t } from "@vscode/l10n";
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { IconButton } from "../iconButton";
import { usePanel } from "../panelContext";
import { lostWords } from "./pagePictures";

interface PictureDialogProps {
  readonly label: string;
  readonly onClose: () => void;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
  readonly tools: ComponentChildren;
  readonly children: ComponentChildren;
}

export function PictureDialog({ label, onClose, onKeyDown, tools, children }: PictureDialogProps) {
  const dialogRef = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    dialogRef.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialogRef}
      class="picture-dialog"
      aria-label={label}
      onClose={onClose}
      onKeyDown={(event) => {
        // Escape closes this and nothing else.
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

/** A picture of the conversation: its bytes, undefined until they are there, a sentence if never. */
export function usePicture(hash: string): Blob | string | undefined {
  const { pictures } = usePanel();
  const [loaded, setLoaded] = useState<Blob | string>();
  useEffect(() => {
    let isGone = false;
    setLoaded(undefined);
    pictures.load(hash).then(
      (blob) => !isGone && setLoaded(blob),
      (error: unknown) => !isGone && setLoaded(lostWords(error)),
    );
    return () => {
      isGone = true;
    };
  }, [hash, pictures]);
  return loaded;
}

/** Zoom steps, in screen pixels a picture pixel. */
const STEPS = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8];

/** The next step up (1) or down (-1). */
export function zoomed(from: number, direction: 1 | -1): number {
  const next =
    direction === 1
      ? STEPS.find((step) => step > from * 1.01)
      : STEPS.findLast((step) => step < from * 0.99);
  return next ?? from;
}

/** The zoom at which a picture fits into an element; never enlarged. */
export function fittingZoom(area: HTMLElement, widthPx: number, heightPx: number): number {
  const fitting = Math.min((area.clientWidth - 8) / widthPx, (area.clientHeight - 8) / heightPx);
  return Math.min(1, Math.max(0.01, fitting));
}

interface ZoomToolsProps {
  readonly zoom: number;
  readonly onZoom: (zoom: number) => void;
  readonly onFit: () => void;
}

export function ZoomTools({ zoom, onZoom, onFit }: ZoomToolsProps) {
  return (
    <>
      <IconButton icon="zoom-out" label={t("Zoom out")} onClick={() => onZoom(zoomed(zoom, -1))} />
      <span class="picture-zoom">{`${Math.round(zoom * 100)} %`}</span>
      <IconButton icon="zoom-in" label={t("Zoom in")} onClick={() => onZoom(zoomed(zoom, 1))} />
      <IconButton icon="screen-full" label={t("Fit to the panel")} onClick={onFit} />
    </>
  );
}
