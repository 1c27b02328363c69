/** Estimated tokens of the next request, for the bar above the composer. */
import type { MeterView } from "../../protocol/views";
import { requestPath } from "../../ask/requestPath";
import { total } from "../../context/budget";
import { estimateTextTokens, systemTokens } from "../../base/tokens";
import { isPicture, partsOf, textOf, type Message, type Part } from "../../conversation/message";
import { chipOf } from "./toView";
import type { Messages } from "./messages";

/** Settings that the meter depends on. */
export interface MeterSettings {
  readonly systemPrompt: string;
  readonly budgetTokens: number;
  readonly maxPictureTokens?: number;
  readonly describesPictures?: boolean;
}

interface MeterChoice extends MeterSettings {
  readonly takesPictures: boolean;
}

/** Returns the meter for a question of these parts after this path. */
export function meterView(
  path: readonly Message[],
  parts: readonly Part[],
  choice: MeterChoice,
  texts: Messages,
): MeterView {
  const system = systemTokens(choice.systemPrompt);
  const question: Message = {
    role: "user",
    id: "draft",
    parentId: null,
    parts: [...parts],
    sentAtMs: 0,
  };
  const { takesPictures } = choice;
  const fitted = requestPath([...path, question], { ...choice, otherTokens: system });
  const older = fitted.sendable.slice(0, -1).flatMap((message) => {
    const pictures = partsOf(message).filter(isPicture);
    const goes = takesPictures && !fitted.withoutPictures.has(message.id);
    return pictures.map((part) => ({ part, messageId: message.id, goes }));
  });
  const totalTokens = system + total(fitted.cost);
  const questionTokens = estimateTextTokens(textOf(parts));
  return {
    system,
    history: fitted.cost.text - questionTokens,
    files: fitted.cost.files,
    pictures: fitted.cost.pictures,
    ...(fitted.isMeasured && { isMeasured: true }),
    question: questionTokens,
    budget: choice.budgetTokens,
    leftOut: [
      ...(totalTokens > choice.budgetTokens
        ? [texts.overBudget(totalTokens, choice.budgetTokens)]
        : []),
      texts.leftOut(fitted.turnsLeftOut, fitted.imagesLeftOut),
    ]
      .join(" ")
      .trim(),
    olderPictures: older.filter(({ goes }) => goes).length,
    olderPicturesLeftOut: older
      .filter(({ goes }) => !goes)
      .flatMap(({ part, messageId }) =>
        chipOf(part, texts).map((chip) => ({ ...chip, messageId })),
      ),
    refusedPictures: takesPictures
      ? fitted.refused.flatMap(({ part, messageId }) =>
          chipOf(part, texts).map((chip) => ({ ...chip, messageId })),
        )
      : [],
  };
}
