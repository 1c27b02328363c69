/** Replies with a failure status, always or for the first attempts. */
import { sendText, type Exchange } from "../exchange";
import { sendAnswer } from "../sendAnswer";
import { family, type Fault, type FaultFamily, type FaultTable } from "./fault";
import { SAMPLE_BLOCKS, sampleBody } from "./sample";

const RETRIED_STATUSES = [408, 409, 429, 500, 502, 503, 504, 529];
const OTHER_STATUSES = [400, 401, 403, 404, 405, 407, 413, 415, 422];

export const STATUS_FAULTS: FaultTable = {
  "status-204": {
    ending: "failed",
    reply: ({ response }) => Promise.resolve(void response.writeHead(204).end()),
  },
  /** A faultless reply; only 200 is success. */
  "status-201": {
    ending: "failed",
    reply: async (exchange) => {
      const { contentType, bytes } = sampleBody(exchange);
      await Promise.resolve();
      exchange.response.writeHead(201, { "content-type": contentType }).end(bytes);
    },
  },
};

export const STATUS_FAMILIES: readonly FaultFamily[] = [
  family(
    "status-NNN(-empty, -key)",
    [...OTHER_STATUSES, ...RETRIED_STATUSES]
      .flatMap((status) => [`status-${status}`, `status-${status}-key`])
      .concat("status-404-empty"),
    /status-([2345]\d\d)(?:-(empty|key))?/,
    (status, variant) => ({
      ending: "failed",
      reply: async (exchange) => {
        await Promise.resolve();
        sendFailure(exchange, Number(status), variant);
      },
    }),
  ),
  family(
    "fail-N-times-NNN",
    ["fail-twice-503", ...RETRIED_STATUSES.map((status) => `fail-1-times-${status}`)],
    /fail-(twice|\d+-times)-([45]\d\d)/,
    (count = "", status) =>
      failThenSucceed(count === "twice" ? 2 : Number.parseInt(count, 10), (exchange) =>
        sendFailure(exchange, Number(status)),
      ),
  ),
  family(
    "retry-after-VALUE",
    ["2", "61", "abc"].map((value) => `retry-after-${value}`),
    /retry-after-([\x21-\x7e]+)/,
    (value = "") =>
      failThenSucceed(1, (exchange) => sendFailure(exchange, 429, "", { "retry-after": value })),
  ),
];

/** Calls `fail` for the first `failures` attempts, then answers with the sample. */
export function failThenSucceed(
  failures: number,
  fail: (exchange: Exchange) => void | Promise<void>,
): Fault {
  const reply = async (exchange: Exchange) => {
    if (exchange.attempt <= failures) return fail(exchange);
    exchange.forgetAttempts();
    return sendAnswer(exchange, { blocks: SAMPLE_BLOCKS, finishReason: "stop" });
  };
  return { ending: "complete", reply };
}

/** Sends a failure with a sentence, with nothing, or with the caller's key. */
function sendFailure(
  { response, record }: Exchange,
  status: number,
  variant?: string,
  headers: Record<string, string> = {},
): void {
  const texts: Readonly<Record<string, string>> = {
    empty: "",
    key: `${record.headers["authorization"] ?? ""} is wrong.\n`,
  };
  sendText(response, status, texts[variant ?? ""] ?? `Status ${status} was asked for.\n`, headers);
}
