/**
 * Import of a conversation from Core Chat's JSON export or from the OpenAI messages format. Returns the
 * result without side effects; the caller stores the pictures, then the steps.
 */
import * as z from "zod/mini";
import { EXPORT_FORMAT, EXPORT_VERSION } from "./exportJson";
import { importExported } from "./importExported";
import { importOpenAi, openAiSchema } from "./importOpenAi";
import type { ImportOptions, ImportRefusal, ImportResult } from "./importResult";

/** Maximum text length, in UTF-16 units: ten times a long conversation with pictures. */
const MAX_UNITS = 256 * 1024 * 1024;

const headSchema = z.object({ format: z.literal(EXPORT_FORMAT), version: z.number() });

/** Imports the text of a file. Never rejects because of the content. */
export async function importFile(text: string, options: ImportOptions): Promise<ImportResult> {
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
    return importExported(json, options);
  }
  if (hasOurFormat(json)) return refused("damaged");
  const openAi = openAiSchema.safeParse(Array.isArray(json) ? { messages: json } : json);
  return openAi.success ? importOpenAi(openAi.data, options) : refused("foreign");
}

function hasOurFormat(json: unknown): boolean {
  return z.object({ format: z.literal(EXPORT_FORMAT) }).safeParse(json).success;
}

function refused(reason: ImportRefusal): ImportResult {
  return { kind: "refused", reason };
}
