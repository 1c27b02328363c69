/**
 * Runs before every other module of the page: the schemas must not try `new Function` under the
 * page's policy, and every sentence needs the strings of the person's language.
 */
import { config } from "@vscode/l10n";
import * as z from "zod/mini";

/** Id of the JSON script the host writes the translated strings into. */
const STRINGS_ID = "core-chat-strings";

z.config({ jitless: true });

const stringsSchema = z.record(z.string(), z.string());

function readStrings(): Record<string, string> {
  try {
    const text = document.getElementById(STRINGS_ID)?.textContent ?? "{}";
    return stringsSchema.parse(JSON.parse(text));
  } catch {
    return {}; // English, as it stands in the code, is always there.
  }
}

config({ contents: readStrings() });
