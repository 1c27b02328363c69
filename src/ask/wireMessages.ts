/**
 * Converts conversation messages to service messages. Excerpts become fenced text with path and
 * lines; images become URLs.
 */
import { MAX_REQUEST_PICTURE_BYTES, total } from "../context/budget";
import { estimateImageTokens, estimateTextTokens, systemTokens } from "../base/tokens";
import type { PictureLoss, SentPicture } from "../conversation/ending";
import {
  imagesOf,
  isWithdrawn,
  partsOf,
  type ImagePart,
  type Message,
  type ModelKind,
  type Part,
} from "../conversation/message";
import type { Sending } from "../conversation/sending";
import type { ServiceMessage, ServicePart } from "../service/types";
import { PicturesTooLarge, PictureLost } from "./failure";
import { excerptText, relatedText } from "./excerptText";
import { requestPath } from "./requestPath";

/** Returns a stored image as a `data:` URL, or the reason why the image cannot be read. */
export type ReadImage = (
  image: ImagePart,
) => Promise<{ readonly url: string } | { readonly loss: PictureLoss }>;

export interface WireMessages {
  readonly messages: readonly ServiceMessage[];
  readonly estimatedTokens: number;
  /** Estimate for the pictures, without those at an address. */
  readonly pictureTokens: number;
  /** Turns and older images left out because of the budget. */
  readonly turnsLeftOut: number;
  readonly imagesLeftOut: number;
  /** Excerpts of the question that are sent with an earlier message, not again. */
  readonly excerptsSentBefore: number;
  /** The pictures in `messages`, in their order. */
  readonly pictures: readonly SentPicture[];
}

/** Prompt that continues an incomplete reply. Sent, never stored. */
const CONTINUE_REQUEST =
  "Continue your last reply exactly where it stopped. Do not repeat anything and do not add an " +
  "introduction; if it stopped inside a code block, go on inside that block.";

/** Ends a question whose last reply was only thinking. Sent, never stored. */
const ANSWER_REQUEST =
  "You have already thought about this at length. Think briefly and give the answer now.";

/**
 * Builds the messages of a request. Throws `PictureLost` if an image to be sent is missing, and
 * `PicturesTooLarge` before any image is read.
 * @param path messages up to and including the question, oldest first
 * @param isContinuing true if the last message is a reply to continue
 * @param limits older images and turns beyond the budget are left out
 * @param modelKind images are neither read nor sent for the text model
 */
export async function wireMessages(
  systemPrompt: string,
  path: readonly Message[],
  isContinuing: boolean,
  limits: {
    readonly budgetTokens: number;
    readonly maxPictureTokens?: number | undefined;
    /** True to send a line of text before each picture. */
    readonly describesPictures?: boolean | undefined;
    /** The user's choices of what is sent. */
    readonly sending?: Sending | undefined;
  },
  modelKind: ModelKind,
  readImage: ReadImage,
): Promise<WireMessages> {
  const hasSystem = systemPrompt.trim() !== "";
  const last = path.at(-1);
  const isUnanswered = last?.role === "assistant" && last.text.trim() === "";
  const continuation = isUnanswered ? ANSWER_REQUEST : CONTINUE_REQUEST;
  const otherTokens = systemTokens(systemPrompt);
  const continuationTokens = isContinuing ? estimateTextTokens(continuation) : 0;
  const takesPictures = modelKind === "vl";
  const fitted = requestPath(path, { ...limits, takesPictures, otherTokens, continuationTokens });
  const pictures = fitted.path.flatMap((message) => partsOf(message).flatMap(sentPicture));
  const pictureTokens = fitted.path
    .flatMap((message) => (message.role === "user" ? imagesOf(message) : []))
    .map(({ widthPx, heightPx }) => estimateImageTokens(widthPx, heightPx, fitted.pictureTokens))
    .reduce((sum, tokens) => sum + tokens, 0);
  const pictureBytes = pictures.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
  if (pictureBytes > MAX_REQUEST_PICTURE_BYTES) throw new PicturesTooLarge(pictures);
  const messages: ServiceMessage[] = [];
  if (hasSystem) messages.push(textMessage("system", systemPrompt));
  const question = fitted.path.findLast(({ role }) => role === "user");
  for (const message of fitted.path) {
    if (message.role === "user") {
      const parts = await Promise.all(message.parts.map((part) => wirePart(part, readImage)));
      if (isContinuing && isUnanswered && message === question) {
        parts.push({ type: "text", text: continuation });
      }
      messages.push({ role: "user", parts });
    } else if (message.text !== "" && !isWithdrawn(message)) {
      messages.push(textMessage("assistant", message.text));
    }
  }
  if (isContinuing && !isUnanswered) messages.push(textMessage("user", continuation));
  const { turnsLeftOut, excerptsSentBefore, picturesLeftOut: imagesLeftOut } = fitted;
  const estimatedTokens = otherTokens + continuationTokens + total(fitted.cost);
  const leftOut = { turnsLeftOut, imagesLeftOut, excerptsSentBefore };
  return { messages, estimatedTokens, pictureTokens, ...leftOut, pictures };
}

function sentPicture(part: Part): SentPicture[] {
  if (part.kind === "image") {
    const { name, bytes, tile } = part;
    return [{ name: tile ? `${name} (${tile.index + 1}/${tile.count})` : name, bytes }];
  }
  return part.kind === "image-address" ? [{ name: part.url }] : [];
}

function textMessage(role: "system" | "user" | "assistant", text: string): ServiceMessage {
  return { role, parts: [{ type: "text", text }] };
}

async function wirePart(part: Part, readImage: ReadImage): Promise<ServicePart> {
  switch (part.kind) {
    case "text":
      return { type: "text", text: part.text };
    case "image": {
      const image = await readImage(part);
      if ("loss" in image) throw new PictureLost(part.name, image.loss);
      return { type: "image", url: image.url };
    }
    case "image-address":
      return { type: "image", url: part.url };
    case "excerpt":
      return { type: "text", text: excerptText(part) };
    case "related":
      return { type: "text", text: relatedText(part) };
    case "note":
      return { type: "text", text: part.text };
    default:
      return part satisfies never;
  }
}
