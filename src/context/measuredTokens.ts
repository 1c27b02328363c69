/**
 * Tokens of pictures as the service counts them, from the first reply that gives a count: later replies do
 * not change the estimate, so what is left out of a request stays the same.
 */
import {
  ESTIMATED_TOKENS,
  estimateImageTokens,
  PIXELS_PER_TOKEN,
  type PictureTokens,
} from "../base/tokens";
import type { Message, Receipt } from "../conversation/message";
import { countOf, SMALLER, TEXT_ERROR, type Counted } from "./countedPictures";

/** Largest error that the estimate for the text gives the count of the pictures, as a share. */
const MAX_ERROR = 0.25;

/** Share of the estimate above which a service counts tiles of its own, up to a number of them. */
const LARGER = 1.5;

/** Returns undefined before the first count of the service and model that answered last. */
export function measuredTokens(path: readonly Message[]): PictureTokens | undefined {
  const counted = path.filter((message) => message.role === "assistant" && isCounted(message));
  const last = counted.at(-1);
  if (last?.role !== "assistant") return undefined;
  const first = counted.find(
    (one) => one.role === "assistant" && isSameModel(one.receipt, last.receipt),
  );
  return first?.role === "assistant" ? tokensOf(first) : undefined;
}

function isSameModel(one: Receipt | undefined, other: Receipt | undefined): boolean {
  return one?.host === other?.host && one?.modelCode === other?.modelCode;
}

function isCounted(reply: Counted): boolean {
  const { textTokens = 0, countedTokens = 0 } = countOf(reply) ?? {};
  return countedTokens > 0 && textTokens * TEXT_ERROR <= countedTokens * MAX_ERROR;
}

function tokensOf(reply: Counted): PictureTokens | undefined {
  const { pictureTokens, countedTokens } = countOf(reply) ?? {};
  if (pictureTokens === undefined || countedTokens === undefined) return undefined;
  const share = countedTokens / pictureTokens;
  const estimates = (reply.receipt?.pictures ?? []).flatMap((picture) =>
    picture.kind === "bytes" ? [estimateImageTokens(picture.widthPx, picture.heightPx)] : [],
  );
  if (share < SMALLER) {
    return { ...ESTIMATED_TOKENS, maxTokens: limitOf(estimates, countedTokens) };
  }
  const pixelsPerToken = PIXELS_PER_TOKEN / share;
  if (share <= LARGER) return { ...ESTIMATED_TOKENS, pixelsPerToken };
  return { pixelsPerToken, maxTokens: Math.ceil(share * Math.max(...estimates)) };
}

/** Returns the limit of a picture with which the estimates together are `sum`. */
function limitOf(estimates: readonly number[], sum: number): number {
  let left = sum;
  const rising = [...estimates].sort((a, b) => a - b);
  for (const [index, estimate] of rising.entries()) {
    const limit = left / (rising.length - index);
    if (limit <= estimate) return Math.ceil(limit);
    left -= estimate;
  }
  return ESTIMATED_TOKENS.maxTokens;
}
