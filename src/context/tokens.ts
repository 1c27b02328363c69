/**
 * Estimated tokens of text and pictures. The service's tokenizer is not known, so these are
 * estimates and are shown with "~"; the service's own counts replace them where it gives any.
 */
import { estimateTokenCount } from "tokenx";

/** Pixels one estimated token of a picture stands for; the common 28×28 patch of vision models. */
const PIXELS_PER_TOKEN = 28 * 28;

/** Longest text that is estimated whole, in UTF-16 units; a longer one is estimated by its head. */
const MAX_ESTIMATED_LENGTH = 400_000;

/** Estimated tokens of a text. */
export function estimateTextTokens(text: string): number {
  if (text.length <= MAX_ESTIMATED_LENGTH) return estimateTokenCount(text);
  const head = estimateTokenCount(text.slice(0, MAX_ESTIMATED_LENGTH));
  return Math.round((head / MAX_ESTIMATED_LENGTH) * text.length);
}

/** Estimated tokens of the system message; none is sent where it is blank. */
export function systemTokens(systemPrompt: string): number {
  return systemPrompt.trim() === "" ? 0 : estimateTextTokens(systemPrompt);
}

/** Most estimated tokens of one picture: the limit of common vision models, which shrink larger ones. */
export const DEFAULT_MAX_PICTURE_TOKENS = 16_384;

/** Estimated tokens of a picture of this size in pixels. */
export function estimateImageTokens(
  widthPx: number,
  heightPx: number,
  maxTokens = DEFAULT_MAX_PICTURE_TOKENS,
): number {
  const tokens = Math.ceil((widthPx * heightPx) / PIXELS_PER_TOKEN);
  // A size from a damaged journal may be no number; such a picture counts as the largest.
  return Number.isFinite(tokens) ? Math.min(Math.max(tokens, 0), maxTokens) : maxTokens;
}
