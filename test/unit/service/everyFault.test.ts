/**
 * Every fault the reference service can be asked for, over real sockets, ends as its row says:
 * S1 to S31. The text is the sample or an exact beginning of it, and no connection stays open.
 */
import assert from "node:assert/strict";
import { FAULT_FAMILIES, FAULTS, findFault } from "../../service/faults/faults";
import type { ExpectedEnding } from "../../service/faults/fault";
import { tinyEventsText } from "../../service/faults/limits";
import { SAMPLE_TEXT } from "../../service/faults/sample";
import { startService, type ReferenceService } from "../../service/server";
import { ManualClock } from "../../support/manualClock";
import { askService, CANARY, everythingIn, type Asked } from "./asking";

/** Faults whose own tests are elsewhere because they are long; see caps.test.ts. */
const SLOW = new Set(["byte-a-second", "million-events", "endless", "endless-fast"]);

const NAMES = [
  ...Object.keys(FAULTS),
  ...FAULT_FAMILIES.flatMap(({ examples }) => examples),
].filter((name) => !SLOW.has(name));

/** The name the list of faults has for how an ask ended. */
function endingOf(asked: Asked): ExpectedEnding | "stopped" {
  if (asked.ended !== undefined) {
    switch (asked.ended.finishReason) {
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
  if (asked.failure === undefined) return "stopped";
  if (asked.failure.kind === "truncated") return "cut-off";
  if (asked.failure.kind === "timeout" && asked.failure.phase === "silence") return "cut-off";
  return "failed";
}

describe("every fault of the reference service", () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  for (const name of NAMES) {
    it(`ends as listed: ${name}`, async () => {
      const fault = findFault(name)!;
      const clock = new ManualClock(Date.now());
      const stop = new AbortController();
      // Time moves only where silence is the fault; real bytes need a moment to come.
      const ticking = setInterval(() => {
        if (name.startsWith("silence")) clock.advance(10_000);
      }, 20);
      let pieces = 0;
      const asked = await askService(service.url, `/fault ${name}`, {
        clock,
        signal: stop.signal,
        onExchange: ({ type }) => {
          if (type === "exchange-received" && ++pieces === 5 && fault.ending === "runs") {
            stop.abort(new Error("enough"));
          }
        },
      });
      clearInterval(ticking);

      const ending = endingOf(asked);
      const expected = EXPECTED[name] ?? (fault.ending === "runs" ? "stopped" : fault.ending);
      assert.equal(ending, expected, JSON.stringify(asked.failure));
      assert.ok(!everythingIn(asked).includes(CANARY), "the key shows");
      assert.ok(isExpectedText(name, asked.text), `the text is ${asked.text.slice(0, 200)}`);
      assert.equal(clock.waiting, 0, "no timer is left");
    });
  }

  it("leaves no exchange open after all of them", async () => {
    for (const { number } of service.requests) await service.waitForClose(number);
    assert.ok(service.requests.length > NAMES.length);
  });
});

/** Where a plain reading of the row differs from what the fault's own table calls it. */
const EXPECTED: Readonly<Record<string, ExpectedEnding>> = {
  // Longer than 60 s: no automatic retry, the time is shown.
  "retry-after-61": "failed",
  "retry-after-3600": "failed",
  "retry-after-date-3600": "failed",
  "fail-3-times-503": "failed",
};

/** Texts that are not the sample or a beginning of it. */
const OTHER_TEXTS: Readonly<Record<string, (text: string) => boolean>> = {
  "invalid-utf8": (text) => text.startsWith("This is") && text.includes("\ufffd"),
  "content-number": (text) => text === SAMPLE_TEXT,
  "events-2500": (text) => text === tinyEventsText(2500),
  "event-just-under-8mb": (text) => text.length > 8_380_000 && isRepeated("big ", text),
  bomb: (text) => text.length === 16 * 1024 * 1024 && isRepeated("b", text),
};

/** True for an exact prefix of `unit` without end. A regular expression overflows its stack here. */
function isRepeated(unit: string, text: string): boolean {
  return text === unit.repeat(Math.ceil(text.length / unit.length)).slice(0, text.length);
}

function isExpectedText(name: string, text: string): boolean {
  const check = OTHER_TEXTS[name];
  return check === undefined ? SAMPLE_TEXT.startsWith(text) : check(text);
}
