/** Asks the service outside the panel, with the same generator and settings as the panel. */
import { ask, type TurnEvent } from "../../ask/ask";
import type { ReadImage } from "../../ask/wireMessages";
import type { TurnOptions, TurnSettings } from "../../chat/conversation/prepareTurn";
import type { Message, Part } from "../../conversation/message";
import { EDITOR_PROMPT } from "./settings";

/** Largest `max_tokens`. Source: the service specification, section 8. */
const MAX_REPLY_TOKENS = 8_192;

/**
 * Asks the last message of the path, or continues the reply that is last. Ends with exactly one
 * `turn-ended`, also if the settings do not allow a question.
 */
export type AskService = (
  path: readonly Message[],
  signal: AbortSignal,
) => AsyncGenerator<TurnEvent, void, void>;

export function askServiceWith(
  options: Pick<TurnOptions, "client" | "prepareTurn">,
  adjust: (settings: TurnSettings) => TurnSettings,
  readImage: ReadImage = noImages,
): AskService {
  return async function* askService(path, signal) {
    const settings = await options.prepareTurn(path);
    if ("kind" in settings) {
      yield { type: "turn-ended", ending: { kind: "failed", failure: settings } };
      return;
    }
    const question = { ...adjust(settings), path, isContinuing: path.at(-1)?.role === "assistant" };
    yield* ask(options.client, question, readImage, signal);
  };
}

/** Adds the rules of the project to the first question of each path. */
export function withRules(
  ask: AskService,
  rulesFor: (parts: readonly Part[]) => Promise<Part | undefined>,
): AskService {
  return async function* askWithRules(path, signal) {
    const [question, ...laterMessages] = path;
    const rules = question?.role === "user" ? await rulesFor(question.parts) : undefined;
    const isAdded = rules !== undefined && question?.role === "user";
    yield* ask(
      isAdded ? [{ ...question, parts: [rules, ...question.parts] }, ...laterMessages] : path,
      signal,
    );
  };
}

/** Requests the longest reply, unless the user's settings limit the length. */
export function withLongReply(settings: TurnSettings): TurnSettings {
  if (settings.modelKind !== "llm") return settings;
  return { ...settings, sampling: { maxTokens: MAX_REPLY_TOKENS, ...settings.sampling } };
}

/** Removes the default system prompt: the prompts of edits and commit messages define their answer. */
export function withoutEditorPrompt(settings: TurnSettings): TurnSettings {
  return settings.systemPrompt === EDITOR_PROMPT ? { ...settings, systemPrompt: "" } : settings;
}

function noImages(): Promise<never> {
  return Promise.reject(new Error("this question holds no pictures"));
}
