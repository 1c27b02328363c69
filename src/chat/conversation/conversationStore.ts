import type { Conversation, Step } from "../../conversation/conversation";
import type { Failure } from "../../conversation/ending";
import type { ForeignChanges } from "../../history/journal";

/** Files of the conversations; implemented by `Conversations`, which creates each conversation. */
export interface ConversationStore {
  /** Appends steps; resolves with false if the disk failed and the steps are queued. */
  save(conversationId: string, steps: readonly Step[]): Promise<boolean>;
  readForeignChanges(conversationId: string): Promise<ForeignChanges | undefined>;
  /** Reads the state on disk if another window may have changed it. */
  readShared(conversationId: string): Promise<Conversation | undefined>;
  /** True if any window removed the conversation for ever. */
  isRemoved(conversationId: string): Promise<boolean>;
  /** True for a conversation in memory only. */
  isUnsaved(conversationId: string): boolean;
}

export type AskResult =
  | { readonly isAccepted: true }
  | { readonly isAccepted: false; readonly failure: Failure | "busy" };
