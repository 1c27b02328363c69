/**
 * The local reference service: implements the service's specification on 127.0.0.1, without a
 * model. This file owns the listening server, its records and its shutdown; completions.ts answers
 * requests.
 */
import type { ToolMode } from "./requestRules";
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
  /**
   * Port; 0 or undefined selects any free port. Starting rejects with EADDRINUSE if the port is in
   * use.
   */
  readonly port?: number;
  /** Pause between two streamed blocks, in milliseconds; 0 by default. */
  readonly blockDelayMs?: number;
  /** The only accepted key; without this option every key is accepted. */
  readonly apiKey?: string;
  /** Calls the first tool, ignores tools (by default), or refuses them. */
  readonly tools?: ToolMode;
}

export interface ReferenceService {
  /** Base URL to set in the client, e.g. `http://127.0.0.1:8321`; equal to `origin`. */
  readonly url: string;
  readonly origin: string;
  /** Received requests, oldest first; a live list without debugging calls. */
  readonly requests: readonly RecordedRequest[];
  /**
   * Number of open connections of any kind. Node's fetch opens a new idle connection after each
   * interrupted request, so a test of Stop should use `repliesOpen` or `waitForClose` instead.
   */
  connectionsOpen(): number;
  /** Number of requests whose exchange is still open. */
  repliesOpen(): number;
  /** Resolves when request `number` (from 1) and its body have arrived. */
  waitForRequest(number: number): Promise<RecordedRequest>;
  /** Resolves when the exchange of request `number` (from 1) has ended. */
  waitForClose(number: number): Promise<RecordedRequest>;
  /** Adds replies for the next valid requests, in order. */
  script(...replies: ScriptedReply[]): void;
  /** Releases a gate, now or when a reply reaches it. */
  releaseGate(): void;
  /** Deletes requests, scripted replies, gates and attempts; running replies continue. */
  reset(): void;
  /** Stops listening and breaks every open connection; resolves when all connections are closed. */
  close(): Promise<void>;
}

/** Starts a separate service; the caller must close it. */
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
    // A write while the client disconnects is not an error; the exchange notices through its
    // signal.
    response.on("error", () => undefined);
    void answer(request, response).catch((error: unknown) => {
      process.stderr.write(`The reference service failed: ${String(error)}\n`);
      response.destroy();
    });
  });
  // A client that reuses a connection while the server closes it for idleness would see an
  // unexpected reset; a minute is longer than any test waits.
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
      ledger.rejectWaiters("the service was closed");
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
