/**
 * Each fault of the reference service over real sockets: the ending, the received text and the
 * failure. failureMessages.test.ts has the sentence for each failure in both languages.
 */
import assert from "node:assert/strict";
import { failureOf } from "../../../src/ask/failure";
import type { Failure } from "../../../src/conversation/ending";
import { FAULT_FAMILIES, FAULTS, findFault } from "../../service/faults/faults";
import type { ExpectedEnding } from "../../service/faults/fault";
import { tinyEventsText } from "../../service/faults/limits";
import { SAMPLE_TEXT } from "../../service/faults/sample";
import { startService, type ReferenceService } from "../../service/server";
import { ManualClock } from "../../support/fakes/manualClock";
import { addedIf } from "../../support/depth";
import { askService, CANARY, everythingIn, type AskResult } from "./asking";

/** Slow faults, which sizeLimits.test.ts covers. */
const SLOW = new Set(["byte-a-second", "million-events", "endless", "endless-fast"]);

/** Faults that take seconds; other faults reach the same limits and timers. */
const LONG = new Set(["only-comments", "byte-every-1", "bomb", "split-every-byte"]);

const NAMES = [
  ...Object.keys(FAULTS),
  ...FAULT_FAMILIES.flatMap(({ examples }) => examples),
].filter((name) => !SLOW.has(name) && !isLikeAnother(name));

/** Returns true for a huge body of a failure with another status than 500: the body is read alike. */
function isLikeAnother(name: string): boolean {
  return /^status-(?!500).*-big$/.test(name);
}

/** Returns the fault table's name for an ending. */
function endingOf(result: AskResult): ExpectedEnding | "stopped" {
  if (result.ended !== undefined) {
    switch (result.ended.finishReason) {
      case "length":
        return "cut-short";
      case "content_filter":
        return "withheld";
      case "tool_calls":
        return "tool-calls";
      default:
        return "complete";
    }
  }
  if (result.failure === undefined) return "stopped";
  if (result.failure.kind === "truncated") return "cut-off";
  if (result.failure.kind === "timeout" && result.failure.phase === "silence") return "cut-off";
  return "failed";
}

/** Rows of faults that a service can cause. S2 does not exist; S32 and S33 concern the client only. */
const SERVICE_ROWS = Array.from({ length: 31 }, (_, index) => `S${index + 1}`).filter(
  (row) => row !== "S2",
);

describe("every fault of the reference service", () => {
  it("has a row, and each row has a fault", () => {
    const names = [...Object.keys(FAULTS), ...FAULT_FAMILIES.flatMap(({ examples }) => examples)];
    const rows = new Set(names.map((name) => findFault(name)?.row));
    assert.deepEqual([...rows].sort(), [...SERVICE_ROWS].sort());
  });

  let service: ReferenceService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  for (const name of NAMES) {
    it(`ends as listed: ${name}${addedIf(LONG.has(name))}`, async () => {
      const fault = findFault(name)!;
      const clock = new ManualClock(Date.now());
      const stop = new AbortController();
      // The clock advances only for silence faults; real bytes need real time to arrive.
      const timer = setInterval(() => {
        if (name.startsWith("silence")) clock.advance(10_000);
      }, 20);
      let pieces = 0;
      const result = await askService(service.url, `/fault ${name}`, {
        clock,
        signal: stop.signal,
        onExchange: ({ type }) => {
          if (type === "exchange-received" && ++pieces === 5 && fault.ending === "runs") {
            stop.abort(new Error("enough"));
          }
        },
      });
      clearInterval(timer);

      const ending = endingOf(result);
      const expected = EXPECTED[name] ?? (fault.ending === "runs" ? "stopped" : fault.ending);
      assert.equal(ending, expected, JSON.stringify(result.failure));
      assert.ok(!everythingIn(result).includes(CANARY), "the key is shown");
      checkText(name, result, ending);
      const host = new URL(service.url).host;
      if (name in FAILURES) assert.deepEqual(failureIn(result, host), FAILURES[name]);
      assert.equal(clock.timerCount, 0, "no timer is left");
    });
  }

  it("covers every listed failure", () => {
    assert.deepEqual(
      Object.keys(FAILURES).filter((name) => !NAMES.includes(name)),
      [],
    );
  });

  it("leaves no exchange open after all of them", async () => {
    for (const { number } of service.requests) await service.waitForClose(number);
    assert.ok(service.requests.length > NAMES.length);
  });
});

/** Endings that differ from those in the fault table. */
const EXPECTED: Readonly<Record<string, ExpectedEnding>> = {
  // Longer than 60 s: the client does not retry and shows the time.
  "retry-after-61": "failed",
  "retry-after-3600": "failed",
  "retry-after-date-3600": "failed",
  "fail-3-times-503": "failed",
};

/** Faults whose text is neither the sample nor the beginning of the sample. */
const OTHER_TEXTS: Readonly<Record<string, (text: string) => boolean>> = {
  "invalid-utf8": (text) => text.startsWith("This is") && text.includes("\ufffd"),
  "content-number": (text) => text === SAMPLE_TEXT,
  "events-2500": (text) => text === tinyEventsText(2500),
  "event-just-under-8mb": (text) => text.length > 8_380_000 && isRepeated("big ", text),
  bomb: (text) => text.length === 16 * 1024 * 1024 && isRepeated("b", text),
};

/**
 * Returns true if `text` is a repetition of `unit`, cut anywhere. A regular expression would
 * overflow its stack.
 */
function isRepeated(unit: string, text: string): boolean {
  return text === unit.repeat(Math.ceil(text.length / unit.length)).slice(0, text.length);
}

function checkText(name: string, { text, failure }: AskResult, ending: string): void {
  const check = OTHER_TEXTS[name];
  const shown = `the text is ${text.slice(0, 200)}`;
  if (check !== undefined) assert.ok(check(text), shown);
  else if (failure === undefined && ending !== "stopped") assert.equal(text, SAMPLE_TEXT);
  else assert.ok(SAMPLE_TEXT.startsWith(text), shown);
}

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
const CUT_AT_END: Expected = ["whole", { kind: "truncated" }];
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
  "cut-clean-at-1": ["none", { kind: "truncated" }],
  "reset-at-700": CUT,
  "cut-mid-stream": CUT,
  "reset-mid-stream": CUT,
  "wrong-content-length": CUT,
  "broken-chunk": CUT,
  "gzip-truncated": CUT,
  "no-finish": CUT_AT_END,
  "done-junk": CUT_AT_END,
  "done-space": CUT_AT_END,
  "done-multi-line": CUT_AT_END,
  "error-object": ["part", OVERLOADED],
  "error-event": ["part", OVERLOADED],
  "error-object-first": ["none", OVERLOADED],
  "error-key": ["part", { kind: "reported", message: "No credit left for Bearer [redacted]." }],
  "json-error-200": ["none", { kind: "reported", message: "The model is not available." }],
  "html-200": malformed("web-page"),
  "empty-200": malformed("empty"),
  "status-204": malformed("empty"),
  "gzip-wrong-header": malformed("unreadable"),
  "status-400-json": rejected(400, "Status 400 was asked for."),
  "status-403-html": rejected(403, "Sign in Sign in to the network"),
  "status-404-empty": rejected(404, ""),
  "status-405-empty": rejected(405, ""),
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
  "retry-after-3600": limited(3_600_000),
  "always-503": ["none", { kind: "server", status: 503, message: "Status 503 was asked for." }],
  "reset-before-headers": unreachable("reset"),
  "garbage-status": unreachable("bad-response"),
  "redirect-307": ["none", { kind: "redirected", host: "HOST" }],
  "long-line-10mb": ["whole", EVENT_TOO_LARGE],
  "big-event-10mb": ["whole", EVENT_TOO_LARGE],
  "bomb-one-line": ["none", EVENT_TOO_LARGE],
  "huge-header": HEADERS_TOO_LARGE,
  "many-headers": HEADERS_TOO_LARGE,
  "silence-mid-stream": ["part", { kind: "timed-out", phase: "silence", limitMs: 60_000 }],
  "silence-before-headers": ["none", { kind: "timed-out", phase: "first-byte", limitMs: 60_000 }],
  "silence-before-first": ["none", { kind: "timed-out", phase: "first-byte", limitMs: 60_000 }],
};
