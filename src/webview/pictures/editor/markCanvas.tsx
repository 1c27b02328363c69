/**
 * Canvas for drawing marks on a picture by pointer or keyboard. The arrow keys move a crosshair, Enter
 * sets the first and then the opposite corner, Escape cancels. Delete removes the last mark. A note is
 * typed at its mark; a press or Enter on its number opens its text again.
 */
import { t } from "@vscode/l10n";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { MAX_NOTE_LENGTH } from "../../../pointing/pictureNote";
import { croppedArea, type Area, type Mark, type MarkKind } from "../marks";
import { drawMarks } from "../markShapes";
import { drawNotes, isNote, NOTE_RADIUS_PX, type NoteMark } from "./noteMarks";

interface MarkCanvasProps {
  readonly picture: Blob;
  readonly size: { readonly widthPx: number; readonly heightPx: number };
  /** Screen pixels per picture pixel. */
  readonly zoom: number;
  readonly tool: MarkKind;
  readonly nextNote: number;
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

export function MarkCanvas(props: MarkCanvasProps) {
  const { picture, size, zoom, tool, nextNote, marks, onMarks } = props;
  const canvasRef = useRef<HTMLCanvasElement>(null);
  const [bitmap, setBitmap] = useState<ImageBitmap>();
  const [started, setStarted] = useState<{ from: Point; to: Point; isByKey: boolean }>();
  const [cross, setCross] = useState<Point>();
  /** Note whose text is being typed. */
  const [typing, setTyping] = useState<NoteMark>();
  const pixelRatio = usePixelRatio();
  const { widthPx, heightPx } = size;
  const scale = Math.min(
    zoom * pixelRatio,
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
  const drawing = started && markOf(tool, started.from, started.to);

  useEffect(() => {
    let isUnmounted = false;
    let made: ImageBitmap | undefined;
    createImageBitmap(picture).then(
      (ready) => {
        made = ready;
        if (isUnmounted) ready.close();
        else setBitmap(ready);
      },
      () => undefined, // The canvas stays empty; the error shows when the marks are applied.
    );
    return () => {
      isUnmounted = true;
      made?.close();
    };
  }, [picture]);

  useLayoutEffect(() => {
    const context = canvasRef.current?.getContext("2d");
    if (!context || !scaled || !bitmap) return;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, context.canvas.width, context.canvas.height);
    context.drawImage(scaled, 0, 0);
    context.scale(scale, scale);
    const all = drawing ? [...marks, drawing] : marks;
    drawMarks(context, all, Math.max(widthPx, heightPx));
    shadeCropped(context, all, widthPx, heightPx);
    drawNotes(context, typing ? [...all, typing] : all, scale / pixelRatio);
    if (cross) drawCross(context, cross, scale / pixelRatio);
  });

  function pointAt({ clientX, clientY }: PointerEvent): Point {
    const box = canvasRef.current?.getBoundingClientRect();
    const x = (clientX - (box?.left ?? 0)) / zoom;
    const y = (clientY - (box?.top ?? 0)) / zoom;
    return { x: within(x, widthPx), y: within(y, heightPx) };
  }

  function finish(from: Point, to: Point): void {
    setStarted(undefined);
    const mark = markOf(tool, from, to);
    if (mark.kind === "note") typeNote(mark);
    else if (isLargeEnough(mark, zoom)) onMarks([...marks, mark]);
  }

  /** Opens the text of a new note, or of the note whose number is at a point that was pressed. */
  function typeNote(drawn: NoteMark): void {
    const isFrame = isLargeEnough({ ...drawn, kind: "box" }, zoom);
    const { number } = drawn;
    const at = { x: drawn.x + drawn.width, y: drawn.y + drawn.height };
    const isAt = ({ x, y }: Point) => Math.hypot(x - at.x, y - at.y) * zoom <= NOTE_RADIUS_PX;
    const pressed = isFrame ? undefined : marks.filter(isNote).findLast(isAt);
    const point: NoteMark = { kind: "note", number, text: "", ...at, width: 0, height: 0 };
    setTyping(pressed ?? (isFrame ? drawn : point));
  }

  function finishTyping(): void {
    if (typing === undefined) return;
    setTyping(undefined);
    const finished = marks.filter((mark) => !isNote(mark) || mark.number !== typing.number);
    onMarks([...finished, { ...typing, text: typing.text.trim() }]);
    canvasRef.current?.focus();
  }

  function markOf(kind: MarkKind, from: Point, to: Point): Mark {
    if (kind === "arrow") return { kind, ...from, toX: to.x, toY: to.y };
    const area = between(from, to);
    return kind === "note" ? { kind, number: nextNote, text: "", ...area } : { kind, ...area };
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
      if (started) setStarted({ ...started, to: moved });
    } else if (event.key === "Escape" && started) setStarted(undefined);
    else if (event.key === "Delete" || event.key === "Backspace") onMarks(marks.slice(0, -1));
    // Without a crosshair, holding Space pans.
    else if (event.key === "Enter" || (event.key === " " && cross)) {
      setCross(at);
      if (tool === "note" && event.key === " ") finish(at, at);
      else if (started) finish(started.from, at);
      else setStarted({ from: at, to: at, isByKey: true });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div class="mark-area" style={{ width: `${widthPx * zoom}px`, height: `${heightPx * zoom}px` }}>
      <canvas
        ref={canvasRef}
        class="mark-canvas"
        width={canvasWidth}
        height={canvasHeight}
        tabIndex={0}
        role="application"
        aria-label={t("Picture. Move with the arrow keys, set corners with Enter.")}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button !== 0) return;
          const at = pointAt(event);
          setCross(undefined);
          if (typing) event.preventDefault(); // The text keeps the focus until it is stored.
          finishTyping();
          event.currentTarget.setPointerCapture(event.pointerId);
          setStarted({ from: at, to: at, isByKey: false });
        }}
        onPointerMove={(event) => {
          if (started?.isByKey === false) setStarted({ ...started, to: pointAt(event) });
        }}
        onPointerUp={(event) => {
          if (started?.isByKey === false) finish(started.from, pointAt(event));
        }}
        onPointerCancel={() => setStarted(undefined)}
      />
      {typing && (
        <NoteBox
          note={typing}
          zoom={zoom}
          onType={(text) => setTyping({ ...typing, text })}
          onDone={finishTyping}
          onCancel={() => {
            setTyping(undefined);
            canvasRef.current?.focus();
          }}
        />
      )}
    </div>
  );
}

interface NoteBoxProps {
  readonly note: NoteMark;
  readonly zoom: number;
  readonly onType: (text: string) => void;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

function NoteBox({ note, zoom, onType, onDone, onCancel }: NoteBoxProps) {
  const boxRef = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => boxRef.current?.focus(), []);
  return (
    <textarea
      autocomplete="off"
      ref={boxRef}
      class="note-text"
      aria-label={t("Note {0}", note.number)}
      placeholder={t("Note {0}", note.number)}
      rows={1}
      maxLength={MAX_NOTE_LENGTH}
      value={note.text}
      style={{ left: `${note.x * zoom}px`, top: `${(note.y + note.height) * zoom}px` }}
      onInput={(event) => onType(event.currentTarget.value)}
      onBlur={onDone}
      onKeyDown={(event) => {
        event.stopPropagation(); // Digits are text here, not tools.
        if (event.isComposing) return;
        if (event.key === "Enter" && !event.shiftKey) onDone();
        else if (event.key === "Escape") onCancel();
        else return;
        event.preventDefault();
      }}
    />
  );
}

/** Returns the ratio of screen pixels to CSS pixels, also after a move to another display. */
function usePixelRatio(): number {
  const [ratio, setRatio] = useState(devicePixelRatio);
  useLayoutEffect(() => {
    const query = matchMedia(`(resolution: ${ratio}dppx)`);
    const update = () => setRatio(devicePixelRatio);
    query.addEventListener("change", update);
    return () => query.removeEventListener("change", update);
  }, [ratio]);
  return ratio;
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

function between(first: Point, last: Point): Area {
  return {
    x: Math.min(first.x, last.x),
    y: Math.min(first.y, last.y),
    width: Math.abs(last.x - first.x),
    height: Math.abs(last.y - first.y),
  };
}

function isLargeEnough(mark: Mark, zoom: number): boolean {
  const leastPx = MIN_DRAG_PX / zoom;
  if (mark.kind === "arrow") return Math.hypot(mark.toX - mark.x, mark.toY - mark.y) >= leastPx;
  return mark.width >= leastPx && mark.height >= leastPx;
}

/** Darkens the area outside the crop. */
function shadeCropped(
  context: CanvasRenderingContext2D,
  marks: readonly Mark[],
  width: number,
  height: number,
): void {
  const cropped = croppedArea(marks, width, height);
  const shade = new Path2D();
  shade.rect(0, 0, width, height);
  shade.rect(cropped.x, cropped.y, cropped.width, cropped.height);
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
