/** Numbered boxes and points over a picture, each a button. The element has the size of the picture. */
import { t } from "@vscode/l10n";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ReadonlySignal } from "@preact/signals";
import type { PlacedPoint } from "../../pointing/placePointing";
import type { ZoomArea } from "../pictures/zoomArea";
import { pointName } from "./pointMarks";

/** Share of a picture's width in a narrow panel that a number needs left of its box. */
const NUMBER_SHARE = 0.12;

interface PointOverlayProps {
  readonly points: readonly PlacedPoint[];
  readonly active: number | undefined;
  readonly onActive: (number: number) => void;
  readonly onOpen: (number: number) => void;
}

export function PointOverlay({ points, active, onActive, onOpen }: PointOverlayProps) {
  const bySize = [...points].sort((a, b) => areaOf(b) - areaOf(a));
  const ranks = new Map(bySize.map((point, index) => [point, index + 1]));
  return (
    <div class="point-overlay" role="group" aria-label={t("Positions in the picture")}>
      {points.map((point) => {
        const { number, region, widthPx, heightPx } = point;
        const isPoint = region.width === 0 && region.height === 0;
        const percent = (at: number, side: number) => `${(at / side) * 100}%`;
        return (
          <button
            key={number}
            type="button"
            class={`point-box ${shapeOf(point)}${number === active ? " is-lit" : ""}`}
            data-point={number}
            aria-label={pointName(point)}
            style={{
              left: percent(region.x, widthPx),
              top: percent(region.y, heightPx),
              // Smaller boxes are above larger ones, so that each can be pointed at.
              zIndex: ranks.get(point) ?? 1,
              ...(!isPoint && {
                width: percent(region.width, widthPx),
                height: percent(region.height, heightPx),
              }),
            }}
            onPointerEnter={() => onActive(number)}
            onFocus={() => onActive(number)}
            onClick={() => onOpen(number)}
          >
            <span class="point-number">{number}</span>
          </button>
        );
      })}
    </div>
  );
}

/** Returns the class for the place of the number: in the point, left of the box or inside it. */
function shapeOf({ region: { x, width, height }, widthPx }: PlacedPoint): string {
  if (width === 0 && height === 0) return "is-point";
  return x > widthPx * NUMBER_SHARE ? "has-number-outside" : "has-number-inside";
}

function areaOf({ region }: PlacedPoint): number {
  return region.width * region.height;
}

interface ViewerPointsProps {
  readonly area: ZoomArea;
  readonly points: readonly PlacedPoint[];
  readonly active: ReadonlySignal<number | undefined>;
  readonly onActive: (number: number) => void;
  readonly onAsk: (point: PlacedPoint) => void;
}

/** Share of the viewer that a box takes after zooming to it, and the largest zoom. */
const BOX_SHARE = 0.5;
const MAX_BOX_ZOOM = 4;

/** Positions over the picture in the viewer, which zooms to the active one. */
export function ViewerPoints({ area, points, active, onActive, onAsk }: ViewerPointsProps) {
  const ref = useRef<HTMLDivElement>(null);
  /** Number to zoom to, once. */
  const [target, setTarget] = useState(active.peek());
  const { zoom } = area;
  const shown = points.find(({ number }) => number === active.value);
  const [any] = points;

  const isFitted = zoom > 0;
  useEffect(() => {
    const point = points.find(({ number }) => number === target);
    const viewer = ref.current?.closest<HTMLElement>(".picture-area");
    if (!isFitted || point === undefined || !viewer) return;
    setTarget(undefined);
    area.setZoom(zoomFor(point, viewer, zoom));
    // After the frame in which the viewer has moved the picture for the new zoom.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const box = viewer.querySelector(`.point-box[data-point="${point.number}"]`);
        box?.scrollIntoView({ block: "center", inline: "center" });
      }),
    );
  }, [isFitted, target]);
  // The dialog focuses its first button otherwise.
  useLayoutEffect(() => {
    const number = active.peek();
    const focus = requestAnimationFrame(() =>
      ref.current?.querySelector<HTMLElement>(`.point-box[data-point="${number}"]`)?.focus(),
    );
    return () => cancelAnimationFrame(focus);
  }, []);

  if (any === undefined) return null;
  function open(number: number): void {
    onActive(number);
    setTarget(number);
  }
  return (
    <>
      <div
        ref={ref}
        class="viewer-points"
        style={{ width: `${any.widthPx * zoom}px`, height: `${any.heightPx * zoom}px` }}
      >
        <PointOverlay points={points} active={active.value} onActive={onActive} onOpen={open} />
      </div>
      {shown && (
        <div class="viewer-point-bar">
          <span>{pointName(shown)}</span>
          <button type="button" class="secondary-button" onClick={() => onAsk(shown)}>
            {t("Ask about this region")}
          </button>
        </div>
      )}
    </>
  );
}

/** Returns the zoom at which the box fills part of the viewer; never less than the whole picture. */
function zoomFor(
  { region, widthPx, heightPx }: PlacedPoint,
  viewer: Element,
  zoom: number,
): number {
  const { width, height } = viewer.getBoundingClientRect();
  const whole = Math.min(1, width / widthPx, height / heightPx);
  const isPoint = region.width === 0 || region.height === 0;
  const fitting = isPoint
    ? Math.max(1, zoom)
    : BOX_SHARE * Math.min(width / region.width, height / region.height);
  return Math.min(MAX_BOX_ZOOM, Math.max(whole, fitting));
}
