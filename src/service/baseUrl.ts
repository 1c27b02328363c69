/**
 * Parses the base URL of a service and the path of its endpoint, and builds the address. Accepts
 * https, or http on loopback, without user info, query or fragment.
 */
import { parseUrl } from "../base/parseUrl";

/** Longest accepted base URL, in characters. */
const MAX_URL_CHARS = 2048;

/** Longest accepted path, in characters. */
const MAX_PATH_CHARS = 512;

/** Path of the endpoint below the base URL. Source: service specification, section 4.1. */
export const DEFAULT_PATH = "/maas/v1/chat/completions";

/** Reason why a base URL cannot be used. */
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
  | {
      readonly ok: true;
      readonly baseUrl: string;
      /** Path of the endpoint; only if the typed address was that of an endpoint. */
      readonly path?: string;
    }
  | { readonly ok: false; readonly problem: UrlProblem };

/**
 * Parses a typed base URL. The result has no trailing slash. Also accepts the address of an
 * endpoint, which ends with `/chat/completions`, and returns its path apart; and that of the
 * specification's `/maas/v1`, which is removed.
 */
export function readBaseUrl(typed: string): UrlReading {
  const text = typed.trim();
  if (text === "") return { ok: false, problem: "empty" };
  if (text.length > MAX_URL_CHARS) return { ok: false, problem: "too-long" };
  // URL() silently drops tabs and line breaks and replaces backslashes. Such text is rejected, so
  // that the shown address is the address in use.
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
  const whole = withoutSlashes(url.pathname);
  const base =
    url.origin + withoutSlashes(whole.replace(/\/maas\/v1(?:\/chat(?:\/completions)?)?$/, ""));
  if (whole.endsWith(DEFAULT_PATH)) return { ok: true, baseUrl: base, path: DEFAULT_PATH };
  if (isEndpointPath(whole) && whole.endsWith("/chat/completions")) {
    return { ok: true, baseUrl: url.origin, path: whole };
  }
  return { ok: true, baseUrl: base };
}

/** Adds the scheme to a typed host: http on this machine, otherwise https. */
export function withScheme(typed: string): string {
  const text = typed.trim();
  if (/^[^/?#]*:\/\//.test(text)) return text;
  if (isLoopback(`http://${text}`)) return `http://${text}`;
  const isHost = parseUrl(`https://${text}`)?.hostname.includes(".") === true;
  return isHost ? `https://${text}` : text;
}

function withoutSlashes(path: string): string {
  return path.replace(/(?<!\/)\/+$/, "");
}

/** Returns true for a path without query and fragment that `URL` leaves as it is. */
export function isEndpointPath(path: string): boolean {
  if (!/^\/(?!\/)[^?#]*$/.test(path) || path.length > MAX_PATH_CHARS) return false;
  return parseUrl(`https://host${path}`)?.pathname === path;
}

/** Returns the address for POST requests. `baseUrl` must come from `readBaseUrl`. */
export function endpointUrl(baseUrl: string, path = DEFAULT_PATH): string {
  return baseUrl + path;
}

/** Returns `https://host[:port]`, the scope of a key; undefined for an invalid base URL. */
export function originOf(baseUrl: string): string | undefined {
  const reading = readBaseUrl(baseUrl);
  return reading.ok ? new URL(reading.baseUrl).origin : undefined;
}

/**
 * Returns true only for `localhost`, `127.0.0.1` and `[::1]`. VS Code's proxy agent bypasses a
 * proxy for no others of 127.0.0.0/8, and names below `.localhost` may resolve elsewhere.
 */
export function isLoopback(url: string): boolean {
  const { hostname = "" } = parseUrl(url) ?? {};
  return hostname === "localhost" || hostname === "[::1]" || hostname === "127.0.0.1";
}
