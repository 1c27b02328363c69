/**
 * What the page asks of the picture worker, and what that answers.
 */
import type { DrawingLimits, DrawnPicture } from "./drawing";
import type { Mark } from "./marks";

/** One task; `source` is a whole file in any format the browser can decode. */
export type PictureTask =
  | {
      readonly task: "draw";
      readonly source: Blob | ImageBitmap;
      readonly mediaType: string;
      /** As EXIF counts, where the browser does not apply it itself. */
      readonly orientation?: number | undefined;
      readonly maxBytes?: number | undefined;
    }
  | {
      readonly task: "tiles" | "scaled";
      readonly source: Blob;
      readonly mediaType: string;
      readonly limits: DrawingLimits;
      /** Drawn before the picture is cut or scaled. */
      readonly marks: readonly Mark[];
    }
  /** Decodes only; answered with no picture. */
  | { readonly task: "check"; readonly source: Blob }
  | { readonly task: "small"; readonly source: Blob; readonly maxSidePx: number };

export type ToPictureWorker = PictureTask & { readonly id: number };

/** The pictures that were drawn; undefined when that was not possible. */
export interface FromPictureWorker {
  readonly id: number;
  readonly pictures: readonly DrawnPicture[] | undefined;
}
