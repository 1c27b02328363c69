/**
 * Canvas for drawing marks on a picture by pointer or keyboard. The arrow keys move a crosshair, Enter
 * sets the first and then the opposite corner, Escape cancels. With the tool "select", a press or Enter
 * selects a mark, and dragging or the arrow keys move that mark. Delete removes the selected mark, or
 * the last one. A note is typed at its mark; a press or Enter on its number opens its text again.
 */
import { t } from "@vscode/l10n";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { croppedArea, INKS, nextPin, type Area, type Mark, type MarkKind } from "../marks";
import { boundsOf, drawMarks, letterHeight, markAt, moved } from "../markShapes";
import { measure, type Measured } from "./measure";
import { drawNotes, isNote, NOTE_RADIUS_PX, type NoteMark } from "../noteMarks";
import { MAX_NOTE_LENGTH } from "../../../pointing/pictureNote";

/** Tool of the editor: a kind of mark to draw, the selection of marks, or measuring. */
export type Tool = MarkKind | "select" | "measure";

interface MarkCanvasProps {
  readonly picture: Blob;
  readonly size: { readonly widthPx: number; readonly heightPx: number };
  /** Screen pixels per picture pixel. */
  readonly zoom: number;
  readonly tool: Tool;
  /** Index of the color of new marks. */
  readonly ink: number;
  /** Number of the next note. */
  readonly nextNote: number;
  readonly marks: readonly Mark[];
  readonly onMarks: (marks: readonly Mark[]) => void;
  /** Index of the selected mark; -1 for none. */
  readonly selected: number;
  readonly onSelect: (index: number) => void;
  readonly onMeasured: (measured: Measured) => void;
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

/** Distance from a mark that still selects it, in screen pixels. */
const SELECT_SLACK_PX = 6;

/** Text that is being typed, at its place in the picture. */
interface Typing extends Point {
  readonly text: string;
  /** The note of this text; undefined for text on the picture. */
  readonly note?: NoteMark;
}

export function MarkCanvas(props: MarkCanvasProps) {
  const {
    picture,
    size,
    zoom,
    tool,
    ink,
    nextNote,
    marks,
    onMarks,
    selected,
    onSelect,
    onMeasured,
  } = props;
  const canvasRef = useRef<HTMLCanvasElement>(null);
  const [bitmap, setBitmap] = useState<ImageBitmap>();
  const [started, setStarted] = useState<{ points: readonly Point[]; isByKey: boolean }>();
  const [cross, setCross] = useState<Point>();
  /** Press on a selected mark, and the pointer since. */
  const [drag, setDrag] = useState<{ readonly from: Point; readonly to: Point }>();
  const [typing, setTyping] = useState<Typing>();
  const pixelRatio = usePixelRatio();
  const { widthPx, heightPx } = size;
  const sidePx = Math.max(widthPx, heightPx);
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
  // A measured line is shown as a freehand line.
  const kind = tool === "measure" ? "line" : tool;
  const drawing =
    started && kind !== "select"
      ? markOf(kind, tool === "measure" ? ends(started.points) : started.points, marks, ink)
      : undefined;
  const shown = drag ? withMoved(marks, selected, drag) : marks;

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
    const all = drawing ? [...shown, drawing] : shown;
    drawMarks(context, all, bitmap);
    shadeCropped(context, all, widthPx, heightPx);
    drawNotes(context, typing?.note ? [...all, typing.note] : all, scale / pixelRatio);
    const chosen = shown[selected];
    if (chosen) frame(context, boundsOf(chosen, sidePx), scale / pixelRatio);
    if (cross) drawCross(context, cross, scale / pixelRatio);
  });

  function pointAt({ clientX, clientY }: PointerEvent): Point {
    const box = canvasRef.current?.getBoundingClientRect();
    const x = (clientX - (box?.left ?? 0)) / zoom;
    const y = (clientY - (box?.top ?? 0)) / zoom;
    return { x: within(x, widthPx), y: within(y, heightPx) };
  }

  function finish(points: readonly Point[]): void {
    setStarted(undefined);
    const [from] = points;
    const to = points.at(-1);
    if (tool === "measure" && bitmap && from && to) onMeasured(measure(bitmap, from, to));
    if (tool === "select" || tool === "measure") return;
    const mark = markOf(tool, points, marks, ink);
    if (mark?.kind === "note") typeNote(mark);
    else if (mark && isLargeEnough(mark, zoom)) onMarks([...marks, mark]);
  }

  /** Opens the text of a new note, or of the note whose number is at a point that was pressed. */
  function typeNote(drawn: NoteMark): void {
    const isFrame = isLargeEnough({ ...drawn, kind: "box" }, zoom);
    const at = isFrame ? drawn : { ...drawn, x: drawn.x + drawn.width, y: drawn.y + drawn.height };
    const isAt = (note: NoteMark) => distance(note, at) * zoom <= NOTE_RADIUS_PX;
    const known = isFrame ? undefined : marks.filter(isNote).findLast(isAt);
    const note = known ?? {
      ...at,
      ...(!isFrame && { width: 0, height: 0 }),
      number: nextNote,
    };
    setTyping({ x: note.x, y: note.y + note.height, text: note.text, note });
  }

  function selectAt({ x, y }: Point): number {
    const index = markAt(marks, x, y, sidePx, SELECT_SLACK_PX / zoom);
    onSelect(index);
    return index;
  }

  function removeMark(): void {
    onMarks(marks.filter((_, index) => index !== (selected < 0 ? marks.length - 1 : selected)));
    onSelect(-1);
  }

  function finishTyping(): void {
    if (typing === undefined) return;
    setTyping(undefined);
    const text = typing.text.trim();
    const { note } = typing;
    if (note !== undefined) {
      const others = marks.filter((mark) => !isNote(mark) || mark.number !== note.number);
      onMarks([...others, { ...note, text }]);
    } else if (text !== "")
      onMarks([...marks, { kind: "text", x: typing.x, y: typing.y, text, ink }]);
    canvasRef.current?.focus();
  }

  /** Selects the mark at the crosshair, or the next one. */
  function selectByKey(at: Point): void {
    if (selected < 0 && selectAt(at) >= 0) return;
    onSelect(marks.length === 0 ? -1 : (selected + 1) % marks.length);
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
    if (move && tool === "select" && selected >= 0) {
      onMarks(withMoved(marks, selected, { from: { x: 0, y: 0 }, to: move }));
    } else if (move) {
      const moved = { x: within(at.x + move.x, widthPx), y: within(at.y + move.y, heightPx) };
      setCross(moved);
      if (started) setStarted({ ...started, points: [...started.points, moved] });
    } else if (event.key === "Escape" && started) setStarted(undefined);
    else if (event.key === "Escape" && selected >= 0) onSelect(-1);
    else if (event.key === "Delete" || event.key === "Backspace") removeMark();
    // Without a crosshair, holding Space pans.
    else if (event.key === "Enter" || (event.key === " " && cross)) {
      setCross(at);
      if (tool === "select") selectByKey(at);
      else if (tool === "text") setTyping({ ...at, text: "" });
      else if (tool === "pin") finish([at]);
      else if (tool === "note" && event.key === " ") finish([at]);
      else if (started) finish([...started.points, at]);
      else setStarted({ points: [at], isByKey: true });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div class="mark-area" style={{ width: `${widthPx * zoom}px`, height: `${heightPx * zoom}px` }}>
      <canvas
        ref={canvasRef}
        class={tool === "select" ? "mark-canvas is-selecting" : "mark-canvas"}
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
          if (tool === "text") {
            event.preventDefault(); // Keeps the focus, which the text box takes.
            finishTyping();
            setTyping({ ...at, text: "" });
            return;
          }
          if (typing) event.preventDefault(); // The text keeps the focus until it is stored.
          finishTyping();
          event.currentTarget.setPointerCapture(event.pointerId);
          if (tool !== "select") setStarted({ points: [at], isByKey: false });
          else if (selectAt(at) >= 0) setDrag({ from: at, to: at });
        }}
        onPointerMove={(event) => {
          if (drag) setDrag({ ...drag, to: pointAt(event) });
          if (!started || started.isByKey) return;
          setStarted({ ...started, points: [...started.points, pointAt(event)] });
        }}
        onPointerUp={(event) => {
          setDrag(undefined);
          const hasMoved = drag !== undefined && distance(drag.from, drag.to) * zoom >= MIN_DRAG_PX;
          if (hasMoved) onMarks(withMoved(marks, selected, drag));
          if (started && !started.isByKey) finish([...started.points, pointAt(event)]);
        }}
        onPointerCancel={() => {
          setStarted(undefined);
          setDrag(undefined);
        }}
      />
      {typing && (
        <TextBox
          typing={typing}
          zoom={zoom}
          heightPx={letterHeight(sidePx) * zoom}
          color={INKS[ink] ?? INKS[0]}
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

interface TextBoxProps {
  readonly typing: Typing;
  readonly zoom: number;
  /** Height of the letters on the screen, in CSS pixels. */
  readonly heightPx: number;
  readonly color: string;
  readonly onType: (text: string) => void;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

/** Box for the text of a mark, at its place. */
function TextBox({ typing, zoom, heightPx, color, onType, onDone, onCancel }: TextBoxProps) {
  const boxRef = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => boxRef.current?.focus(), []);
  const { note } = typing;
  return (
    <textarea
      autocomplete="off"
      ref={boxRef}
      class={note ? "mark-text note-text" : "mark-text"}
      aria-label={note ? t("Note {0}", note.number) : t("Text on the picture")}
      {...(note && { placeholder: t("Note {0}", note.number) })}
      rows={1}
      maxLength={note ? MAX_NOTE_LENGTH : 500}
      value={typing.text}
      style={{
        left: `${typing.x * zoom}px`,
        top: `${typing.y * zoom}px`,
        ...(note ? {} : { fontSize: `${Math.max(12, heightPx)}px`, color }),
      }}
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

function withMoved(
  marks: readonly Mark[],
  selected: number,
  { from, to }: { readonly from: Point; readonly to: Point },
): readonly Mark[] {
  return marks.map((mark, index) =>
    index === selected ? moved(mark, to.x - from.x, to.y - from.y) : mark,
  );
}

function distance(one: Point, other: Point): number {
  return Math.hypot(other.x - one.x, other.y - one.y);
}

/** Draws a dashed frame around the selected mark. */
function frame(context: CanvasRenderingContext2D, box: Area, scale: number): void {
  const gap = 4 / scale;
  context.save();
  for (const [color, offset] of [["#ffffff", 0] as const, ["#000000", 4] as const]) {
    context.strokeStyle = color;
    context.lineWidth = 1.5 / scale;
    context.setLineDash([4 / scale, 4 / scale]);
    context.lineDashOffset = offset / scale;
    context.strokeRect(box.x - gap, box.y - gap, box.width + 2 * gap, box.height + 2 * gap);
  }
  context.restore();
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
  ink: number,
): Mark | undefined {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined) return undefined;
  switch (kind) {
    case "pin":
      return { kind, ...last, number: nextPin(marks), ink };
    case "arrow":
      return { kind, ...first, toX: last.x, toY: last.y, ink };
    case "line":
      return { kind, points: points.map(({ x, y }) => [x, y]), ink };
    case "text":
      return undefined; // Typed, see `TextBox`.
    case "note":
      return { kind, ...between(first, last), number: 0, text: "" };
    case "crop":
    case "box":
    case "blur":
    case "redaction":
      return { ...(kind === "box" ? { kind, ink } : { kind }), ...between(first, last) };
    default:
      return kind satisfies never;
  }
}

function ends(points: readonly Point[]): readonly Point[] {
  return [...points.slice(0, 1), ...points.slice(-1)];
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
  switch (mark.kind) {
    case "pin":
    case "text":
    case "note":
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
