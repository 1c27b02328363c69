/**
 * The headers of a request, checked before `fetch` sees them: its own error for a bad header
 * quotes the value, and so the key.
 */

/** Names a profile cannot set: ours, and those that belong to the connection. */
const RESERVED = new Set([
  "authorization",
  "content-type",
  "accept",
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "content-encoding",
  "keep-alive",
  "upgrade",
  "te",
  "trailer",
  "expect",
  "proxy-authorization",
]);

/**
 * The headers to send, or undefined when an extra one has no valid name or value. Reserved names
 * among `extra` are left out. `key` must come from `readApiKey`.
 */
export function requestHeaders(
  key: string,
  isStream: boolean,
  extra: Readonly<Record<string, string>>,
): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (const [typedName, typedValue] of Object.entries(extra)) {
    const name = headerName(typedName);
    const value = typedValue.trim();
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,256}$/.test(name)) return undefined;
    if (!isHeaderValue(value)) return undefined;
    if (!RESERVED.has(name)) headers[name] = value;
  }
  headers["authorization"] = `Bearer ${key}`;
  headers["content-type"] = "application/json";
  headers["accept"] = isStream ? "text/event-stream, application/json;q=0.5" : "application/json";
  return headers;
}

/** A header's name as it is compared and sent. */
export function headerName(typed: string): string {
  return typed.trim().toLowerCase();
}

/** Whether a trimmed value can be sent in a header. */
export function isHeaderValue(value: string): boolean {
  return /^[\x20-\x7e\t]{0,8192}$/.test(value);
}

/** Values of extra headers that must not be shown: those whose name says so. */
export function secretHeaderValues(extra: Readonly<Record<string, string>>): string[] {
  return Object.entries(extra)
    .filter(([name]) => /key|token|secret|auth|cookie|pass|credential/i.test(name))
    .map(([, value]) => value);
}
