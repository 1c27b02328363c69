/**
 * Reads the body of a response piece by piece or to its end, under the silence watch. Every way it
 * can break off is a failure here; only the signal's reason is thrown.
 */
import { isUndecodable } from "./networkFailure";
import { isStillWaiting, type IdleTimeout } from "./idleTimeout";
import { isServiceError, type ServiceEvent, type ServiceFailure } from "./types";

/** What receiving needs to know of the try it belongs to. */
export interface ResponseOptions {
  readonly url: string;
  readonly host: string;
  readonly watch: IdleTimeout;
  readonly silenceTimeoutMs: number;
  readonly signal: AbortSignal;
  readonly redact: (text: string) => string;
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Told of every piece of the body, if anybody listens. */
  readonly received: ((bytes: number) => void) | undefined;
}

export type Reader = ReadableStreamDefaultReader<Uint8Array>;
/** Events, then the failure that a reply is, or undefined for a whole one. */
export type ResponseEvents = AsyncGenerator<ServiceEvent, ServiceFailure | undefined, void>;

/** A piece, or how the body ended instead. */
export type Next =
  | { readonly bytes: Uint8Array; readonly end: undefined }
  | { readonly end: "clean" | ServiceFailure };

/** Reads the next piece, telling when it is long in coming. */
export async function* readNext(
  reader: Reader,
  to: ResponseOptions,
): AsyncGenerator<ServiceEvent, Next, void> {
  const work = reader.read();
  try {
    let outcome = await to.watch.wait(work);
    while (isStillWaiting(outcome)) {
      yield { type: "still-waiting", forMs: outcome.forMs };
      outcome = await to.watch.wait(work);
    }
    if (outcome.done) return { end: "clean" };
    to.received?.(outcome.value.byteLength);
    return { bytes: outcome.value, end: undefined };
  } catch (error) {
    return { end: readingFailure(error, to, false) };
  }
}

/**
 * Reads to the end, to a failure, to `maxBytes`, or until `isEnough` says so of the last piece; what
 * was read comes along in every case.
 */
export async function* readAll(
  reader: Reader,
  head: Uint8Array,
  maxBytes: number,
  to: ResponseOptions,
  isEnough: (piece: Uint8Array) => boolean = () => false,
): AsyncGenerator<
  ServiceEvent,
  {
    readonly bytes: Uint8Array;
    readonly end: "clean" | "enough" | "too-long" | ServiceFailure;
  },
  void
> {
  const pieces = [head];
  let length = head.byteLength;
  let last = head;
  while (length <= maxBytes) {
    if (isEnough(last)) return { bytes: joined(pieces), end: "enough" };
    to.watch.heard();
    const next = yield* readNext(reader, to);
    if (next.end !== undefined) return { bytes: joined(pieces), end: next.end };
    last = next.bytes;
    pieces.push(last);
    length += next.bytes.byteLength;
  }
  return { bytes: joined(pieces).subarray(0, maxBytes), end: "too-long" };
}

/** All pieces as one. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0);
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}

/** What an error while reading means; throws the signal's reason when that was aborted. */
export function readingFailure(
  error: unknown,
  to: ResponseOptions,
  hasText: boolean,
): ServiceFailure {
  to.signal.throwIfAborted();
  if (isServiceError(error)) return error.failure;
  if (!hasText && isUndecodable(error)) return { kind: "unreadable" };
  return { kind: "truncated", damagedEvents: 0 };
}
