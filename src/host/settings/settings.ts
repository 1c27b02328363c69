/**
 * Settings, parsed with zod once per change. An invalid setting is reported in a sentence and replaced
 * by its default in package.json. Settings that decide where the key is sent are read from the user's settings
 * only. A value of the organization's policy replaces all of them.
 */
import * as vscode from "vscode";
import * as z from "zod/mini";
import {
  isParameterAllowed,
  MAX_SYSTEM_PROMPT_LENGTH,
  type NumberParameter,
} from "../../protocol/parameters";
import { contributes } from "../../../package.json";
import { SETTINGS_SECTION, type SettingName } from "../platform/contributions";
import { fixableSettings } from "../policy/fixableSettings";
import { policy, refuseFixed, type Policy } from "../policy/policy";

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

const properties = Object.assign(
  {},
  ...contributes.configuration.map((group) => group.properties),
) as Readonly<
  Record<`${typeof SETTINGS_SECTION}.${SettingName}`, { scope: string; default: unknown }>
>;

/** Default of the system prompt, for questions of a chat; an empty prompt sends none. */
export const EDITOR_PROMPT = z.string().parse(properties["coreChat.systemPrompt"].default);

export interface SettingsReading {
  readonly settings: Settings;
  readonly badNames: readonly SettingName[];
}

/** Last reading and its policy; undefined after a change of settings. */
let latest: { readonly reading: SettingsReading; readonly fixed: Policy["settings"] } | undefined;
let isWatched = false;

/** Keeps readings until a setting changes. Call it before other listeners, which run in their order. */
export function watchSettings(): vscode.Disposable {
  latest = undefined;
  isWatched = true;
  return vscode.workspace.onDidChangeConfiguration(() => (latest = undefined));
}

export function readSettings(): SettingsReading {
  const fixed = policy().settings;
  if (!isWatched || latest?.fixed !== fixed) latest = { reading: parseSettings(fixed), fixed };
  return latest.reading;
}

function parseSettings(fixed: Readonly<Record<string, unknown>>): SettingsReading {
  const section = vscode.workspace.getConfiguration(SETTINGS_SECTION);
  const badNames: SettingName[] = [];
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(settingSchemas) as SettingName[]) {
    if (name in fixed) {
      values[name] = fixed[name];
      continue;
    }
    const { scope, default: fallback } = properties[`coreChat.${name}`];
    const value = scope === "application" ? section.inspect(name)?.globalValue : section.get(name);
    const parsed = settingSchemas[name].safeParse(value ?? fallback);
    if (!parsed.success) badNames.push(name);
    values[name] = parsed.success ? parsed.data : fallback;
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
