/**
 * A request ends in a documented outcome for any bytes, status and content type: the body is
 * released, no timer is left, and the key is not shown.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { ServiceError } from "../../../src/service/types";
import { ManualClock } from "../../support/fakes/manualClock";
import { itWithRounds } from "../../support/depth";
import { askService, CANARY, delta, DONE, everythingIn, finish, replay } from "./asking";

const TYPES = ["text/event-stream", "application/json", "text/plain", "text/html", "", "x/y;;"];

const piece = fc.oneof(
  fc.uint8Array({ maxLength: 60 }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.json().map((json) => `data: ${json}\n\n`),
  fc.constantFrom(
    delta("Hi"),
    finish(),
    DONE,
    "data:",
    "\n",
    "\r",
    "event: error\n",
    "{",
    "<",
    CANARY,
  ),
);

describe("any bytes", () => {
  itWithRounds("end in a documented outcome", { quick: 300, all: 1_500 }, async (numRuns) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 12 }),
        fc.constantFrom(...TYPES),
        fc.oneof({ weight: 5, arbitrary: fc.constant(200) }, fc.integer({ min: 205, max: 599 })),
        async (pieces, type, status) => {
          const clock = new ManualClock();
          const headers = type === "" ? {} : { "content-type": type };
          const isBodiless = status === 304;
          const fetch: typeof globalThis.fetch = isBodiless
            ? () => Promise.resolve(new Response(null, { status }))
            : replay(pieces, { headers, status });
          const result = await askService("https://service.test", "x", { fetch, clock });
          const isEnded = result.ended !== undefined;
          assert.equal(isEnded, result.thrown === undefined);
          assert.ok(isEnded || result.thrown instanceof ServiceError);
          assert.equal(
            result.events.filter(({ type: t }) => t === "reply-ended").length,
            isEnded ? 1 : 0,
          );
          assert.equal(clock.timerCount, 0);
          // Text of the model may contain the key, because the conversation is shown unchanged.
          if (result.text === "") assert.ok(!everythingIn(result).includes(CANARY));
        },
      ),
      { seed: 20_260_801, numRuns },
    );
  });
});
