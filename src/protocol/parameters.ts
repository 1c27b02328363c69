/** Ranges and schema of the request parameters, for the page's form, the settings and messages. */
import * as z from "zod/mini";

/** Inclusive ranges; values are multiples of `step`. Source: service-spec.md, section 8. */
export const PARAMETER_RANGES = {
  temperature: { min: 0.01, max: 1, step: 0.01 },
  topP: { min: 0.1, max: 0.9, step: 0.1 },
  /** Text model only. */
  maxTokens: { min: 1, max: 8192, step: 1 },
  /** Vision model only. */
  repetitionPenalty: { min: 1.1, max: 1.9, step: 0.1 },
} as const;

/** The service's values for parameters that are not sent. Source: service-spec.md, section 8. */
export const SERVICE_DEFAULTS: Readonly<
  Record<"llm" | "vl", Readonly<Partial<Record<keyof typeof PARAMETER_RANGES, number>>>>
> = {
  llm: { temperature: 0.8, topP: 0.9, maxTokens: 3000 },
  vl: { temperature: 1, topP: 0.9, repetitionPenalty: 1 },
};

/** Longest system prompt, in UTF-16 units. */
export const MAX_SYSTEM_PROMPT_LENGTH = 100_000;

export type NumberParameter = keyof typeof PARAMETER_RANGES;

/** Returns true for a value that the service accepts. */
export function isParameterAllowed(name: NumberParameter, value: number): boolean {
  const { min, max, step } = PARAMETER_RANGES[name];
  const steps = value / step;
  return value >= min && value <= max && Math.abs(steps - Math.round(steps)) < 1e-6;
}

function parameter(name: NumberParameter) {
  return z.optional(z.number().check(z.refine((value) => isParameterAllowed(name, value))));
}

export const parametersSchema = z.object({
  temperature: parameter("temperature"),
  topP: parameter("topP"),
  maxTokens: parameter("maxTokens"),
  repetitionPenalty: parameter("repetitionPenalty"),
  systemPrompt: z.optional(z.string().check(z.maxLength(MAX_SYSTEM_PROMPT_LENGTH))),
});
export type ParametersView = z.infer<typeof parametersSchema>;

/** Returns the parameters that the service accepts and drops the others. */
export function allowedParameters(parameters: ParametersView): ParametersView {
  return Object.fromEntries(
    Object.entries(parameters).filter(([name, value]) =>
      typeof value === "number"
        ? isParameterAllowed(name as NumberParameter, value)
        : value === undefined || value.length <= MAX_SYSTEM_PROMPT_LENGTH,
    ),
  );
}
