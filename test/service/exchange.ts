/**
 * One request being answered: what was asked, where the reply goes, and how it can end.
 * Every answer and every fault is a function of an Exchange; none of them knows the server.
 */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { AskedCompletion } from "./asked";
import type { RecordedRequest } from "./ledger";

export interface Exchange {
  readonly record: RecordedRequest;
  readonly response: ServerResponse;
  readonly asked: AskedCompletion;
  /** Where the service listens, e.g. `http://127.0.0.1:8321`. */
  readonly origin: string;
  /** Pause between two streamed blocks, in milliseconds; 0 = none. */
  readonly blockDelayMs: number;
  /** How often this fault has been asked for by this caller with this text, counted from 1. */
  readonly attempt: number;
  /** Makes the next attempt count as the first again; called when a fault ends in success. */
  forgetAttempts(): void;
  /** Resolves when a test releases the gate; rejects when the caller is gone. */
  waitAtGate(): Promise<void>;
  /** Says that the connection is about to be broken by the service itself, not by the caller. */
  breakingOff(): void;
  /** Aborted when the connection closes, on either side. */
  readonly signal: AbortSignal;
}

/** Answers one exchange; resolves when nothing more will be sent, rejects when the caller left. */
export type Reply = (exchange: Exchange) => Promise<void>;

/** Sends a piece of the body and waits while the caller reads slower than we write. */
export async function send(exchange: Exchange, piece: string | Uint8Array): Promise<void> {
  exchange.signal.throwIfAborted();
  if (exchange.response.write(piece)) return;
  await once(exchange.response, "drain", { signal: exchange.signal });
}

/** Waits `delayMs` milliseconds; rejects at once when the caller leaves. */
export async function pause(exchange: Exchange, delayMs: number): Promise<void> {
  exchange.signal.throwIfAborted();
  if (delayMs > 0) await wait(delayMs, undefined, { signal: exchange.signal });
}

/** Sends nothing more and keeps the connection until the caller closes it. */
export async function holdOpen(exchange: Exchange): Promise<void> {
  if (exchange.signal.aborted) return;
  await once(exchange.signal, "abort");
}

/** Sends a failure or any other short reply as text, the way section 7 of the spec says. */
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
