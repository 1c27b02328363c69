/**
 * Validates a request and a connection and prepares the arguments of `fetch`. Every check is here,
 * so that no later error quotes a key.
 */
import { createRedactor, createValueRedactor, redactJsonText } from "../base/redact";
import { LOOPBACK_KEY, maskKey, readApiKey } from "./apiKey";
import { endpointUrl, isLoopback, readBaseUrl } from "./baseUrl";
import type { WireFormat } from "./chatCompletions";
import { headerName, secretHeaderValues } from "./requestHeaders";
import type { ChatRequest, Connection, SentRequest, ServiceFailure } from "./types";

export interface PreparedCall {
  readonly url: string;
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly sent: SentRequest;
  /** Removes the key, secret headers and anything that looks like a key from a text. */
  readonly redact: (text: string) => string;
  /** Returns the redacted request for the inspector. */
  shown(): { readonly headers: Record<string, string>; readonly body: string };
}

/** Validates and encodes. An empty key is `local` on loopback and a problem elsewhere. */
export function prepareCall(
  wire: WireFormat,
  request: ChatRequest,
  connection: Omit<Connection, "key">,
  keyOfUser: string,
): PreparedCall | ServiceFailure {
  const base = readBaseUrl(connection.baseUrl);
  if (!base.ok) return { kind: "bad-url", problem: base.problem };
  const url = endpointUrl(base.baseUrl, connection.path);

  const typedKey = keyOfUser.trim() === "" && isLoopback(url) ? LOOPBACK_KEY : keyOfUser;
  const reading = readApiKey(typedKey);
  if (!reading.ok) return { kind: "bad-request", problem: "key" };
  const { key } = reading;
  const { headers: extra = {}, secretHeaders = {} } = connection;

  // Requests of the text model have no pictures.
  const isWithoutPictures = connection.isWithoutPictures === true;
  const sentRequest: ChatRequest = isWithoutPictures ? { ...request, kind: "llm" } : request;
  const encoded = wire.encode(sentRequest, key, { ...extra, ...secretHeaders });
  if (!encoded.ok) return { kind: "bad-request", problem: encoded.problem };
  const { headers, pictures } = encoded;
  const body = new TextEncoder().encode(encoded.json);

  const secrets = [
    ...(key === LOOPBACK_KEY ? [] : [key]),
    ...secretHeaderValues(extra),
    ...Object.values(secretHeaders),
  ];
  const masked = new Set(Object.keys(secretHeaders).map(headerName));
  const redact = createRedactor(secrets);
  return {
    url,
    host: new URL(url).host,
    headers,
    body,
    sent: {
      url,
      bodyBytes: body.byteLength,
      messageCount: request.messages.length,
      imageUrls: pictures,
      imagesLeftOut: encoded.imagesLeftOut,
    },
    redact,
    shown: () => ({
      headers: {
        ...Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [
            name,
            masked.has(name) ? maskKey(value) : redact(value),
          ]),
        ),
        authorization: `Bearer ${key === LOOPBACK_KEY ? key : maskKey(key)}`,
      },
      body: redactJsonText(encoded.json, createValueRedactor(secrets)),
    }),
  };
}
