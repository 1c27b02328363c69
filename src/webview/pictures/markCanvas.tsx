/**
 * Canvas for drawing marks on a picture by pointer or keyboard. The arrow keys move a crosshair, Enter
 * sets the first and then the opposite corner, Escape cancels, Delete removes the last mark.
 */
import { t } from "@vscode/l10n";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { croppedArea, drawMarks, nextPin, type Mark, type MarkKind } from "./marks";

interface MarkCanvasProps {
  readonly picture: Blob;
  readonly size: { readonly widthPx: number; readonly heightPx: number };
  /** Screen pixels per picture pixel. */
  readonly zoom: number;
  readonly tool: MarkKind;
  readonly marks: readonly Mark[];
  readonly onMarks: (marks: readonly Mark[]) => void;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Minimum movement for a mark, in screen pixels; smaller movements are clicks. */
const MIN_DRAG_PX = 4;

/** Upper limits of the canvas in its own pixels; a larger zoom stretches the canvas with CSS. */
const MAX_CANVAS_SIDE_PX = 16_384;
const MAX_CANVAS_PIXELS = 16_000_000;

export function MarkCanvas({ picture, size, zoom, tool, marks, onMarks }: MarkCanvasProps) {
  const canvasRef = useRef<HTMLCanvasElement>(null);
  const [bitmap, setBitmap] = useState<ImageBitmap>();
  const [started, setStarted] = useState<{ points: readonly Point[]; isByKey: boolean }>();
  const [cross, setCross] = useState<Point>();
  const { widthPx, heightPx } = size;
  const scale = Math.min(
    zoom * devicePixelRatio,
    MAX_CANVAS_SIDE_PX / Math.max(widthPx, heightPx),
    Math.sqrt(MAX_CANVAS_PIXELS / (widthPx * heightPx)),
  );
  const canvasWidth = Math.max(1, Math.round(widthPx * scale));
  const canvasHeight = Math.max(1, Math.round(heightPx * scale));
  // Smooth scaling of a large picture takes longer than a frame, so the result is cached.
  const scaled = useMemo(
    () => bitmap && scaledCopy(bitmap, canvasWidth, canvasHeight),
    [bitmap, canvasWidth, canvasHeight],
  );
  const drawing = started && markOf(tool, started.points, marks);

  useEffect(() => {
    let isGone = false;
    let made: ImageBitmap | undefined;
    createImageBitmap(picture).then(
      (ready) => {
        made = ready;
        if (isGone) ready.close();
        else setBitmap(ready);
      },
      () => undefined, // The canvas stays empty; the error shows when the marks are applied.
    );
    return () => {
      isGone = true;
      made?.close();
    };
  }, [picture]);

  useLayoutEffect(() => {
    const context = canvasRef.current?.getContext("2d");
    if (!context || !scaled) return;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, context.canvas.width, context.canvas.height);
    context.drawImage(scaled, 0, 0);
    context.scale(scale, scale);
    const all = drawing ? [...marks, drawing] : marks;
    drawMarks(context, all, Math.max(widthPx, heightPx));
    shadeCropped(context, all, widthPx, heightPx);
    if (cross) drawCross(context, cross, scale / devicePixelRatio);
  });

  function pointAt({ clientX, clientY }: PointerEvent): Point {
    const box = canvasRef.current?.getBoundingClientRect();
    const x = (clientX - (box?.left ?? 0)) / zoom;
    const y = (clientY - (box?.top ?? 0)) / zoom;
    return { x: within(x, widthPx), y: within(y, heightPx) };
  }

  function finish(points: readonly Point[]): void {
    setStarted(undefined);
    const mark = markOf(tool, points, marks);
    if (mark && isLargeEnough(mark, zoom)) onMarks([...marks, mark]);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return; // Handled by the editor.
    const step = (event.shiftKey ? 40 : 8) / zoom;
    const at = cross ?? { x: widthPx / 2, y: heightPx / 2 };
    const moves: Readonly<Record<string, Point>> = {
      ArrowLeft: { x: -step, y: 0 },
      ArrowRight: { x: step, y: 0 },
      ArrowUp: { x: 0, y: -step },
      ArrowDown: { x: 0, y: step },
    };
    const move = moves[event.key];
    if (move) {
      const moved = { x: within(at.x + move.x, widthPx), y: within(at.y + move.y, heightPx) };
      setCross(moved);
      if (started) setStarted({ ...started, points: [...started.points, moved] });
    } else if (event.key === "Escape" && started) setStarted(undefined);
    else if (event.key === "Delete" || event.key === "Backspace") onMarks(marks.slice(0, -1));
    // Without a crosshair, holding Space pans.
    else if (event.key === "Enter" || (event.key === " " && cross)) {
      setCross(at);
      if (tool === "pin") finish([at]);
      else if (started) finish([...started.points, at]);
      else setStarted({ points: [at], isByKey: true });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <canvas
      ref={canvasRef}
      class="mark-canvas"
      width={canvasWidth}
      height={canvasHeight}
      style={{ width: `${widthPx * zoom}px`, height: `${heightPx * zoom}px` }}
      tabIndex={0}
      role="application"
      aria-label={t("Picture. Move with the arrow keys, set corners with Enter.")}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setCross(undefined);
        setStarted({ points: [pointAt(event)], isByKey: false });
      }}
      onPointerMove={(event) => {
        if (!started || started.isByKey) return;
        setStarted({ ...started, points: [...started.points, pointAt(event)] });
      }}
      onPointerUp={(event) => {
        if (started && !started.isByKey) finish([...started.points, pointAt(event)]);
      }}
      onPointerCancel={() => setStarted(undefined)}
    />
  );
}

function scaledCopy(bitmap: ImageBitmap, width: number, height: number): OffscreenCanvas {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  if (context) {
    context.imageSmoothingEnabled = width < bitmap.width;
    context.imageSmoothingQuality = "high";
    context.drawImage(bitmap, 0, 0, width, height);
  }
  return canvas;
}

/** Returns the mark for a movement from its first to its last point. */
function markOf(
  kind: MarkKind,
  points: readonly Point[],
  marks: readonly Mark[],
): Mark | undefined {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return undefined;
  switch (kind) {
    case "pin":
      return { kind, ...last, number: nextPin(marks) };
    case "arrow":
      return { kind, ...first, toX: last.x, toY: last.y };
    case "line":
      return { kind, points: points.map(({ x, y }) => [x, y]) };
    case "crop":
    case "box":
    case "redaction":
      return {
        kind,
        x: Math.min(first.x, last.x),
        y: Math.min(first.y, last.y),
        width: Math.abs(last.x - first.x),
        height: Math.abs(last.y - first.y),
      };
    default:
      return kind satisfies never;
  }
}

function isLargeEnough(mark: Mark, zoom: number): boolean {
  const leastPx = MIN_DRAG_PX / zoom;
  switch (mark.kind) {
    case "pin":
      return true;
    case "line":
      return mark.points.length > 1;
    case "arrow":
      return Math.hypot(mark.toX - mark.x, mark.toY - mark.y) >= leastPx;
    default:
      return mark.width >= leastPx && mark.height >= leastPx;
  }
}

/** Darkens the area outside the crop. */
function shadeCropped(
  context: CanvasRenderingContext2D,
  marks: readonly Mark[],
  width: number,
  height: number,
): void {
  const kept = croppedArea(marks, width, height);
  const shade = new Path2D();
  shade.rect(0, 0, width, height);
  shade.rect(kept.x, kept.y, kept.width, kept.height);
  context.fillStyle = "#000000b0";
  context.fill(shade, "evenodd");
}

function drawCross(context: CanvasRenderingContext2D, { x, y }: Point, scale: number): void {
  const arm = 12 / scale;
  for (const [color, width] of [["#ffffff", 4] as const, ["#000000", 2] as const]) {
    context.strokeStyle = color;
    context.lineWidth = width / scale;
    context.beginPath();
    context.moveTo(x - arm, y);
    context.lineTo(x + arm, y);
    context.moveTo(x, y - arm);
    context.lineTo(x, y + arm);
    context.stroke();
  }
}

function within(value: number, end: number): number {
  return Math.max(0, Math.min(end, value));
}
