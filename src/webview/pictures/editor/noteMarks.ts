/** Notes at positions of a picture: the marks of the editor, and what is kept of them for the question. */
import type { PictureNote } from "../../../pointing/pictureNote";
import type { AttachmentView } from "../../../protocol/views";
import { croppedArea, NOTE_COLOR, type Area, type Mark } from "../marks";

export type NoteMark = Extract<Mark, { kind: "note" }>;

/** Radius of a number, in CSS pixels. */
export const NOTE_RADIUS_PX = 11;

export function isNote(mark: Mark): mark is NoteMark {
  return mark.kind === "note";
}

export function noteMarks({ notes = [] }: AttachmentView): NoteMark[] {
  return notes.map((note) => ({ kind: "note", ...note }));
}

/**
 * Returns the number of the next note. Numbers count through all pictures of the question, so that each
 * is named once; that of a removed note is free only at the end.
 */
export function nextNote(marks: readonly Mark[], attachments: readonly AttachmentView[]): number {
  const used = [...marks.filter(isNote), ...attachments.flatMap(({ notes = [] }) => notes)];
  return Math.max(0, ...used.map(({ number }) => number)) + 1;
}

/** Returns the notes of a picture with these marks, and for each why it is not sent, if it is not. */
export function notesOf(marks: readonly Mark[], widthPx: number, heightPx: number): PictureNote[] {
  const cropped = croppedArea(marks, widthPx, heightPx);
  const covers = marks.filter((mark) => mark.kind === "redaction");
  return marks.filter(isNote).map(({ number, text, x, y, width, height }) => {
    const region = { x, y, width, height };
    const leftOut = covers.some((cover) => isInside(region, cover))
      ? ("covered" as const)
      : !doMeet(region, cropped)
        ? ("cropped" as const)
        : undefined;
    return { number, text, ...region, ...(leftOut && { leftOut }) };
  });
}

/** True if an area is completely within another. */
export function isInside(region: Area, other: Area): boolean {
  return (
    region.x >= other.x &&
    region.y >= other.y &&
    region.x + region.width <= other.x + other.width &&
    region.y + region.height <= other.y + other.height
  );
}

/** True if two areas touch or overlap. */
export function doMeet(region: Area, other: Area): boolean {
  return (
    region.x <= other.x + other.width &&
    other.x <= region.x + region.width &&
    region.y <= other.y + other.height &&
    other.y <= region.y + region.height
  );
}

/**
 * Draws the notes of the editor, with numbers of the same size at any zoom.
 * @param scale pixels of the canvas per CSS pixel of the editor and per pixel of the picture
 */
export function drawNotes(
  context: CanvasRenderingContext2D,
  marks: readonly Mark[],
  scale: number,
): void {
  const radius = NOTE_RADIUS_PX / scale;
  for (const { x, y, width, height, number } of marks.filter(isNote)) {
    for (const [color, line] of [["#ffffff", 4] as const, [NOTE_COLOR, 2] as const]) {
      context.strokeStyle = color;
      context.lineWidth = line / scale;
      if (width > 0 || height > 0) context.strokeRect(x, y, width, height);
    }
    context.beginPath();
    context.arc(x, y, radius, 0, Math.PI * 2);
    context.fillStyle = NOTE_COLOR;
    context.fill();
    context.strokeStyle = "#ffffff";
    context.stroke();
    context.fillStyle = "#ffffff";
    context.font = `bold ${radius * 1.2}px sans-serif`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(String(number), x, y);
  }
}
