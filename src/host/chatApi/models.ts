/**
 * Lists the language models for other extensions, a model for each model code of each service, and
 * reads the options of requests. Does not use the VS Code API, for unit tests.
 */
import * as z from "zod/mini";
import type { ModelKind } from "../../conversation/message";
import { originOf } from "../../service/baseUrl";
import type { Sampling } from "../../service/types";
import type { Service } from "../settings/services";
import { defined } from "../../base/defined";

/** A model as VS Code lists it, with its service. */
export interface OfferedModel {
  /** The model code, with `@` and the profile's name for a profile. */
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly kind: ModelKind;
  readonly service: Service;
}

/**
 * Returns the models of services, in their order. A service without a valid base URL has none. A
 * code for both text and pictures is listed once.
 */
export function offeredModels(services: readonly Service[]): OfferedModel[] {
  const models = new Map<string, OfferedModel>();
  for (const service of services) {
    if (originOf(service.baseUrl) === undefined) continue;
    const { profileName, modelCodes } = service;
    const kinds: ModelKind[] = modelCodes.llm === modelCodes.vl ? ["vl"] : ["llm", "vl"];
    for (const kind of kinds) {
      const code = modelCodes[kind];
      const id = profileName === undefined ? code : `${code}@${profileName}`;
      const name = profileName === undefined ? code : `${code} (${profileName})`;
      // The first of two equal ids is used.
      if (!models.has(id)) models.set(id, { id, name, code, kind, service });
    }
  }
  return [...models.values()];
}

const optionalNumber = z.catch(z.optional(z.number()), undefined);

const optionsSchema = z.object({
  temperature: optionalNumber,
  top_p: optionalNumber,
  max_tokens: optionalNumber,
  repetition_penalty: optionalNumber,
});

/**
 * Returns `sampling` with the values of `options`. Ignores values that are no numbers; the request
 * encoder rejects numbers outside the service's range.
 */
export function withModelOptions(options: unknown, sampling: Sampling): Sampling {
  const parsed = z.safeParse(optionsSchema, options);
  if (!parsed.success) return sampling;
  const { temperature, top_p: topP, max_tokens: maxTokens } = parsed.data;
  const { repetition_penalty: repetitionPenalty } = parsed.data;
  return {
    ...sampling,
    ...defined({ temperature, topP, maxTokens, repetitionPenalty }),
  };
}
