/**
 * Pictures of earlier questions that are not sent again automatically: those of a request that was
 * refused, and those the user removed. Independent of the token budget.
 */
import { isPicture, picturesStart, type Message, type Part, type Reply } from "./message";

/** Statuses by which services refuse content they do not accept, pictures above all. */
const REFUSING_STATUSES: ReadonlySet<number> = new Set([400, 415, 422]);

/** A picture of an earlier question that is left out because its request was refused. */
export interface RefusedPicture {
  readonly messageId: string;
  readonly part: Part;
}

/** True for a reply whose request was refused for what it held, perhaps for its pictures. */
export function isRefusal({ ending }: Reply): boolean {
  if (ending?.kind !== "failed") return false;
  const { failure } = ending;
  if (failure.kind === "rejected") return REFUSING_STATUSES.has(failure.status);
  return failure.kind === "too-large";
}

/** Identity of a picture: the hash of its bytes, or its address; empty for other parts. */
export function pictureKey(part: Part): string {
  if (part.kind === "image") return part.hash;
  return part.kind === "image-address" ? part.url : "";
}

/**
 * Returns the path, message by message, with the pictures that may be sent. The last question keeps all of
 * its own.
 * @param path oldest first
 */
export function sendablePath(path: readonly Message[]): {
  readonly path: readonly Message[];
  readonly refused: readonly RefusedPicture[];
} {
  const lastQuestion = path.findLastIndex(({ role }) => role === "user");
  const question = path[lastQuestion];
  const isAlone = question?.role === "user" && question.goesWithoutOlderPictures === true;
  const start = picturesStart(path);
  const removed = new Set<string>();
  const refused: RefusedPicture[] = [];
  const kept = [...path];
  // Newest first: removed pictures of a question apply to earlier questions.
  for (let index = lastQuestion; index >= 0; index--) {
    const message = path[index];
    if (message?.role !== "user") continue;
    if (index < lastQuestion && message.parts.some(isPicture)) {
      const reply = path[index + 1];
      const wasRefused =
        reply?.role === "assistant" && isRefusal(reply) && reply.receipt?.imageCount !== 0;
      const isLeft = (part: Part) =>
        isPicture(part) && (isAlone || wasRefused || removed.has(pictureKey(part)));
      if (wasRefused && index >= start) {
        const pictures = message.parts.filter(
          (part) => isPicture(part) && !removed.has(pictureKey(part)),
        );
        refused.unshift(...pictures.map((part) => ({ messageId: message.id, part })));
      }
      if (message.parts.some(isLeft)) {
        kept[index] = { ...message, parts: message.parts.filter((part) => !isLeft(part)) };
      }
    }
    for (const key of message.leavesPictures ?? []) removed.add(key);
  }
  return { path: kept, refused };
}
