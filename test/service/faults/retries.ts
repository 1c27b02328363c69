/**
 * Temporary failures: the first attempts fail and a later attempt succeeds, with or without a retry
 * header. Attempts are counted by fault, key and question.
 */
import type { Exchange } from "../exchange";
import { sendAnswer } from "../sendAnswer";
import { family, type Fault, type FaultFamily } from "./fault";
import { SAMPLE_BLOCKS } from "./sample";
import { sendFailure } from "./status";

const RETRIED_STATUSES = [408, 409, 429, 500, 502, 503, 504, 529];

/** Calls `fail` for the first `failures` attempts, then answers with the sample. */
export function failThenSucceed(
  row: string,
  summary: string,
  failures: number,
  fail: (exchange: Exchange) => void | Promise<void>,
): Fault {
  const reply = async (exchange: Exchange) => {
    if (exchange.attempt <= failures) return fail(exchange);
    exchange.forgetAttempts();
    return sendAnswer(exchange, { blocks: SAMPLE_BLOCKS, finishReason: "stop" });
  };
  return { row, summary, ending: "complete", reply };
}

function failing(count: number, status: string | undefined): Fault {
  return failThenSucceed(
    "S20",
    "that status for the first attempts, then a faultless reply",
    count,
    (exchange) => sendFailure(exchange, Number(status)),
  );
}

function advised(summary: string, headers: () => Record<string, string>): Fault {
  return failThenSucceed("S21", summary, 1, (exchange) =>
    sendFailure(exchange, 429, undefined, headers()),
  );
}

export const RETRY_FAMILIES: readonly FaultFamily[] = [
  family(
    "fail-then-ok-NNN",
    RETRIED_STATUSES.map((status) => `fail-then-ok-${status}`),
    /fail-then-ok-([45]\d\d)/,
    (status) => failing(1, status),
  ),
  family(
    "fail-twice-NNN",
    RETRIED_STATUSES.map((status) => `fail-twice-${status}`),
    /fail-twice-([45]\d\d)/,
    (status) => failing(2, status),
  ),
  family("fail-N-times-NNN", ["fail-3-times-503"], /fail-(\d+)-times-([45]\d\d)/, (count, status) =>
    failing(Number(count), status),
  ),
  family("retry-after-ms-N", ["retry-after-ms-1500"], /retry-after-ms-(\d+)/, (milliseconds = "") =>
    advised("429 with retry-after-ms, then a faultless reply", () => ({
      "retry-after-ms": milliseconds,
    })),
  ),
  family(
    "retry-after-date-N",
    ["retry-after-date-2", "retry-after-date--5", "retry-after-date-3600"],
    /retry-after-date-(-?\d+)/,
    (seconds) =>
      advised("429 with the HTTP date N seconds from now, then a faultless reply", () => ({
        "retry-after": new Date(Date.now() + Number(seconds) * 1000).toUTCString(),
      })),
  ),
  family(
    "retry-after-VALUE",
    ["2", "0", "59", "61", "3600", "-1", "abc"].map((value) => `retry-after-${value}`),
    /retry-after-([\x21-\x7e]+)/,
    (value = "") =>
      advised("429 with that Retry-After, then a faultless reply", () => ({
        "retry-after": value,
      })),
  ),
  family(
    "always-NNN",
    RETRIED_STATUSES.map((status) => `always-${status}`),
    /always-([45]\d\d)/,
    (status) => ({
      row: "S22",
      summary: "that status for ever",
      ending: "failed",
      reply: (exchange) => {
        sendFailure(exchange, Number(status));
        return Promise.resolve();
      },
    }),
  ),
];
