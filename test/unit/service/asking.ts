/**
 * Helpers for the tests of the service client: a small request, a connection, and all results of a
 * request. The key is a canary that no output may contain.
 */
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { createClient, type ClientOptions } from "../../../src/service/client";
import type { ExchangeEvent } from "../../../src/service/exchange";
import {
  ServiceError,
  type ChatRequest,
  type Connection,
  type ServiceEvent,
  type ServiceFailure,
  type ServiceToolCall,
  type Usage,
} from "../../../src/service/types";
import { ServiceKey } from "../../../src/service/serviceKey";
import { ManualClock } from "../../support/fakes/manualClock";

export const CANARY = "canary-7Qx2pW9vL4tR8mZ1";

export function requestOf(text: string, more: Partial<ChatRequest> = {}): ChatRequest {
  return {
    kind: "llm",
    modelCode: "core_llm",
    messages: [{ role: "user", parts: [{ type: "text", text }] }],
    sampling: {},
    stream: true,
    ...more,
  };
}

export function connectionTo(baseUrl: string, more: Partial<Connection> = {}): Connection {
  return {
    baseUrl,
    key: new ServiceKey(CANARY),
    connectTimeoutMs: 10_000,
    firstByteTimeoutMs: 60_000,
    silenceTimeoutMs: 60_000,
    retries: 2,
    ...more,
  };
}

export interface AskResult {
  readonly events: readonly ServiceEvent[];
  readonly observed: readonly ExchangeEvent[];
  readonly text: string;
  readonly usage: Usage | undefined;
  readonly calls: readonly ServiceToolCall[];
  readonly ended: (ServiceEvent & { type: "reply-ended" }) | undefined;
  /** The thrown value, if any. */
  readonly thrown: unknown;
  readonly failure: ServiceFailure | undefined;
}

export interface AskOptions extends Partial<ClientOptions> {
  readonly signal?: AbortSignal;
  readonly request?: Partial<ChatRequest>;
  readonly connection?: Partial<Connection>;
  readonly onEvent?: (event: ServiceEvent, clock: ManualClock) => void;
  readonly onExchange?: ClientOptions["observe"];
  /** Clock of the client. The default clock skips the waits between attempts. */
  readonly clock?: ManualClock;
}

/** Sends a request and collects all results. Waits between attempts are skipped. */
export async function askService(
  baseUrl: string,
  text: string,
  options: AskOptions = {},
): Promise<AskResult> {
  const clock = options.clock ?? new ManualClock();
  const observed: ExchangeEvent[] = [];
  const client = createClient({
    fetch: options.fetch ?? globalThis.fetch,
    clock,
    random: options.random ?? (() => 0),
    ...(options.watchConnection && { watchConnection: options.watchConnection }),
    ...(options.canStreamUpload && { canStreamUpload: true }),
    ...(options.onThinkingFirst && { onThinkingFirst: options.onThinkingFirst }),
    observe: (event) => {
      observed.push(event);
      return options.onExchange?.(event);
    },
  });
  const signal = options.signal ?? new AbortController().signal;
  const events: ServiceEvent[] = [];
  let thrown: unknown;
  try {
    const reply = client.complete(
      requestOf(text, options.request),
      connectionTo(baseUrl, options.connection),
      signal,
    );
    for await (const event of reply) {
      events.push(event);
      options.onEvent?.(event, clock);
      if (event.type === "retry-scheduled") setImmediate(() => clock.advance(event.delayMs));
    }
  } catch (error) {
    thrown = error;
  }
  return {
    events,
    observed,
    text: events.map((event) => (event.type === "text-delta" ? event.text : "")).join(""),
    usage: events.findLast((event) => event.type === "usage")?.usage,
    calls: events.find((event) => event.type === "tool-calls")?.calls ?? [],
    ended: events.find((event) => event.type === "reply-ended"),
    thrown,
    failure: thrown instanceof ServiceError ? thrown.failure : undefined,
  };
}

/** Creates a `fetch` whose body has these chunks. */
export function replay(
  pieces: readonly (string | Uint8Array)[],
  init: ResponseInit = { headers: { "content-type": "text/event-stream" } },
): typeof globalThis.fetch {
  return () => {
    const left = pieces.map((piece) =>
      typeof piece === "string" ? new TextEncoder().encode(piece) : piece,
    );
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        const piece = left.shift();
        if (piece === undefined) controller.close();
        else controller.enqueue(new Uint8Array(piece));
      },
    });
    return Promise.resolve(new Response(body, init));
  };
}

/** Sends a request to a service that replies with these chunks. */
export function askReplay(
  pieces: readonly (string | Uint8Array)[],
  init?: ResponseInit,
  options: AskOptions = {},
): Promise<AskResult> {
  return askService("https://service.test", "x", { ...options, fetch: replay(pieces, init) });
}

/** Returns an event with this text. */
export function delta(content: string): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
}

/** Returns the last event before `[DONE]`. */
export function finish(reason = "stop"): string {
  return `data: {"choices":[{"index":0,"delta":{},"finish_reason":"${reason}"}]}\n\n`;
}

export const DONE = "data: [DONE]\n\n";

export interface RawServer {
  readonly url: string;
  readonly server: Server;
  connections(): number;
  close(): Promise<void>;
}

/** Starts a server; `answer` writes the response after the whole request has arrived. */
export async function startRaw(
  answer: (socket: Socket, request: string) => void,
): Promise<RawServer> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    connections++;
    socket.unref();
    sockets.add(socket);
    socket.on("error", () => undefined); // the client may disconnect
    socket.once("close", () => sockets.delete(socket));
    let request = "";
    socket.on("data", (bytes) => {
      request += bytes.toString("latin1");
      const head = request.indexOf("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(request)?.[1] ?? 0);
      if (head === -1 || request.length < head + 4 + length) return;
      const whole = request;
      request = "";
      answer(socket, whole);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  server.unref(); // a failed test that does not close the server must not keep the process alive
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    server,
    connections: () => connections,
    close: async () => {
      const isClosed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await isClosed;
    },
  };
}

/** Joins everything that a user or a log can see of a request. */
export function everythingIn(result: AskResult): string {
  return (
    [result.events, result.observed, result.text].map((part) => JSON.stringify(part)).join("\n") +
    textOfError(result.thrown)
  );
}

function textOfError(error: unknown): string {
  if (!(error instanceof Error)) return error === undefined ? "" : JSON.stringify(error);
  const own = Object.getOwnPropertyNames(error).map((name) =>
    JSON.stringify((error as unknown as Record<string, unknown>)[name]),
  );
  return [error.name, error.message, error.stack ?? "", ...own, textOfError(error.cause)].join(
    "\n",
  );
}
