/**
 * Maps errors of `fetch` and of reading a body to failures. Uses the codes of the error and its
 * causes, for Node, Electron (`net::ERR_…`) and browsers. Unknown codes are "other".
 */
import { limitFailure } from "./limits";
import type { NetworkCause, ServiceFailure } from "./types";

/** Longest chain of causes. */
const MAX_DEPTH = 6;

/**
 * Returns the failure for an error before a response. `elapsedMs` is the duration of the try, shown
 * as the limit when the platform's connect timeout ended it.
 */
export function connectFailure(error: unknown, host: string, elapsedMs: number): ServiceFailure {
  const codes = errorCodes(error);
  const limitMs = Math.round(elapsedMs);
  if (codes.some(isConnectTimeout)) return { kind: "timeout", phase: "connect", limitMs };
  if (codes.some((code) => code === "UND_ERR_HEADERS_TIMEOUT")) {
    return { kind: "timeout", phase: "first-byte", limitMs };
  }
  if (codes.some(isHeaderOverflow)) return limitFailure("headers");
  for (const code of codes) {
    const cause = causeOf(code);
    if (cause !== undefined) return { kind: "network", cause, host };
  }
  return { kind: "network", cause: isBrowserError(error) ? "browser" : "other", host };
}

/**
 * True for an error of a browser's `fetch`: always a TypeError without a cause. Node's error has a
 * cause.
 * Source: https://fetch.spec.whatwg.org/#fetch-method
 */
function isBrowserError(error: unknown): boolean {
  return error instanceof TypeError && error.cause === undefined;
}

/** True if a body could not be decompressed, because its header is wrong. */
export function isUndecodable(error: unknown): boolean {
  return errorCodes(error).some(
    (code) =>
      code === "Z_DATA_ERROR" ||
      code === "Z_NEED_DICT" ||
      code === "ERR_CONTENT_DECODING_FAILED" ||
      code.startsWith("ERR__ERROR_FORMAT") || // brotli
      code.startsWith("ERR_ZSTD"),
  );
}

/** Returns the codes of an error, its causes and its parts, outermost first; also for logs. */
export function errorCodes(error: unknown, depth = 0): string[] {
  if (typeof error !== "object" || error === null || depth > MAX_DEPTH) return [];
  const { code, cause, errors, message, name } = error as Record<string, unknown>;
  const codes: string[] = [];
  if (typeof code === "string") codes.push(code);
  // Electron's fetch has the code only in the message.
  const inMessage =
    typeof message === "string" ? /net::(ERR_[A-Z0-9_]+)/.exec(message)?.[1] : undefined;
  if (inMessage !== undefined) codes.push(inMessage);
  // Node's fetch reports a 407 as an error without code, message and cause. No other error of our
  // requests looks like that.
  const isBare = depth === 1 && name === "Error" && message === "" && code === undefined;
  if (isBare && cause === undefined && errors === undefined) codes.push("ERR_PROXY_AUTH_REQUESTED");
  if (name === "HTTPParserError" && codes.length === 0) codes.push("HPE_UNKNOWN");
  codes.push(...errorCodes(cause, depth + 1));
  if (Array.isArray(errors)) {
    for (const one of errors.slice(0, 8)) codes.push(...errorCodes(one, depth + 1));
  }
  return codes;
}

function isConnectTimeout(code: string): boolean {
  return (
    code === "UND_ERR_CONNECT_TIMEOUT" ||
    code === "ETIMEDOUT" ||
    code === "ERR_CONNECTION_TIMED_OUT" ||
    code === "ERR_TIMED_OUT"
  );
}

function isHeaderOverflow(code: string): boolean {
  return (
    code === "UND_ERR_HEADERS_OVERFLOW" ||
    code === "HPE_HEADER_OVERFLOW" ||
    code === "ERR_RESPONSE_HEADERS_TOO_BIG"
  );
}

/** Codes by cause; the first match counts, so specific patterns precede general ones. */
const CAUSES: readonly (readonly [RegExp, NetworkCause])[] = [
  [/^(?:ECONNREFUSED|ERR_CONNECTION_REFUSED)$/, "refused"],
  [/^(?:ENOTFOUND|EAI_\w+|ERR_NAME_\w+|ERR_DNS_\w+|ERR_ICANN_\w+)$/, "dns"],
  [
    /^(?:ERR_PROXY_\w+|ERR_TUNNEL_\w+|ERR_MANDATORY_PROXY\w*|ERR_SOCKS_\w+|UND_ERR_PRX_\w+)$/,
    "proxy",
  ],
  // undici ends a request with this code when a proxy rejects the tunnel. Our own abort is handled
  // before.
  [/^UND_ERR_ABORTED$/, "proxy"],
  [/^(?:CERT_HAS_EXPIRED|ERR_CERT_DATE_INVALID)$/, "tls-expired"],
  [/^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)$/, "tls-self-signed"],
  [/^(?:ERR_TLS_CERT_ALTNAME_INVALID|ERR_CERT_COMMON_NAME_INVALID)$/, "tls-wrong-name"],
  [
    /^(?:UNABLE_TO_\w+|CERT_UNTRUSTED|ERR_CERT_AUTHORITY_INVALID|INVALID_CA)$/,
    "tls-unknown-issuer",
  ],
  [/^(?:EPROTO|CERT_\w+|ERR_CERT_\w+|ERR_SSL_\w+|ERR_TLS_\w+|ERR_BAD_SSL\w*)$/, "tls"],
  [/^(?:HPE_\w+|ERR_INVALID_HTTP_RESPONSE|ERR_HTTP2_\w+|ERR_QUIC_\w+)$/, "bad-response"],
  [/^(?:ERR_RESPONSE_HEADERS_\w+|UND_ERR_RES\w+|ERR_INVALID_RESPONSE)$/, "bad-response"],
  [
    /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|ERR_CONNECTION_(?:RESET|CLOSED|ABORTED)|ERR_EMPTY_RESPONSE|ERR_SOCKET_NOT_CONNECTED)$/,
    "reset",
  ],
];

function causeOf(code: string): NetworkCause | undefined {
  return CAUSES.find(([pattern]) => pattern.test(code))?.[1];
}
