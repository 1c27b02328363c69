/**
 * What a turn is made with beside its messages, and the port through which the editor gives it.
 */
import type { Question } from "../ask/ask";
import type { ModelChoice, Parameters } from "../conversation/conversation";
import type { Failure } from "../conversation/ending";
import type { Message } from "../conversation/message";

/** Everything about a turn but the messages; read anew for each turn, fixed while it runs. */
export type TurnSettings = Omit<Question, "path" | "isContinuing">;

/**
 * Reads settings and key for a question with this path; a Failure when it cannot be asked.
 * @param model what the person chose for the conversation; else the setting decides
 * @param parameters the conversation's own, over those of the settings
 */
export type PrepareTurn = (
  path: readonly Message[],
  model?: ModelChoice,
  parameters?: Parameters,
) => Promise<TurnSettings | Failure>;
