/**
 * Cancellation: the signal's reason is thrown immediately at any time, the server sees the
 * connection close, nothing leaks, and the next request works.
 */
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { createClient } from "../../../src/service/client";
import { startService, type ReferenceService } from "../../service/server";
import { ManualClock } from "../../support/fakes/manualClock";
import { askService, connectionTo, requestOf } from "./asking";

describe("stopping", () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService();
  });
  beforeEach(() => service.reset());
  after(() => service.close());

  const reason = { why: "a reason of any kind" };

  it("before the start sends nothing", async () => {
    const result = await askService(service.url, "x", { signal: AbortSignal.abort(reason) });
    assert.equal(result.thrown, reason);
    assert.deepEqual(result.events, []);
    assert.equal(service.requests.length, 0);
  });

  it("as soon as the request is announced sends nothing", async () => {
    const stop = new AbortController();
    const result = await askService(service.url, "x", {
      signal: stop.signal,
      onEvent: () => stop.abort(reason),
    });
    assert.equal(result.thrown, reason);
    assert.equal(service.requests.length, 0);
  });

  it("before the headers closes the connection", async () => {
    const stop = new AbortController();
    const result = askService(service.url, "/fault silence-before-headers", {
      signal: stop.signal,
    });
    await service.waitForRequest(1);
    stop.abort(reason);
    assert.equal((await result).thrown, reason);
    const record = await service.waitForClose(1);
    assert.ok(record.closedByClientAtMs !== undefined);
  });

  it("in the middle of a stream keeps the text so far and closes the connection", async () => {
    service.script({ blocks: ["Hello ", { gate: true }, "late"] });
    const stop = new AbortController();
    const result = await askService(service.url, "x", {
      signal: stop.signal,
      onEvent: ({ type }) => {
        if (type === "text-delta") queueMicrotask(() => stop.abort(reason));
      },
    });
    assert.equal(result.thrown, reason);
    assert.equal(result.text, "Hello ");
    const record = await service.waitForClose(1);
    assert.ok(record.closedByClientAtMs !== undefined);
  });

  it("works with a fetch that ignores signals, and cancels a late response", async () => {
    const stop = new AbortController();
    let isCanceled = false;
    let respond: (response: Response) => void = () => undefined;
    const result = askService(service.url, "x", {
      signal: stop.signal,
      fetch: () => new Promise((resolve) => (respond = resolve)),
      onEvent: () => setImmediate(() => stop.abort(reason)),
    });
    assert.equal((await result).thrown, reason);
    const cancel = (): void => {
      isCanceled = true;
    };
    respond(new Response(new ReadableStream({ cancel }) as BodyInit));
    await new Promise((resolve) => setImmediate(resolve));
    assert.ok(isCanceled);
  });

  it("by leaving the loop closes the connection", async () => {
    service.script({ blocks: ["Hello ", { gate: true }, "late"] });
    const client = createClient({ fetch: globalThis.fetch });
    const signal = new AbortController().signal;
    for await (const event of client.complete(requestOf("x"), connectionTo(service.url), signal)) {
      if (event.type === "text-delta") break;
    }
    const record = await service.waitForClose(1);
    assert.ok(record.closedByClientAtMs !== undefined);
  });

  it("leaves no listener on the signal and no timer after any ending", async () => {
    const { signal } = new AbortController();
    for (const text of [
      "/echo hi",
      "/fault cut-mid-stream",
      "/fault fail-twice-503",
      "/fault status-400",
    ]) {
      const clock = new ManualClock();
      await askService(service.url, text, { signal, clock });
      assert.equal(getEventListeners(signal, "abort").length, 0, text);
      assert.equal(clock.timerCount, 0, text);
    }
  });
});
