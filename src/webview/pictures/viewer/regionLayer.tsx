/** The numbered regions in which two compared pictures differ: as boxes, as a list, and as notes. */
import { t } from "@vscode/l10n";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { PictureNote } from "../../../pointing/pictureNote";
import type { ComparedSize } from "../comparedSize";
import type { Area } from "../marks";
import type { PictureLoader } from "../pictureLoader";
import type { PixelRegion } from "../compare/findRegions";

/** Regions that are shown and sent, in pictures that differ in nearly everything. */
const MAX_SHOWN = 60;

export interface Differences {
  /** Undefined while the pictures are compared. */
  readonly regions: readonly PixelRegion[] | "failed" | undefined;
  /** Number of regions, also of those that are too small to be shown. */
  readonly total: number;
  /** Index of the chosen region. */
  readonly chosen: number | undefined;
  readonly choose: (index: number) => void;
}

/** Finds the regions of a pair. */
export function useDifferences(
  source: PictureLoader,
  hash: string,
  otherHash: string,
  size: ComparedSize,
): Differences {
  const [regions, setRegions] = useState<Differences["regions"]>();
  const [total, setTotal] = useState(0);
  const [chosen, choose] = useState<number>();
  const latest = useRef(size);
  latest.current = size;
  useEffect(() => {
    let isGone = false;
    setRegions(undefined);
    choose(undefined);
    source.regions(hash, otherHash, latest.current).then(
      (found) => {
        if (isGone) return;
        setRegions(shownOf(found));
        setTotal(found.length);
      },
      () => !isGone && setRegions("failed"),
    );
    return () => {
      isGone = true;
    };
  }, [source, hash, otherHash]);
  return { regions, total, chosen, choose };
}

/** Returns the largest regions, in their order. */
function shownOf(regions: readonly PixelRegion[]): readonly PixelRegion[] {
  if (regions.length <= MAX_SHOWN) return regions;
  const sizeOf = ({ first, second }: PixelRegion) => areaOf(second ?? first);
  const limit = regions.map(sizeOf).sort((one, other) => other - one)[MAX_SHOWN - 1] ?? 0;
  return regions.filter((region) => sizeOf(region) >= limit).slice(0, MAX_SHOWN);
}

function areaOf(area: Area | undefined): number {
  return area ? area.width * area.height : 0;
}

interface BoxesProps {
  readonly differences: Differences;
  /** The picture below: the earlier or the later one. */
  readonly side: "first" | "second";
  readonly zoom: number;
}

/** Boxes over a picture; the list below is the way for keyboards and screen readers. */
export function RegionBoxes({ differences, side, zoom }: BoxesProps) {
  const { regions, chosen, choose } = differences;
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    ref.current?.scrollIntoView({ block: "center", inline: "center" });
  }, [chosen]);
  if (!Array.isArray(regions)) return null;
  return (
    <div aria-hidden="true">
      {(regions as readonly PixelRegion[]).map((region, index) => {
        const area = region[side];
        if (area === undefined) return null;
        const [left, top, width, height] = [area.x, area.y, area.width, area.height].map(
          (value) => `${value * zoom}px`,
        );
        return (
          <button
            key={index}
            ref={index === chosen ? ref : null}
            class={index === chosen ? "region-box is-chosen" : "region-box"}
            style={{ left, top, width, height }}
            type="button"
            tabIndex={-1}
            onClick={() => choose(index)}
          >
            <span class="region-number">{index + 1}</span>
          </button>
        );
      })}
    </div>
  );
}

/** The regions as buttons, which show their boxes. */
export function RegionList({ differences }: { readonly differences: Differences }) {
  const { regions, chosen, choose } = differences;
  const chosenRef = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => chosenRef.current?.scrollIntoView({ block: "nearest" }), [chosen]);
  if (!Array.isArray(regions) || regions.length === 0) return null;
  return (
    <ol class="region-list" aria-label={t("Differences")}>
      {(regions as readonly PixelRegion[]).map((region, index) => (
        <li key={index}>
          <button
            ref={index === chosen ? chosenRef : null}
            type="button"
            class="secondary-button"
            aria-pressed={index === chosen}
            onClick={() => choose(index)}
          >
            {`${index + 1}. ${changeText(region)}`}
            {swatchesOf(region).map((color) => (
              <span key={color} class="region-color" style={{ background: color }} />
            ))}
          </button>
        </li>
      ))}
    </ol>
  );
}

export function differencesText({ regions, total }: Differences): string {
  if (regions === undefined) return t("Comparing");
  if (regions === "failed") {
    return t("The pictures could not be compared. Close the viewer and try again.");
  }
  if (regions.length === 0) return t("No differences");
  if (total > regions.length)
    return t("{0} differences; the {1} largest are shown", total, regions.length);
  return regions.length === 1 ? t("1 difference") : t("{0} differences", regions.length);
}

/** Returns notes at the regions: in the earlier picture at what is gone, else in the later one. */
export function differenceNotes(
  { regions }: Differences,
  firstNumber: number,
  /** Pixels of the earlier picture per compared pixel. */
  earlierScale: number,
): Record<"first" | "second", PictureNote[]> {
  const notes: Record<"first" | "second", PictureNote[]> = { first: [], second: [] };
  if (!Array.isArray(regions)) return notes;
  for (const [index, region] of (regions as readonly PixelRegion[]).entries()) {
    const side = region.second ? "second" : "first";
    const area = region[side];
    const scale = side === "first" ? earlierScale : 1;
    if (area === undefined) continue;
    notes[side].push({
      number: firstNumber + index,
      text: changeText(region),
      x: area.x * scale,
      y: area.y * scale,
      width: area.width * scale,
      height: area.height * scale,
    });
  }
  return notes;
}

function changeText({ change }: PixelRegion): string {
  switch (change.kind) {
    case "moved":
      return t("Moved {0}", [across(change.dx), down(change.dy)].filter(Boolean).join(", "));
    case "recolored":
      return t("Color {0} → {1}", hexOf(change.from), hexOf(change.to));
    case "appeared":
      return t("Appeared");
    case "gone":
      return t("Gone");
    case "changed":
      return t("Changed");
    default:
      return change satisfies never;
  }
}

function across(px: number): string {
  if (px === 0) return "";
  return px > 0 ? t("{0} px right", px) : t("{0} px left", -px);
}

function down(px: number): string {
  if (px === 0) return "";
  return px > 0 ? t("{0} px down", px) : t("{0} px up", -px);
}

function swatchesOf({ change }: PixelRegion): string[] {
  return change.kind === "recolored" ? [hexOf(change.from), hexOf(change.to)] : [];
}

/** Returns a color of pixels as #rrggbb, with the opacity unless it is full. */
function hexOf(color: number): string {
  const channels = [color & 255, (color >>> 8) & 255, (color >>> 16) & 255, color >>> 24];
  const shown = channels[3] === 255 ? channels.slice(0, 3) : channels;
  return `#${shown.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}
