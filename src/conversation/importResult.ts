/** Types of an import, shared by the readers of the two formats. */
import type { Parameters, Step } from "./conversation";

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
  /**
   * All parameters of a file that has a system prompt. The prompt is not in `steps`: a file must not
   * change what is sent unless the user agrees.
   */
  readonly parametersWithPrompt?: Parameters & { readonly systemPrompt: string };
  /** Pictures and messages that could not be taken over; the user is told. */
  readonly leftOut: { readonly pictures: number; readonly messages: number };
}

/** Outcome of an import. */
export type ImportResult =
  | ({ readonly kind: "imported" } & ImportedConversation)
  | { readonly kind: "refused"; readonly reason: ImportRefusal };

/** Cleans a picture and reads its type and size from its bytes; undefined for one that is refused. */
export type CleanPicture = (
  bytes: Uint8Array,
) => { mediaType: string; widthPx: number; heightPx: number; bytes: Uint8Array } | undefined;

/** Addresses that a picture may have; nothing else is sent. */
export const WEB_ADDRESS = /^https?:\/\//i;

export interface ImportOptions {
  readonly newId: () => string;
  readonly nowMs: () => number;
  readonly cleanPicture: CleanPicture;
  /** The SHA-256 of some bytes, 64 hexadecimal digits in lower case. */
  readonly hashOf: (bytes: Uint8Array) => Promise<string>;
}
