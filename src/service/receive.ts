/**
 * Receives one response: says what it is, reads its body under the caps and the silence watch, and
 * yields what the reply brings. Ends with the failure the response is, or undefined for a whole
 * reply; throws the signal's reason when that is aborted.
 */
import { bodyShape, firstVisibleByte, isPageType, isStreamType } from "./bodyShape";
import { createStreamDecoder } from "./decodeStream";
import {
  limitMet,
  MAX_BARREN_BYTES,
  MAX_FAILURE_BYTES,
  MAX_HEADER_BYTES,
  MAX_HEADER_NAMES,
  MAX_JSON_BYTES,
  MAX_TEXT_BYTES,
} from "./limits";
import { isUndecodable } from "./networkFailure";
import { readCompletion } from "./readCompletion";
import { statusFailure } from "./readFailure";
import { readRetryAfter } from "./retry";
import { StillWaiting, type SilenceWatch } from "./silence";
import { cutToBytes } from "./textTally";
import { ServiceError, type ServiceEvent, type ServiceFailure } from "./types";

/** How long usage and `[DONE]` are waited for once a finish reason has come. */
const AFTER_FINISH_MS = 2000;

/** How long the words of a failure may stay silent; the status alone says the most. */
const FAILURE_SILENCE_MS = 5000;

/** What receiving needs to know of the try it belongs to. */
export interface Receiving {
  readonly url: string;
  readonly host: string;
  readonly watch: SilenceWatch;
  readonly silenceTimeoutMs: number;
  readonly signal: AbortSignal;
  readonly redact: (text: string) => string;
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Told of every piece of the body. */
  received(bytes: number): void;
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;
type Receipt = AsyncGenerator<ServiceEvent, ServiceFailure | undefined, void>;

/** Receives `response` and lets its body go on every path. */
export async function* receive(response: Response, to: Receiving): Receipt {
  const refused = refusal(response, to);
  if (refused !== undefined) return refused;
  const reader = response.body?.getReader() as Reader | undefined;
  if (reader === undefined) return response.status === 200 ? { kind: "empty" } : failed("");
  try {
    if (response.status === 200) return yield* receiveReply(response, reader, to);
    to.watch.begin("silence", Math.min(FAILURE_SILENCE_MS, to.silenceTimeoutMs));
    const read = yield* readAll(reader, [], MAX_FAILURE_BYTES, to);
    return failed(new TextDecoder().decode(read.bytes));
  } finally {
    void reader.cancel().catch(() => undefined); // already ended or broken: nothing to let go
  }

  function failed(body: string): ServiceFailure {
    const retryAfterMs = readRetryAfter(response.headers, to.nowMs());
    return statusFailure(response.status, to.url, body, retryAfterMs, to.redact);
  }
}

/** What a response is refused for before its body is looked at. */
function refusal(response: Response, to: Receiving): ServiceFailure | undefined {
  const { status, headers, type } = response;
  const location = headers.get("location");
  // A browser hides where a redirect leads. A fetch that followed one all the same is refused too.
  if (type === "opaqueredirect" || (status >= 300 && status < 400 && location !== null)) {
    return { kind: "redirect", host: hostOf(location ?? "", to), status };
  }
  if (response.redirected) return { kind: "redirect", host: hostOf(response.url, to), status };
  let names = 0;
  let bytes = 0;
  for (const [name, value] of headers) {
    names++;
    bytes += name.length + value.length + 4;
  }
  if (names > MAX_HEADER_NAMES || bytes > MAX_HEADER_BYTES) return limitMet("headers");
  if (status === 407) return { kind: "network", cause: "proxy", host: to.host };
  if (status === 204) return { kind: "empty" };
  if (status === 200 && isPageType(headers.get("content-type"))) {
    return { kind: "web-page", url: to.redact(to.url) };
  }
  return undefined;
}

/** Host and port a redirect leads to; empty when it cannot be told. */
function hostOf(location: string, to: Receiving): string {
  if (location === "" || !URL.canParse(location, to.url)) return "";
  return to.redact(new URL(location, to.url).host).slice(0, 300);
}

/** Looks at the first bytes of a reply and reads it as what they show. */
async function* receiveReply(response: Response, reader: Reader, to: Receiving): Receipt {
  const contentType = response.headers.get("content-type");
  const head: Uint8Array[] = [];
  let headBytes = 0;
  for (;;) {
    const next = yield* readNext(reader, to);
    if (next.end !== undefined) {
      // Blank lines and half a byte order mark begin a stream that was cut off.
      if (next.end !== "clean") return next.end;
      if (headBytes === 0 || !isStreamType(contentType)) return { kind: "empty" };
      return { kind: "truncated", damagedEvents: 0 };
    }
    if (headBytes === 0) to.watch.begin("silence", to.silenceTimeoutMs);
    head.push(next.bytes);
    headBytes += next.bytes.byteLength;
    const first = firstVisibleByte(next.bytes);
    if (first === undefined) {
      if (headBytes > MAX_BARREN_BYTES) return limitMet("body-bytes");
      continue;
    }
    switch (bodyShape(contentType, first)) {
      case "page":
        return { kind: "web-page", url: to.redact(to.url) };
      case "json":
        return yield* receiveDocument(reader, head, to);
      case "unknown":
        return { kind: "unreadable" };
      case "stream":
        return yield* receiveStream(reader, head, to);
    }
  }
}

/** Reads an event stream that begins with `head`. */
async function* receiveStream(reader: Reader, head: readonly Uint8Array[], to: Receiving): Receipt {
  const decoder = createStreamDecoder(to.redact);
  const waiting = [...head];
  let hasText = false;
  let isFinishing = false;
  let broken: ServiceFailure | undefined;
  for (;;) {
    // Inlined `readNext`: one more generator for each piece would cost more than decoding it.
    let bytes = waiting.shift();
    if (bytes === undefined) {
      if (!isFinishing) to.watch.heard();
      const work = reader.read();
      try {
        let outcome = await to.watch.wait(work);
        while (outcome instanceof StillWaiting) {
          yield { type: "still-waiting", forMs: outcome.forMs };
          outcome = await to.watch.wait(work);
        }
        if (outcome.done) break;
        bytes = outcome.value;
        to.received(bytes.byteLength);
      } catch (error) {
        broken = readingFailure(error, to, hasText);
        break;
      }
    }
    const { text, usage } = decoder.push(bytes);
    if (text !== "") {
      hasText = true;
      yield { type: "text-delta", text };
    }
    if (usage !== undefined) yield { type: "usage", usage };
    if (decoder.ending() !== undefined) break;
    if (decoder.finishReason() !== undefined) {
      const isNews = !isFinishing || text !== "" || usage !== undefined;
      if (isNews) to.watch.begin("silence", Math.min(AFTER_FINISH_MS, to.silenceTimeoutMs));
      isFinishing = true;
    }
  }
  const failure = decoder.endOfBytes();
  if (failure !== undefined) {
    // A limit of time or a body that cannot be unpacked says more than "cut off"; a cap or the
    // service's own error says more still.
    const isCutOff = failure.kind === "truncated" || failure.kind === "unreadable";
    return isCutOff && broken !== undefined && broken.kind !== "truncated" ? broken : failure;
  }
  const calls = decoder.toolCalls();
  if (calls.length > 0) yield { type: "tool-calls", calls };
  const damagedEvents = decoder.damagedEvents();
  yield { type: "reply-ended", finishReason: decoder.finishReason(), damagedEvents };
  return undefined;
}

/** Reads one JSON document that begins with `head`. */
async function* receiveDocument(
  reader: Reader,
  head: readonly Uint8Array[],
  to: Receiving,
): Receipt {
  const read = yield* readAll(reader, head, MAX_JSON_BYTES, to);
  if (read.end !== "clean") {
    return read.end === "too-long" ? limitMet("body-bytes", MAX_JSON_BYTES) : read.end;
  }
  const completion = readCompletion(new TextDecoder().decode(read.bytes), to.redact);
  if ("kind" in completion) return completion;
  const text = cutToBytes(completion.text, MAX_TEXT_BYTES);
  if (text !== "") yield { type: "text-delta", text };
  if (text.length < completion.text.length) return limitMet("text-bytes");
  if (completion.toolCalls.length > 0) yield { type: "tool-calls", calls: completion.toolCalls };
  if (completion.usage !== undefined) yield { type: "usage", usage: completion.usage };
  yield { type: "reply-ended", finishReason: completion.finishReason, damagedEvents: 0 };
  return undefined;
}

type Next =
  | { readonly bytes: Uint8Array; readonly end: undefined }
  | { readonly end: "clean" | ServiceFailure };

async function* readNext(reader: Reader, to: Receiving): AsyncGenerator<ServiceEvent, Next, void> {
  const work = reader.read();
  try {
    let outcome = await to.watch.wait(work);
    while (outcome instanceof StillWaiting) {
      yield { type: "still-waiting", forMs: outcome.forMs };
      outcome = await to.watch.wait(work);
    }
    if (outcome.done) return { end: "clean" };
    to.received(outcome.value.byteLength);
    return { bytes: outcome.value, end: undefined };
  } catch (error) {
    return { end: readingFailure(error, to, false) };
  }
}

/** Reads to the end, to a failure or to `maxBytes`; what was read comes along in every case. */
async function* readAll(
  reader: Reader,
  head: readonly Uint8Array[],
  maxBytes: number,
  to: Receiving,
): AsyncGenerator<
  ServiceEvent,
  { readonly bytes: Uint8Array; readonly end: "clean" | "too-long" | ServiceFailure },
  void
> {
  const pieces = [...head];
  let length = head.reduce((sum, piece) => sum + piece.byteLength, 0);
  while (length <= maxBytes) {
    to.watch.heard();
    const next = yield* readNext(reader, to);
    if (next.end !== undefined) return { bytes: joined(pieces, length), end: next.end };
    pieces.push(next.bytes);
    length += next.bytes.byteLength;
  }
  return { bytes: joined(pieces, length).subarray(0, maxBytes), end: "too-long" };
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.byteLength;
  }
  return bytes;
}

/** What an error while reading means; throws the signal's reason when that was aborted. */
function readingFailure(error: unknown, to: Receiving, hasText: boolean): ServiceFailure {
  to.signal.throwIfAborted();
  if (error instanceof ServiceError) return error.failure;
  if (!hasText && isUndecodable(error)) return { kind: "unreadable" };
  return { kind: "truncated", damagedEvents: 0 };
}
