/**
 * Decodes the bytes of a streamed reply: text, usage, tool calls, finish reason, and how it ended.
 * Knows the wire format only, takes bytes and reads nothing itself; time-outs, status and retries
 * are elsewhere. Format: https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
import { createParser, type EventSourceMessage } from "eventsource-parser";
import {
  limitMet,
  MAX_BARREN_BYTES,
  MAX_DAMAGED_EVENTS,
  MAX_EVENT_BYTES,
  MAX_TEXT_BYTES,
} from "./limits";
import { readBlock, readPlainDelta, type ReplyBlock } from "./readBlock";
import { reportedFailure } from "./readFailure";
import { createTextTally, cutToBytes } from "./textTally";
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

/** More bytes follow; a constant because it is needed for each piece. */
const STREAMING = { stream: true };

export interface StreamDecoder {
  /** Takes the next bytes, cut anywhere. After an end they are ignored. */
  push(bytes: Uint8Array): DecodedBytes;
  /** "done" after an exact `[DONE]`, a failure after an error or a cap, else undefined. */
  ending(): "done" | ServiceFailure | undefined;
  finishReason(): string | undefined;
  /** Events so far that could not be read and were skipped. */
  damagedEvents(): number;
  toolCalls(): ServiceToolCall[];
  /**
   * What the reply is when its bytes end here: undefined for complete. Bytes and events that are
   * not whole yet are dropped, as the standard says, so that no half character is shown.
   */
  endOfBytes(): ServiceFailure | undefined;
}

/** Starts a decoder for one reply; `redact` cleans what the service reports as its error. */
export function createStreamDecoder(redact: (text: string) => string): StreamDecoder {
  const utf8 = new TextDecoder("utf-8", { ignoreBOM: true }); // the parser takes the BOM off
  const tally = createTextTally();
  const calls = createToolCallAssembler();
  let ending: "done" | ServiceFailure | undefined;
  let finishReason: string | undefined;
  let damagedEvents = 0;
  let callBytes = 0;
  let hasMessageText = false;
  let hasEvents = false;
  let head = "";
  let bytesSinceEvent = 0;
  let barrenBytes = 0;
  // What the bytes being pushed have brought so far.
  let text = "";
  let usage: Usage | undefined;

  const parser = createParser({
    maxBufferSize: MAX_EVENT_BYTES,
    onEvent: take,
    onComment: () => {
      bytesSinceEvent = 0;
    },
    onError: (error) => {
      if (error.type === "max-buffer-size-exceeded") ending ??= limitMet("event-bytes");
      else bytesSinceEvent = 0;
    },
  });

  function take(event: EventSourceMessage): void {
    bytesSinceEvent = 0;
    hasEvents = true;
    if (ending !== undefined) return;
    if (event.data === "[DONE]" && event.event !== "error") {
      ending = "done";
      return;
    }
    if (event.data.length > MAX_EVENT_BYTES) {
      ending = limitMet("event-bytes");
      return;
    }
    // Some servers send empty events to keep the connection open.
    if (event.event !== "error" && isBlank(event.data)) return;
    let value: unknown;
    try {
      value = JSON.parse(event.data);
    } catch {
      if (event.event === "error") ending = reportedFailure(event.data, redact);
      else if (++damagedEvents > MAX_DAMAGED_EVENTS) ending = { kind: "unreadable" };
      return;
    }
    if (event.event === "error") {
      ending = reportedFailure(value, redact);
      return;
    }
    const plain = readPlainDelta(value);
    if (plain !== undefined) text += plain;
    else takeBlock(readBlock(value));
  }

  function takeBlock(block: ReplyBlock | undefined): void {
    if (block === undefined) return;
    if (block.error !== undefined) {
      ending = reportedFailure(block.error, redact);
      return;
    }
    text += newTextOf(block);
    for (const delta of block.toolCalls) {
      calls.add(delta);
      callBytes += 3 * delta.argumentsText.length + 64;
      barrenBytes = 0;
    }
    if (callBytes > MAX_TEXT_BYTES) ending = limitMet("text-bytes");
    usage = block.usage ?? usage;
    finishReason = block.finishReason ?? finishReason;
  }

  /** A last block may repeat the whole reply as its `message`; only what is new counts. */
  function newTextOf(block: ReplyBlock): string {
    if (block.source !== "message" || block.text === "") return block.text;
    settleText();
    const isRepeated =
      block.finishReason !== undefined &&
      !hasMessageText &&
      tally.chars() > 0 &&
      tally.isBeginningOf(block.text);
    hasMessageText = true;
    return isRepeated ? block.text.slice(tally.chars()) : block.text;
  }

  let settled = 0;

  /** Counts the part of `text` that is not counted yet, and cuts it at the cap. */
  function settleText(): void {
    const added = settled === 0 ? text : text.slice(settled);
    if (added === "") return;
    const room = MAX_TEXT_BYTES - tally.bytes();
    const before = tally.bytes();
    tally.add(added);
    barrenBytes = 0;
    if (tally.bytes() - before > room) {
      text = text.slice(0, settled) + cutToBytes(added, room);
      ending = limitMet("text-bytes");
    }
    settled = text.length;
  }

  function takeNews(): DecodedBytes {
    return text === "" && usage === undefined ? NO_NEWS : { text, usage };
  }

  return {
    push(bytes) {
      if (ending !== undefined) return NO_NEWS;
      text = "";
      usage = undefined;
      settled = 0;
      bytesSinceEvent += bytes.byteLength;
      barrenBytes += bytes.byteLength;
      const characters = utf8.decode(bytes, STREAMING);
      if (!hasEvents && head.length < 256) head += characters.slice(0, 256);
      parser.feed(characters);
      if (text !== "") settleText();
      if (bytesSinceEvent > MAX_EVENT_BYTES) ending ??= limitMet("event-bytes");
      if (barrenBytes > MAX_BARREN_BYTES) ending ??= limitMet("body-bytes");
      return takeNews();
    },
    ending: () => ending,
    finishReason: () => finishReason,
    damagedEvents: () => damagedEvents,
    toolCalls: () => calls.calls(),
    endOfBytes() {
      if (ending === "done") return undefined;
      if (ending !== undefined) return ending;
      if (finishReason !== undefined) return undefined;
      if (!hasEvents && isBinary(head)) return { kind: "unreadable" };
      return { kind: "truncated", damagedEvents };
    },
  };
}

function isBlank(text: string): boolean {
  return !(text.charCodeAt(0) > 0x20) && text.trim() === "";
}

/** True for bytes that are no text, such as a compressed body whose header says nothing. */
function isBinary(head: string): boolean {
  return /[\u0000-\u0008\u000e-\u001f\ufffd]/.test(head);
}
