/**
 * Replies that break in the middle, streamed or not: ended cleanly but too early, cut by FIN or
 * reset inside the framing, silent after any byte, or framed incorrectly.
 */
import { holdOpen, type Exchange } from "../exchange";
import { finishConnection, flush, resetConnection, writeRaw } from "./connectionEnd";
import { family, type Fault, type FaultFamily, type FaultTable } from "./fault";
import { sampleBody } from "./sample";

type EndConnection = (exchange: Exchange) => void | Promise<void>;

const endProperly: EndConnection = (exchange) => void exchange.response.end();

/** Position of cuts without a number: inside the JSON of a block, after some text. */
const MIDDLE = 0.6;

export const CUT_FAULTS: FaultTable = {
  "cut-clean": cut("S3", "the body ends properly, but too early", endProperly),
  "cut-close": {
    row: "S3",
    summary: "the body lasts until the connection closes, which comes too early",
    ending: "cut-off",
    reply: async (exchange) => {
      const { contentType, bytes } = sampleBody(exchange);
      await writeRaw(exchange, rawHead(`content-type: ${contentType}`, "connection: close"));
      await writeRaw(exchange, bytes.subarray(0, middleOf(bytes)));
      finishConnection(exchange);
    },
  },
  "cut-mid-stream": cut("S24", "FIN inside chunked framing", finishConnection),
  "reset-mid-stream": cut("S24", "a reset inside chunked framing", resetConnection),
  "wrong-content-length": {
    row: "S24",
    summary: "content-length promises more than comes before FIN",
    ending: "cut-off",
    reply: async (exchange) => {
      const { contentType, bytes } = sampleBody(exchange);
      const length = `content-length: ${bytes.length}`;
      await writeRaw(exchange, rawHead(`content-type: ${contentType}`, length));
      await writeRaw(exchange, bytes.subarray(0, middleOf(bytes)));
      finishConnection(exchange);
    },
  },
  "broken-chunk": {
    row: "S24",
    summary: "a chunk's length is no number",
    ending: "cut-off",
    reply: async (exchange) => {
      const { contentType, bytes } = sampleBody(exchange);
      const head = rawHead(`content-type: ${contentType}`, "transfer-encoding: chunked");
      const chunk = bytes.subarray(0, middleOf(bytes));
      await writeRaw(exchange, `${head}${chunk.length.toString(16)}\r\n`);
      await writeRaw(exchange, chunk);
      await writeRaw(exchange, "\r\nNOT A LENGTH\r\nand no chunk either\r\n");
      finishConnection(exchange);
    },
  },
};

export const CUT_FAMILIES: readonly FaultFamily[] = [
  atByte("cut-clean-at-N", /cut-clean-at-(\d+)/, (at) =>
    cut("S3", "the body ends properly after N bytes", endProperly, at),
  ),
  atByte("reset-at-N", /reset-at-(\d+)/, (at) =>
    cut("S4", "a reset after N bytes of the body", resetConnection, at),
  ),
  atByte("silence-at-N", /silence-at-(\d+)/, (at) =>
    cut("S4", "nothing more comes after N bytes of the body", holdOpen, at),
  ),
  atByte("cut-at-N", /cut-at-(\d+)/, (at) =>
    cut("S24", "FIN inside chunked framing after N bytes of the body", finishConnection, at),
  ),
];

function atByte(listedAs: string, pattern: RegExp, make: (at: number) => Fault): FaultFamily {
  const examples = [1, 700].map((at) => listedAs.replace("-N", `-${at}`));
  return family(listedAs, examples, pattern, (at) => make(Number(at)));
}

/** Sends the sample up to byte `at`, or to its middle, in chunked framing, then calls `end`. */
function cut(row: string, summary: string, end: EndConnection, at?: number): Fault {
  const reply = async (exchange: Exchange) => {
    const { contentType, bytes } = sampleBody(exchange);
    const part = bytes.subarray(0, at ?? middleOf(bytes));
    exchange.response.writeHead(200, { "content-type": contentType });
    if (part.length > 0) await flush(exchange, part);
    else exchange.response.flushHeaders();
    await end(exchange);
  };
  return { row, summary, ending: "cut-off", reply };
}

function middleOf(bytes: Buffer): number {
  return Math.floor(bytes.length * MIDDLE);
}

/**
 * Returns a status line for 200 with headers, for replies that Node's HTTP module would not send.
 */
function rawHead(...headers: readonly string[]): string {
  return ["HTTP/1.1 200 OK", ...headers, "", ""].join("\r\n");
}
