/** Searchable messages of a conversation: its title, then each message with visible text. */
import type { Conversation } from "../conversation/conversation";
import { titleOf } from "../conversation/title";
import { isWithdrawn, type Message, type Part } from "../conversation/message";
import { normalizeText } from "./normalizeText";
import type { TimeSlice } from "../base/timeSlice";

/** UTF-16 units normalized without a pause; takes about a millisecond. */
const PIECE_UNITS = 100_000;

/** Text of a message as it is shown and as it is searched; both have the same offsets. */
export interface MessageText {
  /** Id of the message; empty for the title. */
  readonly id: string;
  readonly original: string;
  readonly folded: string;
}

/** Returns the title and the messages, without withheld text. Rejects with the slice's reason. */
export async function messageTexts(
  conversation: Conversation,
  slice: TimeSlice,
): Promise<MessageText[]> {
  const messages = [await messageText("", titleOf(conversation) ?? "", slice)];
  for (const message of conversation.messages.values()) {
    const text = textOf(message);
    if (text !== "") messages.push(await messageText(message.id, text, slice));
  }
  return messages;
}

async function messageText(id: string, text: string, slice: TimeSlice): Promise<MessageText> {
  const originals: string[] = [];
  const folded: string[] = [];
  for (const piece of normalizablePieces(text)) {
    const normalized = normalizeText(piece);
    originals.push(normalized.original);
    folded.push(normalized.text);
    const pause = slice.pause();
    if (pause) await pause;
  }
  return { id, original: originals.join(""), folded: folded.join("") };
}

/** Splits a long text at character boundaries, never before a combining mark. */
function* normalizablePieces(text: string): Generator<string, void, void> {
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + PIECE_UNITS, text.length);
    while (end < text.length && /^[\p{M}\p{Cs}\u{1100}-\u{11ff}]/u.test(text.slice(end, end + 2)))
      end++;
    yield text.slice(start, end);
    start = end;
  }
}

function textOf(message: Message): string {
  if (message.role === "user") return message.parts.map(partText).join("\n");
  if (isWithdrawn(message)) return "";
  const calls = (message.toolCalls ?? []).map((call) => `${call.name}\n${call.argumentsText}`);
  return [message.text, ...calls].filter((text) => text !== "").join("\n");
}

function partText(part: Part): string {
  switch (part.kind) {
    case "text":
      return part.text;
    case "image":
      return part.name;
    case "image-address":
      return part.url;
    case "excerpt":
      return `${part.path}\n${part.text}`;
    case "related":
      return part.items.map(partText).join("\n");
    case "note":
      return `${part.label}\n${part.text}`;
    default:
      return part satisfies never;
  }
}
