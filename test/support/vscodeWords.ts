/**
 * Stands in for `vscode` in plain Node where only its words and settings are needed: `l10n`,
 * `env.language` and the person's own settings. English, or whatever `speaking` sets for as long as
 * a function runs; no settings, or those of `withSettings`.
 */
import type { Translate } from "../../src/base/translate";
import { chinese, english } from "./plainTranslate";

let translate: Translate = english;

/** @public by the alias in esbuild.mjs, as `l10n` is */
export const env = { language: "en" };

/** @public */
export const l10n = {
  t: (message: string, ...args: (string | number)[]): string => translate(message, ...args),
};

let settings: Readonly<Record<string, unknown>> = {};

/** @public */
export const workspace = {
  getConfiguration: (section: string) => ({
    get: (name: string) => settings[`${section}.${name}`],
    inspect: (name: string) => ({ globalValue: settings[`${section}.${name}`] }),
  }),
};

/** What `read` gives while a person has these settings, each by its whole name. */
export function withSettings<T>(own: Readonly<Record<string, unknown>>, read: () => T): T {
  try {
    settings = own;
    return read();
  } finally {
    settings = {};
  }
}

/** What `say` gives in that language. */
export function speaking<T>(language: "en" | "zh-cn", say: () => T): T {
  try {
    translate = language === "en" ? english : chinese();
    env.language = language;
    return say();
  } finally {
    translate = english;
    env.language = "en";
  }
}
