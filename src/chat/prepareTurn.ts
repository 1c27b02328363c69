/**
 * What a turn is made with beside its messages, and the port through which the editor gives it.
 */
import type { Question } from "../ask/ask";
import type { Conversation } from "../conversation/conversation";
import type { Failure } from "../conversation/ending";
import type { Message } from "../conversation/message";

/** Everything about a turn but the messages; read anew for each turn, fixed while it runs. */
export interface TurnSettings extends Omit<Question, "path" | "isContinuing"> {
  /** Whose service is asked, as a conversation remembers it. */
  readonly profile: string;
}

/** What the person chose for one conversation; what is missing is as the settings say. */
export type Choices = Pick<Conversation, "model" | "profile" | "parameters">;

/**
 * Reads settings and key for a question with this path; a Failure when it cannot be asked.
 * @param choices the conversation's own, over what the settings say
 */
export type PrepareTurn = (
  path: readonly Message[],
  choices?: Choices,
) => Promise<TurnSettings | Failure>;
