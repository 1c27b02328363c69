/**
 * Replies that exceed limits: endless streams, huge lines and events, a million small events, and
 * huge or invalid headers.
 */
import { pause, send, type Exchange } from "../exchange";
import { STREAM_HEADERS } from "../sendAnswer";
import { blockJson, DONE, event } from "../wire";
import { finishConnection, writeRaw } from "./connectionEnd";
import {
  family,
  type ExpectedEnding,
  type Fault,
  type FaultFamily,
  type FaultTable,
} from "./fault";
import { sampleBody, sampleEvents, streamFault } from "./sample";

const MIB = 1024 * 1024;
const ENDLESS_DELAY_MS = 5;
const EVENTS_IN_A_PIECE = 1000;

export const LIMIT_FAULTS: FaultTable = {
  endless: endless("a stream that never ends, at a model's pace", ENDLESS_DELAY_MS),
  "endless-fast": endless("a stream that never ends, as fast as it can", 0),
  "long-line-10mb": streamFault("S28", "one line of 10 MiB", "failed", (events) => [
    events.opening,
    ...events.blocks,
    ...bigBlock(10 * MIB),
    events.finish,
    DONE,
  ]),
  "big-event-10mb": streamFault("S28", "one event of 10 MiB in short lines", "failed", (events) => [
    events.opening,
    ...events.blocks,
    "data: {\n",
    // Spaces inside a JSON object have no meaning, so only a size limit can stop this event.
    ...Array.from({ length: 10 }, () => `data: ${" ".repeat(1017)}\n`.repeat(1024)),
    'data: "choices":[]}\n\n',
    events.finish,
    DONE,
  ]),
  "event-just-under-8mb": streamFault(
    "S28",
    "one event of 8 MiB less 1 KiB",
    "complete",
    (events) => [events.opening, ...bigBlock(8 * MIB - 1024), events.finish, DONE],
  ),
  "million-events": tinyEvents(1_000_000, "1,000,000 blocks of one digit each"),
  "huge-header": head("a header of 100 KB", () => [`x-huge: ${"x".repeat(100 * 1024)}`]),
  "many-headers": head("1,000 headers", () =>
    Array.from(
      { length: 1000 },
      (_unused, index) => `x-header-${index}: the value of the header number ${index}`,
    ),
  ),
  "garbage-status": {
    row: "S31",
    summary: "a status line that is none",
    ending: "failed",
    reply: async (exchange) => {
      await writeRaw(exchange, "HELLO THERE, NO HTTP HERE\r\n\r\n");
      finishConnection(exchange);
    },
  },
};

export const LIMIT_FAMILIES: readonly FaultFamily[] = [
  family("events-N", ["events-2500"], /events-(\d{1,7})/, (count) =>
    tinyEvents(Number(count), "N blocks of one digit each"),
  ),
];

/** Returns the text of `events-N` and, with 1,000,000, of `million-events`: 0123456789012… */
export function tinyEventsText(count: number): string {
  return "0123456789".repeat(Math.ceil(count / 10)).slice(0, count);
}

function tinyEvents(count: number, summary: string): Fault {
  return streamFault("S29", summary, "complete", function* (events) {
    const text = tinyEventsText(Math.min(count, EVENTS_IN_A_PIECE));
    const piece = Array.from(text, (digit) =>
      event(`{"choices":[{"delta":{"content":"${digit}"}}]}`),
    );
    const whole = piece.join("");
    let left = count;
    for (; left >= EVENTS_IN_A_PIECE; left -= EVENTS_IN_A_PIECE) yield whole;
    yield piece.slice(0, left).join("");
    yield events.finish;
    yield DONE;
  });
}

/** Returns a block, in pieces, whose event has exactly `bytes` bytes without its blank line. */
function bigBlock(bytes: number): string[] {
  const frame = 'data: {"choices":[{"index":0,"delta":{"content":""}}]}'.length;
  const filler = "big ".repeat(Math.ceil(bytes / 4)).slice(0, bytes - frame);
  return ['data: {"choices":[{"index":0,"delta":{"content":"', filler, '"}}]}\n\n'];
}

function endless(summary: string, delayMs: number): Fault {
  const reply = async (exchange: Exchange) => {
    const { envelope, opening } = sampleEvents(exchange.request.model);
    exchange.response.writeHead(200, STREAM_HEADERS);
    await send(exchange, opening);
    for (let number = 1; ; number++) {
      await send(exchange, event(blockJson(envelope, { content: `line ${number} of no end\n` })));
      if (delayMs > 0) await pause(exchange, delayMs);
      // Without a pause, nothing else in this process would run.
      else if (number % 100 === 0) await new Promise(setImmediate);
    }
  };
  return { row: "S27", summary, ending: "runs", reply };
}

function head(summary: string, headers: () => string[], ending: ExpectedEnding = "failed"): Fault {
  const reply = async (exchange: Exchange) => {
    const { contentType, bytes } = sampleBody(exchange);
    exchange.response.writeHead(
      200,
      [
        ["content-type", contentType],
        ...headers().map((line) => line.split(": ") as [string, string]),
      ].flat(),
    );
    await Promise.resolve();
    exchange.response.end(bytes);
  };
  return { row: "S31", summary, ending, reply };
}
