/**
 * Which language models other extensions can choose: one for each code of each service of the
 * settings. Knows no VS Code, so that it can be tried alone.
 */
import type { ModelKind } from "../../conversation/message";
import { originOf } from "../../service/baseUrl";
import type { Service } from "../settings/services";

/** One model as VS Code lists it, and how it is asked. */
export interface OfferedModel {
  /** The code, and behind an `@` the profile's name; the same as long as these are the same. */
  readonly id: string;
  readonly name: string;
  /** The code sent in `model`. */
  readonly code: string;
  readonly kind: ModelKind;
  readonly service: Service;
}

/**
 * The models of these services, in their order. A service without a usable base URL offers none;
 * one that has the same code for text and pictures offers it once, for both.
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
      // Of two with one name the first is used.
      if (!models.has(id)) models.set(id, { id, name, code, kind, service });
    }
  }
  return [...models.values()];
}
