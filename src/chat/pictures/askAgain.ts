import { isPicture, type Part } from "../../conversation/message";
import type { MessageOf } from "../../protocol/handlers";
import type { ToHost } from "../../protocol/toHost";
import type { NoticeView } from "../../protocol/views";
import type { LiveConversation } from "../conversation/liveConversation";
import { refusalNotice, type Messages } from "../view/messages";

/**
 * Repeats the question of a refused reply with smaller pictures or without pictures.
 * @param smaller returns a part that takes less room; undefined after a reported failure
 * @returns the reason why the question was not asked
 */
export async function askAgain(
  live: LiveConversation | undefined,
  { messageId, how }: MessageOf<ToHost, "picture-retry-asked">,
  smaller: (part: Part) => Promise<Part | undefined>,
  texts: Messages,
): Promise<NoticeView | undefined> {
  const reply = live?.message(messageId);
  const question = reply?.parentId ? live?.message(reply.parentId) : undefined;
  if (live === undefined || question?.role !== "user") return undefined;
  if (reply?.role !== "assistant") return undefined;
  const isWithout = how === "without";
  const parts: readonly (Part | undefined)[] = isWithout
    ? question.parts.filter((part) => !isPicture(part))
    : await Promise.all(question.parts.map(smaller));
  if (parts.includes(undefined)) return undefined;
  const asked = parts.filter((part) => part !== undefined);
  if (asked.length === 0) return texts.nothingLeft();
  const { leavesOlderPictures, leavesPictures } = question;
  const hasPictures = question.parts.some(isPicture);
  const result = await live.askQuestion(asked, question.id, {
    leavesOlderPictures: leavesOlderPictures === true || (isWithout && !hasPictures) || undefined,
    // Later questions still include older pictures that the service accepted before.
    goesWithoutOlderPictures: (isWithout && hasPictures) || undefined,
    leavesPictures,
    modelKind: reply.modelKind,
  });
  return result.isAccepted ? undefined : refusalNotice(result, texts);
}
