/**
 * Builds and validates the headers of a request before `fetch` does: its error for an invalid
 * header quotes the value, and so the key.
 */

/** Names that a profile cannot set: ours, and those of the connection. */
const RESERVED = new Set(
  (
    "authorization content-type accept host connection content-length transfer-encoding " +
    "content-encoding keep-alive upgrade te trailer expect proxy-authorization"
  ).split(" "),
);

/**
 * Returns the headers to send; undefined if an extra header has an invalid name or value. Leaves
 * out reserved names. `key` must come from `readApiKey`.
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

export function headerName(typed: string): string {
  return typed.trim().toLowerCase();
}

/** Returns true if a header can have this trimmed value. */
export function isHeaderValue(value: string): boolean {
  return /^[\x20-\x7e\t]{0,8192}$/.test(value);
}

/** Returns the values of extra headers whose names suggest a secret. */
export function secretHeaderValues(extra: Readonly<Record<string, string>>): string[] {
  return Object.entries(extra)
    .filter(([name]) => /key|token|secret|auth|cookie|pass|credential/i.test(name))
    .map(([, value]) => value);
}
