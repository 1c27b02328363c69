/**
 * Marks on a picture, in the picture's own pixels, and their drawing. The editor and the worker use the
 * same code, so the sent picture looks like the edited one.
 */
import * as z from "zod/mini";

const point = { x: z.number(), y: z.number() };
const area = { ...point, width: z.number(), height: z.number() };

const markSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("crop"), ...area }),
  z.object({ kind: z.literal("box"), ...area }),
  /** Opaque; replaces the pixels below. */
  z.object({ kind: z.literal("redaction"), ...area }),
  z.object({ kind: z.literal("arrow"), ...point, toX: z.number(), toY: z.number() }),
  z.object({ kind: z.literal("line"), points: z.array(z.tuple([z.number(), z.number()])) }),
  z.object({ kind: z.literal("pin"), ...point, number: z.number() }),
]);
export type Mark = Readonly<z.infer<typeof markSchema>>;
export type MarkKind = Mark["kind"];

/** A rectangle in the picture's pixels. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Context of a canvas in the page or in a worker. */
type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Ink with a halo, visible on light and on dark pictures. */
const INK = "#e51400";
const HALO = "#ffffff";
const OPAQUE = "#000000";

/** Parses the marks of a draft for the editor; returns none for damaged text. */
export function readMarks(text: string | undefined): Mark[] {
  if (text === undefined) return [];
  try {
    return parseMarks(text);
  } catch {
    return [];
  }
}

/** Parses marks for drawing; throws for damaged text, so that no redaction is lost silently. */
export function parseMarks(text: string): Mark[] {
  return z.array(markSchema).parse(JSON.parse(text));
}

/** Serializes marks. Freehand lines have thousands of points and are rounded to a tenth of a pixel. */
export function writeMarks(marks: readonly Mark[]): string {
  const rounded = (value: number) => Math.round(value * 10) / 10;
  return JSON.stringify(
    marks.map((mark) =>
      mark.kind === "line"
        ? { ...mark, points: mark.points.map(([x, y]) => [rounded(x), rounded(y)]) }
        : mark,
    ),
  );
}

/** Returns the area of the last crop; the whole picture without a crop. */
export function croppedArea(marks: readonly Mark[], width: number, height: number): Area {
  const crop = marks.findLast((mark) => mark.kind === "crop");
  if (crop === undefined) return { x: 0, y: 0, width, height };
  const x = Math.max(0, Math.min(width - 1, Math.round(crop.x)));
  const y = Math.max(0, Math.min(height - 1, Math.round(crop.y)));
  return {
    x,
    y,
    width: Math.max(1, Math.min(width - x, Math.round(crop.width))),
    height: Math.max(1, Math.min(height - y, Math.round(crop.height))),
  };
}

/** Returns the number of the next pin. */
export function nextPin(marks: readonly Mark[]): number {
  return marks.filter(({ kind }) => kind === "pin").length + 1;
}

/**
 * Draws all marks except crops.
 * @param sidePx longer side of the picture, which decides the thickness of lines
 */
export function drawMarks(context: Context, marks: readonly Mark[], sidePx: number): void {
  const thick = Math.max(3, sidePx / 400);
  context.lineJoin = "round";
  context.lineCap = "round";
  // Redactions come first, so that they do not cover other marks.
  for (const mark of marks) {
    if (mark.kind !== "redaction") continue;
    context.fillStyle = OPAQUE;
    const left = Math.floor(mark.x);
    const top = Math.floor(mark.y);
    const right = Math.ceil(mark.x + mark.width);
    context.fillRect(left, top, right - left, Math.ceil(mark.y + mark.height) - top);
  }
  for (const mark of marks) {
    if (mark.kind === "pin") drawPin(context, mark, thick);
    else if (mark.kind !== "redaction" && mark.kind !== "crop")
      stroke(context, pathOf(mark, thick), thick);
  }
}

function pathOf(mark: Extract<Mark, { kind: "box" | "arrow" | "line" }>, thick: number): Path2D {
  const path = new Path2D();
  switch (mark.kind) {
    case "box":
      path.rect(mark.x, mark.y, mark.width, mark.height);
      return path;
    case "line":
      mark.points.forEach(([x, y], index) => (index === 0 ? path.moveTo(x, y) : path.lineTo(x, y)));
      return path;
    case "arrow": {
      const { x, y, toX, toY } = mark;
      const angle = Math.atan2(toY - y, toX - x);
      const head = thick * 5;
      path.moveTo(x, y);
      path.lineTo(toX, toY);
      for (const turn of [-0.5, 0.5]) {
        path.moveTo(toX, toY);
        path.lineTo(toX - head * Math.cos(angle + turn), toY - head * Math.sin(angle + turn));
      }
      return path;
    }
    default:
      return mark satisfies never;
  }
}

function stroke(context: Context, path: Path2D, thick: number): void {
  context.strokeStyle = HALO;
  context.lineWidth = thick * 2;
  context.stroke(path);
  context.strokeStyle = INK;
  context.lineWidth = thick;
  context.stroke(path);
}

function drawPin(context: Context, pin: Extract<Mark, { kind: "pin" }>, thick: number): void {
  const radius = thick * 5;
  const circle = new Path2D();
  circle.arc(pin.x, pin.y, radius, 0, Math.PI * 2);
  context.fillStyle = INK;
  context.fill(circle);
  context.strokeStyle = HALO;
  context.lineWidth = thick * 0.7;
  context.stroke(circle);
  context.fillStyle = HALO;
  context.font = `bold ${Math.round(radius * 1.2)}px sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(String(pin.number), pin.x, pin.y);
}
