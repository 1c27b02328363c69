import * as z from "zod/mini";
import type { Region } from "../../pointing/coordinates";
import { pictureNoteSchema } from "../../pointing/pictureNote";

const point = { x: z.number(), y: z.number() };
const area = { ...point, width: z.number(), height: z.number() };

const markSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("crop"), ...area }),
  z.object({ kind: z.literal("box"), ...area }),
  /** Opaque; replaces the pixels below. */
  z.object({ kind: z.literal("redaction"), ...area }),
  z.object({ kind: z.literal("arrow"), ...point, toX: z.number(), toY: z.number() }),
  /** Shown in the editor and never drawn on the picture; its text is sent with its position. */
  z.object({ kind: z.literal("note"), ...pictureNoteSchema.shape }),
]);
export type Mark = Readonly<z.infer<typeof markSchema>>;
export type MarkKind = Mark["kind"];

/** Marks of earlier versions: a blurred area stays unreadable, the others are not drawn again. */
const storedMarkSchema = z.union([
  markSchema,
  z.pipe(
    z.object({ kind: z.literal("blur"), ...area }),
    z.transform((blurred): Mark => ({ ...blurred, kind: "redaction" })),
  ),
  z.pipe(
    z.object({ kind: z.enum(["line", "pin", "text"]) }),
    z.transform(() => undefined),
  ),
]);

/** A rectangle in the picture's pixels. */
export type Area = Region;

/** Colors of marks and of notes. Each has a halo, so that it is visible on light and on dark pictures. */
export const MARK_COLOR = "#e51400";
export const NOTE_COLOR = "#0a6cff";

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
  const stored = z.array(storedMarkSchema).parse(JSON.parse(text));
  return stored.filter((mark) => mark !== undefined);
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
