/** Types of an import, shared by both formats. */
import type { TimeSlice } from "../base/timeSlice";
import type { Parameters, Step } from "./conversation";

/** Reason to refuse a file. */
export type ImportRefusal =
  | "too-large"
  /** Invalid or incomplete JSON. */
  | "not-json"
  /** JSON of an unknown format. */
  | "foreign"
  /** Export of a newer version of Core Chat. */
  | "newer"
  /** Damaged export of Core Chat. */
  | "damaged"
  /** File without messages. */
  | "empty";

/** Picture to store before the steps are written. */
export interface ImportedPicture {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

/** Numbers of what was not imported. */
export interface ImportLosses {
  pictures: number;
  /** Other attached files, of which the export has the name only. */
  files: number;
  messages: number;
  /** Calls of tools and their results. */
  tools: number;
}

export function noLosses(): ImportLosses {
  return { pictures: 0, files: 0, messages: 0, tools: 0 };
}

/** Conversation to write. */
export interface ImportedConversation {
  /** Id of the new conversation; every import of a file creates another conversation. */
  readonly id: string;
  readonly steps: readonly Step[];
  readonly pictures: readonly ImportedPicture[];
  /**
   * All parameters of a file that has a system prompt. The prompt is not in `steps`: a file must not
   * change what is sent unless the user agrees.
   */
  readonly parametersWithPrompt?: Parameters & { readonly systemPrompt: string };
  readonly leftOut: ImportLosses;
}

/** Outcome of an import. */
export type ImportResult =
  | ({ readonly kind: "imported" } & ImportedConversation)
  | { readonly kind: "refused"; readonly reason: ImportRefusal };

/** Cleans a picture and reads its type and size from its bytes; undefined for one that is refused. */
export type CleanPicture = (
  bytes: Uint8Array,
) => Promise<
  { mediaType: string; widthPx: number; heightPx: number; bytes: Uint8Array } | undefined
>;

/** Allowed addresses of pictures. */
export const WEB_ADDRESS = /^https?:\/\//i;

export interface ImportOptions {
  /** Pauses between messages. */
  readonly slice: TimeSlice;
  readonly newId: () => string;
  readonly nowMs: () => number;
  readonly cleanPicture: CleanPicture;
  /** Computes the SHA-256 as 64 lower-case hexadecimal digits. */
  readonly hashOf: (bytes: Uint8Array) => Promise<string>;
  /** Reads a picture of an export with several files; undefined if there is none. */
  readonly readPicture?: (name: string) => Promise<Uint8Array | undefined>;
}
