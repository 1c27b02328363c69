/**
 * What would be sent now, in estimated tokens: the figures of the bar above the composer.
 */
import type { MeterView } from "../bridge/views";
import { fitToBudget } from "../context/budget";
import { estimateTextTokens } from "../context/tokens";
import { textOf, type Message, type Part } from "../conversation/message";
import type { Words } from "./words";

/** What the meter needs of the settings. */
export interface MeterFacts {
  readonly systemPrompt: string;
  readonly budgetTokens: number;
}

/** The meter for a question of these parts after this path. */
export function meterView(
  path: readonly Message[],
  parts: readonly Part[],
  facts: MeterFacts,
  words: Words,
): MeterView {
  const system = facts.systemPrompt.trim() === "" ? 0 : estimateTextTokens(facts.systemPrompt);
  const question: Message = {
    role: "user",
    id: "draft",
    parentId: null,
    parts: [...parts],
    sentAtMs: 0,
  };
  const fitted = fitToBudget([...path, question], system, facts.budgetTokens);
  const questionTokens = estimateTextTokens(textOf(parts));
  return {
    system,
    history: fitted.cost.text - questionTokens,
    files: fitted.cost.files,
    pictures: fitted.cost.pictures,
    question: questionTokens,
    budget: facts.budgetTokens,
    leftOut: words.leftOut(fitted.turnsLeftOut, fitted.imagesLeftOut),
  };
}
