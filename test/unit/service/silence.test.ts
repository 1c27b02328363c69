/**
 * The timeouts for silence: reported before they expire, and reset by any byte, so that a long
 * reply never times out (row S26). The test controls the clock.
 */
import assert from "node:assert/strict";
import type { ServiceEvent } from "../../../src/service/types";
import { startService, type ReferenceService } from "../../service/server";
import { ManualClock } from "../../support/fakes/manualClock";
import { askService, delta, DONE, finish, type Asked, type AskOptions } from "./asking";

/** Creates a stream that the test writes, and a fetch that returns this stream on demand. */
function handmade() {
  let give: (response: Response) => void = () => undefined;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
    },
  });
  const fetch: typeof globalThis.fetch = () =>
    new Promise((resolve) => {
      give = resolve;
    });
  return {
    fetch,
    answer: () =>
      give(new Response(body as BodyInit, { headers: { "content-type": "text/event-stream" } })),
    write: (text: string) => controller?.enqueue(new TextEncoder().encode(text)),
    end: () => controller?.close(),
  };
}

/** Waits for all pending callbacks. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Advances the clock in steps, so that pending work can read the time in between. */
async function passOn(clock: ManualClock, ms: number): Promise<void> {
  const stepMs = ms > 100_000 ? ms : 10_000;
  for (let left = ms; left > 0; left -= stepMs) {
    await settle();
    clock.advance(Math.min(stepMs, left));
    await settle();
  }
}

interface Asking {
  readonly stream: ReturnType<typeof handmade>;
  readonly events: ServiceEvent[];
  pass(ms: number): Promise<void>;
  done: Promise<Asked>;
}

function start(options: AskOptions = {}): Asking {
  const stream = handmade();
  const clock = new ManualClock();
  const events: ServiceEvent[] = [];
  const done = askService("https://service.test", "x", {
    fetch: stream.fetch,
    clock,
    onEvent: (event) => events.push(event),
    ...options,
  });
  const pass = (ms: number): Promise<void> => passOn(clock, ms);
  return { stream, events, done, pass };
}

const waits = (events: readonly ServiceEvent[]): number[] =>
  events.flatMap((event) => (event.type === "still-waiting" ? [event.forMs] : []));

describe("silence", () => {
  it("before the headers is reported every 10 s and ends at the first-byte limit", async () => {
    const asking = start();
    for (let s = 0; s < 60; s++) await asking.pass(1000);
    const asked = await asking.done;
    assert.deepEqual(waits(asked.events), [10_000, 20_000, 30_000, 40_000, 50_000]);
    assert.deepEqual(asked.failure, { kind: "timeout", phase: "first-byte", limitMs: 60_000 });
    assert.equal(asked.events.filter(({ type }) => type === "request-sent").length, 1);
  });

  it("may last an hour before the first byte, and again between thoughts, if the settings allow", async () => {
    const asking = start({
      connection: { firstByteTimeoutMs: 3_600_000, silenceTimeoutMs: 3_600_000, retries: 0 },
    });
    const thought = `data: ${JSON.stringify({ choices: [{ delta: { reasoning: "Hm." } }] })}\n\n`;
    for (let minute = 0; minute < 59; minute++) await asking.pass(60_000);
    asking.stream.answer();
    asking.stream.write(thought);
    for (let minute = 0; minute < 59; minute++) await asking.pass(60_000);
    asking.stream.write(thought + delta("4") + finish() + DONE);
    const asked = await asking.done;
    assert.equal(asked.text, "4");
    assert.equal(asked.failure, undefined);

    const silent = start({ connection: { firstByteTimeoutMs: 3_600_000, retries: 0 } });
    for (let minute = 0; minute < 60; minute++) await silent.pass(60_000);
    const { failure } = await silent.done;
    assert.deepEqual(failure, { kind: "timeout", phase: "first-byte", limitMs: 3_600_000 });
  });

  it("between the headers and the first byte counts from the start of the attempt", async () => {
    const asking = start();
    await asking.pass(40_000);
    asking.stream.answer();
    await asking.pass(19_999);
    await asking.pass(1);
    const { failure } = await asking.done;
    assert.deepEqual(failure, { kind: "timeout", phase: "first-byte", limitMs: 60_000 });
  });

  it("between events ends at the silence limit and keeps the text", async () => {
    const asking = start({ connection: { silenceTimeoutMs: 30_000 } });
    await settle();
    asking.stream.answer();
    asking.stream.write(delta("Hello"));
    await asking.pass(29_999);
    await asking.pass(1);
    const asked = await asking.done;
    assert.equal(asked.text, "Hello");
    assert.deepEqual(waits(asked.events), [10_000, 20_000]);
    assert.deepEqual(asked.failure, { kind: "timeout", phase: "silence", limitMs: 30_000 });
  });

  it("inside an event also ends at the silence limit", async () => {
    const asking = start();
    await settle();
    asking.stream.answer();
    asking.stream.write(`${delta("Hello")}data: {"cho`);
    await asking.pass(60_000);
    const asked = await asking.done;
    assert.equal(asked.text, "Hello");
    assert.deepEqual(asked.failure, { kind: "timeout", phase: "silence", limitMs: 60_000 });
  });

  it("is ended by any byte: comments, parts of an event, one byte at a time", async () => {
    const asking = start();
    await settle();
    asking.stream.answer();
    for (const piece of [": still here\n\n", "\n", ...delta("Hi").split(/(?:)/), ":", "\n"]) {
      asking.stream.write(piece);
      await asking.pass(59_000);
    }
    asking.stream.write(DONE);
    const asked = await asking.done;
    assert.equal(asked.text, "Hi");
    assert.equal(asked.ended?.type, "reply-ended");
  });

  it("does not end a reply that continues for a week", async () => {
    const asking = start();
    await settle();
    asking.stream.answer();
    for (let hour = 0; hour < 7 * 24; hour++) {
      asking.stream.write(delta("x"));
      for (let minute = 0; minute < 3; minute++) {
        await asking.pass(50_000);
        asking.stream.write(":\n");
      }
    }
    asking.stream.write(DONE);
    assert.equal((await asking.done).text.length, 7 * 24);
  });

  it("after a finish reason is waited for briefly, and the reply is complete", async () => {
    const asking = start();
    await settle();
    asking.stream.answer();
    asking.stream.write(delta("Hello") + finish("length"));
    await asking.pass(2000);
    const asked = await asking.done;
    assert.equal(asked.ended?.finishReason, "length");
  });

  it("after a finish reason is not prolonged by comments", async () => {
    const asking = start();
    await settle();
    asking.stream.answer();
    asking.stream.write(delta("Hello") + finish());
    for (let i = 0; i < 4; i++) {
      asking.stream.write(":\n");
      await asking.pass(500);
    }
    assert.equal((await asking.done).ended?.finishReason, "stop");
  });

  it("is not counted while the caller does not read", async () => {
    const stream = handmade();
    const clock = new ManualClock();
    const asked = await askService("https://service.test", "x", {
      fetch: (...given) => {
        const response = stream.fetch(...given);
        stream.answer();
        stream.write(delta("Hello"));
        return response;
      },
      clock,
      onEvent: ({ type }) => {
        if (type !== "text-delta") return;
        clock.advance(1_000_000); // a consumer that was busy, or a computer that was asleep
        stream.write(DONE);
      },
    });
    assert.equal(asked.text, "Hello");
    assert.equal(asked.ended?.type, "reply-ended");
  });

  it("does not depend on the time of day, which may be set", async () => {
    class SetClock extends ManualClock {
      shiftMs = 0;
      override nowMs(): number {
        return super.nowMs() + this.shiftMs;
      }
    }
    for (const shiftMs of [-3_600_000, 3_600_000]) {
      const clock = new SetClock();
      const stream = handmade();
      const done = askService("https://service.test", "x", { fetch: stream.fetch, clock });
      await passOn(clock, 30_000);
      clock.shiftMs = shiftMs;
      await passOn(clock, 30_000);
      const { failure } = await done;
      assert.deepEqual(failure, { kind: "timeout", phase: "first-byte", limitMs: 60_000 });
    }
  });

  it("before a reply without a stream is allowed for at least ten minutes", async () => {
    const asking = start({ request: { stream: false } });
    await asking.pass(590_000);
    asking.stream.answer();
    asking.stream.write(JSON.stringify({ choices: [{ message: { content: "whole" } }] }));
    asking.stream.end();
    assert.equal((await asking.done).text, "whole");
  });

  it("is allowed longer before the answer to a large request, which takes time to send", async () => {
    const url = `data:image/png;base64,${"A".repeat(10_000_000)}`;
    const asking = start({
      request: { kind: "vl", messages: [{ role: "user", parts: [{ type: "image", url }] }] },
    });
    await asking.pass(150_000);
    asking.stream.answer();
    asking.stream.write(delta("seen") + DONE);
    assert.equal((await asking.done).text, "seen");
  });

  it("without a limit is allowed forever", async () => {
    const asking = start({ connection: { firstByteTimeoutMs: 0, silenceTimeoutMs: 0 } });
    await asking.pass(10_000_000);
    asking.stream.answer();
    await asking.pass(10_000_000);
    asking.stream.write(delta("Hello"));
    await asking.pass(10_000_000);
    asking.stream.write(DONE);
    assert.equal((await asking.done).text, "Hello");
  });

  it("leaves no timer behind", async () => {
    const clock = new ManualClock();
    const stream = handmade();
    const stop = new AbortController();
    const done = askService("https://service.test", "x", {
      fetch: stream.fetch,
      clock,
      signal: stop.signal,
    });
    await settle();
    assert.ok(clock.waiting > 0);
    stop.abort();
    await done;
    assert.equal(clock.waiting, 0);
  });
});

describe("silence of a real server", () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it("closes the connection when the limit is reached", async () => {
    service.reset();
    const clock = new ManualClock();
    const asked = askService(service.url, "/fault silence-before-headers", { clock });
    await service.waitForRequest(1);
    await passOn(clock, 60_000);
    assert.equal((await asked).failure?.kind, "timeout");
    const record = await service.waitForClose(1);
    assert.ok(record.closedByClientAtMs !== undefined);
  });

  it("in the message of a failure keeps the status and the text so far", async () => {
    const asking = start();
    await settle();
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode("Bad ")),
    });
    const clock = new ManualClock();
    const done = askService("https://service.test", "x", {
      clock,
      connection: { silenceTimeoutMs: 0 }, // the timeout of the error message applies anyway
      fetch: () => Promise.resolve(new Response(body as BodyInit, { status: 400 })),
    });
    await settle();
    clock.advance(5000);
    const { failure } = await done;
    assert.ok(failure?.kind === "status");
    assert.equal(failure.status, 400);
    assert.equal(failure.message, "Bad");
    asking.stream.answer();
    asking.stream.end();
    await asking.done;
  });
});
