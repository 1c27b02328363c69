/**
 * What a conversation in memory tells whoever looks at it, after each change.
 */
import type { Failure } from "../conversation/ending";

/** What is now different. */
export type ConversationChange =
  /** The shown path differs after its first `keptCount` messages. */
  | {
      readonly kind: "path";
      readonly keptCount: number;
      /** The first message that is no longer shown, if any. */
      readonly removedFromId: string | undefined;
    }
  | {
      readonly kind: "text";
      readonly replyId: string;
      readonly offset: number;
      readonly text: string;
    }
  /** Everything of a reply but its text. */
  | { readonly kind: "reply"; readonly replyId: string }
  | { readonly kind: "queue" }
  | { readonly kind: "title" }
  | { readonly kind: "choice" }
  /** A passing word: undefined when it no longer holds. */
  | { readonly kind: "status"; readonly replyId: string; readonly status: TurnStatus | undefined };

/** Why nothing seems to happen. */
export type TurnStatus =
  | { readonly kind: "waiting"; readonly forMs: number }
  | { readonly kind: "uploading"; readonly sentBytes: number; readonly totalBytes: number }
  | {
      readonly kind: "retrying";
      readonly attempt: number;
      readonly tries: number;
      readonly untilMs: number;
      readonly failure: Failure;
    };
