/** Settings of a turn, and the function that reads them. */
import type { Question } from "../../ask/ask";
import type { ReadImage } from "../../ask/wireMessages";
import type { Clock } from "../../base/clock";
import { newId } from "../../base/id";
import type { Log } from "../../base/log";
import type { Conversation } from "../../conversation/conversation";
import type { Failure } from "../../conversation/ending";
import type { Message, Part, Reply } from "../../conversation/message";
import type { Pictures } from "../../history/pictures";
import type { ServiceClient } from "../../service/client";

/** Everything of a turn except messages; read before each turn and fixed while it runs. */
export interface TurnSettings extends Omit<Question, "path" | "isContinuing"> {
  /** Profile of the service, as stored in a conversation. */
  readonly profile: string;
}

/** Choices of the user for a conversation; settings apply to missing choices. */
export type Choices = Pick<Conversation, "model" | "profile" | "parameters">;

/**
 * Reads settings and key for a question; returns a Failure if the question cannot be sent.
 * @param choices override the settings
 */
export type PrepareTurn = (
  path: readonly Message[],
  choices?: Choices,
) => Promise<TurnSettings | Failure>;

/** Returns a reply without text. */
export function emptyReply(
  { modelKind, modelCode }: TurnSettings,
  parentId: string | null,
  startedAtMs: number,
): Reply {
  const id = newId(startedAtMs);
  return { role: "assistant", id, parentId, text: "", modelKind, modelCode, startedAtMs };
}

/** Functions of the window that turns use. */
export interface TurnOptions {
  readonly client: ServiceClient;
  readonly prepareTurn: PrepareTurn;
  readonly readImage: ReadImage;
  readonly pictures: Pick<Pictures, "store">;
  /** Returns the rules of the project for a question with these parts. Never rejects. */
  readonly rulesFor?: (parts: readonly Part[]) => Promise<Part | undefined>;
  readonly clock: Clock;
  readonly log: Log;
}
