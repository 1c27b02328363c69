/**
 * Replies with status 200 that are not streams, and replies with a failure status and every kind of
 * body.
 */
import { sendText, type Exchange } from "../exchange";
import { sendAnswer, STREAM_HEADERS } from "../sendAnswer";
import {
  family,
  type ExpectedEnding,
  type Fault,
  type FaultFamily,
  type FaultTable,
} from "./fault";
import { SAMPLE_BLOCKS, sampleBody } from "./sample";

/** Sign-in page as sent by a proxy; a client must never render this page. */
const SIGN_IN_PAGE = `<!doctype html>
<html><head><title>Sign in</title><script>document.title = "run"</script></head>
<body><h1>Sign in to the network</h1><img src="https://example.com/pixel.png"></body></html>
`;

const BIG_BODY_BYTES = 1024 * 1024;

export const STATUS_FAULTS: FaultTable = {
  "html-200": body("S16", "200 with a web page", "failed", "text/html", SIGN_IN_PAGE),
  "json-200": {
    row: "S17",
    summary: "200 with a whole JSON completion, although a stream was asked for",
    ending: "complete",
    reply: (exchange) => {
      const request = { ...exchange.request, isStreaming: false };
      return sendAnswer({ ...exchange, request }, { blocks: SAMPLE_BLOCKS, finishReason: "stop" });
    },
  },
  "json-error-200": body(
    "S17",
    "200 with a JSON error",
    "failed",
    "application/json",
    '{"error":{"message":"The model is not available."}}',
  ),
  "text-200": body("S17", "200 with plain text", "failed", "text/plain", "It is Sunday today.\n"),
  "empty-200": body("S18", "200 without a body", "failed", STREAM_HEADERS["content-type"], ""),
  "status-204": {
    row: "S18",
    summary: "204, which has no body",
    ending: "failed",
    reply: (exchange) => {
      exchange.response.writeHead(204).end();
      return Promise.resolve();
    },
  },
  "status-201": {
    row: "S18",
    summary: "201 with a faultless reply; only 200 is success",
    ending: "failed",
    reply: (exchange) => sendSample(exchange, 201, sampleBody(exchange).contentType),
  },
  "no-content-type": {
    row: "S18",
    summary: "a faultless reply without a content type",
    ending: "complete",
    reply: (exchange) => sendSample(exchange, 200, undefined),
  },
};

export const STATUS_FAMILIES: readonly FaultFamily[] = [
  family(
    "status-NNN(-json, -html, -empty, -big, -key)",
    [400, 401, 403, 404, 405, 413, 415, 422, 407, 408, 409, 429, 500, 502, 503, 504, 529].flatMap(
      (status) =>
        ["", "-json", "-html", "-empty", "-big", "-key"].map((v) => `status-${status}${v}`),
    ),
    /status-([2345]\d\d)(?:-(json|html|empty|big|key))?/,
    (status, variant) => ({
      row: rowOfStatus(Number(status)),
      summary: "that status, with a body of text, JSON, a web page, nothing, 1 MB, or the key",
      ending: "failed",
      reply: (exchange) => {
        sendFailure(exchange, Number(status), variant);
        return Promise.resolve();
      },
    }),
  ),
];

/** Sends a failure; without a variant the body is a sentence of plain text. */
export function sendFailure(
  exchange: Exchange,
  status: number,
  variant?: string,
  headers: Record<string, string> = {},
): void {
  const sentence = `Status ${status} was asked for.`;
  const { response, record } = exchange;
  switch (variant) {
    case "json": {
      const json = JSON.stringify({ error: { message: sentence, code: status } });
      sendText(response, status, json, { "content-type": "application/json", ...headers });
      return;
    }
    case "html":
      sendText(response, status, SIGN_IN_PAGE, { "content-type": "text/html", ...headers });
      return;
    case "empty":
      sendText(response, status, "", headers);
      return;
    case "big":
      sendText(response, status, sentence.padEnd(BIG_BODY_BYTES, " and so on"), headers);
      return;
    case "key":
      sendText(response, status, `${record.headers["authorization"] ?? ""} is wrong.\n`, headers);
      return;
    default:
      sendText(response, status, `${sentence}\n`, headers);
  }
}

function rowOfStatus(status: number): string {
  if (status < 300) return "S18";
  if (status < 400) return "S25";
  if (status === 407) return "S23";
  return [408, 409, 429].includes(status) || status >= 500 ? "S22" : "S19";
}

function body(
  row: string,
  summary: string,
  ending: ExpectedEnding,
  contentType: string,
  text: string,
): Fault {
  const reply = (exchange: Exchange) => {
    sendText(exchange.response, 200, text, { "content-type": contentType });
    return Promise.resolve();
  };
  return { row, summary, ending, reply };
}

function sendSample(exchange: Exchange, status: number, type: string | undefined): Promise<void> {
  exchange.response.writeHead(status, type === undefined ? {} : { "content-type": type });
  exchange.response.end(sampleBody(exchange).bytes);
  return Promise.resolve();
}
