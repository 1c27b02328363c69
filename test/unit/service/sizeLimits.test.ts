/**
 * The size limits of a reply: number of events, 8 MiB per event, 16 MiB of text, and constant
 * memory (rows S27 to S30).
 */
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { StreamDecoder } from "../../../src/service/decodeStream";
import { tinyEventsText } from "../../service/faults/limits";
import { startService, type ReferenceService } from "../../service/server";
import { createClient } from "../../../src/service/client";
import { ServiceError } from "../../../src/service/types";
import { askService, connectionTo, delta, DONE, replay, requestOf, startRaw } from "./asking";
import { ALL } from "../../support/depth";

const MIB = 1024 * 1024;
const ORIGIN = "https://service.test";

/** Creates a `fetch` that repeats the same chunk endlessly. */
function endless(piece: string, headers = { "content-type": "text/event-stream" }) {
  const bytes = new TextEncoder().encode(piece);
  let sent = 0;
  let isCanceled = false;
  const fetch: typeof globalThis.fetch = () => {
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += bytes.length;
        controller.enqueue(bytes.slice());
      },
      cancel: () => {
        isCanceled = true;
      },
    });
    return Promise.resolve(new Response(body as BodyInit, { headers }));
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

  for (const [name, piece] of [
    ["one line", "x".repeat(65_536)],
    ["one line of data", `data: ${"x".repeat(65_536)}`.slice(0, 65_536)],
    ["one event of many lines", `data: ${"x".repeat(1000)}\n`],
    ["one comment", `: ${"x".repeat(65_536)}`],
    ["an unknown field", `foo: ${"x".repeat(65_536)}`],
  ] as const) {
    it(`stop ${name} that never ends at 8 MiB`, async () => {
      const isLine = !piece.endsWith("\n");
      const stream = endless(piece);
      const first = name === "one line of data" ? "data: " : name === "one comment" ? ":" : "";
      // The chunks of an endless line contain no line ending.
      const body = isLine ? endless("x".repeat(65_536)) : stream;
      const fetch: typeof globalThis.fetch = async (...args) => {
        const response = await body.fetch(...args);
        const reader = response.body!.getReader();
        const head = new TextEncoder().encode(delta("Hello") + first);
        let isFirst = true;
        const joined = new ReadableStream<Uint8Array>({
          pull: async (controller) => {
            if (isFirst) controller.enqueue(head);
            else controller.enqueue((await reader.read()).value as Uint8Array);
            isFirst = false;
          },
          cancel: (reason) => reader.cancel(reason),
        });
        return new Response(joined as BodyInit, { headers: response.headers });
      };
      const result = await askService(ORIGIN, "x", { fetch });
      assert.deepEqual(result.failure, { kind: "limit", limit: "event-bytes", maxBytes: 8 * MIB });
      assert.equal(result.text, "Hello");
      assert.ok(body.sent() < 10 * MIB, `${body.sent()} bytes were taken`);
    });
  }

  it("stop an event of 10 MB in one piece, but not one of 4 MB of three-byte characters", async () => {
    const big = await askService(ORIGIN, "x", {
      fetch: replay([delta("x".repeat(10_000_000)), DONE]),
    });
    assert.deepEqual(big.failure, { kind: "limit", limit: "event-bytes", maxBytes: 8 * MIB });
    const text = "好".repeat(1_300_000);
    const fine = await askService(ORIGIN, "x", { fetch: replay([delta(text), DONE]) });
    assert.equal(fine.text, text);
    const wide = "好".repeat(3_400_000);
    const pieces = delta(wide).match(/[^]{1,20000}/g) ?? [];
    const overLimit = await askService(ORIGIN, "x", { fetch: replay([...pieces, DONE]) });
    assert.equal(overLimit.failure?.kind, "limit");
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

  it("stop an endless JSON document, also with gzip", async () => {
    const json = { "content-type": "application/json" };
    const piece = "x".repeat(1_000_000);
    const stream = endless(`{"choices":"${piece}`, json);
    const result = await askService(ORIGIN, "x", { fetch: stream.fetch });
    assert.deepEqual(result.failure, { kind: "limit", limit: "body-bytes", maxBytes: 34 * MIB });
    assert.ok(stream.isCanceled());

    const bomb = gzipSync(Buffer.alloc(100_000_000, "{"));
    const head =
      "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\n\r\n";
    const server = await startRaw((socket) => {
      socket.write(head);
      socket.end(bomb);
    });
    const packed = await askService(server.url, "x", { request: { stream: false } });
    assert.equal(packed.failure?.kind, "limit");
    await server.close();
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

describe("a long reply", () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it(`of a million events is exact and needs constant memory ${ALL}`, async () => {
    const client = createClient({ fetch: globalThis.fetch });
    const signal = new AbortController().signal;
    const before = process.memoryUsage().rss;
    let peak = before;
    let text = "";
    let events = 0;
    const request = requestOf("/fault million-events");
    for await (const event of client.complete(request, connectionTo(service.url), signal)) {
      if (event.type === "text-delta") text += event.text;
      if (++events % 500 === 0) peak = Math.max(peak, process.memoryUsage().rss);
    }
    assert.equal(text, tinyEventsText(1_000_000));
    // Server and client share one process here, so this is an upper limit for the client.
    assert.ok(peak - before < 150 * MIB, `${Math.round((peak - before) / MIB)} MiB more`);
  }).timeout(60_000);

  it("that never ends runs until it is stopped", async () => {
    const stop = new AbortController();
    let deltas = 0;
    const result = await askService(service.url, "/fault endless-fast", {
      signal: stop.signal,
      onEvent: ({ type }) => {
        if (type === "text-delta" && ++deltas === 200) stop.abort(new Error("enough"));
      },
    });
    assert.equal((result.thrown as Error).message, "enough");
    assert.equal(deltas, 200);
  });

  it("is decoded in linear time for any number of chunks", () => {
    // With a quadratic reader, each size would take 16 times as long as the previous size. The
    // factor has a generous tolerance.
    const timeOf = (blocks: number): number => {
      const bytes = new TextEncoder().encode(delta("abcd").repeat(blocks));
      const decoder = new StreamDecoder((text) => text);
      const start = process.cpuUsage().user;
      for (let i = 0; i < bytes.length; i++) decoder.push(bytes.subarray(i, i + 1));
      return process.cpuUsage().user - start;
    };
    timeOf(500);
    const small = timeOf(1000);
    assert.ok(timeOf(8000) < small * 40);
  });
});

describe("StreamDecoder", () => {
  it("ignores everything after a limit", () => {
    const decoder = new StreamDecoder((text) => text);
    decoder.push(new TextEncoder().encode(`data: ${"x".repeat(9 * MIB)}`));
    assert.deepEqual(decoder.ending, { kind: "limit", limit: "event-bytes", maxBytes: 8 * MIB });
    assert.equal(decoder.push(new TextEncoder().encode(`\n\n${delta("late")}`)).text, "");
    assert.ok(decoder.endOfBytes() instanceof Object);
    assert.ok(!(decoder.endOfBytes() instanceof ServiceError));
  });
});
