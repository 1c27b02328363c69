/** Picture below a reply, loaded once it is near the visible area, and the places of its marks. */
import { t } from "@vscode/l10n";
import { useState } from "preact/hooks";
import type { Region } from "../../pointing/coordinates";
import type { PlacedPoint } from "../../pointing/placePointing";
import { lostText, useNearUrl } from "../pictures/pictureLoader";
import { usePictures } from "../pictures/picturesContext";

const SHOWN = { maxSidePx: 1_600, maxBytes: Infinity };

/** Room around marks, as a share of their extent, and least extent of a part as a share of the picture. */
const MARGIN = 0.25;
const LEAST_EXTENT = 0.3;

/** "66% from the left, 22% from the top" */
export function placeText({ region, widthPx, heightPx }: PlacedPoint): string {
  const percent = (at: number, side: number) => Math.round((at / side) * 100);
  const left = percent(region.x, widthPx);
  return t("{0}% from the left, {1}% from the top", left, percent(region.y, heightPx));
}

/** Returns the part of a picture in which all marks are; undefined for no marks. */
export function partWith(points: readonly PlacedPoint[]): Region | undefined {
  const [first] = points;
  if (first === undefined) return undefined;
  const regions = points.map(({ region }) => region);
  const across = range(
    regions.map(({ x, width }) => [x, x + width]),
    first.widthPx,
  );
  const down = range(
    regions.map(({ y, height }) => [y, y + height]),
    first.heightPx,
  );
  return { x: across[0], y: down[0], width: across[1], height: down[1] };
}

/** Returns start and length of a range that includes all others, with a margin. */
function range(
  ranges: readonly (readonly [number, number])[],
  sidePx: number,
): [start: number, length: number] {
  const start = Math.min(...ranges.map(([from]) => from));
  const end = Math.max(...ranges.map(([, to]) => to));
  const margin = Math.max((end - start) * MARGIN, (sidePx * LEAST_EXTENT - (end - start)) / 2);
  const from = Math.max(0, start - margin);
  return [from, Math.max(1, Math.min(sidePx, end + margin) - from)];
}

/** Returns the place of the whole picture in a window that shows a part of it. */
export function wholeStyle(part: Region, { widthPx, heightPx }: PlacedPoint) {
  return {
    width: `${(widthPx / part.width) * 100}%`,
    height: `${(heightPx / part.height) * 100}%`,
    left: `${(-part.x / part.width) * 100}%`,
    top: `${(-part.y / part.height) * 100}%`,
  };
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
    load: () => pictures.loaded.loadScaled(hash, SHOWN),
    onFailed: (error) => setProblem(lostText(error)),
  });
  return { ref, url, problem };
}
