/**
 * Searchable text of a conversation: a normalized string, with the units that differ from the
 * original, so that snippets show the original text.
 */
import { titleOf, type Conversation } from "../conversation/conversation";
import { isWithdrawn, type Message, type Part } from "../conversation/message";
import { normalizeText, isBlank } from "./normalizeText";
import type { TimeSlice } from "./timeSlice";

/** Separates two segments. Not a blank, so a phrase cannot match across segments. */
const SEPARATOR = "\u0001";

/** Approximate memory of the object without its text, in bytes. */
const FIXED_BYTES = 600;
/** UTF-16 units normalized without a pause; takes about a millisecond. */
const PIECE_UNITS = 100_000;
/** Approximate memory of a segment's id and list entries, in bytes. */
const SEGMENT_BYTES = 52;

/** Title and messages of a conversation; segment 0 is the title. */
export class SearchText {
  private constructor(
    readonly folded: string,
    /** Start of each segment, and the start of a segment behind the last. */
    private readonly starts: Uint32Array,
    /** Message ids of the segments, from segment 1. */
    private readonly messageIds: readonly string[],
    private readonly changedAt: Uint32Array,
    private readonly changedUnits: Uint16Array,
    /** Approximate memory, in bytes. */
    readonly memoryBytes: number,
  ) {}

  /** Collects the visible text of a conversation, without withheld text. */
  static async of(conversation: Conversation, slice: TimeSlice): Promise<SearchText> {
    const pieces: string[] = [];
    const messageIds: string[] = [];
    const starts: number[] = [];
    const changedAt: number[] = [];
    const changedUnits: number[] = [];
    let length = 0;
    let bytesPerUnit = 1;

    async function add(text: string): Promise<void> {
      if (starts.length > 0) {
        pieces.push(SEPARATOR);
        length += SEPARATOR.length;
      }
      starts.push(length);
      for (const piece of piecesOf(text)) {
        const folded = normalizeText(piece);
        const { original, units } = folded;
        for (let at = 0; at < units.length; at++) {
          const unit = original.charCodeAt(at);
          // Snippets show every kind of blank as a plain blank.
          if (unit === units[at] || isBlank(unit)) continue;
          changedAt.push(length + at);
          changedUnits.push(unit);
        }
        pieces.push(folded.text);
        length += folded.text.length;
        if (!folded.isNarrow) bytesPerUnit = 2;
        const pause = slice.pause();
        if (pause) await pause;
      }
    }

    await add(titleOf(conversation) ?? "");
    for (const message of conversation.messages.values()) {
      const text = textOf(message);
      if (text === "") continue;
      messageIds.push(message.id);
      await add(text);
    }
    starts.push(length + SEPARATOR.length);
    return new SearchText(
      pieces.join(""),
      Uint32Array.from(starts),
      messageIds,
      Uint32Array.from(changedAt),
      Uint16Array.from(changedUnits),
      FIXED_BYTES + length * bytesPerUnit + changedAt.length * 6 + starts.length * SEGMENT_BYTES,
    );
  }

  /** Number of segments, including the title. */
  get segmentCount(): number {
    return this.starts.length - 1;
  }

  /** Returns the start and end (exclusive) of a segment. */
  bounds(segment: number): readonly [start: number, end: number] {
    const start = this.starts[segment] ?? 0;
    return [start, (this.starts[segment + 1] ?? start + 1) - SEPARATOR.length];
  }

  /** Returns the message id of a segment; undefined for the title. */
  messageId(segment: number): string | undefined {
    return this.messageIds[segment - 1];
  }

  /** Returns the original text of a range of `folded`, with plain blanks only. */
  original(start: number, end: number): string {
    let text = "";
    let at = start;
    for (let index = this.firstChange(start); index < this.changedAt.length; index++) {
      const changed = this.changedAt[index] ?? end;
      if (changed >= end) break;
      text += this.folded.slice(at, changed) + String.fromCharCode(this.changedUnits[index] ?? 0);
      at = changed + 1;
    }
    return text + this.folded.slice(at, end);
  }

  /** Returns the index of the first change at or after an offset. */
  private firstChange(offset: number): number {
    let low = 0;
    let high = this.changedAt.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.changedAt[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Splits a long text at character boundaries, never before a combining mark. */
function* piecesOf(text: string): Generator<string, void, void> {
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
