/**
 * Replies of status 200 that a client reads to some end: unusual last events, errors among the text,
 * compression, and sizes over a limit. The tests of `src/service` have the other shapes of a stream.
 */
import { pipeline } from "node:stream/promises";
import {
  brotliCompressSync,
  constants,
  createGzip,
  deflateSync,
  gzipSync,
  type ZlibOptions,
} from "node:zlib";
import { holdOpen, send, sendText, type Exchange } from "../exchange";
import { sendAnswer, STREAM_HEADERS } from "../sendAnswer";
import { DONE, event } from "../wire";
import { flush, resetConnection } from "./connectionEnd";
import type { ExpectedEnding, Fault, FaultTable } from "./fault";
import { SAMPLE_BLOCKS, sampleBody, sampleEvents, type SampleEvents } from "./sample";

/** Sign-in page as sent by a proxy; a client must never render this page. */
const SIGN_IN_PAGE = `<!doctype html>
<html><head><title>Sign in</title><script>document.title = "run"</script></head>
<body><h1>Sign in to the network</h1><img src="https://example.com/pixel.png"></body></html>
`;

const BOMB_BYTES = 200 * 1000 * 1000;

export const STREAM_FAULTS: FaultTable = {
  "finish-length": finish("length", "cut-short"),
  "finish-content-filter": finish("content_filter", "withheld"),
  "socket-open-after-done": afterDone(holdOpen),
  "reset-after-done": afterDone(resetConnection),
  "damaged-event": streamFault("complete", ({ opening, blocks, finish }) => [
    opening,
    ...blocks.slice(0, 3),
    event('{"choices":[{"index":0,"delta":{"content":"lost'),
    ...blocks.slice(3),
    finish,
    DONE,
  ]),
  "error-object": error(() => "The model is overloaded, please try again later."),
  "error-key": error((authorization) => `No credit left for ${authorization}.`),
  "html-200": {
    ending: "failed",
    reply: async ({ response }) => {
      await Promise.resolve();
      sendText(response, 200, SIGN_IN_PAGE, { "content-type": "text/html" });
    },
  },
  "json-200": {
    ending: "complete",
    reply: (exchange) => {
      const request = { ...exchange.request, isStreaming: false };
      return sendAnswer({ ...exchange, request }, { blocks: SAMPLE_BLOCKS, finishReason: "stop" });
    },
  },
  gzip: packed("gzip", "complete", gzipSync),
  deflate: packed("deflate", "complete", deflateSync),
  br: packed("br", "complete", brotliCompressSync),
  "gzip-truncated": packed("gzip", "cut-off", (bytes) => {
    // Stored without compression, so that the first half can be unpacked.
    const stored = gzipSync(bytes, { level: constants.Z_NO_COMPRESSION } satisfies ZlibOptions);
    return stored.subarray(0, Math.floor(stored.length / 2));
  }),
  "gzip-wrong-header": packed("gzip", "failed", (bytes) => bytes),
  "gzip-no-header": packed(undefined, "failed", gzipSync),
  "bomb-one-line": {
    ending: "failed",
    reply: async ({ response, request, signal }) => {
      response.writeHead(200, { ...STREAM_HEADERS, "content-encoding": "gzip" });
      const gzip = createGzip({ level: constants.Z_BEST_SPEED });
      await pipeline(longLine(sampleEvents(request.model)), gzip, response, { signal });
    },
  },
  "huge-header": head(["x-huge", "x".repeat(100 * 1024)]),
  "many-headers": head(
    Array.from({ length: 1000 }, (_unused, index) => [`x-header-${index}`, "a".repeat(70)]).flat(),
  ),
};

/** Sends each piece as a separate HTTP chunk, then ends cleanly. */
function streamFault(
  ending: ExpectedEnding,
  pieces: (events: SampleEvents, exchange: Exchange) => Iterable<string>,
): Fault {
  const reply = async (exchange: Exchange) => {
    exchange.response.writeHead(200, STREAM_HEADERS);
    for (const piece of pieces(sampleEvents(exchange.request.model), exchange)) {
      await send(exchange, piece);
      // Clients merge chunks that arrive in the same turn of the event loop.
      await new Promise(setImmediate);
    }
    exchange.response.end();
  };
  return { ending, reply };
}

function finish(finishReason: string, ending: ExpectedEnding): Fault {
  const answer = { blocks: SAMPLE_BLOCKS, finishReason };
  return { ending, reply: (exchange) => sendAnswer(exchange, answer) };
}

function afterDone(then: (exchange: Exchange) => Promise<void>): Fault {
  const reply = async (exchange: Exchange) => {
    exchange.response.writeHead(200, STREAM_HEADERS);
    await flush(exchange, sampleEvents(exchange.request.model).whole);
    return then(exchange);
  };
  return { ending: "complete", reply };
}

/** Returns an error after some text, followed by neither a finish reason nor `[DONE]`. */
function error(message: (authorization: string) => string): Fault {
  return streamFault("failed", ({ opening, blocks }, { record }) => [
    opening,
    ...blocks.slice(0, 3),
    event(JSON.stringify({ error: { message: message(record.headers["authorization"] ?? "") } })),
  ]);
}

/** Ignores the client's Accept-Encoding on purpose. */
function packed(
  encoding: string | undefined,
  ending: ExpectedEnding,
  pack: (bytes: Buffer) => Buffer,
): Fault {
  const reply = async (exchange: Exchange) => {
    const { contentType, bytes } = sampleBody(exchange);
    await Promise.resolve();
    exchange.response.writeHead(200, {
      "content-type": contentType,
      ...(encoding === undefined ? {} : { "content-encoding": encoding }),
    });
    exchange.response.end(pack(bytes));
  };
  return { ending, reply };
}

function* longLine({ finish: last }: SampleEvents): Iterable<string> {
  yield 'data: {"choices":[{"index":0,"delta":{"content":"';
  const filler = "b".repeat(1_000_000);
  for (let sent = 0; sent < BOMB_BYTES; sent += filler.length) yield filler;
  yield `"}}]}\n\n${last}${DONE}`;
}

/** Sends the sample with more headers: names and values in turn. */
function head(headers: readonly string[]): Fault {
  const reply = async (exchange: Exchange) => {
    const { contentType, bytes } = sampleBody(exchange);
    await Promise.resolve();
    exchange.response.writeHead(200, ["content-type", contentType, ...headers]);
    exchange.response.end(bytes);
  };
  return { ending: "failed", reply };
}
