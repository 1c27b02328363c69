import * as z from "zod/mini";

/** Area of a stored picture, in its pixels; `of…` is the size of the whole picture. */
export const pictureAreaSchema = z.object({
  hash: z.string(),
  x: z.number(),
  y: z.number(),
  widthPx: z.number(),
  heightPx: z.number(),
  ofWidthPx: z.number(),
  ofHeightPx: z.number(),
});
export type PictureArea = z.infer<typeof pictureAreaSchema>;

/** Picture of a request, as the model saw it. */
export const seenPictureSchema = z.object({
  hash: z.string(),
  name: z.string(),
  widthPx: z.number(),
  heightPx: z.number(),
  /** 1-based number in the conversation; tiles of a picture share it. */
  number: z.number(),
  /** 1-based number of a tile. */
  tile: z.optional(z.number()),
  /** True for a picture of the question itself, not of an earlier question. */
  isOfQuestion: z.boolean(),
  /** Area of the original that the picture shows; missing for an original. */
  area: z.optional(pictureAreaSchema),
});
export type SeenPicture = Readonly<z.infer<typeof seenPictureSchema>>;
