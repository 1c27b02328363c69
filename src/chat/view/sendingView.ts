/** Views of what is sent: the choices, the summaries and the list of messages. */
import type { MessageOf } from "../../protocol/handlers";
import type { ToView } from "../../protocol/toView";
import type { SendingListView, SendingStatus, SummaryView } from "../../protocol/sendingMessages";
import { requestPath } from "../../ask/requestPath";
import { separatedReply } from "../../ask/separatedReply";
import { costOf, total } from "../../context/budget";
import { systemTokens } from "../../base/tokens";
import {
  isPicture,
  partsOf,
  textOf,
  type Message,
  type UserMessage,
} from "../../conversation/message";
import { pictureKey } from "../../conversation/sendablePath";
import { pathSending, sendingStateAt, type SummaryDraft } from "../../conversation/sending";
import type { LiveConversation } from "../conversation/liveConversation";
import type { MeterChoice } from "./meter";
import { plainSnippet } from "./plainSnippet";
import { chipOf } from "./toView";
import type { Messages } from "./messages";

/** Longest beginning of a message in the list, in UTF-16 units. */
const LABEL_LENGTH = 200;

/** The next request, before its question is sent. */
export interface NextRequest {
  /** Messages before the question. */
  readonly before: readonly Message[];
  readonly question: UserMessage;
  readonly choice: MeterChoice;
}

/** Returns the choices and summaries of the shown path. */
export function sendingShown(
  live: LiveConversation,
  texts: Messages,
): MessageOf<ToView, "sending-shown"> {
  const { conversation } = live;
  const path = live.path();
  const sending = pathSending(conversation, path);
  const { choiceOf, summary } = sendingStateAt(path, sending, path.length);
  const choices = path.flatMap(({ id: messageId, ...message }) => {
    const own = choiceOf(messageId);
    const pictures = message.role === "user" ? message.parts.filter(isPicture) : [];
    return [
      ...(own ? [{ messageId, choice: own }] : []),
      ...pictures.flatMap((part) => {
        const picture = pictureKey(part);
        const choice = choiceOf(messageId, picture);
        return choice ? [{ messageId, picture, choice }] : [];
      }),
    ];
  });
  const ids = new Set(path.map(({ id }) => id));
  const used = sending?.entries
    .flatMap(({ entry }) => (entry.kind === "summary-used" ? [entry] : []))
    .findLast(({ covers }) => ids.has(covers.at(-1)?.messageId ?? ""));
  const { running, failure } = live.summary;
  const draft =
    running ?? conversation.sending?.draft ?? (failure ? live.summary.asked : undefined);
  const notice =
    failure === undefined || failure === "empty" ? {} : { notice: texts.failure(failure, false) };
  return {
    type: "sending-shown",
    choices,
    summaries: [
      ...(used
        ? summaryView(path, used, { id: used.id, state: used === summary ? "used" : "outdated" })
        : []),
      ...(draft
        ? summaryView(path, draft, running ? { state: "writing" } : { state: "draft", ...notice })
        : []),
    ],
  };
}

function summaryView(
  path: readonly Message[],
  { covers, text, isCut }: SummaryDraft,
  own: Pick<SummaryView, "id" | "state" | "notice">,
): SummaryView[] {
  const lastId = covers.at(-1)?.messageId;
  const count = path.findIndex(({ id }) => id === lastId) + 1;
  const beforeId = path[count]?.id;
  if (count === 0 || beforeId === undefined) return [];
  const covered = path.slice(0, count);
  return [
    {
      ...own,
      text,
      messageCount: covers.length,
      beforeId,
      excerpts: covered.flatMap((message) =>
        partsOf(message)
          .filter(({ kind }) => kind === "excerpt" || kind === "related")
          .map(() => message.id),
      ),
      pictures: covered.flatMap((message) =>
        partsOf(message)
          .filter(isPicture)
          .map(() => message.id),
      ),
      ...(isCut && { isCut }),
    },
  ];
}

/** Returns what the next request has of each message before its question. */
export function sendingList(
  { before, question, choice }: NextRequest,
  canUndo: boolean,
  texts: Messages,
): SendingListView {
  const system = systemTokens(choice.systemPrompt);
  const fitted = requestPath([...before, question], { ...choice, otherTokens: system });
  const { choiceOf, coveredCount } = fitted.state;
  const messages = before.flatMap((message, index): SendingListView["messages"] => {
    if (message.role === "assistant" && message.ending === undefined) return [];
    const { id, role } = message;
    const place: SendingStatus | undefined =
      index < coveredCount ? "summarized" : fitted.messagesCut.has(id) ? "over-budget" : undefined;
    const cost = costOf(message, fitted.pictureTokens);
    const own = choiceOf(id);
    const pictures = partsOf(message).flatMap((part) => {
      if (!isPicture(part)) return [];
      const key = pictureKey(part);
      const usual: SendingStatus = !choice.takesPictures
        ? "not-read"
        : fitted.withoutPictures.has(id)
          ? "over-budget"
          : "sent";
      const status = choiceOf(id, key) ?? own ?? place ?? usual;
      const { pictures: tokens } = costOf({ ...question, parts: [part] }, fitted.pictureTokens);
      return chipOf(part, texts).map(({ label }) => ({ key, label, tokens, status }));
    });
    const text = message.role === "user" ? textOf(message.parts) : separatedReply(message).text;
    const start = text.trim().replaceAll(/\s+/g, " ").slice(0, LABEL_LENGTH);
    const label = plainSnippet({ text: start, ranges: [] }).text;
    const tokens = total(cost) - cost.pictures;
    return [{ id, role, label, tokens, status: own ?? place ?? "sent", pictures }];
  });
  const asked = costOf(question, fitted.pictureTokens);
  const fixedTokens = fitted.fixedTokens + system + total(asked);
  return { messages, fixedTokens, budget: choice.budgetTokens, canUndo };
}
