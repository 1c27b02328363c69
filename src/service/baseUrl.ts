/**
 * Reads the base URL of a service and builds the endpoint's address from it.
 * The rules: https, or http on this machine; no user info, query or fragment.
 */
import { parseUrl } from "../base/parseUrl";

/** Longest base URL taken, in characters. */
const MAX_URL_CHARS = 2048;

/** The endpoint below the base URL. Source: service specification, section 4.1. */
const ENDPOINT_PATH = "/maas/v1/chat/completions";

/** Why a base URL cannot be used. */
export type UrlProblem =
  | "empty"
  | "too-long"
  | "not-a-url"
  | "no-scheme"
  | "not-http"
  | "not-https"
  | "user-info"
  | "query"
  | "fragment";

export type UrlReading =
  | { readonly ok: true; readonly baseUrl: string }
  | { readonly ok: false; readonly problem: UrlProblem };

/**
 * Reads a typed base URL. The result has no slash at its end; a pasted address of the endpoint
 * itself (or of its `/maas/v1`) is understood as the base it belongs to.
 */
export function readBaseUrl(typed: string): UrlReading {
  const text = typed.trim();
  if (text === "") return { ok: false, problem: "empty" };
  if (text.length > MAX_URL_CHARS) return { ok: false, problem: "too-long" };
  // URL() drops tabs and line breaks and mends backslashes silently: what is shown must be what
  // is used, so such text is refused.
  if (/[\s\p{Cc}\p{Cf}\\]/u.test(text)) return { ok: false, problem: "not-a-url" };
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return { ok: false, problem: "no-scheme" };
  if (scheme !== "https" && scheme !== "http") return { ok: false, problem: "not-http" };
  if (text.includes("#")) return { ok: false, problem: "fragment" };
  if (text.includes("?")) return { ok: false, problem: "query" };
  const url = parseUrl(text);
  if (url === undefined) return { ok: false, problem: "not-a-url" };
  const authority = text.slice(scheme.length + 3).split("/", 1)[0] ?? "";
  if (authority.includes("@")) return { ok: false, problem: "user-info" };
  if (authority === "") return { ok: false, problem: "not-a-url" };
  if (scheme === "http" && !isLoopback(text)) return { ok: false, problem: "not-https" };
  const path = url.pathname
    .replace(/(?<!\/)\/+$/, "")
    .replace(/\/maas\/v1(?:\/chat(?:\/completions)?)?$/, "")
    .replace(/(?<!\/)\/+$/, "");
  return { ok: true, baseUrl: url.origin + path };
}

/** The address a completion is posted to. `baseUrl` must come from `readBaseUrl`. */
export function endpointUrl(baseUrl: string): string {
  return baseUrl + ENDPOINT_PATH;
}

/** `https://host[:port]`, what a key belongs to; undefined for what is no usable base URL. */
export function originOf(baseUrl: string): string | undefined {
  const reading = readBaseUrl(baseUrl);
  return reading.ok ? new URL(reading.baseUrl).origin : undefined;
}

/**
 * True for `localhost`, `127.0.0.1` and `[::1]` alone: VS Code's proxy agent passes by a proxy for
 * these and no others of 127.0.0.0/8, and names below `.localhost` may resolve elsewhere.
 */
export function isLoopback(url: string): boolean {
  const { hostname = "" } = parseUrl(url) ?? {};
  return hostname === "localhost" || hostname === "[::1]" || hostname === "127.0.0.1";
}
