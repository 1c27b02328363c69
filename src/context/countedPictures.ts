/**
 * Compares the service's token count with the estimate for the pictures of a request. A service that
 * counts far fewer tokens has made the pictures smaller before its model saw them.
 */
import type { Reply } from "../conversation/message";
import { estimateImageTokens, PIXELS_PER_TOKEN } from "./tokens";

/** Estimated tokens of pictures below which the error of the text's estimate is too large. */
const MIN_PICTURE_TOKENS = 2_000;

/** Share of the estimate below which pictures count as made smaller; services differ that much. */
const SMALLER = 0.5;

/** Pixels of all pictures of a request: as sent, and as the service's count suggests. */
export interface CountedPictures {
  readonly sentPx: number;
  readonly countedPx: number;
}

/** Returns undefined if the count agrees with the estimate, or if there is no count. */
export function countedPictures({
  usage,
  receipt,
}: Pick<Reply, "usage" | "receipt">): CountedPictures | undefined {
  const { pictures = [], estimatedTokens = 0 } = receipt ?? {};
  if (usage?.promptTokens === undefined) return undefined;
  let pictureTokens = 0;
  let sentPx = 0;
  for (const picture of pictures) {
    // The size of a picture at an address is unknown.
    if (picture.kind === "address") return undefined;
    pictureTokens += estimateImageTokens(picture.widthPx, picture.heightPx);
    sentPx += picture.widthPx * picture.heightPx;
  }
  const textTokens = Math.max(0, estimatedTokens - pictureTokens);
  const countedTokens = usage.promptTokens - textTokens;
  if (pictureTokens < MIN_PICTURE_TOKENS || countedTokens <= 0) return undefined;
  if (countedTokens >= pictureTokens * SMALLER) return undefined;
  return { sentPx, countedPx: countedTokens * PIXELS_PER_TOKEN };
}
