/**
 * A conversation from a file somebody chose: our own JSON, or the OpenAI messages format. A file
 * is taken as a whole or refused with a reason, and nothing is changed here: the caller stores the
 * pictures and then writes the steps.
 */
import * as z from "zod/mini";
import type { Step } from "./conversation";
import { EXPORT_FORMAT, EXPORT_VERSION } from "./exportJson";
import { importExported } from "./importExported";
import { importOpenAi, openAiSchema } from "./importOpenAi";

/** Longest text that is read, in UTF-16 units: ten times what a long chat with pictures takes. */
const MAX_UNITS = 256 * 1024 * 1024;

/** Why a file is refused. */
export type ImportRefusal =
  | "too-large"
  /** Not JSON at all, or cut off. */
  | "not-json"
  /** JSON of another kind. */
  | "foreign"
  /** Ours, by a newer version of Core Chat. */
  | "newer"
  /** Ours, but something in it is not as it was written. */
  | "damaged"
  /** Nothing in it that could be shown. */
  | "empty";

/** A picture to be stored before the steps are written. */
export interface ImportedPicture {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

/** A conversation ready to be written. */
export interface ImportedConversation {
  /** Id of the new conversation; the same file imported twice makes two. */
  readonly id: string;
  readonly steps: readonly Step[];
  readonly pictures: readonly ImportedPicture[];
  /** Pictures and messages that could not be taken over; the user is told. */
  readonly leftOut: { readonly pictures: number; readonly messages: number };
}

/** What became of the file. */
export type ImportResult =
  | ({ readonly kind: "imported" } & ImportedConversation)
  | { readonly kind: "refused"; readonly reason: ImportRefusal };

/** Cleans a picture and reads its type and size from its bytes; undefined for one that is refused. */
export type CleanPicture = (
  bytes: Uint8Array,
) => { mediaType: string; widthPx: number; heightPx: number; bytes: Uint8Array } | undefined;

/** Addresses that a picture may have; nothing else is sent. */
export const WEB_ADDRESS = /^https?:\/\//i;

/** What the import needs of the house. */
export interface ImportPorts {
  readonly newId: () => string;
  readonly nowMs: () => number;
  readonly cleanPicture: CleanPicture;
  /** The SHA-256 of some bytes, 64 hexadecimal digits in lower case. */
  readonly hashOf: (bytes: Uint8Array) => Promise<string>;
}

const headSchema = z.object({ format: z.literal(EXPORT_FORMAT), version: z.number() });

/** Reads the text of a file. Never throws for what is in the file. */
export async function importFile(text: string, ports: ImportPorts): Promise<ImportResult> {
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
