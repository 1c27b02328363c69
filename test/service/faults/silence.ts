/**
 * Replies that keep a client waiting: silence at every stage, comments without content, and single
 * bytes at long intervals. All of them keep the connection open until the client closes it.
 */
import { holdOpen, pause, send, type Exchange } from "../exchange";
import { STREAM_HEADERS } from "../sendAnswer";
import { flush } from "./connectionEnd";
import { family, type Fault, type FaultFamily, type FaultTable } from "./fault";
import { sampleBody, sampleEvents } from "./sample";

const TRICKLE_MS = 1000;

export const SILENCE_FAULTS: FaultTable = {
  "silence-before-headers": {
    row: "S26",
    summary: "no reply at all",
    ending: "failed",
    reply: holdOpen,
  },
  "silence-before-first": {
    row: "S26",
    summary: "headers, then nothing",
    ending: "failed",
    reply: async (exchange) => {
      exchange.response.writeHead(200, STREAM_HEADERS);
      exchange.response.flushHeaders();
      await holdOpen(exchange);
    },
  },
  "silence-mid-stream": silenceAfter("some events, then nothing", (whole) => {
    const quarter = whole.indexOf("\n\n", whole.length / 2);
    return quarter + 2;
  }),
  "silence-inside-event": silenceAfter("half an event, then nothing", (whole) => {
    return whole.indexOf('"content":"', whole.length / 2) + 14;
  }),
  "only-comments": comments(TRICKLE_MS),
  "byte-a-second": trickle(TRICKLE_MS),
};

export const SILENCE_FAMILIES: readonly FaultFamily[] = [
  family("only-comments-every-MS", ["only-comments-every-20"], /only-comments-every-(\d+)/, (ms) =>
    comments(Number(ms)),
  ),
  family("byte-every-MS", ["byte-every-1"], /byte-every-(\d+)/, (ms) => trickle(Number(ms))),
];

function silenceAfter(summary: string, lengthOf: (whole: string) => number): Fault {
  const reply = async (exchange: Exchange) => {
    const { whole } = sampleEvents(exchange.request.model);
    exchange.response.writeHead(200, STREAM_HEADERS);
    await flush(exchange, whole.slice(0, lengthOf(whole)));
    await holdOpen(exchange);
  };
  return { row: "S26", summary, ending: "cut-off", reply };
}

function comments(everyMs: number): Fault {
  const reply = async (exchange: Exchange) => {
    exchange.response.writeHead(200, STREAM_HEADERS);
    for (;;) {
      await send(exchange, ": still here\n\n");
      await pause(exchange, everyMs);
    }
  };
  return { row: "S26", summary: "comments at that interval, for ever", ending: "runs", reply };
}

function trickle(everyMs: number): Fault {
  const reply = async (exchange: Exchange) => {
    const { contentType, bytes } = sampleBody(exchange);
    exchange.response.writeHead(200, { "content-type": contentType });
    for (let at = 0; at < bytes.length; at++) {
      await send(exchange, bytes.subarray(at, at + 1));
      await pause(exchange, everyMs);
    }
    exchange.response.end();
  };
  return { row: "S26", summary: "a faultless reply, byte by byte", ending: "complete", reply };
}
