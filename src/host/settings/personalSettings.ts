/**
 * Finds settings in workspace files that only the user may set: they decide where questions, keys
 * and headers are sent.
 */
import { parse } from "jsonc-parser";
import { SETTINGS_SECTION, type SettingName } from "../platform/contributions";

const NAMES: readonly SettingName[] = ["baseUrl", "profiles"];

/** Full names of the settings. */
export const PERSONAL_SETTINGS: readonly string[] = NAMES.map(fullName);

/** Returns the full names of those settings in the text of a settings or workspace file. */
export function personalSettingsIn(text: string): string[] {
  const file: unknown = parse(text, undefined, { allowTrailingComma: true });
  const places = [file, memberOf(file, "settings")];
  return NAMES.filter((name) =>
    places.some(
      (place) =>
        memberOf(place, fullName(name)) !== undefined ||
        memberOf(memberOf(place, SETTINGS_SECTION), name) !== undefined,
    ),
  ).map(fullName);
}

function fullName(name: SettingName): string {
  return `${SETTINGS_SECTION}.${name}`;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
