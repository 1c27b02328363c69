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

/** Estimated tokens of a picture of this size in pixels. */
export function estimateImageTokens(widthPx: number, heightPx: number): number {
  return Math.ceil((widthPx * heightPx) / PIXELS_PER_TOKEN);
}
