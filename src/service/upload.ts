/**
 * The sending half of a try: the request's body, the progress of its upload, and the first-byte
 * limit, which starts when the body is sent. While a body is sent, the limit guards against a stall.
 */
import type { Clock } from "../base/clock";
import type { IdleTimeout } from "./idleTimeout";
import type { PreparedCall } from "./prepareCall";
import type { ServiceEvent } from "./types";

/** Size of a piece of a streamed body, in bytes. */
const PIECE_BYTES = 64 * 1024;

/** Bodies up to this size, in bytes, are not streamed: networks buffer them at once. */
const MAX_UNWATCHED_BYTES = 256 * 1024;

/** Assumed speed of an upload whose progress is unknown, in bytes per second. */
const SLOW_UPLOAD_BYTES = 100_000;

/** Minimum time between two `uploading` events, in milliseconds. */
const EVENT_MS = 1000;

export interface UploadOptions {
  readonly call: PreparedCall;
  readonly watch: IdleTimeout;
  readonly clock: Clock;
  /** Limits in milliseconds; 0 for none. */
  readonly stallLimitMs: number;
  readonly firstByteLimitMs: number;
  /** See `ClientOptions.canStreamUpload`. */
  readonly canStreamUpload: boolean;
}

export interface Upload {
  readonly init: Pick<RequestInit, "body" | "headers"> & { readonly duplex?: "half" };
  /** Starts the limit that applies now: of a stall while the body is sent, else of the first byte. */
  beginWait(): void;
  /** Returns the event for a wait that has lasted `forMs`. */
  waitEvent(forMs: number): ServiceEvent;
  /** Ends the limits of the upload; the response has arrived. */
  end(): void;
}

/** Creates the upload of a try; a streamed body cannot be sent twice. */
export function createUpload(options: UploadOptions): Upload {
  const { call, watch, clock, stallLimitMs, firstByteLimitMs } = options;
  const totalBytes = call.body.byteLength;
  const isLarge = totalBytes > MAX_UNWATCHED_BYTES;
  const isStreamed = isLarge && options.canStreamUpload;
  /** Bytes that `fetch` has taken; up to about 4 MB of them may still be in the system's buffers. */
  let sentBytes = isStreamed ? 0 : totalBytes;
  let reportedBytes = sentBytes;
  let reportedMs = clock.elapsedMs();
  let hasEnded = false;

  const onPiece = (): void => {
    if (hasEnded) return;
    const isSent = sentBytes === totalBytes;
    if (isSent) beginWait();
    else watch.restart();
    const isDue = clock.elapsedMs() - reportedMs >= EVENT_MS;
    if (isDue || (isSent && reportedBytes > 0)) watch.notify();
  };

  function beginWait(): void {
    if (sentBytes < totalBytes) {
      watch.begin("first-byte", stallLimitMs);
      return;
    }
    const uploadMs = isLarge && !isStreamed ? (totalBytes / SLOW_UPLOAD_BYTES) * 1000 : 0;
    watch.begin("first-byte", firstByteLimitMs > 0 ? Math.ceil(firstByteLimitMs + uploadMs) : 0);
  }

  const stream = (): ReadableStream<Uint8Array> =>
    new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const end = Math.min(totalBytes, sentBytes + PIECE_BYTES);
          controller.enqueue(call.body.subarray(sentBytes, end));
          sentBytes = end;
          if (sentBytes === totalBytes) controller.close();
          onPiece();
        },
      },
      { highWaterMark: 0 }, // nothing is taken before `fetch` can write it
    );

  return {
    // The explicit length prevents a chunked request, which some servers reject.
    init: isStreamed
      ? {
          body: stream(),
          duplex: "half",
          headers: { ...call.headers, "content-length": String(totalBytes) },
        }
      : { body: call.body, headers: { ...call.headers } },
    beginWait,
    waitEvent(forMs) {
      if (reportedBytes === totalBytes) return { type: "still-waiting", forMs };
      reportedMs = clock.elapsedMs();
      reportedBytes = sentBytes;
      return { type: "uploading", sentBytes, totalBytes };
    },
    end() {
      hasEnded = true;
    },
  };
}
