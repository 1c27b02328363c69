/**
 * Sentences without an editor: English as written in the source, or another language's bundle.
 */
import { readFileSync } from "node:fs";
import type { Translate } from "../../../src/base/translate";

/** Fills in the places of the English text. */
export const english: Translate = (message, ...args) =>
  message.replace(/\{(\d+)\}/g, (_whole, index: string) => String(args[Number(index)]));

/** The same in Simplified Chinese; throws for a text that has no translation. */
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
