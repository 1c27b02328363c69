import type { TimeSlice } from "../base/timeSlice";
import type { Parameters, Step } from "./conversation";

/** Reason to refuse a file. */
export type ImportRefusal =
  | "too-large"
  /** Invalid or incomplete JSON. */
  | "not-json"
  /** JSON of another format. */
  | "foreign"
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
  /** Number of pictures that were not imported. */
  readonly picturesLeftOut: number;
}

export type ImportResult =
  | ({ readonly kind: "imported" } & ImportedConversation)
  | { readonly kind: "refused"; readonly reason: ImportRefusal };

/** Cleans a picture and reads its type and size from its bytes; undefined for one that is refused. */
export type CleanPicture = (
  bytes: Uint8Array,
) => { mediaType: string; widthPx: number; heightPx: number; bytes: Uint8Array } | undefined;

export interface ImportOptions {
  /** Pauses between messages. */
  readonly slice: TimeSlice;
  readonly newId: () => string;
  readonly cleanPicture: CleanPicture;
  /** Computes the SHA-256 as 64 lower-case hexadecimal digits. */
  readonly hashOf: (bytes: Uint8Array) => Promise<string>;
}
