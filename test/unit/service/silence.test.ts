/**
 * The timeouts for silence: reported before they expire, and reset by any byte, so that a long
 * reply never times out (row S26). The test controls the clock.
 */
import assert from "node:assert/strict";
import type { ServiceEvent } from "../../../src/service/types";
import { ManualClock } from "../../support/fakes/manualClock";
import { askService, delta, DONE, finish, type AskResult, type AskOptions } from "./asking";

/** Creates a stream that the test writes, and a fetch that returns this stream on demand. */
function controlledStream() {
  let respond: (response: Response) => void = () => undefined;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (streamController) => {
      controller = streamController;
    },
  });
  const fetch: typeof globalThis.fetch = () =>
    new Promise((resolve) => {
      respond = resolve;
    });
  return {
    fetch,
    answer: () =>
      respond(new Response(body as BodyInit, { headers: { "content-type": "text/event-stream" } })),
    write: (text: string) => controller?.enqueue(new TextEncoder().encode(text)),
    end: () => controller?.close(),
  };
}

/** Waits for all pending callbacks. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Advances the clock in steps, so that pending work can read the time in between. */
async function advanceInSteps(clock: ManualClock, ms: number): Promise<void> {
  const stepMs = ms > 100_000 ? ms : 10_000;
  for (let left = ms; left > 0; left -= stepMs) {
    await settle();
    clock.advance(Math.min(stepMs, left));
    await settle();
  }
}

interface RunningRequest {
  readonly stream: ReturnType<typeof controlledStream>;
  readonly events: ServiceEvent[];
  pass(ms: number): Promise<void>;
  done: Promise<AskResult>;
}

function start(options: AskOptions = {}): RunningRequest {
  const stream = controlledStream();
  const clock = new ManualClock();
  const events: ServiceEvent[] = [];
  const done = askService("https://service.test", "x", {
    fetch: stream.fetch,
    clock,
    onEvent: (event) => events.push(event),
    ...options,
  });
  const pass = (ms: number): Promise<void> => advanceInSteps(clock, ms);
  return { stream, events, done, pass };
}

const waits = (events: readonly ServiceEvent[]): number[] =>
  events.flatMap((event) => (event.type === "still-waiting" ? [event.forMs] : []));

describe("silence", () => {
  it("before the headers is reported every 10 s and ends at the first-byte limit", async () => {
    const request = start();
    for (let s = 0; s < 60; s++) await request.pass(1000);
    const result = await request.done;
    assert.deepEqual(waits(result.events), [10_000, 20_000, 30_000, 40_000, 50_000]);
    assert.deepEqual(result.failure, { kind: "timeout", phase: "first-byte", limitMs: 60_000 });
    assert.equal(result.events.filter(({ type }) => type === "request-sent").length, 1);
  });

  it("between the headers and the first byte counts from the start of the attempt", async () => {
    const request = start();
    await request.pass(40_000);
    request.stream.answer();
    await request.pass(19_999);
    await request.pass(1);
    const { failure } = await request.done;
    assert.deepEqual(failure, { kind: "timeout", phase: "first-byte", limitMs: 60_000 });
  });

  it("between events ends at the silence limit and keeps the text", async () => {
    const request = start({ connection: { silenceTimeoutMs: 30_000 } });
    await settle();
    request.stream.answer();
    request.stream.write(delta("Hello"));
    await request.pass(29_999);
    await request.pass(1);
    const result = await request.done;
    assert.equal(result.text, "Hello");
    assert.deepEqual(waits(result.events), [10_000, 20_000]);
    assert.deepEqual(result.failure, { kind: "timeout", phase: "silence", limitMs: 30_000 });
  });

  it("is ended by any byte: comments, parts of an event, one byte at a time", async () => {
    const request = start();
    await settle();
    request.stream.answer();
    for (const piece of [": still here\n\n", "\n", ...delta("Hi").split(/(?:)/), ":", "\n"]) {
      request.stream.write(piece);
      await request.pass(59_000);
    }
    request.stream.write(DONE);
    const result = await request.done;
    assert.equal(result.text, "Hi");
    assert.equal(result.ended?.type, "reply-ended");
  });

  it("after a finish reason is not prolonged by comments", async () => {
    const request = start();
    await settle();
    request.stream.answer();
    request.stream.write(delta("Hello") + finish());
    for (let i = 0; i < 4; i++) {
      request.stream.write(":\n");
      await request.pass(500);
    }
    assert.equal((await request.done).ended?.finishReason, "stop");
  });

  it("is not counted while the caller does not read", async () => {
    const stream = controlledStream();
    const clock = new ManualClock();
    const result = await askService("https://service.test", "x", {
      fetch: (...streamController) => {
        const response = stream.fetch(...streamController);
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
    assert.equal(result.text, "Hello");
    assert.equal(result.ended?.type, "reply-ended");
  });

  it("before a reply without a stream is allowed for at least ten minutes", async () => {
    const request = start({ request: { stream: false } });
    await request.pass(590_000);
    request.stream.answer();
    request.stream.write(JSON.stringify({ choices: [{ message: { content: "whole" } }] }));
    request.stream.end();
    assert.equal((await request.done).text, "whole");
  });

  it("is allowed longer before the answer to a large request, which takes time to send", async () => {
    const url = `data:image/png;base64,${"A".repeat(10_000_000)}`;
    const request = start({
      request: { kind: "vl", messages: [{ role: "user", parts: [{ type: "image", url }] }] },
    });
    await request.pass(150_000);
    request.stream.answer();
    request.stream.write(delta("seen") + DONE);
    assert.equal((await request.done).text, "seen");
  });

  it("without a limit is allowed forever", async () => {
    const request = start({ connection: { firstByteTimeoutMs: 0, silenceTimeoutMs: 0 } });
    await request.pass(10_000_000);
    request.stream.answer();
    await request.pass(10_000_000);
    request.stream.write(delta("Hello"));
    await request.pass(10_000_000);
    request.stream.write(DONE);
    assert.equal((await request.done).text, "Hello");
  });
});

describe("silence in the body of a failure", () => {
  it("in the message of a failure keeps the status and the text so far", async () => {
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
  });
});
