/**
 * A request and its pending reply. Every answer and every fault is a function of an Exchange,
 * independent of the server.
 */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { CompletionRequest } from "./completionRequest";
import type { RecordedRequest } from "./ledger";

export interface Exchange {
  readonly record: RecordedRequest;
  readonly response: ServerResponse;
  readonly request: CompletionRequest;
  /** Address of the service, e.g. `http://127.0.0.1:8321`. */
  readonly origin: string;
  /** Pause between two streamed blocks, in milliseconds; 0 = none. */
  readonly blockDelayMs: number;
  /** Number of requests for this fault with this key and question, counted from 1. */
  readonly attempt: number;
  /** Restarts the count of attempts; called when a fault ends in success. */
  forgetAttempts(): void;
  /** Resolves when a test releases the gate; rejects when the client has disconnected. */
  waitAtGate(): Promise<void>;
  /** Announces that the service, and not the client, will break the connection. */
  announceBreak(): void;
  /** Aborted when the connection closes, on either side. */
  readonly signal: AbortSignal;
}

/** Answers an exchange; resolves after the last byte, rejects when the client has disconnected. */
export type Reply = (exchange: Exchange) => Promise<void>;

/** Sends a piece of the body; waits if the client reads more slowly. */
export async function send(exchange: Exchange, piece: string | Uint8Array): Promise<void> {
  exchange.signal.throwIfAborted();
  if (exchange.response.write(piece)) return;
  await once(exchange.response, "drain", { signal: exchange.signal });
}

/** Waits `delayMs` milliseconds; rejects immediately when the client disconnects. */
export async function pause(exchange: Exchange, delayMs: number): Promise<void> {
  exchange.signal.throwIfAborted();
  if (delayMs > 0) await wait(delayMs, undefined, { signal: exchange.signal });
}

/** Sends nothing more, and keeps the connection open until the client closes it. */
export async function holdOpen(exchange: Exchange): Promise<void> {
  if (exchange.signal.aborted) return;
  await once(exchange.signal, "abort");
}

/** Sends a failure or another short reply as text; see section 7 of the specification. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "content-length": String(Buffer.byteLength(text)),
    ...headers,
  });
  response.end(text);
}
