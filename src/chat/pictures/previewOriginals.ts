/** Finds the pictures of a conversation with which the preview of a reply's code can be compared. */
import { wholeName } from "../../context/describePictures";
import type { Conversation } from "../../conversation/conversation";
import { pathTo } from "../../conversation/paths";
import type { ImagePart, Reply } from "../../conversation/message";

/** Picture that the user attached, with which a preview can be compared. */
export type AttachedOriginal = Pick<
  ImagePart,
  "hash" | "mediaType" | "name" | "widthPx" | "heightPx"
>;

/** Returns the pictures of the questions up to a reply, each once, the latest question first. */
export function originalsBefore(conversation: Conversation, reply: Reply): AttachedOriginal[] {
  const originals = new Map<string, AttachedOriginal>();
  for (const message of [...pathTo(conversation, reply.id)].reverse()) {
    if (message.role !== "user") continue;
    for (const part of message.parts) {
      const original = part.kind === "image" ? attachedOriginal(part) : undefined;
      if (original && !originals.has(original.hash)) originals.set(original.hash, original);
    }
  }
  return [...originals.values()];
}

/** Returns the whole picture of a tile or a scaled picture. A crop is a picture of its own. */
function attachedOriginal(part: ImagePart): AttachedOriginal {
  const { hash, mediaType, widthPx, heightPx, original, tile } = part;
  const name = wholeName(part.name);
  const isWhole =
    original?.x === 0 &&
    original.y === 0 &&
    original.widthPx === original.ofWidthPx &&
    original.heightPx === original.ofHeightPx;
  if (original === undefined || (tile === undefined && !isWhole)) {
    return { hash, mediaType, name, widthPx, heightPx };
  }
  const { hash: ofHash, mediaType: ofType, ofWidthPx, ofHeightPx } = original;
  return { hash: ofHash, mediaType: ofType, name, widthPx: ofWidthPx, heightPx: ofHeightPx };
}
