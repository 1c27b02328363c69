/**
 * Draws marks on a picture. The editor and the worker use the same code, so the sent picture looks like
 * the edited one.
 */
import { MARK_COLOR, type Area, type Mark } from "./marks";

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/**
 * Draws all marks except crops and notes.
 * @param sidePx longer side of the picture
 */
export function drawMarks(context: Context, marks: readonly Mark[], sidePx: number): void {
  const thick = Math.max(3, sidePx / 400);
  context.lineJoin = "round";
  context.lineCap = "round";
  // Black boxes are drawn first, so that they do not cover other marks.
  context.fillStyle = "#000000";
  for (const mark of marks) {
    if (mark.kind !== "redaction") continue;
    const { x, y, width, height } = wholePixels(mark);
    context.fillRect(x, y, width, height);
  }
  for (const mark of marks) {
    if (mark.kind === "box" || mark.kind === "arrow") stroke(context, pathOf(mark, thick), thick);
  }
}

/** Returns the smallest area of whole pixels that covers an area. */
function wholePixels({ x, y, width, height }: Area): Area {
  const left = Math.floor(x);
  const top = Math.floor(y);
  return {
    x: left,
    y: top,
    width: Math.ceil(x + width) - left,
    height: Math.ceil(y + height) - top,
  };
}

function pathOf(mark: Extract<Mark, { kind: "box" | "arrow" }>, thick: number): Path2D {
  const path = new Path2D();
  const { x, y } = mark;
  if (mark.kind === "box") path.rect(x, y, mark.width, mark.height);
  else {
    const { toX, toY } = mark;
    const angle = Math.atan2(toY - y, toX - x);
    const head = thick * 5;
    path.moveTo(x, y);
    path.lineTo(toX, toY);
    for (const turn of [-0.5, 0.5]) {
      path.moveTo(toX, toY);
      path.lineTo(toX - head * Math.cos(angle + turn), toY - head * Math.sin(angle + turn));
    }
  }
  return path;
}

function stroke(context: Context, path: Path2D, thick: number): void {
  for (const [color, width] of [["#ffffff", thick * 2] as const, [MARK_COLOR, thick] as const]) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.stroke(path);
  }
}
