import type { Size } from "../../pointing/coordinates";
import type { DrawingLimits, DrawnPicture } from "./drawing";
import type { Mark } from "./marks";

/** A task; `source` is a file in a format that the browser can decode. */
export type PictureTask =
  | {
      readonly task: "draw";
      readonly source: Blob | ImageBitmap;
      readonly mediaType: string;
      readonly maxBytes?: number | undefined;
    }
  | {
      readonly task: "tiles" | "scaled";
      readonly source: Blob;
      readonly mediaType: string;
      readonly limits: DrawingLimits;
      /** Marks that are drawn before cutting or scaling. */
      readonly marks: readonly Mark[];
    }
  /** Decodes only; the answer holds no picture. */
  | { readonly task: "check"; readonly source: Blob }
  | { readonly task: "small"; readonly source: Blob; readonly maxSidePx: number }
  | {
      readonly task: "difference";
      readonly source: Blob;
      readonly other: Blob;
      readonly size: Size;
    };

export type ToPictureWorker = PictureTask & { readonly id: number };

/** Drawn pictures; undefined after a failure. */
export interface FromPictureWorker {
  readonly id: number;
  readonly pictures: readonly DrawnPicture[] | undefined;
}
