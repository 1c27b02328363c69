/**
 * The connect timeout with Node's fetch: it ends a connection that is never established, and does
 * not affect a slow reply.
 */
import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { createConnectionWatch } from "../../../src/host/node/watchConnection";
import type { ConnectionFact } from "../../../src/service/client";
import { startService, type ReferenceService } from "../../service/server";
import { ManualClock } from "../../support/fakes/manualClock";
import { askService } from "../service/asking";

/** Waits for all pending callbacks. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("the connection of a fetch", () => {
  let service: ReferenceService;
  let silent: Server;
  const sockets = new Set<Socket>();
  const connections = createConnectionWatch();

  before(async () => {
    service = await startService();
    // This server accepts connections and sends nothing, so that no TLS connection is established.
    silent = createServer((socket) => sockets.add(socket));
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
  });
  after(async () => {
    connections.dispose();
    for (const socket of sockets) socket.destroy();
    silent.close();
    await service.close();
  });

  const silentUrl = () => `https://127.0.0.1:${(silent.address() as AddressInfo).port}`;

  /** Sends a request; `onFact` receives the reports and can advance the clock. */
  async function ask(
    url: string,
    fault: string,
    onFact: (fact: ConnectionFact, clock: ManualClock) => void,
  ) {
    const clock = new ManualClock();
    const facts: ConnectionFact[] = [];
    const result = await askService(url, `/fault ${fault}`, {
      clock,
      connection: { retries: 0, connectTimeoutMs: 10_000, firstByteTimeoutMs: 60_000 },
      watchConnection: (fetch, tell) =>
        connections.watch(fetch, (fact) => {
          facts.push(fact);
          tell(fact);
          setImmediate(() => onFact(fact, clock));
        }),
    });
    return { failure: result.failure, text: result.text, facts, clock };
  }

  it("ends at the connect limit if it is never established", async () => {
    const { failure, facts, clock } = await ask(silentUrl(), "none", (_fact, time) => {
      time.advance(9_999);
      time.advance(1);
    });
    assert.deepEqual(failure, { kind: "timeout", phase: "connect", limitMs: 10_000 });
    assert.deepEqual(facts, ["connecting"]);
    assert.equal(clock.timerCount, 0);
  });

  it("has no time limits of the platform, only those of the settings", async () => {
    const limits: unknown[] = [];
    const onSent = (message: unknown) => {
      const { request } = message as { request: Record<string, unknown> };
      limits.push(request["headersTimeout"], request["bodyTimeout"]);
    };
    subscribe("undici:client:sendHeaders", onSent);
    try {
      await ask(service.url, "none", () => undefined);
    } finally {
      unsubscribe("undici:client:sendHeaders", onSent);
    }
    assert.deepEqual(limits, [0, 0]);
  });

  it("does not reduce the reply's time limit once it is established", async () => {
    let isSettled = false;
    let wasSettled: boolean | undefined;
    const advanceTime = async (time: ManualClock): Promise<void> => {
      for (const ms of [10_000, 10_000, 10_000, 10_000, 10_000, 9_999]) {
        time.advance(ms);
        await settle();
      }
      wasSettled = isSettled;
      time.advance(1);
    };
    const { failure, facts } = await ask(service.url, "silence-before-headers", (fact, time) => {
      if (fact === "connected") void advanceTime(time);
    }).finally(() => (isSettled = true));
    assert.deepEqual(failure, { kind: "timeout", phase: "first-byte", limitMs: 60_000 });
    assert.deepEqual(facts, ["connecting", "connected"]);
    assert.equal(wasSettled, false);
  });
});
