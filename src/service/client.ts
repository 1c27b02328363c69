/**
 * The service client: asks for one completion and yields it while it comes, trying again where
 * that is safe. Web standards only; usable alone, in Node and in browsers.
 * Endpoint: service specification, section 4.1.
 */
import { sleep, systemClock, type Clock } from "../base/clock";
import { prepareCall, type PreparedCall } from "./prepareCall";
import type { ExchangeEvent, ExchangeFact } from "./exchange";
import { connectFailure } from "./networkFailure";
import { retryCount, retryDelayMs } from "./retry";
import { createIdleTimeout, StillWaiting } from "./idleTimeout";
import { createUpload, type Upload } from "./upload";
import {
  ServiceError,
  type ChatRequest,
  type Connection,
  type ServiceEvent,
  type ServiceFailure,
} from "./types";

export interface ClientOptions {
  /** VS Code's own, so that its proxy and certificate settings hold. */
  readonly fetch: typeof globalThis.fetch;
  readonly clock?: Clock;
  /** 0 to 1, for the jitter of retries. */
  readonly random?: () => number;
  /** Told of every exchange; must not throw. */
  readonly observe?: (event: ExchangeEvent) => void;
  /**
   * Runs a `fetch` and tells when it begins to connect and when its connection stands. Without it, or
   * where it tells nothing, the limit of connecting is the platform's own.
   */
  readonly watchConnection?: WatchConnection;
  /**
   * True where `fetch` streams a request body over HTTP/1.1 with a Content-Length, as Node's does.
   * Browsers require HTTP/2. Without it the first-byte limit is longer for large requests.
   */
  readonly canStreamUpload?: boolean;
}

/** What can be learned of a connection while a `fetch` runs. */
export type ConnectionFact = "connecting" | "connected";

/** Runs `fetch`, telling what is learned, in order; a later try of the platform's tells both again. */
export type WatchConnection = (
  fetch: () => Promise<Response>,
  tell: (fact: ConnectionFact) => void,
) => Promise<Response>;

/** Least limit for a reply that comes in one piece: it is written whole before its first byte. */
const MIN_WHOLE_REPLY_MS = 600_000;

export interface ServiceClient {
  /**
   * Asks once. Yields events in order, ending with exactly one `reply-ended`; text that came in one
   * piece of the network is one `text-delta`. Throws a ServiceError for every failure and the
   * signal's reason when it is aborted, at once. Leaving the loop closes the connection; while a
   * `next()` is pending only the signal does.
   */
  complete(
    request: ChatRequest,
    connection: Connection,
    signal: AbortSignal,
  ): AsyncGenerator<ServiceEvent, void, void>;
}

/** Makes a client; it holds no state between calls but the number of exchanges. */
export function createClient(options: ClientOptions): ServiceClient {
  const clock = options.clock ?? systemClock;
  const random = options.random ?? Math.random;
  const watchConnection: WatchConnection = options.watchConnection ?? ((fetch) => fetch());
  let exchanges = 0;

  async function* complete(
    request: ChatRequest,
    connection: Connection,
    signal: AbortSignal,
  ): AsyncGenerator<ServiceEvent, void, void> {
    signal.throwIfAborted();
    const call = prepareCall(request, connection);
    if ("kind" in call) throw new ServiceError(call);
    const tries = 1 + retryCount(connection.retries);
    for (let attempt = 1; ; attempt++) {
      const failure = yield* tryOnce(call, connection, request.stream, attempt, signal);
      if (failure === undefined) return;
      const delayMs = attempt < tries ? retryDelayMs(failure, attempt, random) : undefined;
      if (delayMs === undefined) throw new ServiceError(failure);
      yield { type: "retry-scheduled", attempt: attempt + 1, tries, delayMs, failure };
      await sleep(clock, delayMs, signal);
    }
  }

  /** One exchange: undefined for a whole reply, else why not. Nothing of it remains afterwards. */
  async function* tryOnce(
    call: PreparedCall,
    connection: Connection,
    isStream: boolean,
    attempt: number,
    signal: AbortSignal,
  ): AsyncGenerator<ServiceEvent, ServiceFailure | undefined, void> {
    const exchangeId = ++exchanges;
    const startedMs = clock.nowMs();
    const afterMs = (): number => clock.nowMs() - startedMs;
    const tell = (fact: ExchangeFact): void => options.observe?.({ exchangeId, ...fact });
    if (options.observe !== undefined) {
      tell({ type: "exchange-started", atMs: startedMs, attempt, url: call.url, ...call.shown() });
    }

    const controller = new AbortController();
    const stop = (): void => controller.abort(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    const watch = createIdleTimeout(clock, signal);
    const stallLimitMs = connection.firstByteTimeoutMs;
    const isLimited = stallLimitMs > 0;
    const upload = createUpload({
      ...{ call, watch, clock, stallLimitMs },
      firstByteLimitMs:
        isStream || !isLimited ? stallLimitMs : Math.max(stallLimitMs, MIN_WHOLE_REPLY_MS),
      canStreamUpload: options.canStreamUpload ?? false,
    });
    let asked: Promise<Response> | undefined;
    let ending: "complete" | "left" | ServiceFailure = "left";
    try {
      yield { type: "request-sent", attempt, sent: call.sent };
      signal.throwIfAborted();
      upload.beginWait();
      const reading = import("./response"); // read from the disk while the service is asked
      reading.catch(() => undefined); // awaited below, unless the service cannot be asked
      let isAnswered = false;
      asked = watchConnection(
        () => send(call.url, upload.init, controller.signal),
        (fact) => {
          if (isAnswered) return;
          if (fact === "connecting") watch.begin("connect", connection.connectTimeoutMs);
          else upload.beginWait();
        },
      );
      let response: Response;
      try {
        let outcome = await watch.wait(asked);
        while (outcome instanceof StillWaiting) {
          yield upload.waitEvent(outcome.forMs);
          outcome = await watch.wait(asked);
        }
        response = outcome;
        upload.end();
        isAnswered = true;
      } catch (error) {
        signal.throwIfAborted();
        ending =
          error instanceof ServiceError
            ? error.failure
            : connectFailure(error, call.host, afterMs());
        return ending;
      }
      if (options.observe !== undefined) {
        const headers = shownHeaders(response.headers, call.redact);
        tell({ type: "exchange-answered", afterMs: afterMs(), status: response.status, headers });
      }
      const { readResponse: receive } = await reading;
      const failure = yield* receive(response, {
        url: call.url,
        host: call.host,
        watch,
        silenceTimeoutMs: connection.silenceTimeoutMs,
        signal,
        redact: call.redact,
        nowMs: () => clock.nowMs(),
        received:
          options.observe &&
          ((bytes) => tell({ type: "exchange-received", afterMs: afterMs(), bytes })),
      });
      ending = failure ?? "complete";
      return failure;
    } finally {
      watch.stop();
      signal.removeEventListener("abort", stop);
      // Closes the socket unless the body was read to its end.
      controller.abort();
      letGo(asked);
      tell({
        type: "exchange-ended",
        afterMs: afterMs(),
        ...(typeof ending === "object"
          ? { ending: "failed", failure: ending }
          : { ending: signal.aborted && ending === "left" ? "stopped" : ending }),
      });
    }
  }

  /** Async, so that a `fetch` that throws at once fails like one that rejects. */
  async function send(url: string, init: Upload["init"], signal: AbortSignal): Promise<Response> {
    return options.fetch(url, {
      method: "POST",
      ...init,
      // A 307 to another host would send the whole body there.
      redirect: "manual",
      credentials: "omit",
      referrerPolicy: "no-referrer",
      signal,
    });
  }

  return { complete };
}

/** Lets a response go that came although nobody waits for it any more. */
function letGo(asked: Promise<Response> | undefined): void {
  void asked
    ?.then(({ body }) => (body === null || body.locked ? undefined : body.cancel()))
    .catch(() => undefined); // aborted, which is what was wanted
}

/** A response's headers as an inspector may show them. */
function shownHeaders(headers: Headers, redact: (text: string) => string): Record<string, string> {
  return Object.fromEntries(
    [...headers]
      .slice(0, 200)
      .map(([name, value]) => [
        name,
        name === "set-cookie" ? "[redacted]" : redact(value.slice(0, 8192)),
      ]),
  );
}
