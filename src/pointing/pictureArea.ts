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
