/**
 * Runs before every module with schemas or texts: the content security policy forbids the
 * `new Function` of zod's JIT, and `t()` needs the strings of the user's language.
 */
import { config } from "@vscode/l10n";
import * as z from "zod/mini";

/** Id of the JSON script with the translated strings, written by the host. */
const STRINGS_ID = "core-chat-strings";

z.config({ jitless: true });

const stringsSchema = z.record(z.string(), z.string());

function readStrings(): Record<string, string> {
  try {
    const text = document.getElementById(STRINGS_ID)?.textContent ?? "{}";
    return stringsSchema.parse(JSON.parse(text));
  } catch {
    return {}; // The English texts in the code apply.
  }
}

config({ contents: readStrings() });
