import type { Size } from "../../pointing/coordinates";

export interface ComparedSize {
  readonly first: Size;
  /** Size in which the second picture is drawn. */
  readonly second: Size;
  /** Smallest size that holds both, from the same corner. */
  readonly whole: Size;
}

/** Upper limit of the difference between the proportions of a picture and its scaled copy. */
const SAME_RATIO = 0.01;

/** Returns the sizes; a scaled copy gets the size of the first, any other picture its own. */
export function comparedSize(first: Size, second: Size): ComparedSize {
  const ratio = (first.widthPx * second.heightPx) / (first.heightPx * second.widthPx);
  const drawn = Math.abs(ratio - 1) <= SAME_RATIO ? first : second;
  return {
    first: { widthPx: first.widthPx, heightPx: first.heightPx },
    second: { widthPx: drawn.widthPx, heightPx: drawn.heightPx },
    whole: {
      widthPx: Math.max(first.widthPx, drawn.widthPx),
      heightPx: Math.max(first.heightPx, drawn.heightPx),
    },
  };
}
