/**
 * Lettered boxes and points over a picture, each a button. The element has the size of the picture.
 * The button of a small box is larger than its frame, so that it can be hit; the frames of other
 * boxes are above it.
 */
import { t } from "@vscode/l10n";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ReadonlySignal } from "@preact/signals";
import { pointLetter } from "../../pointing/namedPoints";
import type { Region } from "../../pointing/coordinates";
import type { PlacedPoint } from "../../pointing/placePointing";
import type { ZoomArea } from "../pictures/zoomArea";
import { TextButton } from "../ui/iconButton";
import { placeBadges } from "./badgeLayout";
import { partWith, placeText } from "./pointedPicture";
import { pointName } from "./pointMarks";

/** Size of a letter's badge, in CSS pixels. */
const BADGE_HEIGHT_PX = 18;
const BADGE_PADDING_PX = 11;
const LETTER_PX = 8;

interface PointOverlayProps {
  readonly points: readonly PlacedPoint[];
  readonly active: number | undefined;
  readonly onActive: (number: number) => void;
  readonly onOpen: (number: number) => void;
}

export function PointOverlay({ points, active, onActive, onOpen }: PointOverlayProps) {
  const ref = useRef<HTMLDivElement>(null);
  const badges = useBadges(ref, points);
  const bySize = [...points].sort((a, b) => areaOf(b) - areaOf(a));
  const ranks = new Map(bySize.map((point, index) => [point, index + 1]));
  const litClass = (number: number) => (number === active ? " is-lit" : "");
  return (
    <div ref={ref} class="point-overlay" role="group" aria-label={t("Marks in the picture")}>
      {points.map((point) => {
        const { number } = point;
        return (
          <button
            key={number}
            type="button"
            class={`point-box${litClass(number)}`}
            data-point={number}
            aria-label={pointName(point)}
            style={placeVariables(point)}
            onPointerEnter={() => onActive(number)}
            onFocus={() => onActive(number)}
            onClick={() => onOpen(number)}
          >
            <span
              class={`point-frame${isPoint(point) ? " is-point" : ""}${litClass(number)}`}
              // Smaller boxes are above larger ones, so that each can be pointed at.
              style={{ zIndex: ranks.get(point) ?? 1 }}
            />
          </button>
        );
      })}
      {points.map(({ number }, index) => {
        const badge = badges[index];
        return (
          badge && (
            <span
              key={number}
              class={`point-number${litClass(number)}`}
              aria-hidden="true"
              style={{
                left: `${badge.x}px`,
                top: `${badge.y}px`,
                zIndex: points.length + 1,
                width: `${badge.width}px`,
                height: `${badge.height}px`,
              }}
              onPointerEnter={() => onActive(number)}
              onClick={() => onOpen(number)}
            >
              {pointLetter(number)}
            </span>
          )
        );
      })}
    </div>
  );
}

/** Returns the place of each letter, for the size in which the picture is shown. */
function useBadges(
  ref: { readonly current: HTMLElement | null },
  points: readonly PlacedPoint[],
): readonly (Region | undefined)[] {
  const [area, setArea] = useState({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const measure = () => setArea({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return useMemo(() => {
    if (area.width === 0) return [];
    const boxes = points.map(({ region, widthPx, heightPx }) => ({
      x: (region.x / widthPx) * area.width,
      y: (region.y / heightPx) * area.height,
      width: (region.width / widthPx) * area.width,
      height: (region.height / heightPx) * area.height,
    }));
    const sizes = points.map(({ number }) => ({
      width: BADGE_PADDING_PX + LETTER_PX * pointLetter(number).length,
      height: BADGE_HEIGHT_PX,
    }));
    return placeBadges(boxes, sizes, area);
  }, [points, area.width, area.height]);
}

function isPoint({ region }: PlacedPoint): boolean {
  return region.width === 0 && region.height === 0;
}

/** Returns the place of a box in units of the overlay, for pointing.css. */
function placeVariables({ region, widthPx, heightPx }: PlacedPoint): Record<string, string> {
  return {
    "--x": `${(region.x / widthPx) * 100}cqw`,
    "--y": `${(region.y / heightPx) * 100}cqh`,
    "--width": `${(region.width / widthPx) * 100}cqw`,
    "--height": `${(region.height / heightPx) * 100}cqh`,
  };
}

export function boxStyle(point: PlacedPoint): Record<string, string> {
  const { region, widthPx, heightPx } = point;
  const percent = (at: number, side: number) => `${(at / side) * 100}%`;
  const corner = { left: percent(region.x, widthPx), top: percent(region.y, heightPx) };
  if (isPoint(point)) return corner;
  const size = { width: percent(region.width, widthPx), height: percent(region.height, heightPx) };
  return { ...corner, ...size };
}

function areaOf({ region }: PlacedPoint): number {
  return region.width * region.height;
}

interface ViewerPointsProps {
  readonly area: ZoomArea;
  readonly points: readonly PlacedPoint[];
  readonly active: ReadonlySignal<number | undefined>;
  readonly onActive: (number: number) => void;
}

/** Positions over the picture in the viewer, which zooms to the active one. */
export function ViewerPoints({ area, points, active, onActive }: ViewerPointsProps) {
  const ref = useRef<HTMLDivElement>(null);
  const { zoom } = area;
  const [any] = points;
  function show(shown: number | undefined): void {
    const part = partWith(points.filter(({ number }) => number === shown));
    if (part) area.showPart(part);
  }
  // The part with the mark that was clicked is shown first.
  useLayoutEffect(() => {
    if (zoom > 0) show(active.peek());
  }, [zoom > 0]);
  useLayoutEffect(() => {
    const number = active.peek();
    // After the effect of the dialog, which focuses its first button, and before the next key.
    queueMicrotask(() =>
      ref.current?.querySelector<HTMLElement>(`.point-box[data-point="${number}"]`)?.focus(),
    );
  }, []);

  if (any === undefined) return null;
  function open(number: number): void {
    onActive(number);
    show(number);
  }
  return (
    <div
      ref={ref}
      class="viewer-points"
      style={{ width: `${any.widthPx * zoom}px`, height: `${any.heightPx * zoom}px` }}
    >
      <PointOverlay points={points} active={active.value} onActive={onActive} onOpen={open} />
    </div>
  );
}

interface ViewerPointBarProps extends Pick<ViewerPointsProps, "points" | "active"> {
  /** Reply that names the positions. */
  readonly messageId: string;
  readonly onAsk: (point: PlacedPoint, isForCode?: boolean) => void;
  readonly hasNoLine: (point: PlacedPoint) => boolean;
}

/** The positions as a list, below the picture so that no position is covered. */
export function ViewerPointBar(props: ViewerPointBarProps) {
  const { points, active, messageId, onAsk, hasNoLine } = props;
  const activeRef = useRef<HTMLLIElement>(null);
  const number = active.value;
  const shown = points.find((point) => point.number === number);
  useEffect(() => activeRef.current?.scrollIntoView({ block: "nearest" }), [number]);
  return (
    <div class="viewer-point-bar">
      <ul
        class="viewer-point-list"
        tabIndex={0}
        aria-label={t("Marks in the picture")}
        data-message-id={messageId}
        data-vscode-context={'{"coreChat.message":"list"}'}
      >
        {points.map((point) => (
          <li
            key={point.number}
            ref={point === shown ? activeRef : null}
            class={point === shown ? "is-lit" : ""}
            data-point={point.number}
          >
            {pointName(point)} <span class="visually-hidden">{placeText(point)}</span>
          </li>
        ))}
      </ul>
      {shown && hasNoLine(shown) && (
        <TextButton label={t("Find the code")} onClick={() => onAsk(shown, true)} />
      )}
      {shown && <TextButton label={t("Ask about this mark")} onClick={() => onAsk(shown)} />}
    </div>
  );
}
