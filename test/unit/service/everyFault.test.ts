/**
 * Each fault of the reference service over real sockets: the ending, the received text and the
 * failure. failureMessages.test.ts has the sentence for each failure in both languages.
 */
import assert from "node:assert/strict";
import { failureOf } from "../../../src/ask/failure";
import type { Failure } from "../../../src/conversation/ending";
import { FAULT_FAMILIES, FAULTS, findFault } from "../../service/faults/faults";
import type { ExpectedEnding } from "../../service/faults/fault";
import { SAMPLE_TEXT } from "../../service/faults/sample";
import { startService, type ReferenceService } from "../../service/server";
import { ManualClock } from "../../support/fakes/manualClock";
import { addedIf } from "../../support/depth";
import { askService, CANARY, everythingIn, type AskResult } from "./asking";

/** Takes a second; other faults reach the same timers. */
const LONG = "byte-every-1";

const NAMES = [...Object.keys(FAULTS), ...FAULT_FAMILIES.flatMap(({ examples }) => examples)];

/** Returns the fault table's name for an ending. */
function endingOf({ ended, failure }: AskResult): ExpectedEnding {
  switch (ended?.finishReason) {
    case "length":
      return "cut-short";
    case "content_filter":
      return "withheld";
    default:
      if (ended !== undefined) return "complete";
  }
  const isSilent = failure?.kind === "timeout" && failure.phase === "silence";
  return failure?.kind === "truncated" || isSilent ? "cut-off" : "failed";
}

describe("every fault of the reference service", () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  for (const name of NAMES) {
    it(`ends as listed: ${name}${addedIf(name === LONG)}`, async () => {
      const clock = new ManualClock(Date.now());
      // The clock advances only for silence faults; real bytes need real time to arrive.
      const timer = setInterval(() => {
        if (name.startsWith("silence")) clock.advance(10_000);
      }, 20);
      const result = await askService(service.url, `/fault ${name}`, { clock });
      clearInterval(timer);

      // A wait of more than 60 s is not begun.
      const expected = name === "retry-after-61" ? "failed" : findFault(name)!.ending;
      assert.equal(endingOf(result), expected, JSON.stringify(result.failure));
      assert.ok(!everythingIn(result).includes(CANARY), "the key is shown");
      if (expected === "failed" || expected === "cut-off") {
        assert.ok(SAMPLE_TEXT.startsWith(result.text), result.text.slice(0, 200));
      } else assert.equal(result.text, SAMPLE_TEXT);
      const host = new URL(service.url).host;
      if (name in FAILURES) assert.deepEqual(failureIn(result, host), FAILURES[name]);
      assert.equal(clock.timerCount, 0, "no timer is left");
    });
  }

  it("leaves no exchange open after all of them", async () => {
    for (const { number } of service.requests) await service.waitForClose(number);
    assert.ok(service.requests.length > NAMES.length);
  });
});

/**
 * Returns the failure with HOST instead of the service's address, and the amount of text before the
 * failure.
 */
function failureIn({ thrown, text }: AskResult, host: string): Expected {
  const failure = JSON.stringify(failureOf(thrown, host)).replaceAll(host, "HOST");
  const part = text === "" ? "none" : text === SAMPLE_TEXT ? "whole" : "part";
  return [part, JSON.parse(failure) as Failure];
}

type Expected = readonly [text: "none" | "part" | "whole", failure: Failure];

const url = "http://HOST/maas/v1/chat/completions";
const CUT: Expected = ["part", { kind: "truncated" }];
const EVENT_TOO_LARGE: Failure = { kind: "over-limit", limit: "event-bytes", maxBytes: 8388608 };
const HEADERS_TOO_LARGE: Expected = [
  "none",
  { kind: "over-limit", limit: "headers", maxBytes: 65536 },
];
const OVERLOADED: Failure = {
  kind: "reported",
  message: "The model is overloaded, please try again later.",
};

function rejected(status: number, message: string): Expected {
  return ["none", { kind: "rejected", status, url, message }];
}

function limited(retryAfterMs: number): Expected {
  return ["none", { kind: "rate-limited", message: "Status 429 was asked for.", retryAfterMs }];
}

function malformed(what: "empty" | "unreadable" | "web-page"): Expected {
  return ["none", { kind: "malformed", what }];
}

function unreachable(cause: Extract<Failure, { kind: "unreachable" }>["cause"]): Expected {
  return ["none", { kind: "unreachable", host: "HOST", cause }];
}

const FAILURES: Readonly<Record<string, Expected>> = {
  "cut-clean": CUT,
  "cut-close": CUT,
  "cut-mid-stream": CUT,
  "reset-mid-stream": CUT,
  "wrong-content-length": CUT,
  "broken-chunk": CUT,
  "gzip-truncated": CUT,
  "error-object": ["part", OVERLOADED],
  "error-key": ["part", { kind: "reported", message: "No credit left for Bearer [redacted]." }],
  "html-200": malformed("web-page"),
  "status-204": malformed("empty"),
  "gzip-wrong-header": malformed("unreadable"),
  "status-404-empty": rejected(404, ""),
  "status-415": rejected(415, "Status 415 was asked for."),
  "status-422": rejected(422, "Status 422 was asked for."),
  "status-401": [
    "none",
    { kind: "unauthorized", host: "HOST", message: "Status 401 was asked for." },
  ],
  "status-401-key": [
    "none",
    { kind: "unauthorized", host: "HOST", message: "Bearer [redacted] is wrong." },
  ],
  "status-407": unreachable("proxy"),
  "retry-after-61": limited(61_000),
  "status-503": ["none", { kind: "server", status: 503, message: "Status 503 was asked for." }],
  "reset-before-headers": unreachable("reset"),
  "redirect-307": ["none", { kind: "redirected", host: "HOST" }],
  "bomb-one-line": ["none", EVENT_TOO_LARGE],
  "huge-header": HEADERS_TOO_LARGE,
  "many-headers": HEADERS_TOO_LARGE,
  "silence-mid-stream": ["part", { kind: "timed-out", phase: "silence", limitMs: 60_000 }],
  "silence-before-headers": ["none", { kind: "timed-out", phase: "first-byte", limitMs: 60_000 }],
  "silence-before-first": ["none", { kind: "timed-out", phase: "first-byte", limitMs: 60_000 }],
};
