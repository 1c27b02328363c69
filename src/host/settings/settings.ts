/**
 * Settings, parsed with zod on each read. An invalid setting is reported in a sentence and replaced
 * by its default. Settings that decide where the key is sent are read from the user's settings
 * only. A value of the organization's policy replaces all of them.
 */
import * as vscode from "vscode";
import * as z from "zod/mini";
import {
  isParameterAllowed,
  MAX_SYSTEM_PROMPT_LENGTH,
  type NumberParameter,
} from "../../protocol/parameters";
import { DEFAULT_PATH } from "../../service/baseUrl";
import { SETTINGS_SECTION, USER_ONLY_SETTINGS, type SettingName } from "../platform/contributions";
import { fixableSettings } from "../policy/fixableSettings";
import { policy, refuseFixed } from "../policy/policy";

/** Number within the specification's range; null for "not sent". */
function samplingNumber(name: NumberParameter) {
  return z.nullable(z.number().check(z.refine((value) => isParameterAllowed(name, value))));
}

function seconds(min: number, max: number) {
  return z.number().check(z.gte(min), z.lte(max));
}

/** Ranges and steps: service specification, section 8. */
const settingSchemas = {
  ...fixableSettings,
  model: z.enum(["auto", "llm", "vl"]),
  systemPrompt: z.string().check(z.maxLength(MAX_SYSTEM_PROMPT_LENGTH)),
  "llm.temperature": samplingNumber("temperature"),
  "llm.topP": samplingNumber("topP"),
  "llm.maxTokens": samplingNumber("maxTokens"),
  "vl.temperature": samplingNumber("temperature"),
  "vl.topP": samplingNumber("topP"),
  "vl.repetitionPenalty": samplingNumber("repetitionPenalty"),
  "vl.coordinates": z.enum(["auto", "pixels", "thousand", "thousandYFirst"]),
  stream: z.boolean(),
  contentFilter: z.enum(["withdraw", "keep"]),
  "context.automatic": z.enum(["off", "selection", "selection+file"]),
  "context.rules": z.boolean(),
  "context.definitions": z.boolean(),
  prompts: z.record(z.string(), z.unknown()),
  "context.budget": z.number().check(z.int(), z.gte(1_000), z.lte(10_000_000)),
  "images.maxSidePx": z.number().check(z.int(), z.gte(256), z.lte(16_000)),
  "images.maxBytes": z.number().check(z.int(), z.gte(65_536), z.lte(67_108_864)),
  "images.maxTokens": z.number().check(z.int(), z.gte(64), z.lte(1_000_000)),
  "images.describe": z.boolean(),
  "images.whenTooLarge": z.enum(["tiles", "scaled"]),
  "timeouts.connect": seconds(1, 300),
  "timeouts.firstByte": seconds(1, 3600),
  "timeouts.silence": seconds(1, 3600),
  retries: z.number().check(z.int(), z.gte(0), z.lte(10)),
  stickyQuestion: z.boolean(),
  "history.folder": z.string().check(z.maxLength(2048)),
  sendKey: z.enum(["enter", "ctrlEnter"]),
  fontSize: z.number().check(z.refine((size) => size === 0 || (size >= 8 && size <= 32))),
  notify: z.enum(["whenAway", "never"]),
} satisfies Record<SettingName, z.ZodMiniType>;

export type Settings = { readonly [K in SettingName]: z.infer<(typeof settingSchemas)[K]> };

/** Default of the system prompt, for questions of a chat; an empty prompt sends none. */
export const EDITOR_PROMPT =
  "You are an assistant in a code editor, Visual Studio Code. Answer in the language of the " +
  "question. Put code into fenced code blocks that name its language; where the code belongs to a " +
  "file, name its path before the block.";

const DEFAULTS: Settings = {
  baseUrl: "",
  path: DEFAULT_PATH,
  profiles: [],
  apiKeyCommand: [],
  "models.llm": "core_llm",
  "models.vl": "core_vl",
  model: "auto",
  systemPrompt: EDITOR_PROMPT,
  "llm.temperature": null,
  "llm.topP": null,
  "llm.maxTokens": null,
  "vl.temperature": null,
  "vl.topP": null,
  "vl.repetitionPenalty": null,
  "vl.coordinates": "auto",
  stream: true,
  contentFilter: "withdraw",
  "context.automatic": "selection",
  "context.rules": true,
  "context.definitions": true,
  prompts: {},
  "context.budget": 32_000,
  "images.maxSidePx": 8000,
  "images.maxBytes": 10_485_760,
  "images.maxTokens": 16_384,
  "images.describe": true,
  "images.whenTooLarge": "tiles",
  "timeouts.connect": 10,
  "timeouts.firstByte": 60,
  "timeouts.silence": 60,
  retries: 2,
  stickyQuestion: true,
  offerModels: true,
  "history.folder": "",
  "history.retentionDays": 0,
  notify: "whenAway",
  fontSize: 0,
  sendKey: "enter",
};

/** Current settings, and the names of invalid ones. */
export interface SettingsReading {
  readonly settings: Settings;
  readonly badNames: readonly SettingName[];
}

export function readSettings(): SettingsReading {
  const section = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  const badNames: SettingName[] = [];
  const values: Record<string, unknown> = {};
  const fixed: Readonly<Record<string, unknown>> = policy().settings;
  for (const name of Object.keys(settingSchemas) as SettingName[]) {
    const isUserOnly = USER_ONLY_SETTINGS.has(name);
    if (name in fixed) {
      values[name] = fixed[name];
      continue;
    }
    const value = isUserOnly ? section.inspect(name)?.globalValue : section.get(name);
    const parsed = settingSchemas[name].safeParse(value ?? DEFAULTS[name]);
    if (!parsed.success) badNames.push(name);
    values[name] = parsed.success ? parsed.data : DEFAULTS[name];
  }
  return { settings: values as Settings, badNames };
}

/** Returns true if the system prompt is the workspace's, not the user's. */
export function isSystemPromptOfWorkspace(): boolean {
  const section = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  const { workspaceValue, workspaceFolderValue } = section.inspect<string>("systemPrompt") ?? {};
  const value = workspaceFolderValue ?? workspaceValue;
  // Restricted Mode ignores the workspace's value.
  return value !== undefined && value.trim() !== "" && section.get("systemPrompt") === value;
}

/** Writes a setting into the user's settings, unless the organization sets it. */
export async function writeSetting(name: SettingName, value: unknown): Promise<void> {
  if (refuseFixed(name in policy().settings, `${SETTINGS_SECTION}.${name}`)) return;
  const section = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  await section.update(name, value, vscode.ConfigurationTarget.Global);
}
