/**
 * The local reference service: service-spec.md to the letter on 127.0.0.1, with no model in it.
 * This file owns the listening server, its records and its end; completions.ts answers.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { answerCompletion } from "./completions";
import { answerControl } from "./control";
import { Gate } from "./gate";
import { Ledger, type RecordedRequest } from "./ledger";
import type { ScriptedReply } from "./script";

export type { RecordedRequest, ScriptedReply };

export interface ServiceOptions {
  /** 0 or nothing: any free port. Rejects with EADDRINUSE when the port is taken. */
  readonly port?: number;
  /** Pause between two streamed blocks, in milliseconds; 0 by default. */
  readonly blockDelayMs?: number;
  /** The only key that is accepted; without it every key is. */
  readonly apiKey?: string;
}

export interface ReferenceService {
  /** The base URL to set in the client, e.g. `http://127.0.0.1:8321`; equal to `origin`. */
  readonly url: string;
  readonly origin: string;
  /** What arrived, oldest first; a live list. Debugging calls are not in it. */
  readonly requests: readonly RecordedRequest[];
  /**
   * Connections of any kind. Node's fetch opens a new idle one after each it broke off, so a test
   * of Stop asks `repliesOpen` or `waitForClose` instead.
   */
  connectionsOpen(): number;
  /** Requests whose exchange is not over. */
  repliesOpen(): number;
  /** Resolves when request `number` (from 1) and its body have arrived. */
  waitForRequest(number: number): Promise<RecordedRequest>;
  /** Resolves when the exchange of request `number` (from 1) has ended. */
  waitForClose(number: number): Promise<RecordedRequest>;
  /** Lays out the replies for the next correct requests, in order. */
  script(...replies: ScriptedReply[]): void;
  /** Releases one gate, now or when a reply reaches it. */
  releaseGate(): void;
  /** Forgets requests, scripted replies, gates and attempts; running replies go on. */
  reset(): void;
  /** Stops listening and breaks every open connection; resolves when all is closed. */
  close(): Promise<void>;
}

/** Starts a separate service, which the caller closes. */
export async function startService(options: ServiceOptions = {}): Promise<ReferenceService> {
  const ledger = new Ledger();
  const gate = new Gate();
  const scripted: ScriptedReply[] = [];
  const attempts = new Map<string, number>();
  const sockets = new Set<Socket>();
  const closing = new AbortController();
  let repliesOpen = 0;

  const controlled = {
    ledger,
    gate,
    script: (...replies: ScriptedReply[]) => void scripted.push(...replies),
    connectionsOpen: () => sockets.size,
    repliesOpen: () => repliesOpen,
    reset: () => {
      ledger.reset("the service was reset");
      gate.reset();
      scripted.length = 0;
      attempts.clear();
    },
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    if (path.startsWith("/_service/")) {
      await answerControl(controlled, path, request, response);
      return;
    }
    repliesOpen++;
    response.once("close", () => {
      repliesOpen--;
    });
    const headers = flatHeaders(request);
    const record = ledger.open(request.method ?? "", request.url ?? "/", headers);
    await answerCompletion(
      { ledger, gate, scripted, attempts, options, origin, closing: closing.signal },
      record,
      request,
      response,
    );
  };

  const server = createServer((request, response) => {
    // Writing in the moment a caller leaves is no failure; the exchange learns it by its signal.
    response.on("error", () => undefined);
    void answer(request, response).catch((error: unknown) => {
      process.stderr.write(`The reference service failed: ${String(error)}\n`);
      response.destroy();
    });
  });
  // A caller that reuses a connection while it is being closed for idleness sees a reset that
  // no test asked for; a minute is longer than any of them waits.
  server.keepAliveTimeout = 60_000;
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    url: origin,
    origin,
    requests: ledger.requests,
    connectionsOpen: controlled.connectionsOpen,
    repliesOpen: controlled.repliesOpen,
    waitForRequest: (number) => ledger.waitFor(number, "read"),
    waitForClose: (number) => ledger.waitFor(number, "closed"),
    script: controlled.script,
    releaseGate: () => gate.release(),
    reset: controlled.reset,
    close: async () => {
      if (closing.signal.aborted) return;
      closing.abort(new Error("the service is closing"));
      const isClosed = once(server, "close");
      server.close();
      const areGone = [...sockets].map((socket) => once(socket, "close"));
      for (const socket of sockets) socket.destroy();
      await Promise.all([isClosed, ...areGone]);
      ledger.abandonWaiters("the service was closed");
    },
  };
}

function flatHeaders(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}
