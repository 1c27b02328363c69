import type { Part } from "../../conversation/message";
import type { MessageOf } from "../../protocol/handlers";
import type { ToHost } from "../../protocol/toHost";
import type { NoticeView } from "../../protocol/views";
import type { LiveConversation } from "../conversation/liveConversation";
import { refusalNotice, type Messages } from "../view/messages";
import { retriedQuestion } from "../view/retryPictures";

/**
 * Repeats the question of a refused reply with smaller, fewer or no pictures.
 * @param smaller returns a part that takes less room; undefined after a reported failure
 * @returns the reason why the question was not asked
 */
export async function askAgain(
  live: LiveConversation | undefined,
  { messageId, how, index }: MessageOf<ToHost, "picture-retry-asked">,
  smaller: (part: Part) => Promise<Part | undefined>,
  texts: Messages,
): Promise<NoticeView | undefined> {
  const reply = live?.message(messageId);
  const question = reply?.parentId ? live?.message(reply.parentId) : undefined;
  if (live === undefined || question?.role !== "user") return undefined;
  if (reply?.role !== "assistant") return undefined;
  const again = retriedQuestion(live.conversation, reply, question, how, index);
  const parts: readonly (Part | undefined)[] =
    how === "smaller" ? await Promise.all(again.parts.map(smaller)) : again.parts;
  if (parts.includes(undefined)) return undefined;
  const asked = parts.filter((part) => part !== undefined);
  if (asked.length === 0) return texts.nothingLeft();
  const result = await live.askQuestion(asked, question.id, again.options);
  return result.isAccepted ? undefined : refusalNotice(result, texts);
}
