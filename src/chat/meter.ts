/**
 * What would be sent now, in estimated tokens: the figures of the bar above the composer.
 */
import type { MeterView } from "../bridge/views";
import { fitToBudget } from "../context/budget";
import { estimateTextTokens } from "../context/tokens";
import type { Message } from "../conversation/message";
import type { Words } from "./words";

/** What the meter needs of the settings. */
export interface MeterFacts {
  readonly systemPrompt: string;
  readonly budgetTokens: number;
}

/** The meter for a question with this text after this path. */
export function meterView(
  path: readonly Message[],
  draft: string,
  facts: MeterFacts,
  words: Words,
): MeterView {
  const system = facts.systemPrompt.trim() === "" ? 0 : estimateTextTokens(facts.systemPrompt);
  const question: Message = {
    role: "user",
    id: "draft",
    parentId: null,
    parts: [{ kind: "text", text: draft }],
    sentAtMs: 0,
  };
  const fitted = fitToBudget([...path, question], system, facts.budgetTokens);
  const questionTokens = estimateTextTokens(draft);
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
