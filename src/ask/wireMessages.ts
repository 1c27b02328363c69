/**
 * From the conversation's messages to the service's: one of the three converters where message shapes meet.
 * Excerpts become fenced text with their path and lines; pictures become addresses.
 */
import { fitToBudget, total } from "../context/budget";
import { estimateTextTokens } from "../context/tokens";
import type { SentPicture } from "../conversation/ending";
import {
  isWithdrawn,
  type ExcerptPart,
  type ImagePart,
  type Message,
  type Part,
} from "../conversation/message";
import type { ServiceMessage, ServicePart } from "../service/types";

/** Gives a stored picture as a `data:` URL. */
export type ReadImage = (image: ImagePart) => Promise<string>;

/** What a request says, and what that is estimated to cost. */
export interface WireMessages {
  readonly messages: readonly ServiceMessage[];
  readonly estimatedTokens: number;
  /** Turns and older pictures that do not go, to stay within the budget. */
  readonly turnsLeftOut: number;
  readonly imagesLeftOut: number;
  /** The pictures in `messages`, in their order. */
  readonly pictures: readonly SentPicture[];
}

/** Asks for the rest of a reply that did not come whole. Sent, never stored. */
const CONTINUE_REQUEST =
  "Continue your last reply exactly where it stopped. Do not repeat anything and do not add an " +
  "introduction; if it stopped inside a code block, go on inside that block.";

/**
 * @param path the messages up to and with the question, oldest first
 * @param isContinuing true when the last message is a reply to go on with
 * @param budgetTokens older pictures and turns beyond this are left out
 */
export async function wireMessages(
  systemPrompt: string,
  path: readonly Message[],
  isContinuing: boolean,
  budgetTokens: number,
  readImage: ReadImage,
): Promise<WireMessages> {
  const hasSystem = systemPrompt.trim() !== "";
  const otherTokens =
    (hasSystem ? estimateTextTokens(systemPrompt) : 0) +
    (isContinuing ? estimateTextTokens(CONTINUE_REQUEST) : 0);
  const fitted = fitToBudget(path, otherTokens, budgetTokens);
  const messages: ServiceMessage[] = [];
  const pictures: SentPicture[] = [];
  if (hasSystem) messages.push(said("system", systemPrompt));
  for (const message of fitted.path) {
    if (message.role === "user") {
      const isWhole = !fitted.withoutPictures.has(message.id);
      const parts = await wireParts(message.parts, isWhole, readImage);
      // One that held nothing but pictures does not go at all, rather than with something else.
      if (parts.length > 0) messages.push({ role: "user", parts });
      if (isWhole) pictures.push(...message.parts.flatMap(sentPicture));
    } else if (message.text !== "" && !isWithdrawn(message)) {
      messages.push(said("assistant", message.text));
    }
  }
  if (isContinuing) messages.push(said("user", CONTINUE_REQUEST));
  const { turnsLeftOut, imagesLeftOut, cost } = fitted;
  const estimatedTokens = otherTokens + total(cost);
  return { messages, estimatedTokens, turnsLeftOut, imagesLeftOut, pictures };
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
    const isPicture = part.kind === "image" || part.kind === "image-address";
    if (hasPictures || !isPicture) wired.push(await wirePart(part, readImage));
  }
  return wired;
}

async function wirePart(part: Part, readImage: ReadImage): Promise<ServicePart> {
  switch (part.kind) {
    case "text":
      return { type: "text", text: part.text };
    case "image":
      return { type: "image", url: await readImage(part) };
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
  const lines =
    part.startLine === undefined || part.endLine === undefined
      ? ""
      : ` (lines ${part.startLine}-${part.endLine})`;
  const longest = Math.max(2, ...(part.text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  const problems = part.problems === undefined ? "" : `\nProblems in it:\n${part.problems}`;
  return `${part.path}${lines}:\n${fence}${part.languageId}\n${part.text}\n${fence}${problems}`;
}
