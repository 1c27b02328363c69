/** Estimated tokens of the next request, for the bar above the composer. */
import type { MeterView } from "../../protocol/views";
import { requestPath, type RequestPath } from "../../ask/requestPath";
import { summaryRequest, summaryRequestTokens } from "../../ask/summaryRequest";
import { total } from "../../context/budget";
import { estimateTextTokens, systemTokens } from "../../base/tokens";
import { isPicture, partsOf, textOf, type Message, type Part } from "../../conversation/message";
import type { MeterChoice, NextRequest } from "./nextRequest";
import { chipOf } from "./toView";
import type { Messages } from "./messages";

/** Share of the budget from which the meter shows what is left out next. */
const HIGH_SHARE = 0.8;

export function meterView(
  { before: path, question, choice }: NextRequest,
  texts: Messages,
): MeterView {
  const system = systemTokens(choice.systemPrompt);
  const { takesPictures } = choice;
  const fitted = requestPath([...path, question], { ...choice, otherTokens: system });
  const older = fitted.sendable.slice(0, -1).flatMap((message) => {
    const pictures = partsOf(message).filter(isPicture);
    const goes = takesPictures && !fitted.withoutPictures.has(message.id);
    return pictures.map((part) => ({ part, messageId: message.id, goes }));
  });
  const chipsOf = ({ part, messageId }: { readonly part: Part; readonly messageId: string }) =>
    chipOf(part, texts).map((chip) => ({ ...chip, messageId }));
  const totalTokens = system + total(fitted.cost);
  const questionTokens = estimateTextTokens(textOf(question.parts));
  return {
    system,
    history: fitted.cost.text - questionTokens,
    files: fitted.cost.files,
    pictures: fitted.cost.pictures,
    question: questionTokens,
    budget: choice.budgetTokens,
    leftOut: [
      ...(totalTokens > choice.budgetTokens ? [texts.overBudget()] : []),
      texts.leftOut(fitted.turnsLeftOut, fitted.imagesLeftOut),
    ]
      .join(" ")
      .trim(),
    ...nextLeftOut(path, choice, fitted, totalTokens),
    olderPictures: older.filter(({ goes }) => goes).length,
    olderPicturesLeftOut: older.filter(({ goes }) => !goes).flatMap(chipsOf),
    refusedPictures: takesPictures ? fitted.refused.flatMap(chipsOf) : [],
  };
}

function nextLeftOut(
  path: readonly Message[],
  { budgetTokens, sending }: MeterChoice,
  { next, coveredCount }: RequestPath,
  totalTokens: number,
): Pick<MeterView, "next"> {
  const { messages, pictures, until } = next;
  if (totalTokens < HIGH_SHARE * budgetTokens || messages + pictures === 0) return {};
  if (until <= coveredCount) return { next: { messages, pictures } };
  const request = summaryRequest(path, until, sending);
  const summaryTokens = summaryRequestTokens(request, budgetTokens);
  return { next: { messages, pictures, summaryTokens } };
}
