/**
 * Slow uploads over real sockets with Node's fetch: the first-byte timeout starts after the body is
 * sent, and an upload that stalls times out. The test controls the clock.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createConnectionWatch } from "../../../src/host/node/watchConnection";
import type { ServiceEvent } from "../../../src/service/types";
import { ManualClock } from "../../support/fakes/manualClock";
import { askService, delta, DONE, type AskOptions } from "./asking";

const BODY_BYTES = 30_000_000;

const request = {
  kind: "vl" as const,
  messages: [
    {
      role: "user" as const,
      parts: [{ type: "image" as const, url: `data:image/png;base64,${"A".repeat(BODY_BYTES)}` }],
    },
  ],
};

const REPLY =
  "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n" +
  delta("seen") +
  DONE;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

type UploadEvent = Extract<ServiceEvent, { type: "uploading" }>;

describe("the upload of a large request", () => {
  const connections = createConnectionWatch();
  let server: Server;
  let onSocket: (socket: Socket) => void = () => undefined;
  let sockets: Socket[] = [];

  // Each test has its own server, because undici may open its next connection before the next test
  // starts.
  beforeEach(async () => {
    sockets = [];
    server = createServer((socket) => {
      sockets.push(socket);
      socket.on("error", () => undefined); // the client disconnects
      onSocket(socket);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterEach(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  after(() => connections.dispose());

  /** Reads whole requests; calls `onData` for each chunk and `onEnd` after the last chunk. */
  function receive(onEnd: (socket: Socket, head: string) => void, onData = () => undefined): void {
    onSocket = (socket) => {
      let head = "";
      let left = Infinity;
      socket.on("data", (bytes) => {
        if (left === Infinity) {
          head += bytes.toString("latin1");
          const end = head.indexOf("\r\n\r\n");
          if (end === -1) return;
          left = Number(/content-length: (\d+)/i.exec(head)?.[1]) - (head.length - end - 4);
          head = head.slice(0, end);
        } else left -= bytes.length;
        onData();
        if (left <= 0) onEnd(socket, head);
      });
    };
  }

  function send(clock: ManualClock, options: AskOptions = {}) {
    const uploads: UploadEvent[] = [];
    const { port } = server.address() as AddressInfo;
    const done = askService(`http://127.0.0.1:${port}`, "x", {
      clock,
      request,
      watchConnection: connections.watch,
      canStreamUpload: connections.canStreamUpload,
      ...options,
      connection: { retries: 0, ...options.connection },
      onEvent: (event, time) => {
        if (event.type === "uploading") uploads.push(event);
        options.onEvent?.(event, time);
      },
    });
    return { uploads, done };
  }

  /**
   * Advances the clock in small steps until `done` settles, and lets the sockets work in between.
   */
  async function advanceUntil(done: Promise<unknown>, clock: ManualClock, stepMs: number) {
    let isDone = false as boolean;
    void done.then(() => (isDone = true));
    while (!isDone) {
      await nextTurn();
      clock.advance(stepMs);
    }
  }

  /** Advances the clock by 50 s for each progress event except the last. */
  function slowDown({ type, ...event }: ServiceEvent, clock: ManualClock): void {
    const progress = event as Partial<UploadEvent>;
    if (type === "uploading" && progress.sentBytes !== progress.totalBytes) clock.advance(50_000);
  }

  it("does not time out while it makes progress, and reports it", async () => {
    let requestHead = "";
    receive((socket, head) => {
      requestHead = head;
      socket.end(REPLY);
    });
    const clock = new ManualClock();
    const startedMs = clock.nowMs();
    const { uploads, done } = send(clock, {
      onEvent: (event, time) => {
        if (event.type === "request-sent") setImmediate(() => time.advance(2000));
        slowDown(event, time);
      },
    });
    const result = await done;
    assert.equal(result.text, "seen", JSON.stringify(result.failure));
    assert.ok(clock.nowMs() - startedMs > 120_000, "longer than the limit of the first byte");
    assert.match(requestHead, /content-length: 30000\d{3}$/im);
    assert.doesNotMatch(requestHead, /transfer-encoding/i);
    assert.ok(uploads.length > 3);
    for (const [index, { sentBytes, totalBytes }] of uploads.entries()) {
      assert.ok(sentBytes > (uploads[index - 1]?.sentBytes ?? 0) && sentBytes <= totalBytes);
    }
    assert.equal(uploads.at(-1)?.sentBytes, uploads.at(-1)?.totalBytes);
    assert.equal(clock.timerCount, 0);
  });

  it("ends at the limit when it stalls", async () => {
    onSocket = (socket) => socket.pause();
    const clock = new ManualClock();
    const { uploads, done } = send(clock);
    await advanceUntil(done, clock, 100);
    const { failure } = await done;
    assert.deepEqual(failure, { kind: "timeout", phase: "first-byte", limitMs: 60_000 });
    const last = uploads.at(-1);
    assert.ok(
      last !== undefined && last.sentBytes < last.totalBytes,
      "the upload stalls before its end",
    );
    assert.equal(clock.timerCount, 0);
  });

  it("ends when the service rejects the request before it is sent completely", async () => {
    onSocket = (socket) =>
      socket.once("data", () => {
        socket.write("HTTP/1.1 413 Too Large\r\ncontent-length: 7\r\n\r\ntoo big");
        socket.pause();
      });
    const clock = new ManualClock();
    const result = await send(clock).done;
    assert.ok(result.failure?.kind === "status" && result.failure.status === 413);
    assert.equal(clock.timerCount, 0);
  });

  it("is stopped immediately", async () => {
    onSocket = (socket) => socket.pause();
    const clock = new ManualClock();
    const stop = new AbortController();
    const { done } = send(clock, {
      signal: stop.signal,
      onEvent: ({ type }) => {
        if (type === "uploading") stop.abort(new Error("enough"));
      },
    });
    await advanceUntil(done, clock, 2000);
    const result = await done;
    assert.equal((result.thrown as Error).message, "enough");
    await once(sockets[0]!.resume(), "close");
  });

  it("starts from the beginning on a retry", async () => {
    const { done } = send(new ManualClock(), { connection: { retries: 1 } });
    let tries = 0;
    receive((socket) => {
      if (++tries === 1)
        socket.end("HTTP/1.1 503 Busy\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
      else socket.end(REPLY);
    });
    assert.equal((await done).text, "seen");
    assert.equal(tries, 2);
  });
});
