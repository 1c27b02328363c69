/**
 * Decodes the bytes of a streamed reply: text, usage, tool calls, finish reason, and how it ended.
 * Knows the wire format only, takes bytes and reads nothing itself; time-outs, status and retries
 * are elsewhere. Format: https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
import { createParser, type EventSourceMessage, type EventSourceParser } from "eventsource-parser";
import {
  limitMet,
  MAX_BARREN_BYTES,
  MAX_DAMAGED_EVENTS,
  MAX_EVENT_BYTES,
  MAX_TEXT_BYTES,
  MAX_UNKNOWN_LINES,
} from "./limits";
import { RawJsonLines } from "./rawJsonLines";
import { parseChunk, readPlainDelta, type ReplyChunk } from "./chunk";
import { reportedFailure } from "./readFailure";
import { cutToBytes, TextDigest } from "./textDigest";
import { createToolCallAssembler } from "./toolCalls";
import type { ServiceFailure, ServiceToolCall, Usage } from "./types";

/** What some bytes brought. */
export interface DecodedBytes {
  /** All new text, in order; empty when there was none. */
  readonly text: string;
  /** The last token counts among them. */
  readonly usage: Usage | undefined;
}

/** What bytes bring that end no block with text or counts. */
export const NO_NEWS: DecodedBytes = { text: "", usage: undefined };

/** Longest text that a model may well say twice in a row, in UTF-16 units. */
const MAX_WORD_CHARS = 16;

/** More bytes follow; a constant because it is needed for each piece. */
const STREAMING = { stream: true };

/**
 * Decodes one reply. A class, and not a function with functions in it, because V8 keeps what it
 * learned about a method from one reply to the next.
 */
export class StreamDecoder {
  /** "done" after an exact `[DONE]`, a failure after an error or a cap, else undefined. */
  ending: "done" | ServiceFailure | undefined;
  /** The last finish reason of the service; a proof of the end only where `isFinished` says so. */
  finishReason: string | undefined;
  /** Events so far that could not be read and were skipped. */
  damagedEvents = 0;

  private readonly utf8 = new TextDecoder("utf-8", { ignoreBOM: true }); // the parser takes it off
  private readonly tally = new TextDigest();
  private readonly calls = createToolCallAssembler();
  private readonly parser: EventSourceParser;
  private readonly rawLines = new RawJsonLines();
  private callBytes = 0;
  /** Reasons that were followed by more text: this service sends them in the middle of a reply. */
  private readonly disproved = new Set<string>();
  private isReasonLast = false;
  private isReasonAlone = false;
  /** An error without an `error` field, for a reply that brings nothing after it. */
  private possibleError: unknown;
  private unknownLines = 0;
  private hasMessageText = false;
  /** Whether each `message` holds the whole text so far; unknown until the second one. */
  private isCumulative: boolean | undefined;
  private hasEvents = false;
  private head = "";
  private bytesSinceEvent = 0;
  private barrenBytes = 0;
  /** Events of the bytes being pushed; taken together, in one loop that V8 can make fast. */
  private events: EventSourceMessage[] = [];
  // What the bytes being pushed have brought so far, and how much of it is counted.
  private text = "";
  private counted = 0;
  private usage: Usage | undefined;

  /** `redact` cleans what the service reports as its error. */
  constructor(private readonly redact: (text: string) => string) {
    this.parser = createParser({
      maxBufferSize: MAX_EVENT_BYTES,
      onEvent: (event) => {
        this.bytesSinceEvent = 0;
        this.events.push(event);
      },
      onComment: () => {
        this.bytesSinceEvent = 0;
      },
      onError: (error) => {
        if (error.type === "max-buffer-size-exceeded") {
          this.ending ??= limitMet("event-bytes");
          return;
        }
        this.bytesSinceEvent = 0;
        this.unknownLines++;
        // llama.cpp writes its errors as a field of their own.
        if (error.field === "error" && error.value !== undefined) {
          this.events.push({ event: "error", data: error.value, id: undefined });
        }
      },
    });
  }

  /** Takes the next bytes, cut anywhere. After an end they are ignored. */
  push(bytes: Uint8Array): DecodedBytes {
    if (this.ending !== undefined) return NO_NEWS;
    this.text = "";
    this.counted = 0;
    this.usage = undefined;
    this.bytesSinceEvent += bytes.byteLength;
    this.barrenBytes += bytes.byteLength;
    const characters = this.utf8.decode(bytes, STREAMING);
    if (!this.hasEvents && this.head.length < 256) this.head += characters.slice(0, 256);
    this.parser.feed(this.rawLines.toEvents(characters));
    if (this.events.length > 0) this.takeEvents();
    if (this.unknownLines > MAX_UNKNOWN_LINES) this.ending ??= { kind: "unreadable" };
    return this.news();
  }

  /** Consumes what is left when no more bytes come: a last line of JSON needs no line end. */
  finish(): DecodedBytes {
    if (this.ending !== undefined) return NO_NEWS;
    this.text = "";
    this.counted = 0;
    this.usage = undefined;
    const { damagedEvents } = this;
    this.parser.feed(this.rawLines.end());
    if (this.events.length > 0) this.takeEvents();
    this.damagedEvents = damagedEvents; // half a line is cut off, not damaged
    return this.news();
  }

  /** Gives out what the parser's events brought, after the caps. */
  private news(): DecodedBytes {
    if (this.text !== "") this.countText();
    if (this.bytesSinceEvent > MAX_EVENT_BYTES) this.ending ??= limitMet("event-bytes");
    if (this.barrenBytes > MAX_BARREN_BYTES) this.ending ??= limitMet("body-bytes");
    const { text, usage } = this;
    return text === "" && usage === undefined ? NO_NEWS : { text, usage };
  }

  /** The calls put together so far. */
  toolCalls(): ServiceToolCall[] {
    return this.calls.calls();
  }

  /**
   * What the reply is when its bytes end here: undefined for complete. Bytes and events that are
   * not whole yet are dropped, as the standard says, so that no half character is shown.
   */
  endOfBytes(): ServiceFailure | undefined {
    const isComplete = this.ending === "done" || (this.ending === undefined && this.isFinished);
    const isBlank = this.tally.chars === 0 && this.callBytes === 0;
    if (isComplete && !(isBlank && this.possibleError !== undefined)) return undefined;
    if (typeof this.ending === "object") return this.ending;
    if (this.possibleError !== undefined) return reportedFailure(this.possibleError, this.redact);
    if (!this.hasEvents && isBinary(this.head)) return { kind: "unreadable" };
    return { kind: "truncated", damagedEvents: this.damagedEvents };
  }

  /**
   * True once a finish reason came that no text followed, and that was not followed by text before.
   * More may still come: only `[DONE]` is an end for every service.
   */
  get isFinished(): boolean {
    const { finishReason } = this;
    return finishReason !== undefined && this.isReasonLast && !this.disproved.has(finishReason);
  }

  /**
   * True when the finish reason came as the specification's own end does: in a block without text,
   * behind text, from a service that sent no reason before. Nothing but counts follows such a one.
   */
  isSurelyFinished(): boolean {
    return this.isFinished && this.isReasonAlone;
  }

  private takeEvents(): void {
    this.hasEvents = true;
    for (const event of this.events) {
      const { data } = event;
      // 123 is "{": nothing else is a block, and most of what is none is told apart by it.
      if (event.event === undefined && data.charCodeAt(0) === 123) {
        const value = data.length > MAX_EVENT_BYTES ? undefined : parsed(data);
        const plain = readPlainDelta(value);
        if (plain !== undefined) {
          if (plain !== "") this.takeText(plain);
          continue;
        }
        if (value !== undefined) {
          this.takeBlock(parseChunk(value), value);
          if (this.ending !== undefined) break;
          continue;
        }
      }
      this.takeOther(event);
      if (this.ending !== undefined) break;
    }
    this.events = [];
  }

  /** Takes an event that is no block in the usual form. */
  private takeOther({ event, data }: EventSourceMessage): void {
    if (event === "error") {
      this.ending = reportedFailure(parsed(data) ?? data, this.redact);
    } else if (data === "[DONE]") {
      this.ending = "done";
    } else if (data.length > MAX_EVENT_BYTES) {
      this.ending = limitMet("event-bytes");
    } else if (!isBlank(data)) {
      // Some servers send blank events to keep the connection open; those are no damage.
      const value = parsed(data);
      if (value !== undefined) this.takeBlock(parseChunk(value), value);
      else if (this.isFinished)
        return; // the reply is whole; nothing of it is missing
      else if (++this.damagedEvents > MAX_DAMAGED_EVENTS) this.ending = { kind: "unreadable" };
    }
  }

  /** Adds new text; a reason that came before it was none. */
  private takeText(text: string): void {
    this.text += text;
    this.disproveReason();
  }

  private disproveReason(): void {
    this.possibleError = undefined;
    if (!this.isReasonLast) return;
    this.isReasonLast = false;
    if (this.finishReason !== undefined) this.disproved.add(this.finishReason);
  }

  private takeBlock(block: ReplyChunk | undefined, value: unknown): void {
    if (block === undefined) return;
    const text = this.newTextOf(block);
    if (text !== "") this.takeText(text);
    if (block.toolCalls.length > 0) this.disproveReason();
    for (const delta of block.toolCalls) {
      this.calls.add(delta);
      this.callBytes += 3 * delta.argumentsText.length + 64;
      this.barrenBytes = 0;
      this.unknownLines = 0;
    }
    if (this.callBytes > MAX_TEXT_BYTES) this.ending = limitMet("text-bytes");
    this.usage = block.usage ?? this.usage;
    if (block.finishReason !== undefined) {
      const isFirst = this.finishReason === undefined;
      const hasContent = text !== "" || block.toolCalls.length > 0;
      const isBehindContent = this.tally.chars + this.text.length + this.callBytes > 0;
      this.isReasonAlone = (isFirst || this.isReasonAlone) && !hasContent && isBehindContent;
      this.isReasonLast = true;
      this.finishReason = block.finishReason;
    }
    if (block.error !== undefined) this.ending = reportedFailure(block.error, this.redact);
    else if (block.mayBeError) this.possibleError = value;
  }

  /** A `message` may repeat all the text so far, in the last block or in each; only the rest counts. */
  private newTextOf({ source, text }: ReplyChunk): string {
    if (source !== "message" || text === "") return text;
    this.countText();
    const { chars } = this.tally;
    const isFirst = !this.hasMessageText;
    this.hasMessageText = true;
    if (chars === 0 || this.isCumulative === false) return text;
    if (!this.tally.isBeginningOf(text)) {
      if (!isFirst) this.isCumulative ??= false;
      return text;
    }
    // The same short text once more is a word said twice, unless deltas came before.
    const isSameWord = text.length === chars && chars <= MAX_WORD_CHARS;
    if (isSameWord && !isFirst && this.isCumulative === undefined) return text;
    if (!isFirst) this.isCumulative = true;
    return text.slice(chars);
  }

  /** Counts the part of `text` that is not counted yet, and cuts it at the cap. */
  private countText(): void {
    const added = this.counted === 0 ? this.text : this.text.slice(this.counted);
    if (added === "") return;
    const room = MAX_TEXT_BYTES - this.tally.bytes;
    this.tally.add(added);
    this.barrenBytes = 0;
    this.unknownLines = 0;
    if (this.tally.bytes > MAX_TEXT_BYTES) {
      this.text = this.text.slice(0, this.counted) + cutToBytes(added, room);
      this.ending = limitMet("text-bytes");
    }
    this.counted = this.text.length;
  }
}

/** The JSON value of `data`, or undefined when it is none. */
function parsed(data: string): unknown {
  try {
    return JSON.parse(data) as unknown;
  } catch {
    return undefined;
  }
}

function isBlank(text: string): boolean {
  return !(text.charCodeAt(0) > 0x20) && text.trim() === "";
}

/** True for bytes that are no text, such as a compressed body whose header says nothing. */
function isBinary(head: string): boolean {
  return /[\u0000-\u0008\u000e-\u001f\ufffd]/.test(head);
}
