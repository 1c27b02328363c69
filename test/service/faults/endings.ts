/**
 * Streams that end in unusual ways: without `[DONE]`, with another finish reason, with an event
 * that only resembles `[DONE]`, or with a connection that stays open.
 */
import { holdOpen, type Exchange } from "../exchange";
import { sendAnswer, STREAM_HEADERS } from "../sendAnswer";
import { DONE, event } from "../wire";
import { flush, resetConnection } from "./connectionEnd";
import type { ExpectedEnding, Fault, FaultTable } from "./fault";
import { SAMPLE_BLOCKS, sampleEvents, streamFault } from "./sample";

const LATE = event('{"choices":[{"index":0,"delta":{"content":"THIS CAME TOO LATE"}}]}');

export const ENDING_FAULTS: FaultTable = {
  "no-done": streamFault("S7", "a finish reason, but no [DONE]", "complete", (events) => [
    events.opening,
    ...events.blocks,
    events.finish,
  ]),
  "no-finish": streamFault("S8", "neither a finish reason nor [DONE]", "cut-off", (events) => [
    events.opening,
    ...events.blocks,
  ]),
  "done-only": streamFault("S9", "[DONE], but no finish reason", "complete", (events) => [
    events.opening,
    ...events.blocks,
    DONE,
  ]),
  "finish-length": finish("length", "cut-short"),
  "finish-content-filter": finish("content_filter", "withheld"),
  "finish-tool-calls": finish("tool_calls", "tool-calls"),
  "finish-unknown": finish("tired", "complete"),
  "done-twice": streamFault("S11", "[DONE] comes twice", "complete", (events) => [
    events.whole,
    DONE,
  ]),
  "data-after-done": streamFault("S11", "more text follows [DONE]", "complete", (events) => [
    events.whole,
    LATE,
    events.finish,
    DONE,
  ]),
  "socket-open-after-done": afterDone("the connection stays open after [DONE]", holdOpen),
  "reset-after-done": afterDone("the connection is reset after [DONE]", resetConnection),
  "done-junk": falseDone("[DONE] with junk behind it", event("[DONE]junk")),
  "done-space": falseDone("[DONE] with a blank behind it", event("[DONE] ")),
  "done-multi-line": falseDone("[DONE] in an event of two lines", "data: [DONE]\ndata: \n\n"),
};

function finish(reason: string, ending: ExpectedEnding): Fault {
  return {
    row: "S10",
    summary: `the finish reason is ${reason}, in either mode`,
    ending,
    reply: (exchange) => sendAnswer(exchange, { blocks: SAMPLE_BLOCKS, finishReason: reason }),
  };
}

function afterDone(summary: string, then: (exchange: Exchange) => Promise<void>): Fault {
  const plain = streamFault("S11", summary, "complete", (events) => [events.whole]);
  const reply = async (exchange: Exchange) => {
    if (!exchange.request.isStreaming) return plain.reply(exchange);
    exchange.response.writeHead(200, STREAM_HEADERS);
    await flush(exchange, sampleEvents(exchange.request.model).whole);
    return then(exchange);
  };
  return { ...plain, reply };
}

/**
 * Returns a stream with a damaged event instead of `[DONE]` and without a finish reason; clients
 * report it as cut off.
 */
function falseDone(summary: string, last: string): Fault {
  return streamFault("S12", summary, "cut-off", (events) => [
    events.opening,
    ...events.blocks,
    last,
  ]);
}
