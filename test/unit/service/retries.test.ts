/** Failures that are retried, the delays and the number of attempts (rows S20 to S24). */
import assert from "node:assert/strict";
import { readRetryAfter, retryDelayMs } from "../../../src/service/retry";
import { ServiceKey } from "../../../src/service/serviceKey";
import type { ServiceEvent, ServiceFailure } from "../../../src/service/types";
import { SAMPLE_TEXT } from "../../service/faults/sample";
import { startService, type ReferenceService } from "../../service/server";
import { ManualClock } from "../../support/fakes/manualClock";
import { askService, CANARY, type AskResult } from "./asking";

type Scheduled = ServiceEvent & { type: "retry-scheduled" };

function retriesOf(result: AskResult): Scheduled[] {
  return result.events.filter((event) => event.type === "retry-scheduled");
}

describe("retries", () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService();
  });
  beforeEach(() => service.reset());
  after(() => service.close());

  it("follow a failure and show the next reply, up to the specified number", async () => {
    const result = await askService(service.url, "/fault fail-twice-503");
    assert.equal(result.text, SAMPLE_TEXT);
    assert.equal(service.requests.length, 3);
    const tries = retriesOf(result).map(({ attempt, tries }) => `${attempt} of ${tries}`);
    assert.deepEqual(tries, ["2 of 3", "3 of 3"]);
    for (const retries of [0, 1]) {
      service.reset();
      const connection = { retries };
      const failing = await askService(service.url, "/fault status-503", { connection });
      assert.equal(service.requests.length, retries + 1);
      assert.ok(failing.failure?.kind === "status" && failing.failure.status === 503);
    }
  });

  it("never follow a failure that stays", async () => {
    const result = await askService(service.url, "/fault status-400");
    assert.ok(result.failure !== undefined);
    assert.equal(service.requests.length, 1);
    assert.deepEqual(retriesOf(result), []);
  });

  it("do not follow once nothing more may be sent, and the first attempt does not either", async () => {
    for (const [allowed, sent] of [
      [[true, false], 1],
      [[false], 0],
    ] as const) {
      service.reset();
      const answers = [...allowed];
      const connection = { isStillAllowed: () => answers.shift() ?? false };
      const result = await askService(service.url, "/fault status-503", { connection });
      assert.deepEqual(result.failure, { kind: "not-allowed", problem: "changed" });
      assert.equal(service.requests.length, sent);
    }
  });

  describe("of a 401 with a key of a command", () => {
    /** Asks a service that accepts the key "newer" only. */
    async function ask(renewed: readonly (string | undefined)[]) {
      const keys: (string | null)[] = [];
      let renewals = 0;
      const result = await askService(service.url, "/sample", {
        fetch: (url, init) => {
          const key = new Headers(init?.headers).get("authorization");
          keys.push(key);
          return key === "Bearer newer"
            ? fetch(url, init)
            : Promise.resolve(new Response("{}", { status: 401 }));
        },
        connection: {
          retries: 0,
          key: new ServiceKey(CANARY, () => Promise.resolve(renewed[renewals++])),
        },
      });
      return { result, keys, renewals };
    }
    const old = `Bearer ${CANARY}`;

    it("follow once with the newer key", async () => {
      const { result, keys } = await ask(["newer"]);
      assert.deepEqual(keys, [old, "Bearer newer"]);
      assert.equal(result.failure, undefined);
      assert.notEqual(result.text, "");
    });

    it("do not follow without a newer key, nor a second time", async () => {
      for (const [renewed, expected] of [
        [[undefined], [old]],
        [[CANARY], [old]],
        [
          ["also-old", "newer"],
          [old, "Bearer also-old"],
        ],
      ] as const) {
        const { result, keys, renewals } = await ask(renewed);
        assert.deepEqual(keys, expected);
        assert.equal(renewals, 1);
        assert.ok(result.failure?.kind === "status" && result.failure.about === "key");
      }
    });
  });

  for (const name of ["reset-before-headers", "fin-before-headers"]) {
    it(`follow ${name}`, async () => {
      const retried = await askService(service.url, `/fault ${name}-once`);
      assert.equal(retried.text, SAMPLE_TEXT);
      service.reset();
      const result = await askService(service.url, `/fault ${name}`);
      const { host } = new URL(service.url);
      assert.deepEqual(result.failure, { kind: "network", cause: "reset", host });
      assert.equal(service.requests.length, 3);
    });
  }

  it("wait half a second, then twice that, less a random quarter", async () => {
    const full = await askService(service.url, "/fault status-503");
    assert.deepEqual(
      retriesOf(full).map(({ delayMs }) => delayMs),
      [500, 1000],
    );
    const early = await askService(service.url, "/fault status-503", { random: () => 1 });
    assert.deepEqual(
      retriesOf(early).map(({ delayMs }) => delayMs),
      [375, 750],
    );
  });

  const waits = (fault: string, delayMs: number | "no retry", retryAfterMs?: number): void => {
    it(`read ${fault} as ${delayMs}${typeof delayMs === "number" ? " ms" : ""}`, async () => {
      const result = await askService(service.url, `/fault ${fault}`);
      if (delayMs === "no retry") {
        assert.ok(result.failure?.kind === "status");
        assert.equal(result.failure.retryAfterMs, retryAfterMs);
        assert.equal(service.requests.length, 1);
      } else {
        assert.deepEqual(
          retriesOf(result).map((event) => event.delayMs),
          [delayMs],
        );
        assert.equal(result.text, SAMPLE_TEXT);
      }
    });
  };
  waits("retry-after-2", 2000);
  waits("retry-after-60", 60_000);
  waits("retry-after-61", "no retry", 61_000);
  waits("retry-after-abc", 500);

  it("end immediately when the signal is aborted during the wait", async () => {
    const stop = new AbortController();
    const clock = new ManualClock();
    const reason = new Error("stopped by the user");
    const result = await askService(service.url, "/fault status-503", {
      signal: stop.signal,
      clock,
      onEvent: ({ type }) => {
        if (type === "retry-scheduled") queueMicrotask(() => stop.abort(reason));
      },
    });
    assert.equal(result.thrown, reason);
    assert.equal(service.requests.length, 1);
    assert.equal(clock.timerCount, 0);
  });
});

describe("readRetryAfter", () => {
  const now = Date.parse("2026-08-01T12:00:00Z");
  const check = (value: string, expected: number | undefined): void => {
    it(`reads ${JSON.stringify(value)}`, () => {
      assert.equal(readRetryAfter(new Headers({ "retry-after": value }), now), expected);
    });
  };
  check("2", 2000);
  check("1.5", 1500);
  check("-1", undefined);
  check("abc", undefined);
  check("", undefined);
  check("Sat, 01 Aug 2026 12:00:30 GMT", 30_000);
  check("Saturday, 01-Aug-26 12:00:30 GMT", 30_000);
  check("Sat Aug  1 12:00:30 2026", 30_000);
  check("Sat, 01 Aug 2026 11:00:00 GMT", 0);
  check("Sat, 99 Aug 2026 11:00:00 GMT", undefined);

  it("prefers retry-after-ms to Retry-After", () => {
    const headers = new Headers({ "retry-after": "9", "retry-after-ms": "20" });
    assert.equal(readRetryAfter(headers, now), 20);
    headers.set("retry-after-ms", "soon");
    assert.equal(readRetryAfter(headers, now), 9000);
  });
});

describe("retryDelayMs", () => {
  it("doubles up to 8 s and stays there", () => {
    const failure: ServiceFailure = { kind: "status", status: 503, url: "", message: "" };
    const delays = [1, 2, 3, 4, 5, 6, 9].map((retry) => retryDelayMs(failure, retry, () => 0));
    assert.deepEqual(delays, [500, 1000, 2000, 4000, 8000, 8000, 8000]);
  });

  it("depends on the status", () => {
    const delay = (status: number) =>
      retryDelayMs({ kind: "status", status, url: "", message: "" }, 1, () => 0);
    const statuses = [408, 409, 429, 500, 502, 503, 504, 529];
    assert.deepEqual(new Set(statuses.map(delay)), new Set([500]));
    const others = [400, 401, 403, 404, 405, 413, 415, 422, 201, 407, 600];
    assert.deepEqual(new Set(others.map(delay)), new Set([undefined]));
  });
});
