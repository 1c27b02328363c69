/** Changes that a conversation in memory reports to its views. */
import type { Failure } from "../../conversation/ending";

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
  /** The model thought further. */
  | { readonly kind: "thinking"; readonly replyId: string; readonly text: string }
  /** A reply changed, except for its text and the text of its thinking. */
  | { readonly kind: "reply"; readonly replyId: string }
  | { readonly kind: "queue" }
  | { readonly kind: "title" }
  | { readonly kind: "choice" }
  /** The user chose what is sent, or a summary changed. */
  | { readonly kind: "sending" }
  /** An aside was added, removed or moved into the conversation. */
  | { readonly kind: "asides" }
  /** A reply to a question asked aside changed, except for its texts. */
  | { readonly kind: "aside"; readonly replyId: string }
  /** A fork was made, or links to forks were read. */
  | { readonly kind: "forks" }
  /** Transient status; undefined removes the shown status. */
  | { readonly kind: "status"; readonly replyId: string; readonly status: TurnStatus | undefined };

/** Reason why no text arrives. */
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
