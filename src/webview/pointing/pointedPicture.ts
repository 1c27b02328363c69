/** Picture below a reply, loaded once it is near the visible area, and the names of its positions. */
import { t } from "@vscode/l10n";
import { useEffect, useState } from "preact/hooks";
import type { PlacedPoint } from "../../pointing/placePointing";
import { lostText } from "../pictures/pictureLoader";
import { pointLetter } from "./pointMarks";
import { usePictures } from "../pictures/picturesContext";

/** Longest side of the picture, in pixels. */
const SHOWN_SIDE_PX = 1_600;

/** "A: Save button, 12% from the left, 30% from the top" */
export function positionText({ number, label, region, widthPx, heightPx }: PlacedPoint): string {
  const percent = (at: number, side: number) => Math.round((at / side) * 100);
  const left = percent(region.x, widthPx);
  const top = percent(region.y, heightPx);
  const letter = pointLetter(number);
  return label === ""
    ? t("{0}: {1}% from the left, {2}% from the top", letter, left, top)
    : t("{0}: {1}, {2}% from the left, {3}% from the top", letter, label, left, top);
}

/** Distance from the viewport at which pictures are loaded. */
const NEAR = "600px 0px";

/** Loads a picture once it is near the visible area. */
export function useScaledPicture(
  ref: { readonly current: HTMLElement | null },
  hash: string,
): { readonly url?: string; readonly problem?: string } | undefined {
  const pictures = usePictures();
  const [source, setSource] = useState<{ readonly url?: string; readonly problem?: string }>();
  useEffect(() => {
    const box = ref.current;
    if (box === null) return undefined;
    let url: string | undefined;
    let isGone = false;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer.disconnect();
        pictures.loaded.loadScaled(hash, SHOWN_SIDE_PX).then(
          (blob) => {
            if (isGone) return;
            url = URL.createObjectURL(blob);
            setSource({ url });
          },
          (error: unknown) => {
            if (!isGone) setSource({ problem: lostText(error) });
          },
        );
      },
      { rootMargin: NEAR, scrollMargin: NEAR },
    );
    observer.observe(box);
    return () => {
      isGone = true;
      observer.disconnect();
      if (url !== undefined) URL.revokeObjectURL(url);
    };
  }, [hash, pictures, ref]);
  return source;
}
