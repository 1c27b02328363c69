/**
 * Compares the service's token count with the estimate for the pictures of a request. A service that
 * counts far fewer tokens has made the pictures smaller before its model saw them.
 */
import type { Reply } from "../conversation/message";
import { estimateImageTokens, PIXELS_PER_TOKEN } from "../base/tokens";

/** Estimated tokens of pictures below which the error of the text's estimate is too large. */
const MIN_PICTURE_TOKENS = 2_000;

/** Share of the estimate below which pictures count as made smaller; services differ that much. */
export const SMALLER = 0.5;

/** Error of the estimate for text, as a share, and tokens of marks that the estimate does not know. */
export const TEXT_ERROR = 0.3;
const MARK_TOKENS = 40;
const MARK_TOKENS_OF_MESSAGE = 8;

export type Counted = Pick<Reply, "usage" | "receipt">;

/**
 * Returns the pixels of all pictures of a request, as sent and as the service's count suggests; undefined if
 * the count agrees with the estimate, or if there is no count.
 */
export function countedPictures(reply: Counted) {
  const { sentPx, pictureTokens, countedTokens } = countOf(reply) ?? {};
  if (sentPx === undefined || pictureTokens === undefined || countedTokens === undefined) {
    return undefined;
  }
  if (pictureTokens < MIN_PICTURE_TOKENS || countedTokens <= 0) return undefined;
  if (countedTokens >= pictureTokens * SMALLER) return undefined;
  return { sentPx, countedPx: countedTokens * PIXELS_PER_TOKEN };
}

/** Returns the range in which the service's count for all pictures is; undefined without a count. */
export function pictureTokenRange(
  reply: Counted,
): { readonly least: number; readonly most: number } | undefined {
  const { textTokens = 0, countedTokens = 0 } = countOf(reply) ?? {};
  if (textTokens <= 0 || countedTokens <= 0) return undefined;
  const error = Math.round(textTokens * TEXT_ERROR);
  const { messageCount = 1, imageCount = 1 } = reply.receipt ?? {};
  const marks = MARK_TOKENS + MARK_TOKENS_OF_MESSAGE * (messageCount + imageCount);
  return { least: countedTokens - error - marks, most: countedTokens + error };
}

/** Returns the tokens of all pictures of a request, as estimated and as counted by the service. */
export function countOf({ usage, receipt }: Counted) {
  const { pictures = [], estimatedTokens = 0 } = receipt ?? {};
  if (usage?.promptTokens === undefined || pictures.length === 0) return undefined;
  let pictureTokens = 0;
  let sentPx = 0;
  for (const picture of pictures) {
    // The size of a picture at an address is unknown.
    if (picture.kind === "address") return undefined;
    pictureTokens += estimateImageTokens(picture.widthPx, picture.heightPx);
    sentPx += picture.widthPx * picture.heightPx;
  }
  const textTokens = Math.max(0, estimatedTokens - (receipt?.pictureTokens ?? pictureTokens));
  const countedTokens = usage.promptTokens - textTokens;
  return { sentPx, pictureTokens, textTokens, countedTokens };
}
