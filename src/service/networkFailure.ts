/**
 * Names why `fetch`, or reading its body, failed: by the code of the error or of what caused it,
 * for Node's fetch, for Electron's (`net::ERR_…`) and for browsers. Whatever is not known is "other".
 */
import { limitMet } from "./limits";
import type { NetworkCause, ServiceFailure } from "./types";

/** How deep chains of causes are followed. */
const MAX_DEPTH = 6;

/**
 * The failure for an error of `fetch` before a response came. `elapsedMs` is how long it took,
 * named when the platform itself gave up on connecting.
 */
export function connectFailure(error: unknown, host: string, elapsedMs: number): ServiceFailure {
  const codes = errorCodes(error);
  const limitMs = Math.round(elapsedMs);
  if (codes.some(isConnectTimeout)) return { kind: "timeout", phase: "connect", limitMs };
  if (codes.some((code) => code === "UND_ERR_HEADERS_TIMEOUT")) {
    return { kind: "timeout", phase: "first-byte", limitMs };
  }
  if (codes.some(isHeaderOverflow)) return limitMet("headers");
  for (const code of codes) {
    const cause = causeOf(code);
    if (cause !== undefined) return { kind: "network", cause, host };
  }
  return { kind: "network", cause: isOfBrowser(error) ? "browser" : "other", host };
}

/**
 * True for what a browser's `fetch` throws, whatever went wrong: a TypeError with nothing in it.
 * Node's has a cause. Source: https://fetch.spec.whatwg.org/#fetch-method
 */
function isOfBrowser(error: unknown): boolean {
  return error instanceof TypeError && error.cause === undefined;
}

/** True when a body could not be decompressed: its bytes are not what its header says. */
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

/** The codes of an error, its causes and its parts, outermost first; for logs too. */
export function errorCodes(error: unknown, depth = 0): string[] {
  if (typeof error !== "object" || error === null || depth > MAX_DEPTH) return [];
  const { code, cause, errors, message, name } = error as Record<string, unknown>;
  const codes: string[] = [];
  if (typeof code === "string") codes.push(code);
  // Electron's fetch gives its code nowhere but in the message.
  const inMessage =
    typeof message === "string" ? /net::(ERR_[A-Z0-9_]+)/.exec(message)?.[1] : undefined;
  if (inMessage !== undefined) codes.push(inMessage);
  // Of a 407 Node's fetch makes an error with neither code, message nor cause; of nothing else that
  // can happen to our requests.
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

/** Codes by what they mean; the first that fits holds, so the particular come before the general. */
const CAUSES: readonly (readonly [RegExp, NetworkCause])[] = [
  [/^(?:ECONNREFUSED|ERR_CONNECTION_REFUSED)$/, "refused"],
  [/^(?:ENOTFOUND|EAI_\w+|ERR_NAME_\w+|ERR_DNS_\w+|ERR_ICANN_\w+)$/, "dns"],
  [
    /^(?:ERR_PROXY_\w+|ERR_TUNNEL_\w+|ERR_MANDATORY_PROXY\w*|ERR_SOCKS_\w+|UND_ERR_PRX_\w+)$/,
    "proxy",
  ],
  // undici ends a request with this when a proxy refuses the tunnel; our own abort never gets here.
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
