/**
 * From the conversation's messages to the service's: the other converter of the three shapes.
 * Excerpts become fenced text with their path and lines; pictures become addresses.
 */
import { estimateImageTokens, estimateTextTokens } from "../context/tokens";
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
}

/** Asks for the rest of a reply that did not come whole. Sent, never stored. */
const CONTINUE_REQUEST =
  "Continue your last reply exactly where it stopped. Do not repeat anything and do not add an " +
  "introduction; if it stopped inside a code block, go on inside that block.";

/**
 * @param path the messages up to and with the question, oldest first
 * @param isContinuing true when the last message is a reply to go on with
 */
export async function wireMessages(
  systemPrompt: string,
  path: readonly Message[],
  isContinuing: boolean,
  readImage: ReadImage,
): Promise<WireMessages> {
  const messages: ServiceMessage[] = [];
  let estimatedTokens = 0;

  function add(role: ServiceMessage["role"], parts: ServicePart[]): void {
    messages.push({ role, parts });
    for (const part of parts) {
      if (part.type === "text") estimatedTokens += estimateTextTokens(part.text);
    }
  }

  if (systemPrompt.trim() !== "") add("system", [{ type: "text", text: systemPrompt }]);
  for (const message of path) {
    if (message.role === "assistant") {
      if (message.text !== "" && !isWithdrawn(message))
        add("assistant", [{ type: "text", text: message.text }]);
      continue;
    }
    const parts: ServicePart[] = [];
    for (const part of message.parts) {
      parts.push(await wirePart(part, readImage));
      if (part.kind === "image") {
        estimatedTokens += estimateImageTokens(part.widthPx, part.heightPx);
      }
    }
    add("user", parts);
  }
  if (isContinuing) add("user", [{ type: "text", text: CONTINUE_REQUEST }]);
  return { messages, estimatedTokens };
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
    default:
      return part satisfies never;
  }
}

/** An excerpt as the model reads it: where it is from, then the text in a fence that holds it. */
function excerptText(part: ExcerptPart): string {
  const lines =
    part.startLine === undefined || part.endLine === undefined
      ? ""
      : ` (lines ${part.startLine}-${part.endLine})`;
  const longest = Math.max(2, ...(part.text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${part.path}${lines}:\n${fence}${part.languageId}\n${part.text}\n${fence}`;
}
