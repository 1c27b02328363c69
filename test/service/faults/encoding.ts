/**
 * Compressed replies: valid replies, a reply that stops in the middle, wrong labels, and bombs that
 * unpack to 200 MB. They ignore the client's Accept-Encoding on purpose.
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
import type { Exchange } from "../exchange";
import { STREAM_HEADERS } from "../sendAnswer";
import { DONE, event } from "../wire";
import type { ExpectedEnding, Fault, FaultTable } from "./fault";
import { sampleBody, sampleEvents } from "./sample";

const BOMB_BYTES = 200 * 1000 * 1000;

export const ENCODING_FAULTS: FaultTable = {
  gzip: packed("a reply in gzip", "gzip", "complete", (bytes) => gzipSync(bytes)),
  deflate: packed("a reply in deflate", "deflate", "complete", (bytes) => deflateSync(bytes)),
  br: packed("a reply in brotli", "br", "complete", (bytes) => brotliCompressSync(bytes)),
  "gzip-truncated": packed("gzip that ends too early", "gzip", "cut-off", (bytes) => {
    // Stored without compression, so that the first half can be unpacked.
    const stored = gzipSync(bytes, { level: constants.Z_NO_COMPRESSION } satisfies ZlibOptions);
    return stored.subarray(0, Math.floor(stored.length / 2));
  }),
  "gzip-wrong-header": packed("plain bytes labelled as gzip", "gzip", "failed", (bytes) => bytes),
  "gzip-no-header": packed("gzip that is not labelled", undefined, "failed", (bytes) =>
    gzipSync(bytes),
  ),
  bomb: bomb("gzip of 200 MB in 3,000 blocks", function* (events) {
    const block = event(`{"choices":[{"index":0,"delta":{"content":"${"b".repeat(66_000)}"}}]}`);
    for (let sent = 0; sent < BOMB_BYTES; sent += block.length) yield block;
    yield events.finish + DONE;
  }),
  "bomb-one-line": bomb("gzip of a single line of 200 MB", function* (events) {
    yield 'data: {"choices":[{"index":0,"delta":{"content":"';
    const filler = "b".repeat(1_000_000);
    for (let sent = 0; sent < BOMB_BYTES; sent += filler.length) yield filler;
    yield `"}}]}\n\n${events.finish}${DONE}`;
  }),
};

function packed(
  summary: string,
  encoding: string | undefined,
  ending: ExpectedEnding,
  pack: (bytes: Buffer) => Buffer,
): Fault {
  const reply = (exchange: Exchange) => {
    const { contentType, bytes } = sampleBody(exchange);
    exchange.response.writeHead(200, {
      "content-type": contentType,
      ...(encoding === undefined ? {} : { "content-encoding": encoding }),
    });
    exchange.response.end(pack(bytes));
    return Promise.resolve();
  };
  return { row: "S30", summary, ending, reply };
}

function bomb(
  summary: string,
  pieces: (events: ReturnType<typeof sampleEvents>) => Iterable<string>,
): Fault {
  const reply = async (exchange: Exchange) => {
    exchange.response.writeHead(200, { ...STREAM_HEADERS, "content-encoding": "gzip" });
    const gzip = createGzip({ level: constants.Z_BEST_SPEED });
    await pipeline(pieces(sampleEvents(exchange.request.model)), gzip, exchange.response, {
      signal: exchange.signal,
    });
  };
  return { row: "S30", summary, ending: "failed", reply };
}
