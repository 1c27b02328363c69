/**
 * Shapes of marks on a picture: how they are drawn, and where they are. The editor and the worker use the
 * same code, so the sent picture looks like the edited one.
 */
import { INKS, type Area, type Mark } from "./marks";

/** Context of a canvas in the page or in a worker. */
type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

const HALO = "#ffffff";
const OPAQUE = "#000000";

function inkOf({ ink: index = 0 }: { readonly ink?: number | undefined }): string {
  return INKS[index] ?? INKS[0];
}

/** Returns the area that a note's number and frame cover, in pixels of the picture. */
function noteBounds(note: Area, radius: number): Area {
  const { x, y, width, height } = note;
  return around(
    x - radius,
    y - radius,
    Math.max(x + radius, x + width),
    Math.max(y + radius, y + height),
  );
}

/** Thickness of lines, in pixels of a picture whose longer side is `sidePx`. */
function thicknessOf(sidePx: number): number {
  return Math.max(3, sidePx / 400);
}

/** Height of the letters of a text mark, in pixels of the picture. */
export function letterHeight(sidePx: number): number {
  return thicknessOf(sidePx) * 7;
}

/**
 * Draws all marks except crops and notes.
 * @param picture the picture itself, of which blurred areas are made
 */
export function drawMarks(context: Context, marks: readonly Mark[], picture: ImageBitmap): void {
  const sidePx = Math.max(picture.width, picture.height);
  const thick = thicknessOf(sidePx);
  context.lineJoin = "round";
  context.lineCap = "round";
  // Blur and black boxes are drawn first, so that they do not cover other marks.
  for (const mark of marks) if (mark.kind === "blur") drawBlocks(context, mark, picture);
  for (const mark of marks) {
    if (mark.kind !== "redaction") continue;
    const { x, y, width, height } = wholePixels(mark);
    context.fillStyle = OPAQUE;
    context.fillRect(x, y, width, height);
  }
  for (const mark of marks) {
    if (mark.kind === "pin") drawPin(context, mark, thick);
    else if (mark.kind === "text") drawText(context, mark, sidePx);
    else if (mark.kind === "box" || mark.kind === "arrow" || mark.kind === "line")
      stroke(context, pathOf(mark, thick), thick, inkOf(mark));
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

/** Lower limit of the side of a block, in pixels of the picture; letters are smaller. */
const MIN_BLOCK_PX = 24;

/** Blocks along the shorter side of a blurred area, at most: nothing can be read from them. */
const MAX_BLOCKS = 3;

/**
 * Fills an area with blocks of the average color of coarse samples. The picture's pixels are
 * overwritten, so that nothing of them is left.
 */
function drawBlocks(context: Context, mark: Area, picture: ImageBitmap): void {
  const { x, y, width, height } = wholePixels(mark);
  const block = Math.max(MIN_BLOCK_PX, Math.min(width, height) / MAX_BLOCKS);
  const columns = Math.max(1, Math.round(width / block));
  const rows = Math.max(1, Math.round(height / block));
  const small = new OffscreenCanvas(columns, rows);
  const smallContext = small.getContext("2d");
  context.fillStyle = OPAQUE;
  context.fillRect(x, y, width, height);
  if (smallContext === null) return;
  smallContext.imageSmoothingQuality = "high";
  smallContext.drawImage(picture, x, y, width, height, 0, 0, columns, rows);
  const isSmooth = context.imageSmoothingEnabled;
  context.imageSmoothingEnabled = false;
  context.drawImage(small, x, y, width, height);
  context.imageSmoothingEnabled = isSmooth;
}

function drawText(context: Context, mark: Extract<Mark, { kind: "text" }>, sidePx: number): void {
  const height = letterHeight(sidePx);
  context.font = textFont(height);
  context.textAlign = "left";
  context.textBaseline = "top";
  context.strokeStyle = HALO;
  context.lineWidth = height / 5;
  context.fillStyle = inkOf(mark);
  for (const [index, line] of mark.text.split("\n").entries()) {
    const top = mark.y + index * height * LINE_HEIGHT;
    context.strokeText(line, mark.x, top);
    context.fillText(line, mark.x, top);
  }
}

const LINE_HEIGHT = 1.2;

function textFont(height: number): string {
  return `bold ${Math.round(height)}px sans-serif`;
}

/** Returns the area that a mark covers, in pixels of a picture whose longer side is `sidePx`. */
export function boundsOf(mark: Mark, sidePx: number): Area {
  const thick = thicknessOf(sidePx);
  switch (mark.kind) {
    case "pin": {
      const radius = thick * 5;
      return around(mark.x - radius, mark.y - radius, mark.x + radius, mark.y + radius);
    }
    case "note":
      return noteBounds(mark, thick * 5);
    case "text": {
      const height = letterHeight(sidePx);
      const lines = mark.text.split("\n");
      // Wide characters are as wide as the letters are high, others about half as wide.
      const widths = lines.map(
        (line) => line.length * 0.6 + (line.match(/[\u2e80-\uffef]/g)?.length ?? 0) * 0.4,
      );
      const width = Math.max(...widths) * height;
      return { x: mark.x, y: mark.y, width, height: lines.length * height * LINE_HEIGHT };
    }
    case "arrow":
      return around(
        Math.min(mark.x, mark.toX),
        Math.min(mark.y, mark.toY),
        Math.max(mark.x, mark.toX),
        Math.max(mark.y, mark.toY),
      );
    case "line": {
      const xs = mark.points.map(([x]) => x);
      const ys = mark.points.map(([, y]) => y);
      // Not by spreading: a line may have more points than a call has arguments.
      const least = (all: number[]) => all.reduce((one, other) => Math.min(one, other), Infinity);
      const most = (all: number[]) => all.reduce((one, other) => Math.max(one, other), -Infinity);
      return around(least(xs), least(ys), most(xs), most(ys));
    }
    default:
      return mark;
  }
}

function around(left: number, top: number, right: number, bottom: number): Area {
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Returns the mark moved by a distance in pixels of the picture. */
export function moved(mark: Mark, byX: number, byY: number): Mark {
  switch (mark.kind) {
    case "line":
      return { ...mark, points: mark.points.map(([x, y]) => [x + byX, y + byY]) };
    case "arrow":
      return {
        ...mark,
        x: mark.x + byX,
        y: mark.y + byY,
        toX: mark.toX + byX,
        toY: mark.toY + byY,
      };
    default:
      return { ...mark, x: mark.x + byX, y: mark.y + byY };
  }
}

/**
 * Returns the index of the topmost mark near a point; -1 for none.
 * @param slack distance that still counts, in pixels of the picture
 */
export function markAt(
  marks: readonly Mark[],
  x: number,
  y: number,
  sidePx: number,
  slack: number,
): number {
  return marks.findLastIndex((mark) => isNear(mark, x, y, sidePx, slack));
}

function isNear(mark: Mark, x: number, y: number, sidePx: number, slack: number): boolean {
  if (mark.kind === "line") {
    return mark.points.some(([atX, atY]) => Math.hypot(atX - x, atY - y) <= slack * 2);
  }
  if (mark.kind === "arrow") return distanceToLine(mark, x, y) <= slack * 2;
  const box = boundsOf(mark, sidePx);
  const isInside =
    x >= box.x - slack &&
    x <= box.x + box.width + slack &&
    y >= box.y - slack &&
    y <= box.y + box.height + slack;
  if (!isInside || (mark.kind !== "box" && mark.kind !== "crop")) return isInside;
  // The inside of a frame belongs to the picture.
  const isDeepInside =
    x > box.x + slack &&
    x < box.x + box.width - slack &&
    y > box.y + slack &&
    y < box.y + box.height - slack;
  return !isDeepInside;
}

function distanceToLine(arrow: Extract<Mark, { kind: "arrow" }>, x: number, y: number): number {
  const alongX = arrow.toX - arrow.x;
  const alongY = arrow.toY - arrow.y;
  const length = alongX * alongX + alongY * alongY || 1;
  const share = ((x - arrow.x) * alongX + (y - arrow.y) * alongY) / length;
  const at = Math.max(0, Math.min(1, share));
  return Math.hypot(arrow.x + at * alongX - x, arrow.y + at * alongY - y);
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

function stroke(context: Context, path: Path2D, thick: number, color: string): void {
  context.strokeStyle = HALO;
  context.lineWidth = thick * 2;
  context.stroke(path);
  context.strokeStyle = color;
  context.lineWidth = thick;
  context.stroke(path);
}

function drawPin(context: Context, pin: Extract<Mark, { kind: "pin" }>, thick: number): void {
  const radius = thick * 5;
  const circle = new Path2D();
  circle.arc(pin.x, pin.y, radius, 0, Math.PI * 2);
  context.fillStyle = inkOf(pin);
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
