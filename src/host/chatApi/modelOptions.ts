/**
 * Reads the model options of other extensions, by the names of the service's parameters. Ignores
 * values that are no numbers; the request encoder rejects numbers outside the service's range.
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

/** Returns `sampling` with the values of `options`. */
export function withModelOptions(options: unknown, sampling: Sampling): Sampling {
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
