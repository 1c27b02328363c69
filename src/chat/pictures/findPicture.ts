import { sentParts } from "../../conversation/draft";
import { wholeName } from "../../context/describePictures";
import { imagesOf, partsOf, type ImagePart } from "../../conversation/message";
import type { LiveConversation } from "../conversation/liveConversation";

/**
 * Finds a picture of a conversation: sent, queued, attached, drawn from an attachment, or the original
 * of a sent picture.
 */
export function findPicture(
  live: LiveConversation | undefined,
  hash: string,
): ImagePart | undefined {
  if (live === undefined) return undefined;
  const attached = live.draft.attachments;
  const sent = [...live.conversation.messages.values()].flatMap((message) => partsOf(message));
  const waiting = live.queue.flatMap(({ parts }) => parts);
  const all = [...attached.map(({ part }) => part), ...attached.flatMap(sentParts)];
  // Pictures of a reply are checked like files when they are attached.
  const made = [...live.conversation.messages.values()]
    .filter((message) => message.role === "assistant")
    .flatMap((message) => imagesOf(message).map((part) => ({ ...part, bytes: 0 })));
  const images = [...all, ...waiting, ...sent, ...made].filter((part) => part.kind === "image");
  return (
    images.find((part) => part.hash === hash) ??
    images.flatMap((part) => originalOf(part)).find((part) => part.hash === hash)
  );
}

/**
 * True if a message shows the picture as a whole. Only then may a crop name its original, which stays on
 * disk and is shown with the reply.
 */
export function isInMessage(live: LiveConversation | undefined, hash: string): boolean {
  const messages = [...(live?.conversation.messages.values() ?? [])];
  return messages
    .flatMap((message) => partsOf(message))
    .some((part) => part.kind === "image" && (part.hash === hash || part.original?.hash === hash));
}

/** Returns the picture that a sent picture was drawn from. */
function originalOf({ name, original }: ImagePart): ImagePart[] {
  if (original === undefined) return [];
  const { hash, mediaType, ofWidthPx: widthPx, ofHeightPx: heightPx } = original;
  // The number of bytes is known when the picture is read.
  return [{ kind: "image", hash, mediaType, widthPx, heightPx, bytes: 0, name: wholeName(name) }];
}
