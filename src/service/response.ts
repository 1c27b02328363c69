/**
 * Receives a response: detects its kind, reads its body within the limits and timeouts, and yields
 * its events. Ends with the failure, or undefined for a complete reply. Throws the reason of an
 * aborted signal.
 */
import { concatBytes } from "../base/concatBytes";
import { parseUrl } from "../base/parseUrl";
import {
  sniffBody,
  firstVisible,
  isBinary,
  isPageType,
  isStreamType,
  visibleHead,
} from "./sniffBody";
import {
  limitFailure,
  MAX_BYTES_WITHOUT_TEXT,
  MAX_FAILURE_BYTES,
  MAX_HEADER_BYTES,
  MAX_HEADER_NAMES,
  MAX_JSON_BYTES,
  MAX_TEXT_BYTES,
} from "./limits";
import {
  readAll,
  readNext,
  type Reader,
  type ResponseEvents,
  type ResponseOptions,
} from "./bodyReader";
import { foreignReply, statusFailure } from "./readFailure";
import { readSseResponse } from "./sseResponse";
import { FirstJsonLine } from "./rawJsonLines";
import { readRetryAfter } from "./retry";
import { cutToBytes } from "./textDigest";
import type { ServiceFailure } from "./types";

/** Silence limit of the body of a failure, in milliseconds. The status matters more. */
const FAILURE_SILENCE_MS = 5000;

/** Receives `response`; always cancels or consumes its body. */
export async function* readResponse(response: Response, to: ResponseOptions): ResponseEvents {
  const rejection = findRejection(response, to);
  if (rejection !== undefined) return rejection;
  const reader = response.body?.getReader() as Reader | undefined;
  if (reader === undefined) return response.status === 200 ? { kind: "empty" } : failed("");
  try {
    if (response.status === 200) return yield* receiveReply(response, reader, to);
    to.watch.begin("silence", Math.min(FAILURE_SILENCE_MS, to.silenceTimeoutMs || Infinity));
    const body = yield* readAll(reader, new Uint8Array(0), MAX_FAILURE_BYTES, to);
    return failed(new TextDecoder().decode(body.bytes));
  } finally {
    void reader.cancel().catch(() => undefined); // already ended or broken
  }

  function failed(body: string): ServiceFailure {
    const retryAfterMs = readRetryAfter(response.headers, to.nowMs());
    return statusFailure(response.status, to.url, body, retryAfterMs, to.redact);
  }
}

function findRejection(response: Response, to: ResponseOptions): ServiceFailure | undefined {
  const { status, headers, type } = response;
  const location = headers.get("location");
  // A browser hides the target of a redirect. A response of a followed redirect is rejected too.
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
  if (names > MAX_HEADER_NAMES || bytes > MAX_HEADER_BYTES) return limitFailure("headers");
  if (status === 407) return { kind: "network", cause: "proxy", host: to.host };
  if (status === 204) return { kind: "empty" };
  return undefined;
}

/** Returns host and port of a redirect's target; empty if unknown. */
function hostOf(location: string, to: ResponseOptions): string {
  const { host = "" } = (location !== "" && parseUrl(location, to.url)) || {};
  return to.redact(host).slice(0, 300);
}

/** Detects the kind of a reply from its first bytes and reads it. */
async function* receiveReply(
  response: Response,
  reader: Reader,
  to: ResponseOptions,
): ResponseEvents {
  const contentType = response.headers.get("content-type");
  const head: Uint8Array[] = [];
  let headBytes = 0;
  let first = "";
  for (;;) {
    const next = yield* readNext(reader, to);
    if (next.end !== undefined) {
      // Blank lines and half a byte order mark are the start of a truncated stream.
      if (next.end !== "clean") return next.end;
      if (first !== "" && isPageType(contentType)) {
        return { kind: "web-page", url: to.redact(to.url) };
      }
      if (headBytes === 0 || !isStreamType(contentType)) return { kind: "empty" };
      return { kind: "truncated", damagedEvents: 0 };
    }
    to.watch.begin("silence", to.silenceTimeoutMs); // blank lines keep the connection alive
    head.push(next.bytes);
    headBytes += next.bytes.byteLength;
    first = visibleHead(first === "" ? next.bytes : concatBytes(head));
    switch (sniffBody(contentType, first)) {
      case undefined:
        if (headBytes > MAX_BYTES_WITHOUT_TEXT) return limitFailure("body-bytes");
        continue;
      case "page":
        return { kind: "web-page", url: to.redact(to.url) };
      case "json":
        return yield* receiveDocument(reader, concatBytes(head), to);
      case "unknown":
        return yield* receiveUnknown(reader, concatBytes(head), to);
      case "stream":
        return yield* readSseResponse(reader, concatBytes(head), to);
    }
  }
}

/** Reads a body that is no reply: the text of a gateway, or binary data. */
async function* receiveUnknown(
  reader: Reader,
  head: Uint8Array,
  to: ResponseOptions,
): ResponseEvents {
  const body = yield* readAll(reader, head, MAX_FAILURE_BYTES, to);
  const text = new TextDecoder().decode(body.bytes);
  return isBinary(text.slice(0, 256)) ? { kind: "unreadable" } : foreignReply(text, to.redact);
}

/** Reads a body that begins with `{`: a JSON document, or a stream of JSON lines. */
async function* receiveDocument(
  reader: Reader,
  head: Uint8Array,
  to: ResponseOptions,
): ResponseEvents {
  const firstLine = new FirstJsonLine();
  const isStream = (piece: Uint8Array): boolean => firstLine.isFollowedBy(piece);
  const body = yield* readAll(reader, head, MAX_JSON_BYTES, to, isStream);
  if (body.end === "enough") {
    return yield* readSseResponse(reader, body.bytes.subarray(firstVisible(body.bytes)), to);
  }
  if (body.end !== "clean") {
    return body.end === "too-long" ? limitFailure("body-bytes", MAX_JSON_BYTES) : body.end;
  }
  const completion = to.wire.readWhole(new TextDecoder().decode(body.bytes), to.redact);
  if ("kind" in completion) return completion;
  const reasoning = cutToBytes(completion.reasoning, MAX_TEXT_BYTES);
  if (reasoning !== "") yield { type: "reasoning-delta", text: reasoning };
  const text = cutToBytes(completion.text, MAX_TEXT_BYTES);
  if (text !== "") yield { type: "text-delta", text };
  if (text.length < completion.text.length) return limitFailure("text-bytes");
  for (const url of completion.pictures) yield { type: "picture", url };
  if (completion.toolCalls.length > 0) yield { type: "tool-calls", calls: completion.toolCalls };
  if (completion.usage !== undefined) yield { type: "usage", usage: completion.usage };
  yield { type: "reply-ended", finishReason: completion.finishReason, damagedEvents: 0 };
  return undefined;
}
