/**
 * Validates a request and a connection and prepares the arguments of `fetch`. Every check is here,
 * so that no later error quotes a key.
 */
import * as z from "zod/mini";
import { createRedactor, createValueRedactor, redactJsonText } from "../base/redact";
import { LOOPBACK_KEY, maskKey, readApiKey } from "./apiKey";
import { endpointUrl, isLoopback, readBaseUrl } from "./baseUrl";
import { encodeRequest } from "./encodeRequest";
import { headerName, requestHeaders, secretHeaderValues } from "./requestHeaders";
import type { ChatRequest, Connection, SentRequest, ServiceFailure } from "./types";

const bodySchema = z.object({ messages: z.array(z.object({ content: z.unknown() })) });
const imageSchema = z.object({
  type: z.literal("image_url"),
  image_url: z.object({ url: z.string() }),
});

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
  const headers = requestHeaders(key, request.stream, { ...extra, ...secretHeaders });
  if (headers === undefined) return { kind: "bad-request", problem: "header" };

  // Requests of the text model have no pictures.
  const isWithoutPictures = connection.isWithoutPictures === true;
  const encoded = encodeRequest(isWithoutPictures ? { ...request, kind: "llm" } : request);
  if (!encoded.ok) return { kind: "bad-request", problem: encoded.problem };
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
      imageUrls: encoded.imageCount === 0 ? [] : imageUrlsIn(encoded.json),
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

/** Returns the URLs of all pictures in the JSON of a request, for the receipt. */
function imageUrlsIn(json: string): string[] {
  const { messages } = bodySchema.parse(JSON.parse(json));
  return messages.flatMap(({ content }) =>
    (Array.isArray(content) ? content : []).flatMap((part) => {
      const parsed = z.safeParse(imageSchema, part);
      return parsed.success ? [parsed.data.image_url.url] : [];
    }),
  );
}
