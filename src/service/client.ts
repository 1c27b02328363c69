/**
 * Requests a completion and yields its events; retries failures that are safe to repeat. Uses web
 * standards only, so it runs in Node and in browsers.
 * Endpoint: service specification, section 4.1.
 */
import { sleep, systemClock, type Clock } from "../base/clock";
import { chatCompletions } from "./chatCompletions";
import { prepareCall, type PreparedCall } from "./prepareCall";
import type { ExchangeEvent, ExchangeFact } from "./exchange";
import { connectFailure } from "./networkFailure";
import { readResponse } from "./response";
import { retryDelayMs } from "./retry";
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
  /** VS Code's `fetch`, for its proxy and certificate settings. */
  readonly fetch: typeof globalThis.fetch;
  readonly clock?: Clock;
  /** Returns 0 to 1, for the jitter of retries. */
  readonly random?: () => number;
  /**
   * Called for each event of an exchange; must not throw. If the result for `exchange-started` is a
   * promise, the request is sent after it resolves; a ServiceError of that promise ends the attempt.
   */
  readonly observe?: (event: ExchangeEvent) => unknown;
  /**
   * Runs a `fetch` and reports when it starts to connect and when the connection is open. If
   * undefined, the connect timeout of the platform applies.
   */
  readonly watchConnection?: WatchConnection;
  /**
   * True where `fetch` streams a request body over HTTP/1.1 with a Content-Length, as Node's does.
   * Browsers require HTTP/2. Otherwise the first-byte limit is longer for large requests.
   */
  readonly canStreamUpload?: boolean;
  /**
   * Called at the end of a complete streamed reply; `isThinkingFirst` is true if its text began inside
   * the thinking, without an opening tag. Must not throw.
   */
  readonly onThinkingFirst?: (host: string, modelCode: string, isThinkingFirst: boolean) => void;
  /** Called with the failure of the last attempt. Must not throw. */
  readonly onFailure?: (host: string, request: ChatRequest, failure: ServiceFailure) => void;
}

/** State of the connection of a running `fetch`. */
export type ConnectionFact = "connecting" | "connected";

/** Runs `fetch` and reports the states in order; a retry by the platform repeats both. */
export type WatchConnection = (
  fetch: () => Promise<Response>,
  emit: (fact: ConnectionFact) => void,
) => Promise<Response>;

/**
 * Minimum first-byte limit of a reply without a stream, in milliseconds: the service generates the
 * whole reply before the first byte.
 */
const MIN_WHOLE_REPLY_MS = 600_000;

export interface ServiceClient {
  /**
   * Requests a completion. Yields events in order, ending with exactly one `reply-ended`; all
   * text of a network read is one `text-delta`. Throws a ServiceError for every failure, and the
   * signal's reason at once when the signal is aborted. Leaving the loop closes the connection;
   * only the signal interrupts a pending `next()`.
   */
  complete(
    request: ChatRequest,
    connection: Connection,
    signal: AbortSignal,
  ): AsyncGenerator<ServiceEvent, void, void>;
}

/** Creates a client. Its only state between calls is the number of exchanges. */
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
    let attempt = 0;
    let tries = connection.retries;
    async function* tryWith(key: string): AsyncGenerator<ServiceEvent, Failed | undefined, void> {
      signal.throwIfAborted();
      const call = prepareCall(chatCompletions, request, connection, key);
      if ("kind" in call) throw new ServiceError(call);
      tries++;
      for (;;) {
        if (connection.isStillAllowed?.() === false)
          return { failure: { kind: "not-allowed", problem: "changed" }, host: call.host };
        const failure = yield* tryOnce(call, connection, request, ++attempt, signal);
        if (failure === undefined) return undefined;
        const delayMs = attempt < tries ? retryDelayMs(failure, attempt, random) : undefined;
        if (delayMs === undefined) return { failure, host: call.host };
        yield { type: "retry-scheduled", attempt: attempt + 1, tries, delayMs, failure };
        await sleep(clock, delayMs, signal);
      }
    }
    const failed = yield* connection.key.use(tryWith, isKeyRefused);
    if (failed === undefined) return;
    signal.throwIfAborted();
    options.onFailure?.(failed.host, request, failed.failure);
    throw new ServiceError(failed.failure);
  }

  /**
   * Runs an exchange; undefined for a complete reply, else the failure. Releases every resource.
   */
  async function* tryOnce(
    call: PreparedCall,
    connection: Connection,
    { stream: isStream, modelCode, questionText, isPrivate = false }: ChatRequest,
    attempt: number,
    signal: AbortSignal,
  ): AsyncGenerator<ServiceEvent, ServiceFailure | undefined, void> {
    const exchangeId = ++exchanges;
    const startedMs = clock.nowMs();
    const afterMs = (): number => clock.nowMs() - startedMs;
    const emit = (fact: ExchangeFact) => options.observe?.({ exchangeId, ...fact });
    let observed: unknown;
    if (options.observe !== undefined) {
      const { url, sent } = call;
      const started = { atMs: startedMs, attempt, url, model: modelCode, pictures: sent.imageUrls };
      const shown = { ...call.shown(), ...(isPrivate ? { isPrivate } : { questionText }) };
      observed = emit({ type: "exchange-started", ...started, ...shown });
    }

    const controller = new AbortController();
    const stop = (): void => controller.abort(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    const watch = createIdleTimeout(clock, signal);
    const stallLimitMs = connection.firstByteTimeoutMs;
    const isLimited = stallLimitMs > 0;
    const upload = createUpload({
      call,
      watch,
      clock,
      stallLimitMs,
      firstByteLimitMs:
        isStream || !isLimited ? stallLimitMs : Math.max(stallLimitMs, MIN_WHOLE_REPLY_MS),
      canStreamUpload: options.canStreamUpload ?? false,
    });
    let responsePromise: Promise<Response> | undefined;
    let ending: "complete" | "left" | ServiceFailure = "left";
    try {
      yield { type: "request-sent", attempt, sent: call.sent };
      signal.throwIfAborted();
      upload.beginWait();
      let isAnswered = false;
      responsePromise = watchConnection(
        async () => {
          await observed;
          return send(call.url, upload.init, controller.signal);
        },
        (fact) => {
          if (isAnswered) return;
          if (fact === "connecting") watch.begin("connect", connection.connectTimeoutMs);
          else upload.beginWait();
        },
      );
      let response: Response;
      try {
        let outcome = await watch.wait(responsePromise);
        while (outcome instanceof StillWaiting) {
          yield upload.waitEvent(outcome.forMs);
          outcome = await watch.wait(responsePromise);
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
        emit({ type: "exchange-answered", afterMs: afterMs(), status: response.status, headers });
      }
      const failure = yield* readResponse(response, {
        wire: chatCompletions,
        url: call.url,
        host: call.host,
        watch,
        silenceTimeoutMs: connection.silenceTimeoutMs,
        signal,
        redact: call.redact,
        nowMs: () => clock.nowMs(),
        onThinkingFirst: (isFirst) => options.onThinkingFirst?.(call.host, modelCode, isFirst),
        received:
          options.observe &&
          (({ byteLength: bytes }) =>
            emit({ type: "exchange-received", afterMs: afterMs(), bytes })),
      });
      ending = failure ?? "complete";
      return failure;
    } finally {
      watch.stop();
      signal.removeEventListener("abort", stop);
      // Closes the socket unless the body was read to its end.
      controller.abort();
      cancelBody(responsePromise);
      emit({
        type: "exchange-ended",
        afterMs: afterMs(),
        ...(typeof ending === "object"
          ? { ending: "failed", failure: ending }
          : { ending: signal.aborted && ending === "left" ? "stopped" : ending }),
      });
    }
  }

  function send(url: string, init: Upload["init"], signal: AbortSignal): Promise<Response> {
    return options.fetch(url, {
      method: "POST",
      ...init,
      // Following a 307 would send the whole body to another host.
      redirect: "manual",
      credentials: "omit",
      referrerPolicy: "no-referrer",
      signal,
    });
  }

  return { complete };
}

interface Failed {
  readonly failure: ServiceFailure;
  readonly host: string;
}

function isKeyRefused(failed: Failed | undefined): boolean {
  return failed?.failure.kind === "status" && failed.failure.about === "key";
}

/** Cancels the body of a response that arrived after the call ended. */
function cancelBody(response: Promise<Response> | undefined): void {
  void response
    ?.then(({ body }) => (body === null || body.locked ? undefined : body.cancel()))
    .catch(() => undefined); // aborted, as intended
}

/** Returns a response's headers for the inspector, redacted. */
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
