/**
 * Token rules of a color theme: its file, included files, and the user's customizations. Reads
 * files through a function.
 */
import type { ThemeRule, TokenTheme } from "../../protocol/views";
import { readThemeText, ruleFrom, rulesFrom } from "./themeText";

const MAX_FILES = 12;

/** Maximum number of rules sent to the page; the largest known themes have about 1,500. */
export const MAX_RULES = 4_000;

/** Reads a file; rejects or resolves with undefined if there is none. */
export type ReadText = (path: string) => Promise<string | undefined>;

/**
 * Reads a theme, included files first. A missing or recursive include loses only its own rules.
 * @param path path of the theme's file, with `/` between names
 */
export async function readRules(path: string, readText: ReadText): Promise<ThemeRule[]> {
  const visited = new Set<string>();
  const readFile = async (at: string): Promise<ThemeRule[]> => {
    if (visited.has(at) || visited.size >= MAX_FILES) return [];
    visited.add(at);
    const text = await readText(at);
    if (text === undefined) return [];
    const { include, rules } = readThemeText(text);
    const included = include === undefined ? [] : await readFile(resolvePath(at, include));
    const ownRules = typeof rules === "string" ? await readFile(resolvePath(at, rules)) : rules;
    return [...included, ...ownRules];
  };
  return readFile(path);
}

function resolvePath(path: string, relative: string): string {
  const names = path.split("/").slice(0, -1);
  for (const name of relative.replaceAll("\\", "/").split("/")) {
    if (name === "..") names.pop();
    else if (name !== "." && name !== "") names.push(name);
  }
  return names.join("/");
}

/** Groups of `editor.tokenColorCustomizations` and the scopes VS Code maps them to. */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  comments: ["comment", "punctuation.definition.comment"],
  strings: ["string", "meta.embedded.assembly"],
  keywords: ["keyword - keyword.operator", "keyword.control", "storage", "storage.type"],
  numbers: ["constant.numeric"],
  types: ["entity.name.type", "entity.name.class", "support.type", "support.class"],
  functions: ["entity.name.function", "support.function"],
  variables: ["variable", "entity.name.variable"],
};

/**
 * Applies the user's setting `editor.tokenColorCustomizations` to a theme: first the rules for all
 * themes, then those for this theme.
 */
export function customizeTheme(
  rules: readonly ThemeRule[],
  customisations: unknown,
  themeId: string,
): TokenTheme {
  const settings = (customisations ?? {}) as Record<string, unknown>;
  const ofTheme = Object.entries(settings)
    .filter(([name]) => name.startsWith("[") && names(name).some((one) => matches(one, themeId)))
    .flatMap(([, value]) => parseCustomRules(value));
  // Later rules win, so the first ones are dropped when there are too many.
  const all = [...rules, ...parseCustomRules(settings), ...ofTheme].slice(-MAX_RULES);
  return { tokenColors: all };
}

function parseCustomRules(value: unknown): ThemeRule[] {
  const settings = (value ?? {}) as Record<string, unknown>;
  const groups = Object.entries(GROUPS).flatMap(([name, scope]) => {
    const set = settings[name];
    const rule = ruleFrom(scope, typeof set === "string" ? { foreground: set } : set);
    return rule === undefined ? [] : [rule];
  });
  return [...groups, ...rulesFrom(settings["textMateRules"])];
}

/** "[One][Two*]" names two themes. */
function names(key: string): string[] {
  return [...key.matchAll(/\[([^[\]]*)\]/g)].map(([, name]) => name ?? "");
}

/** Returns true if a name matches the theme; `*` matches any text. */
function matches(name: string, themeId: string): boolean {
  const [first = "", ...others] = name.split("*");
  const last = others.pop();
  if (last === undefined) return name === themeId;
  if (!themeId.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const partAt = themeId.indexOf(part, at);
    if (partAt === -1) return false;
    at = partAt + part.length;
  }
  return themeId.length - last.length >= at && themeId.endsWith(last);
}
