/**
 * Reads the body of a response in pieces or to the end, under the idle timeout. Errors become
 * failures; only the reason of an aborted signal is thrown.
 */
import { concatBytes } from "../base/concatBytes";
import type { WireFormat } from "./chatCompletions";
import { isUndecodable } from "./networkFailure";
import { StillWaiting, type IdleTimeout } from "./idleTimeout";
import { ServiceError, type ServiceEvent, type ServiceFailure } from "./types";

/** Context of the try that a response belongs to. */
export interface ResponseOptions {
  readonly wire: WireFormat;
  readonly url: string;
  readonly host: string;
  readonly watch: IdleTimeout;
  readonly silenceTimeoutMs: number;
  readonly signal: AbortSignal;
  readonly redact: (text: string) => string;
  /** Returns milliseconds since the Unix epoch. */
  nowMs(): number;
  /** Called with each piece of the body. */
  readonly received: ((bytes: Uint8Array) => void) | undefined;
  /** Called at the end of a complete reply; true if its text began inside the thinking. */
  readonly onThinkingFirst?: (isThinkingFirst: boolean) => void;
}

export type Reader = ReadableStreamDefaultReader<Uint8Array>;
/** Events, then the failure of the reply, or undefined for a complete reply. */
export type ResponseEvents = AsyncGenerator<ServiceEvent, ServiceFailure | undefined, void>;

/** Next piece, or the way the body ended. */
export type Next =
  | { readonly bytes: Uint8Array; readonly end: undefined }
  | { readonly end: "clean" | ServiceFailure };

/** Reads the next piece; yields `still-waiting` during a long wait. */
export async function* readNext(
  reader: Reader,
  to: ResponseOptions,
): AsyncGenerator<ServiceEvent, Next, void> {
  const work = reader.read();
  try {
    let outcome = await to.watch.wait(work);
    while (outcome instanceof StillWaiting) {
      yield { type: "still-waiting", forMs: outcome.forMs };
      outcome = await to.watch.wait(work);
    }
    if (outcome.done) return { end: "clean" };
    to.received?.(outcome.value);
    return { bytes: outcome.value, end: undefined };
  } catch (error) {
    return { end: readingFailure(error, to, false) };
  }
}

/**
 * Reads to the end, to a failure, to `maxBytes`, or until `isEnough` returns true for the last
 * piece. The result always contains the bytes read so far.
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
    if (isEnough(last)) return { bytes: concatBytes(pieces), end: "enough" };
    to.watch.restart();
    const next = yield* readNext(reader, to);
    if (next.end !== undefined) return { bytes: concatBytes(pieces), end: next.end };
    last = next.bytes;
    pieces.push(last);
    length += next.bytes.byteLength;
  }
  return { bytes: concatBytes(pieces).subarray(0, maxBytes), end: "too-long" };
}

/** Maps an error of a read to a failure; throws the reason of an aborted signal. */
export function readingFailure(
  error: unknown,
  to: ResponseOptions,
  hasText: boolean,
): ServiceFailure {
  to.signal.throwIfAborted();
  if (error instanceof ServiceError) return error.failure;
  if (!hasText && isUndecodable(error)) return { kind: "unreadable" };
  return { kind: "truncated", damagedEvents: 0 };
}
