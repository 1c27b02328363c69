/** Views of what is sent: the messages that are left out, and the summaries. */
import type { MessageOf } from "../../protocol/handlers";
import type { ToView } from "../../protocol/toView";
import type { SummaryView } from "../../protocol/sendingMessages";
import { isPicture, partsOf, type Message } from "../../conversation/message";
import { pictureKey } from "../../conversation/sendablePath";
import { sendingState, type SummaryDraft } from "../../conversation/sending";
import type { LiveConversation } from "../conversation/liveConversation";
import type { Messages } from "./messages";

/** Returns the choices and summaries of the shown path. */
export function sendingShown(
  live: LiveConversation,
  texts: Messages,
): MessageOf<ToView, "sending-shown"> {
  const { conversation } = live;
  const path = live.path();
  const { sending } = conversation;
  const { isLeftOut, summary } = sendingState(path, sending);
  const leftOut = path.flatMap((message) => {
    const { id: messageId } = message;
    if (isLeftOut(messageId)) return [{ messageId }];
    const pictures = partsOf(message).filter(isPicture).map(pictureKey);
    return pictures
      .filter((picture) => isLeftOut(messageId, picture))
      .map((picture) => ({ messageId, picture }));
  });
  const ids = new Set(path.map(({ id }) => id));
  const used = sending?.entries
    .flatMap((entry) => (entry.kind === "summary-used" ? [entry] : []))
    .findLast(({ covers }) => ids.has(covers.at(-1)?.messageId ?? ""));
  const { running, failure } = live.summary;
  const draft =
    running ?? conversation.sending?.draft ?? (failure ? live.summary.asked : undefined);
  const notice =
    failure === undefined || failure === "empty" ? undefined : texts.failure(failure, false);
  return {
    type: "sending-shown",
    leftOut,
    summaries: [
      ...(used
        ? summaryView(path, used, { id: used.id, state: used === summary ? "used" : "outdated" })
        : []),
      ...(draft
        ? summaryView(path, draft, running ? { state: "writing" } : { state: "draft", notice })
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
  const parts = path.slice(0, count).flatMap(partsOf);
  return [
    {
      ...own,
      text,
      messageCount: covers.length,
      beforeId,
      excerpts: parts.filter(({ kind }) => kind === "excerpt" || kind === "related").length,
      pictures: parts.filter(isPicture).length,
      isCut,
    },
  ];
}
