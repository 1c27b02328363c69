/** Marks on a picture, in the picture's own pixels. */
import * as z from "zod/mini";
import { pictureNoteSchema } from "../../pointing/pictureNote";

const point = { x: z.number(), y: z.number() };
const area = { ...point, width: z.number(), height: z.number() };

/** Index of a color in `INKS`; missing for the first. */
const ink = { ink: z.optional(z.number()) };

const markSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("crop"), ...area }),
  z.object({ kind: z.literal("box"), ...area, ...ink }),
  /** Opaque; replaces the pixels below. */
  z.object({ kind: z.literal("redaction"), ...area }),
  /** Large blocks of a single color in place of the pixels below. */
  z.object({ kind: z.literal("blur"), ...area }),
  z.object({ kind: z.literal("arrow"), ...point, toX: z.number(), toY: z.number(), ...ink }),
  z.object({
    kind: z.literal("line"),
    points: z.array(z.tuple([z.number(), z.number()])),
    ...ink,
  }),
  z.object({ kind: z.literal("pin"), ...point, number: z.number(), ...ink }),
  /** Starts at the top left of the text. */
  z.object({ kind: z.literal("text"), ...point, text: z.string(), ...ink }),
  /** Shown in the editor and never drawn on the picture; its text is sent with its position. */
  z.object({ kind: z.literal("note"), ...pictureNoteSchema.shape }),
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

/** Colors of marks. Each has a halo, so that it is visible on light and on dark pictures. */
export const INKS = ["#e51400", "#0a6cff", "#127d0d", "#f2a900", "#111111"] as const;

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
