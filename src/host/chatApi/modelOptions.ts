/**
 * The options other extensions may pass for a model, under the names the service itself uses. What
 * is no number is ignored; a number outside the service's range is refused when it is sent.
 */
import * as z from "zod/mini";
import type { Sampling } from "../../service/types";

const optionalNumber = z.catch(z.optional(z.number()), undefined);

const optionsSchema = z.object({
  temperature: optionalNumber,
  top_p: optionalNumber,
  max_tokens: optionalNumber,
  repetition_penalty: optionalNumber,
});

/** `sampling` with what `options` say instead. */
export function sampledBy(options: unknown, sampling: Sampling): Sampling {
  const read = z.safeParse(optionsSchema, options);
  if (!read.success) return sampling;
  const { temperature, top_p: topP, max_tokens: maxTokens } = read.data;
  const { repetition_penalty: repetitionPenalty } = read.data;
  return {
    ...sampling,
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(repetitionPenalty !== undefined && { repetitionPenalty }),
  };
}
