/**
 * A conversation from a file somebody chose: our own JSON, or the OpenAI messages format. A file
 * is taken as a whole or refused with a reason, and nothing is changed here: the caller stores the
 * pictures and then writes the steps.
 */
import * as z from "zod/mini";
import { EXPORT_FORMAT, EXPORT_VERSION } from "./exportJson";
import { importExported } from "./importExported";
import { importOpenAi, openAiSchema } from "./importOpenAi";
import type { ImportOptions, ImportRefusal, ImportResult } from "./importResult";

/** Longest text that is read, in UTF-16 units: ten times what a long chat with pictures takes. */
const MAX_UNITS = 256 * 1024 * 1024;

const headSchema = z.object({ format: z.literal(EXPORT_FORMAT), version: z.number() });

/** Reads the text of a file. Never throws for what is in the file. */
export async function importFile(text: string, ports: ImportOptions): Promise<ImportResult> {
  if (text.length > MAX_UNITS) return refused("too-large");
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return refused("not-json");
  }
  const head = headSchema.safeParse(json);
  if (head.success) {
    if (head.data.version > EXPORT_VERSION) return refused("newer");
    return importExported(json, ports);
  }
  if (hasOurFormat(json)) return refused("damaged");
  const openAi = openAiSchema.safeParse(Array.isArray(json) ? { messages: json } : json);
  return openAi.success ? importOpenAi(openAi.data, ports) : refused("foreign");
}

function hasOurFormat(json: unknown): boolean {
  return z.object({ format: z.literal(EXPORT_FORMAT) }).safeParse(json).success;
}

function refused(reason: ImportRefusal): ImportResult {
  return { kind: "refused", reason };
}
