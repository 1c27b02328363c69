/** Repeats the question of a refused reply with smaller pictures or without pictures. */
import { isPicture, type Part } from "../../conversation/message";
import type { MessageOf } from "../../protocol/handlers";
import type { ToHost } from "../../protocol/toHost";
import { refusalNotice } from "../view/messages";
import { wholeOf } from "./pictureStore";
import type { ShownPictures } from "./shownPictures";

export async function askAgain(
  pictures: ShownPictures,
  { messageId, how }: MessageOf<ToHost, "picture-retry-asked">,
): Promise<void> {
  const { live } = pictures.view;
  const reply = live?.message(messageId);
  const question = reply?.parentId ? live?.message(reply.parentId) : undefined;
  if (live === undefined || question?.role !== "user" || reply?.role !== "assistant") return;
  const isWithout = how === "without";
  const smaller = (part: Part) => smallerPicture(pictures, live.conversation.id, part);
  const parts: readonly (Part | undefined)[] = isWithout
    ? question.parts.filter((part) => !isPicture(part))
    : await Promise.all(question.parts.map(smaller));
  const asked = parts.filter((part) => part !== undefined);
  if (asked.length < parts.length) return;
  if (asked.length === 0) {
    pictures.report(pictures.texts.nothingLeft());
    return;
  }
  const { leavesOlderPictures, leavesPictures } = question;
  const hasPictures = question.parts.some(isPicture);
  const result = await live.askQuestion(asked, question.id, {
    leavesOlderPictures: leavesOlderPictures === true || (isWithout && !hasPictures) || undefined,
    // Later questions still include older pictures that the service accepted before.
    goesWithoutOlderPictures: (isWithout && hasPictures) || undefined,
    leavesPictures,
    modelKind: reply.modelKind,
  });
  if (!result.isAccepted) pictures.report(refusalNotice(result, pictures.texts));
}

/** Returns a picture at half its size; undefined after a reported failure. */
async function smallerPicture(
  pictures: ShownPictures,
  conversationId: string,
  part: Part,
): Promise<Part | undefined> {
  if (part.kind !== "image") return part;
  const { name, mediaType, widthPx, heightPx } = part;
  const bytes = await pictures.readOrReport(part);
  if (bytes === undefined) return undefined;
  const maxSidePx = Math.max(1, Math.ceil(Math.max(widthPx, heightPx) / 2));
  return pictures
    .storeOf(conversationId)
    .storeScaled(
      { name, mediaType, bytes },
      maxSidePx,
      "not-drawn",
      part.original ?? wholeOf(part),
    );
}
