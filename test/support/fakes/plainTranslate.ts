/**
 * Translates messages without VS Code: the English text of the source, or the bundle of another
 * language.
 */
import { readFileSync } from "node:fs";
import type { Translate } from "../../../src/base/translate";

/** Replaces the placeholders of the English text. */
export const english: Translate = (message, ...args) =>
  message.replace(/\{(\d+)\}/g, (_whole, index: string) => String(args[Number(index)]));

/** Translates into Simplified Chinese; throws for a text without a translation. */
export function chinese(): Translate {
  const bundle = JSON.parse(readFileSync("l10n/bundle.l10n.zh-cn.json", "utf8")) as Record<
    string,
    string
  >;
  return (message, ...args) => {
    const translated = bundle[message];
    if (translated === undefined) throw new Error(`no Chinese for ${JSON.stringify(message)}`);
    return english(translated, ...args);
  };
}
