/**
 * Estimates the tokens of text and pictures, because the service's tokenizer is unknown. Estimates
 * are shown with "~"; counts that the service reports replace them.
 */
import { estimateTokenCount } from "tokenx";

/** Pixels per estimated token: the 28×28 patch of common vision models. */
export const PIXELS_PER_TOKEN = 28 * 28;

/** Length limit for whole estimates, in UTF-16 units; longer texts are extrapolated from the start. */
const MAX_ESTIMATED_LENGTH = 400_000;

export function estimateTextTokens(text: string): number {
  if (text.length <= MAX_ESTIMATED_LENGTH) return estimateTokenCount(text);
  const head = estimateTokenCount(text.slice(0, MAX_ESTIMATED_LENGTH));
  return Math.round((head / MAX_ESTIMATED_LENGTH) * text.length);
}

const textEstimates = new WeakMap<{ readonly text: string }, number>();

/** Estimates the text of an object that does not change, such as an ended reply, once. */
export function textTokensOf(holder: { readonly text: string }): number {
  const tokens = textEstimates.get(holder) ?? estimateTextTokens(holder.text);
  textEstimates.set(holder, tokens);
  return tokens;
}

/** Returns the estimate for the system message; a blank message is not sent. */
export function systemTokens(systemPrompt: string): number {
  return systemPrompt.trim() === "" ? 0 : estimateTextTokens(systemPrompt);
}

/** Upper limit for a picture; common vision models shrink larger pictures to this. */
export const DEFAULT_MAX_PICTURE_TOKENS = 16_384;

export interface PictureTokens {
  readonly pixelsPerToken: number;
  /** Upper limit for a picture. */
  readonly maxTokens: number;
}

/** Tokens at a service that has not counted a picture yet. */
export const ESTIMATED_TOKENS: PictureTokens = {
  pixelsPerToken: PIXELS_PER_TOKEN,
  maxTokens: DEFAULT_MAX_PICTURE_TOKENS,
};

export function estimateImageTokens(
  widthPx: number,
  heightPx: number,
  { pixelsPerToken, maxTokens } = ESTIMATED_TOKENS,
): number {
  const tokens = Math.ceil((widthPx * heightPx) / pixelsPerToken);
  // A damaged journal may hold NaN; such a picture counts as the largest.
  return Number.isFinite(tokens) ? Math.min(Math.max(tokens, 0), maxTokens) : maxTokens;
}
