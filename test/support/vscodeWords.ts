/**
 * Stands in for `vscode` in plain Node where only its words are needed: `l10n` and `env.language`.
 * English, or whatever `speaking` sets for as long as a function runs.
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
