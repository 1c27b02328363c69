/** Connections that end or fall silent before or during a reply, and redirects. */
import { holdOpen, pause, send, sendText, type Exchange } from "../exchange";
import { STREAM_HEADERS } from "../sendAnswer";
import { finishConnection, flush, resetConnection, writeRaw } from "./connectionEnd";
import { family, type Fault, type FaultFamily, type FaultTable } from "./fault";
import { sampleBody, sampleEvents } from "./sample";
import { failThenSucceed } from "./status";

type EndConnection = (exchange: Exchange) => void | Promise<void>;

/** Position of a cut: inside the JSON of a block, after some text. */
const MIDDLE = 0.6;

export const CONNECTION_FAULTS: FaultTable = {
  "reset-before-headers": { ending: "failed", reply: resetConnection },
  "fin-before-headers": {
    ending: "failed",
    reply: async (exchange) => {
      await Promise.resolve();
      finishConnection(exchange);
    },
  },
  "reset-before-headers-once": failThenSucceed(1, resetConnection),
  "fin-before-headers-once": failThenSucceed(1, finishConnection),
  "cut-clean": cut((exchange) => void exchange.response.end()),
  "cut-mid-stream": cut(finishConnection),
  "reset-mid-stream": cut(resetConnection),
  "cut-close": rawCut(() => "connection: close"),
  "wrong-content-length": rawCut(({ length }) => `content-length: ${length}`),
  "broken-chunk": {
    ending: "cut-off",
    reply: async (exchange) => {
      const { contentType, bytes } = sampleBody(exchange);
      const top = rawHead(`content-type: ${contentType}`, "transfer-encoding: chunked");
      const chunk = firstPart(bytes);
      await writeRaw(exchange, `${top}${chunk.length.toString(16)}\r\n`);
      await writeRaw(exchange, chunk);
      await writeRaw(exchange, "\r\nNOT A LENGTH\r\nand no chunk either\r\n");
      finishConnection(exchange);
    },
  },
  "silence-before-headers": { ending: "failed", reply: holdOpen },
  "silence-before-first": {
    ending: "failed",
    reply: async (exchange) => {
      exchange.response.writeHead(200, STREAM_HEADERS);
      exchange.response.flushHeaders();
      await holdOpen(exchange);
    },
  },
  "silence-mid-stream": silenceAfter((whole) => whole.indexOf("\n\n", whole.length / 2) + 2),
  "silence-inside-event": silenceAfter(
    (whole) => whole.indexOf('"content":"', whole.length / 2) + 14,
  ),
  "byte-every-1": {
    ending: "complete",
    reply: async (exchange) => {
      const { contentType, bytes } = sampleBody(exchange);
      exchange.response.writeHead(200, { "content-type": contentType });
      for (let at = 0; at < bytes.length; at++) {
        await send(exchange, bytes.subarray(at, at + 1));
        await pause(exchange, 1);
      }
      exchange.response.end();
    },
  },
};

export const CONNECTION_FAMILIES: readonly FaultFamily[] = [
  family(
    "redirect-NNN(-other)",
    [301, 302, 303, 307, 308].flatMap((status) => [
      `redirect-${status}`,
      `redirect-${status}-other`,
    ]),
    /redirect-(301|302|303|307|308)(-other)?/,
    (status, other) => redirect(Number(status), other !== undefined),
  ),
];

/** Redirects to a path below /redirected/ of this service, which records clients that follow. */
function redirect(status: number, isOtherHost: boolean): Fault {
  const reply = (exchange: Exchange) => {
    const host = isOtherHost ? exchange.origin.replace("127.0.0.1", "localhost") : exchange.origin;
    const location = `${host}/redirected${exchange.record.path}`;
    sendText(exchange.response, status, `Moved to ${location}\n`, { location });
    return Promise.resolve();
  };
  return { ending: "failed", reply };
}

/** Sends the first part of the sample in chunked framing, then calls `end`. */
function cut(end: EndConnection): Fault {
  const reply = async (exchange: Exchange) => {
    const { contentType, bytes } = sampleBody(exchange);
    exchange.response.writeHead(200, { "content-type": contentType });
    await flush(exchange, firstPart(bytes));
    await end(exchange);
  };
  return { ending: "cut-off", reply };
}

/** Sends the first part of the sample with a header about its length, then closes (FIN). */
function rawCut(header: (bytes: Buffer) => string): Fault {
  const reply = async (exchange: Exchange) => {
    const { contentType, bytes } = sampleBody(exchange);
    await writeRaw(exchange, rawHead(`content-type: ${contentType}`, header(bytes)));
    await writeRaw(exchange, firstPart(bytes));
    finishConnection(exchange);
  };
  return { ending: "cut-off", reply };
}

function firstPart(bytes: Buffer): Buffer {
  return bytes.subarray(0, Math.floor(bytes.length * MIDDLE));
}

/** Returns a status line for 200 with headers that Node's HTTP module would not send. */
function rawHead(...headers: readonly string[]): string {
  return ["HTTP/1.1 200 OK", ...headers, "", ""].join("\r\n");
}

function silenceAfter(lengthOf: (whole: string) => number): Fault {
  const reply = async (exchange: Exchange) => {
    const { whole } = sampleEvents(exchange.request.model);
    exchange.response.writeHead(200, STREAM_HEADERS);
    await flush(exchange, whole.slice(0, lengthOf(whole)));
    await holdOpen(exchange);
  };
  return { ending: "cut-off", reply };
}
