/**
 * The rules for tokens of one colour theme: its file, the files it includes, and the person's own
 * changes on top. Pure: files are read through a function.
 */
import type { ThemeRule, TokenTheme } from "../../protocol/views";
import { readThemeText, ruleFrom, rulesFrom } from "./themeText";

/** Files one theme may be made of. */
const MAX_FILES = 12;

/** Rules that are sent to the page; the largest known themes have about 1,500. */
export const MAX_RULES = 4_000;

/** Gives the text of a file; rejects or gives undefined where there is none to be had. */
export type ReadText = (path: string) => Promise<string | undefined>;

/**
 * Reads a theme, what it includes first. A file that includes itself, or is missing, costs its own
 * rules only.
 * @param path of the theme's file, with `/` between names
 */
export async function readRules(path: string, readText: ReadText): Promise<ThemeRule[]> {
  const visited = new Set<string>();
  const read = async (at: string): Promise<ThemeRule[]> => {
    if (visited.has(at) || visited.size >= MAX_FILES) return [];
    visited.add(at);
    const text = await readText(at);
    if (text === undefined) return [];
    const { include, rules } = readThemeText(text);
    const included = include === undefined ? [] : await read(beside(at, include));
    const own = typeof rules === "string" ? await read(beside(at, rules)) : rules;
    return [...included, ...own];
  };
  return read(path);
}

/** What a path in a file of a theme means: beside that file. */
function beside(path: string, relative: string): string {
  const names = path.split("/").slice(0, -1);
  for (const name of relative.replaceAll("\\", "/").split("/")) {
    if (name === "..") names.pop();
    else if (name !== "." && name !== "") names.push(name);
  }
  return names.join("/");
}

/** The short names of `editor.tokenColorCustomizations` and the scopes VS Code takes them for. */
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
 * A theme as the person has it: the theme's rules, then those of the setting
 * `editor.tokenColorCustomizations`, first for all themes, then for this one.
 */
export function customised(
  rules: readonly ThemeRule[],
  customisations: unknown,
  themeId: string,
): TokenTheme {
  const settings = (customisations ?? {}) as Record<string, unknown>;
  const own = Object.entries(settings)
    .filter(([name]) => name.startsWith("[") && names(name).some((one) => matches(one, themeId)))
    .flatMap(([, value]) => customRules(value));
  // The last rules win, so where there are too many it is the first that go.
  const all = [...rules, ...customRules(settings), ...own].slice(-MAX_RULES);
  return { tokenColors: all };
}

function customRules(value: unknown): ThemeRule[] {
  const settings = (value ?? {}) as Record<string, unknown>;
  const groups = Object.entries(GROUPS).flatMap(([name, scope]) => {
    const set = settings[name];
    const rule = ruleFrom(scope, typeof set === "string" ? { foreground: set } : set);
    return rule === undefined ? [] : [rule];
  });
  return [...groups, ...rulesFrom(settings["textMateRules"])];
}

/** "[One][Two*]" names two. */
function names(key: string): string[] {
  return [...key.matchAll(/\[([^[\]]*)\]/g)].map(([, name]) => name ?? "");
}

/** Whether a name, in which `*` stands for anything, is the theme's. */
function matches(name: string, themeId: string): boolean {
  const pattern = name
    .split("*")
    .map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, "\\$&"))
    .join(".*");
  return new RegExp(`^${pattern}$`).test(themeId);
}
