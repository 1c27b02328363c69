/** Sizes of two compared pictures in the pixels of the first. */

interface PixelSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

export interface ComparedSize {
  readonly first: PixelSize;
  /** Size in which the second picture is drawn. */
  readonly second: PixelSize;
  /** Smallest size that holds both, from the same corner. */
  readonly whole: PixelSize;
}

/** Upper limit of the difference between the proportions of a picture and its scaled copy. */
const SAME_RATIO = 0.01;

/** Returns the sizes; a scaled copy gets the size of the first, any other picture its own. */
export function comparedSize(first: PixelSize, second: PixelSize): ComparedSize {
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
