/**
 * The size limits of a reply: number of events, 8 MiB per event, 16 MiB of text, and constant
 * memory (rows S27 to S30).
 */
import assert from "node:assert/strict";
import { askReplay, askService, delta, DONE } from "./asking";
import { ALL } from "../../support/depth";

const MIB = 1024 * 1024;
const ORIGIN = "https://service.test";

/** Creates a `fetch` that repeats the same chunk endlessly, after `first`. */
function endless(piece: string, first = "", type = "text/event-stream") {
  const bytes = new TextEncoder().encode(piece);
  let sent = 0;
  let isCanceled = false;
  const fetch: typeof globalThis.fetch = () => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        if (first !== "") controller.enqueue(new TextEncoder().encode(first));
      },
      pull: (controller) => {
        sent += bytes.length;
        controller.enqueue(bytes.slice());
      },
      cancel: () => {
        isCanceled = true;
      },
    });
    return Promise.resolve(new Response(body as BodyInit, { headers: { "content-type": type } }));
  };
  return { fetch, sent: () => sent, isCanceled: () => isCanceled };
}

describe("the size limits", () => {
  it("stop an endless text at exactly 16 MiB, and cancel the body", async () => {
    const stream = endless(delta("0123456789abcdef".repeat(1000)));
    const result = await askService(ORIGIN, "x", { fetch: stream.fetch });
    assert.deepEqual(result.failure, { kind: "limit", limit: "text-bytes", maxBytes: 16 * MIB });
    assert.equal(result.text.length, 16 * MIB);
    assert.ok(stream.isCanceled());
  });

  it("count text in bytes and split no character", async () => {
    const result = await askService(ORIGIN, "x", {
      fetch: endless(delta("好🙂".repeat(999))).fetch,
    });
    assert.equal(result.failure?.kind, "limit");
    const bytes = Buffer.byteLength(result.text);
    assert.ok(bytes <= 16 * MIB && bytes > 16 * MIB - 4);
    assert.ok(!Buffer.from(result.text).toString().includes("\ufffd"));
  });

  for (const [name, start, piece] of [
    ["one line", "", "x".repeat(65_536)],
    ["one line of data", "data: ", "x".repeat(65_536)],
    ["one event of many lines", "", `data: ${"x".repeat(1000)}\n`],
    ["one comment", ":", "x".repeat(65_536)],
  ] as const) {
    it(`stop ${name} that never ends at 8 MiB`, async () => {
      const stream = endless(piece, delta("Hello") + start);
      const result = await askService(ORIGIN, "x", { fetch: stream.fetch });
      assert.deepEqual(result.failure, { kind: "limit", limit: "event-bytes", maxBytes: 8 * MIB });
      assert.equal(result.text, "Hello");
      assert.ok(stream.sent() < 10 * MIB, `${stream.sent()} bytes were taken`);
    });
  }

  it("count an event in bytes: 4 MB of three-byte characters, not 10 MB", async () => {
    const text = "好".repeat(1_300_000);
    assert.equal((await askReplay([delta(text), DONE])).text, text);
    const pieces = delta("好".repeat(3_400_000)).match(/[^]{1,20000}/g) ?? [];
    assert.equal((await askReplay([...pieces, DONE])).failure?.kind, "limit");
  });

  for (const [name, piece] of [
    ["comments", ":\n".repeat(30_000)],
    ["empty events", "data:\n\n".repeat(9000)],
    ["blocks without text", 'data: {"choices":[]}\n\n'.repeat(3000)],
    ["long blocks without text", `data: {"choices":[],"id":"${"x".repeat(20_000)}"}\n\n`],
  ] as const) {
    it(`stop 64 MiB of ${name}${name.startsWith("long") ? "" : ` ${ALL}`}`, async () => {
      const result = await askService(ORIGIN, "x", { fetch: endless(piece).fetch });
      assert.deepEqual(result.failure, { kind: "limit", limit: "body-bytes", maxBytes: 64 * MIB });
    });
  }

  it("stop a stream of damaged events after 10,000 of them", async () => {
    const stream = endless("data: {x\n\n".repeat(5000));
    const result = await askService(ORIGIN, "x", { fetch: stream.fetch });
    assert.deepEqual(result.failure, { kind: "unreadable" });
    assert.ok(stream.isCanceled());
  });

  it("stop an endless JSON document", async () => {
    const stream = endless("x".repeat(1_000_000), '{"choices":"', "application/json");
    const result = await askService(ORIGIN, "x", { fetch: stream.fetch });
    assert.deepEqual(result.failure, { kind: "limit", limit: "body-bytes", maxBytes: 34 * MIB });
    assert.ok(stream.isCanceled());
  });

  it("read the message of a failure from an endless body", async () => {
    const stream = endless("no ".repeat(20_000));
    const fetch: typeof globalThis.fetch = async (...args) => {
      const { body } = await stream.fetch(...args);
      return new Response(body, { status: 400 });
    };
    const result = await askService(ORIGIN, "x", { fetch });
    assert.ok(result.failure?.kind === "status");
    assert.equal(result.failure.message.length <= 300, true);
    assert.ok(result.failure.message.endsWith("…"));
    assert.ok(stream.sent() < 3 * MIB);
  });
});
