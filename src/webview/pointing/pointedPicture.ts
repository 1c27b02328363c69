/** Picture below a reply, loaded once it is near the visible area, and the names of its positions. */
import { t } from "@vscode/l10n";
import { useState } from "preact/hooks";
import type { PlacedPoint } from "../../pointing/placePointing";
import { lostText, useNearUrl } from "../pictures/pictureLoader";
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

/** Distance from the viewport at which pictures are loaded, in CSS pixels. */
const NEAR_PX = 600;

/** Loads a picture once the element with the ref is near the visible area. */
export function useScaledPicture<Box extends HTMLElement>(hash: string) {
  const pictures = usePictures();
  const [problem, setProblem] = useState("");
  const { ref, url } = useNearUrl<Box>(hash, {
    nearPx: NEAR_PX,
    isKept: true,
    load: () => pictures.loaded.loadScaled(hash, SHOWN_SIDE_PX),
    onFailed: (error) => setProblem(lostText(error)),
  });
  return { ref, url, problem };
}
