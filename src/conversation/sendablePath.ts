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

/**
 * True for a reply whose request was refused for its content, perhaps for its pictures. Services that
 * cannot decode a picture also answer with status 500, report an error in the stream or close the
 * connection, again for each retry.
 */
export function isRefusal({ ending, text }: Reply): boolean {
  if (ending?.kind !== "failed" || text !== "") return false;
  const { failure } = ending;
  switch (failure.kind) {
    case "rejected":
      return REFUSING_STATUSES.has(failure.status) && failure.about === undefined;
    case "reported":
      return failure.about === undefined;
    case "server":
      return failure.status === 500;
    case "unreachable":
      return failure.cause === "reset";
    case "too-large":
    case "truncated":
      return true;
    default:
      return false;
  }
}

/** Identity of a picture: the hash of its bytes, or its address; empty for other parts. */
export function pictureKey(part: Part): string {
  if (part.kind === "image") return part.hash;
  return part.kind === "image-address" ? part.url : "";
}

/** Decision about one picture of a path; `skipped` holds for the last question only. */
type PictureState = "sent" | "refused" | "removed" | "skipped";

/**
 * Returns the path, message by message, with the pictures that may be sent. The last question keeps all of
 * its own.
 * @param path oldest first
 */
export function sendablePath(path: readonly Message[]): {
  readonly path: readonly Message[];
  readonly refused: readonly RefusedPicture[];
} {
  const states = pictureStates(path);
  const refused: RefusedPicture[] = [];
  const sentMessages = path.map((message, index) => {
    const ofMessage = states[index];
    if (message.role !== "user" || ofMessage === undefined) return message;
    const isSent = (part: Part) => (ofMessage.get(part) ?? "sent") === "sent";
    for (const [part, state] of ofMessage) {
      if (state === "refused") refused.push({ messageId: message.id, part });
    }
    if (message.parts.every(isSent)) return message;
    return { ...message, parts: message.parts.filter(isSent) };
  });
  return { path: sentMessages, refused };
}

/**
 * Returns true if the path has a picture that the user did not remove. A picture whose request was
 * refused counts: leaving it out is not the user's decision.
 */
export function hasKeptPicture(path: readonly Message[]): boolean {
  return pictureStates(path).some((ofMessage) =>
    [...(ofMessage?.values() ?? [])].some((state) => state !== "removed"),
  );
}

/** Decides for every picture of the path, by index of its message; undefined for one without pictures. */
function pictureStates(path: readonly Message[]): (ReadonlyMap<Part, PictureState> | undefined)[] {
  const lastQuestion = path.findLastIndex(({ role }) => role === "user");
  const question = path[lastQuestion];
  const isAlone = question?.role === "user" && question.goesWithoutOlderPictures === true;
  const start = picturesStart(path);
  const removed = new Set<string>();
  const states = path.map((): Map<Part, PictureState> | undefined => undefined);
  // Newest first: removed pictures of a question apply to earlier questions.
  for (let index = lastQuestion; index >= 0; index--) {
    const message = path[index];
    if (message?.role !== "user") continue;
    const reply = path[index + 1];
    const wasRefused =
      reply?.role === "assistant" && isRefusal(reply) && reply.receipt?.imageCount !== 0;
    const stateOf = (part: Part): PictureState => {
      if (index === lastQuestion) return "sent";
      if (index < start || removed.has(pictureKey(part))) return "removed";
      if (wasRefused) return "refused";
      return isAlone ? "skipped" : "sent";
    };
    const pictures = message.parts.filter(isPicture);
    if (pictures.length > 0) states[index] = new Map(pictures.map((part) => [part, stateOf(part)]));
    for (const key of message.leavesPictures ?? []) removed.add(key);
  }
  return states;
}
