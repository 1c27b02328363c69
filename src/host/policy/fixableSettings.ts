/** Schemas of the settings that an organization can fix; the user's own values have the same. */
import * as z from "zod/mini";
import { isEndpointPath } from "../../service/baseUrl";

/** Model code: the service's name of the model. */
const modelCode = z.string().check(z.trim(), z.minLength(1), z.maxLength(200));

/** Path of an endpoint below the base URL. */
const endpointPath = z.string().check(z.refine(isEndpointPath));

/** Service in the `profiles` setting. */
const profileSchema = z.object({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(100)),
  baseUrl: z.string().check(z.maxLength(2048)),
  path: z.optional(endpointPath),
  models: z._default(z.object({ llm: z.optional(modelCode), vl: z.optional(modelCode) }), {}),
  headers: z._default(z.record(z.string(), z.string()), {}),
});

/** Absolute path of a program: a name alone could be a program of the workspace. */
const PROGRAM = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/;

/** Program and arguments; empty for none. */
const command = z.array(z.string().check(z.maxLength(4096))).check(
  z.maxLength(32),
  z.refine(([program]) => program === undefined || PROGRAM.test(program)),
);

export const fixableSettings = {
  baseUrl: z.string().check(z.maxLength(2048)),
  path: endpointPath,
  profiles: z.array(profileSchema),
  apiKeyCommand: command,
  "models.llm": modelCode,
  "models.vl": modelCode,
  offerModels: z.boolean(),
  "history.retentionDays": z.number().check(z.int(), z.gte(0), z.lte(3_650)),
};
export type FixableName = keyof typeof fixableSettings;
