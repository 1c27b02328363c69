/**
 * Decodes the bytes of a streamed reply: text, usage, tool calls, finish reason and ending. Handles
 * the wire format only; timeouts, HTTP status and retries are in client.ts.
 * Format: https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
import { WellFormedText } from "../base/wellFormed";
import { createParser, type EventSourceMessage, type EventSourceParser } from "eventsource-parser";
import {
  limitFailure,
  MAX_BYTES_WITHOUT_TEXT,
  MAX_DAMAGED_EVENTS,
  MAX_EVENT_BYTES,
  MAX_REPLY_PICTURES,
  MAX_TEXT_BYTES,
  MAX_UNKNOWN_LINES,
} from "./limits";
import { RawJsonLines } from "./rawJsonLines";
import { parseChunk } from "./chunk";
import { parseJson } from "../base/parseJson";
import { jsonObjects, jsonText, parsePythonJson } from "./jsonText";
import { foreignReply, reportedFailure } from "./readFailure";
import { beginsLikeStream, isBinary } from "./sniffBody";
import { MarkdownPictures, type SeparatedPictures } from "./markdownPictures";
import { GrowingText } from "./growingText";
import { cutToBytes } from "./textDigest";
import { ThinkingTags } from "./thinkingTags";
import { createToolCallAssembler } from "./toolCalls";
import type { ServiceFailure, ServiceToolCall, Usage } from "./types";

export interface DecodedBytes {
  /** True if all text of earlier bytes is thinking; `reasoning` continues it. */
  readonly isEarlierTextReasoning: boolean;
  /** New thinking, and new text, in order. */
  readonly reasoning: string;
  readonly text: string;
  readonly pictures: readonly string[];
  /** Last token counts among the bytes. */
  readonly usage: Usage | undefined;
}

/** Result for bytes that complete no block with text or counts. */
export const NO_CONTENT: DecodedBytes = {
  isEarlierTextReasoning: false,
  reasoning: "",
  text: "",
  pictures: [],
  usage: undefined,
};

/** Names and data of events without content. */
const HEARTBEAT = /^\s*\[?(?:ping|pong|heart[_-]?beat|keep[_-]?alive)\]?\s*$/i;

const UNREADABLE: ServiceFailure = { kind: "unreadable" };

/** A shared constant, because the decoder needs the option for each piece. */
const STREAMING = { stream: true };

const NO_PICTURES: SeparatedPictures = { text: "", pictures: [] };

/**
 * Decodes a reply. A class rather than closures, because V8 keeps optimized methods between
 * replies.
 */
export class StreamDecoder {
  /** "done" after an exact `[DONE]`, a failure after an error or a limit, else undefined. */
  ending: "done" | ServiceFailure | undefined;
  /** Last finish reason of the service; proves the end only if `isFinished`. */
  finishReason: string | undefined;
  damagedEvents = 0;
  private readonly utf8 = new TextDecoder("utf-8", { ignoreBOM: true }); // the parser removes the byte order mark
  private readonly textSoFar = new GrowingText();
  private readonly reasoningSoFar = new GrowingText();
  private readonly wellFormedText = new WellFormedText();
  private readonly wellFormedReasoning = new WellFormedText();
  private readonly tags = new ThinkingTags();
  private readonly markdown = new MarkdownPictures();
  private readonly seenPictures = new Set<string>();
  /** Ends of pictures beyond the limit, which are only counted. */
  private readonly countedPictures = new Set<string>();
  private pictures: string[] = [];
  private readonly calls = createToolCallAssembler();
  private readonly parser: EventSourceParser;
  private readonly rawLines = new RawJsonLines();
  private callBytes = 0;
  private choiceIndex: number | undefined;
  /** Reasons that more text followed; this service sends them before the end of a reply. */
  private readonly disproved = new Set<string>();
  private isReasonLast = false;
  private isReasonAlone = false;
  /** Error without an `error` field; counts only if no content follows. */
  private possibleError: unknown;
  /** First value that is no block of a reply. */
  private foreign = "";
  private unknownLines = 0;
  private hasEvents = false;
  private head = "";
  private bytesSinceEvent = 0;
  private bytesWithoutText = 0;
  // Content of the bytes in progress. The text may still have tags of thinking.
  private text = "";
  private reasoning = "";
  private usage: Usage | undefined;

  /** `redact` removes secrets from errors of the service. */
  constructor(private readonly redact: (text: string) => string) {
    this.parser = createParser({
      maxBufferSize: MAX_EVENT_BYTES,
      onEvent: (event) => {
        this.bytesSinceEvent = 0;
        this.process(event);
      },
      onComment: () => {
        this.bytesSinceEvent = 0;
      },
      onError: (error) => {
        if (error.type === "max-buffer-size-exceeded") {
          this.ending ??= limitFailure("event-bytes");
          return;
        }
        this.bytesSinceEvent = 0;
        this.unknownLines++;
        // llama.cpp sends errors in a field named `error`.
        if (error.field === "error" && error.value !== undefined) {
          this.process({ event: "error", data: error.value });
        }
      },
    });
  }

  /** Decodes the next bytes, split at any position. Ignores bytes after an ending. */
  push(bytes: Uint8Array): DecodedBytes {
    if (this.ending !== undefined) return NO_CONTENT;
    this.usage = undefined;
    this.bytesSinceEvent += bytes.byteLength;
    this.bytesWithoutText += bytes.byteLength;
    const characters = this.utf8.decode(bytes, STREAMING);
    if (!this.hasEvents && this.head.length < 256) this.head += characters.slice(0, 256);
    this.parser.feed(this.rawLines.toEvents(characters));
    if (this.unknownLines > MAX_UNKNOWN_LINES) this.ending ??= this.unknownText() ?? UNREADABLE;
    return this.readContent();
  }

  /** Decodes the rest at the end of the body: a last line of JSON needs no line end. */
  finish(): DecodedBytes {
    if (this.ending !== undefined) return NO_CONTENT;
    this.usage = undefined;
    const { damagedEvents } = this;
    this.parser.feed(this.rawLines.end());
    // Half a line is truncated, not damaged.
    this.damagedEvents = damagedEvents;
    return this.readContent(true);
  }

  private readContent(isEnd = false): DecodedBytes {
    if (this.bytesSinceEvent > MAX_EVENT_BYTES) this.ending ??= limitFailure("event-bytes");
    if (this.bytesWithoutText > MAX_BYTES_WITHOUT_TEXT) this.ending ??= limitFailure("body-bytes");
    const isOver = isEnd || this.ending !== undefined;
    if (isOver) {
      this.addReasoning(this.reasoningSoFar.release());
      this.addText(this.textSoFar.release());
    }
    this.text = this.wellFormedText.push(this.text);
    this.reasoning = this.wellFormedReasoning.push(this.reasoning);
    if (isOver) {
      this.text += this.wellFormedText.end();
      this.reasoning += this.wellFormedReasoning.end();
    }
    if (this.reasoning !== "") this.tags.reasoningArrived();
    const separated = this.tags.push(this.text);
    const lastContent = isOver ? this.tags.end() : NO_CONTENT;
    const { usage } = this;
    const isLate = lastContent.isEarlierTextReasoning;
    const reasoning =
      this.reasoning + separated.reasoning + (isLate ? separated.text : "") + lastContent.reasoning;
    const shown = this.markdown.push((isLate ? "" : separated.text) + lastContent.text);
    const last = isOver ? this.markdown.end() : NO_PICTURES;
    const text = shown.text + last.text;
    this.addPictures([...shown.pictures, ...last.pictures]);
    const { pictures } = this;
    this.pictures = [];
    this.text = "";
    this.reasoning = "";
    const isEarlierTextReasoning = separated.isEarlierTextReasoning || isLate;
    const isEmpty = reasoning + text === "" && usage === undefined && pictures.length === 0;
    if (isEmpty && !isEarlierTextReasoning) return NO_CONTENT;
    return { isEarlierTextReasoning, reasoning, text, pictures, usage };
  }

  /** Returns the calls assembled so far. */
  toolCalls(): ServiceToolCall[] {
    return this.calls.calls();
  }

  /**
   * Returns the failure for a body that ends here; undefined for a complete reply. Drops incomplete
   * characters and events, as the standard requires.
   */
  endOfBytes(): ServiceFailure | undefined {
    const isComplete = this.ending === "done" || (this.ending === undefined && this.isFinished);
    const isBlank = !this.hasContent;
    const foreign = isBlank && this.choiceIndex === undefined ? this.foreign : "";
    if (isComplete && !(isBlank && (this.possibleError !== undefined || foreign !== "")))
      return undefined;
    if (typeof this.ending === "object") return this.ending;
    if (this.possibleError !== undefined) return reportedFailure(this.possibleError, this.redact);
    if (foreign !== "") return foreignReply(foreign, this.redact);
    const unknown = this.hasEvents ? undefined : this.unknownText();
    if (unknown !== undefined) return unknown;
    return { kind: "truncated", damagedEvents: this.damagedEvents };
  }

  /**
   * True after a finish reason without later text, unless text followed the same reason before. A
   * service with a reason in every block must send `[DONE]`: gateways end a broken reply cleanly
   * too, and a lost ending is worse than a needless Continue. More events may follow.
   */
  get isFinished(): boolean {
    const { finishReason } = this;
    return finishReason !== undefined && this.isReasonLast && !this.disproved.has(finishReason);
  }

  /**
   * True for a finish reason as in the specification: in a block without text, after text, from a
   * service that sent no reason before. Only token counts may follow.
   */
  isSurelyFinished(): boolean {
    return this.isFinished && this.isReasonAlone;
  }

  /** Returns the failure for a body that does not begin like an event stream. */
  private unknownText(): ServiceFailure | undefined {
    if (isBinary(this.head)) return UNREADABLE;
    return beginsLikeStream(this.head) ? undefined : foreignReply(this.head, this.redact);
  }

  /** True if the reply has text, thinking or a call so far. */
  private get hasContent(): boolean {
    const hasText = !this.textSoFar.isEmpty || !this.reasoningSoFar.isEmpty;
    return hasText || this.callBytes > 0 || this.seenPictures.size > 0;
  }

  private process({ event, data }: Pick<EventSourceMessage, "event" | "data">): void {
    this.hasEvents = true;
    if (this.ending !== undefined) return;
    if (event === "error") {
      this.ending = reportedFailure(parseJson(data) ?? data, this.redact);
    } else if (data === "[DONE]") {
      this.ending = "done";
    } else if (data.length > MAX_EVENT_BYTES) {
      this.ending = limitFailure("event-bytes");
    } else if (!isSilent(event, data)) {
      const value = parsePythonJson(data);
      if (value !== undefined) this.processValue(value);
      else if (!this.isFinished) this.processParts(data);
    }
  }

  private processParts(data: string): void {
    const { objects, rest } = jsonObjects(data);
    for (const value of objects) if (this.ending === undefined) this.processValue(value);
    if (rest === "") return;
    const isOneOfSeveral = objects.length > 0 || data.startsWith("data:");
    if (isOneOfSeveral && rest === "[DONE]") this.ending ??= "done";
    else if (++this.damagedEvents > MAX_DAMAGED_EVENTS) this.ending ??= UNREADABLE;
  }

  /** Adds new text; an earlier finish reason was not the end. */
  private addText(text: string): void {
    if (text === "") return;
    this.addReasoning(this.reasoningSoFar.release());
    this.text += this.withinLimit(this.textSoFar, text);
    this.revokeFinishReason();
  }

  private addReasoning(text: string): void {
    if (text === "") return;
    this.reasoning += this.withinLimit(this.reasoningSoFar, text);
    this.revokeFinishReason();
  }

  /** Counts new text or thinking, and truncates it at the limit of both together. */
  private withinLimit(kind: GrowingText, added: string): string {
    const remainingBytes = MAX_TEXT_BYTES - this.textSoFar.bytes - this.reasoningSoFar.bytes;
    const before = kind.bytes;
    kind.add(added);
    this.bytesWithoutText = 0;
    this.unknownLines = 0;
    if (kind.bytes - before <= remainingBytes) return added;
    this.ending = limitFailure("text-bytes");
    return cutToBytes(added, remainingBytes);
  }

  /**
   * Adds pictures once; some services repeat them in the last block. A picture beyond the limit is an
   * empty address.
   */
  private addPictures(urls: readonly string[]): void {
    for (const url of urls) {
      const isWithin = this.seenPictures.size < MAX_REPLY_PICTURES;
      const key = isWithin ? url : `${url.length} ${url.slice(-200)}`;
      const counted = isWithin ? this.seenPictures : this.countedPictures;
      if (this.seenPictures.has(url) || counted.has(key)) continue;
      counted.add(key);
      this.pictures.push(isWithin ? url : "");
      this.bytesWithoutText = 0;
      this.unknownLines = 0;
    }
  }

  private revokeFinishReason(): void {
    this.possibleError = undefined;
    if (!this.isReasonLast) return;
    this.isReasonLast = false;
    if (this.finishReason !== undefined) this.disproved.add(this.finishReason);
  }

  private processValue(value: unknown): void {
    // Some services put their blocks, and errors, into a list.
    if (Array.isArray(value) && value.some(isBlock)) {
      for (const item of value) if (this.ending === undefined) this.processValue(item);
      return;
    }
    const block = parseChunk(value, this.choiceIndex);
    const isReply = isBlock(value);
    if (!isReply) this.foreign ||= jsonText(value as object | string);
    if (block === undefined) return;
    this.choiceIndex ??= block.choiceIndex;
    const { source } = block;
    const reasoning = this.reasoningSoFar.newPartOf(source, block.reasoning);
    this.addReasoning(reasoning);
    const text = this.textSoFar.newPartOf(source, block.text);
    this.addText(text);
    this.addPictures(block.pictures);
    const hasNew = text + reasoning !== "" || block.pictures.length > 0;
    if (block.toolCalls.length > 0) this.revokeFinishReason();
    for (const delta of block.toolCalls) {
      this.calls.add(delta);
      this.callBytes += 3 * delta.argumentsText.length + 64;
      this.bytesWithoutText = 0;
      this.unknownLines = 0;
    }
    if (this.callBytes > MAX_TEXT_BYTES) this.ending = limitFailure("text-bytes");
    this.usage = block.usage ?? this.usage;
    if (block.finishReason !== undefined) {
      const isFirst = this.finishReason === undefined;
      const hasContent = hasNew || block.toolCalls.length > 0;
      this.isReasonAlone = (isFirst || this.isReasonAlone) && !hasContent && this.hasContent;
      this.isReasonLast = true;
      this.finishReason = block.finishReason;
    }
    if (block.error !== undefined) this.ending = reportedFailure(block.error, this.redact);
    else if (block.mayBeError) this.possibleError = value;
  }
}

function isBlock(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "choices");
}

/** True for an event that only keeps the connection open. */
function isSilent(event: string | undefined, data: string): boolean {
  if (event !== undefined && HEARTBEAT.test(event)) return !data.includes('"choices"');
  // A colon begins a comment, which some gateways write after `data:`.
  return data.trim() === "" || HEARTBEAT.test(data) || data.trimStart().startsWith(":");
}
