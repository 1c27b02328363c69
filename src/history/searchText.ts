/**
 * Searchable text of a conversation: a normalized string, with the original units that normalization
 * changed, so that snippets show the original text.
 */
import * as z from "zod/mini";
import { ByteBuffer, ByteReader, checksum, WORD, wordAt } from "./byteBuffer";
import { titleOf, type Conversation } from "../conversation/conversation";
import { isWithdrawn, type Message, type Part } from "../conversation/message";
import { normalizeText, isBlank } from "./normalizeText";
import type { TimeSlice } from "./timeSlice";

/** Separator of two segments. Not a blank, so a phrase cannot match across segments. */
const SEPARATOR = "\u0001";

/** Approximate memory of the object without its text, in bytes. */
const FIXED_BYTES = 600;
/** UTF-16 units normalized without a pause; takes about a millisecond. */
const PIECE_UNITS = 100_000;
/** Approximate memory of a segment's id and list entries, in bytes. */
const SEGMENT_BYTES = 52;

const headSchema = z.object({
  isUtf16: z.boolean(),
  foldedBytes: z.number(),
  starts: z.array(z.number()),
  messageIds: z.array(z.string()),
});

const utf8Encoder = new TextEncoder();
const utf8 = new TextDecoder();
const utf16 = new TextDecoder("utf-16le");

/** Units of `folded` that differ from the original, in ascending order. */
interface Changes {
  readonly at: Uint32Array;
  readonly units: Uint16Array;
}

/** Title and messages of a conversation; segment 0 is the title. */
export class SearchText {
  private constructor(
    readonly folded: string,
    /** Start of each segment, and the start of a segment behind the last. */
    private readonly starts: ArrayLike<number>,
    /** Message ids of the segments, from segment 1. */
    private readonly messageIds: readonly string[],
    /** Decoded, or the bytes of a file. */
    private readonly changes: Changes | Uint8Array,
    /** Approximate memory, in bytes. */
    readonly memoryBytes: number,
  ) {}

  /** Decodes what `encode` returned; undefined if the bytes are damaged. */
  static decode(bytes: Uint8Array): SearchText | undefined {
    const headBytes = wordAt(bytes, WORD);
    if (headBytes === undefined || wordAt(bytes, 0) !== checksum(bytes.subarray(WORD)))
      return undefined;
    const headEnd = 2 * WORD + headBytes;
    const head = headSchema.parse(JSON.parse(utf8.decode(bytes.subarray(2 * WORD, headEnd))));
    const foldedEnd = headEnd + head.foldedBytes;
    // Normalized text has no byte order mark, which a decoder would remove.
    const decoder = head.isUtf16 ? utf16 : utf8;
    const folded = decoder.decode(bytes.subarray(headEnd, foldedEnd));
    return new SearchText(folded, head.starts, head.messageIds, bytes.subarray(foldedEnd), 0);
  }

  /** Encodes the text for a file: checksum, length of the head, head, folded text, changes. */
  encode(): Uint8Array {
    const file = new ByteBuffer();
    const { folded, messageIds } = this;
    const inUtf8 = utf8Encoder.encode(folded);
    // UTF-8 takes three bytes for a Chinese character. Normalized text has no half of a pair.
    const isUtf16 = inUtf8.length > 2 * folded.length;
    const foldedBytes = isUtf16 ? utf16Bytes(folded) : inUtf8;
    const starts = Array.from(this.starts);
    const head = { isUtf16, foldedBytes: foldedBytes.length, starts, messageIds };
    const headBytes = utf8Encoder.encode(JSON.stringify(head));
    file.addWord(0);
    file.addWord(headBytes.length);
    file.add(headBytes);
    file.add(foldedBytes);
    const { at, units } = this.decodedChanges();
    for (let index = 0; index < at.length; index++) {
      file.addNumber((at[index] ?? 0) - (at[index - 1] ?? 0));
      file.addNumber(units[index] ?? 0);
    }
    file.setWord(0, checksum(file.view(WORD)));
    return file.view();
  }

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
      { at: Uint32Array.from(changedAt), units: Uint16Array.from(changedUnits) },
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
    const changes = this.decodedChanges();
    let text = "";
    let at = start;
    for (let index = firstAtOrAfter(changes.at, start); index < changes.at.length; index++) {
      const changed = changes.at[index] ?? end;
      if (changed >= end) break;
      text += this.folded.slice(at, changed) + String.fromCharCode(changes.units[index] ?? 0);
      at = changed + 1;
    }
    return text + this.folded.slice(at, end);
  }

  /** Decodes the changes of a text from a file; only snippets need them. */
  private decodedChanges(): Changes {
    if (!(this.changes instanceof Uint8Array)) return this.changes;
    const reader = new ByteReader(this.changes);
    const at: number[] = [];
    const units: number[] = [];
    while (!reader.isAtEnd) {
      at.push((at.at(-1) ?? 0) + reader.readNumber());
      units.push(reader.readNumber());
    }
    return { at: Uint32Array.from(at), units: Uint16Array.from(units) };
  }
}

/** Returns the index of the first offset at or after another. */
function firstAtOrAfter(offsets: Uint32Array, offset: number): number {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((offsets[middle] ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function utf16Bytes(text: string): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * text.length));
  for (let at = 0; at < text.length; at++) view.setUint16(2 * at, text.charCodeAt(at), true);
  return new Uint8Array(view.buffer);
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
