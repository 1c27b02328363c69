import * as z from "zod/mini";

/** Longest note, in UTF-16 units. */
export const MAX_NOTE_LENGTH = 2000;

/** Note at a point or in a frame, in pixels of the attached picture; a point has neither width nor height. */
export const pictureNoteSchema = z.object({
  /** Stays the same when other notes are removed. */
  number: z.number().check(z.int(), z.gte(1)),
  text: z.string().check(z.maxLength(MAX_NOTE_LENGTH)),
  x: z.number(),
  y: z.number(),
  width: z.number(),
  height: z.number(),
  /** Reason why the note is not sent: its position is blacked out or cropped off. */
  leftOut: z.optional(z.enum(["covered", "cropped"])),
});
export type PictureNote = Readonly<z.infer<typeof pictureNoteSchema>>;
