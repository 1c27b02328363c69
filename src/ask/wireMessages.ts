/**
 * From the conversation's messages to the service's: one of the three converters where message shapes meet.
 * Excerpts become fenced text with their path and lines; pictures become addresses.
 */
import { total } from "../context/budget";
import { estimateTextTokens, systemTokens } from "../context/tokens";
import type { PictureLoss, SentPicture } from "../conversation/ending";
import {
  isPicture,
  isWithdrawn,
  type ExcerptPart,
  type ImagePart,
  type Message,
  type ModelKind,
  type Part,
} from "../conversation/message";
import type { ServiceMessage, ServicePart } from "../service/types";
import { PictureLost } from "./failure";
import { excerptTitle, requestPath } from "./requestPath";

/** Gives a stored picture as a `data:` URL, or why it cannot. */
export type ReadImage = (
  image: ImagePart,
) => Promise<{ readonly url: string } | { readonly loss: PictureLoss }>;

/** What a request says, and what that is estimated to cost. */
export interface WireMessages {
  readonly messages: readonly ServiceMessage[];
  readonly estimatedTokens: number;
  /** Turns and older pictures that do not go, to stay within the budget. */
  readonly turnsLeftOut: number;
  readonly imagesLeftOut: number;
  /** Excerpts of the question that are sent with an earlier message, not again. */
  readonly excerptsSentBefore: number;
  /** The pictures in `messages`, in their order. */
  readonly pictures: readonly SentPicture[];
}

/** Asks for the rest of a reply that did not come whole. Sent, never stored. */
const CONTINUE_REQUEST =
  "Continue your last reply exactly where it stopped. Do not repeat anything and do not add an " +
  "introduction; if it stopped inside a code block, go on inside that block.";

/**
 * Throws `PictureLost` where a picture that is to go is not there.
 * @param path the messages up to and with the question, oldest first
 * @param isContinuing true when the last message is a reply to go on with
 * @param limits older pictures and turns beyond the budget are left out
 * @param modelKind the text model takes no pictures: they are counted and not even read
 */
export async function wireMessages(
  systemPrompt: string,
  path: readonly Message[],
  isContinuing: boolean,
  limits: { readonly budgetTokens: number; readonly maxPictureTokens?: number | undefined },
  modelKind: ModelKind,
  readImage: ReadImage,
): Promise<WireMessages> {
  const hasSystem = systemPrompt.trim() !== "";
  const otherTokens =
    systemTokens(systemPrompt) + (isContinuing ? estimateTextTokens(CONTINUE_REQUEST) : 0);
  const fitted = requestPath(path, { ...limits, takesPictures: modelKind === "vl", otherTokens });
  const messages: ServiceMessage[] = [];
  const pictures: SentPicture[] = [];
  if (hasSystem) messages.push(said("system", systemPrompt));
  const question = fitted.path.findLast(({ role }) => role === "user");
  for (const message of fitted.path) {
    if (message.role === "user") {
      const isWhole = !fitted.withoutPictures.has(message.id);
      const parts = await wireParts(message.parts, isWhole, readImage);
      // One that held nothing but pictures does not go at all, rather than with something else.
      if (parts.length > 0 || message === question) messages.push({ role: "user", parts });
      if (isWhole) pictures.push(...message.parts.flatMap(sentPicture));
    } else if (message.text !== "" && !isWithdrawn(message)) {
      messages.push(said("assistant", message.text));
    }
  }
  if (isContinuing) messages.push(said("user", CONTINUE_REQUEST));
  const { turnsLeftOut, excerptsSentBefore, picturesLeftOut: imagesLeftOut } = fitted;
  const estimatedTokens = otherTokens + total(fitted.cost);
  const leftOut = { turnsLeftOut, imagesLeftOut, excerptsSentBefore };
  return { messages, estimatedTokens, ...leftOut, pictures };
}

function sentPicture(part: Part): SentPicture[] {
  if (part.kind === "image") return [{ name: part.name, bytes: part.bytes }];
  return part.kind === "image-address" ? [{ name: part.url }] : [];
}

function said(role: "system" | "user" | "assistant", text: string): ServiceMessage {
  return { role, parts: [{ type: "text", text }] };
}

async function wireParts(
  parts: readonly Part[],
  hasPictures: boolean,
  readImage: ReadImage,
): Promise<ServicePart[]> {
  const wired: ServicePart[] = [];
  for (const part of parts) {
    if (hasPictures || !isPicture(part)) wired.push(await wirePart(part, readImage));
  }
  return wired;
}

async function wirePart(part: Part, readImage: ReadImage): Promise<ServicePart> {
  switch (part.kind) {
    case "text":
      return { type: "text", text: part.text };
    case "image": {
      const read = await readImage(part);
      if ("loss" in read) throw new PictureLost(part.name, read.loss);
      return { type: "image", url: read.url };
    }
    case "image-address":
      return { type: "image", url: part.url };
    case "excerpt":
      return { type: "text", text: excerptText(part) };
    case "note":
      return { type: "text", text: part.text };
    default:
      return part satisfies never;
  }
}

/** An excerpt as the model reads it: where it is from, its text in a fence, what is wrong in it. */
function excerptText(part: ExcerptPart): string {
  const longest = Math.max(2, ...(part.text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const problems = part.problems === undefined ? "" : `\nProblems in it:\n${part.problems}`;
  return `${excerptTitle(part)}:\n${fence}${part.languageId}\n${part.text}\n${fence}${problems}`;
}
