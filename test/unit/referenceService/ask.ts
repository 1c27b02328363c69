/**
 * A minimal client for the tests of the reference service: sends its input without checks. The
 * product's client is not used here, so that each implementation checks the other.
 */
import { createParser } from "eventsource-parser";
import { COMPLETIONS_PATH } from "../../service/completions";
import type { ReferenceService } from "../../service/server";

export interface AskOptions {
  readonly stream?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal;
}

export const HEADERS = { authorization: "Bearer test-key", "content-type": "application/json" };

/** Returns a correct body for core_llm with a single user message. */
export function bodyOf(text: string, options: AskOptions = {}): string {
  return JSON.stringify({
    model: "core_llm",
    messages: [{ role: "user", content: text }],
    ...(options.stream === undefined ? {} : { stream: options.stream }),
    ...options.fields,
  });
}

export function post(
  service: ReferenceService,
  body: string | Uint8Array<ArrayBuffer>,
  options: AskOptions = {},
): Promise<Response> {
  return fetch(service.url + COMPLETIONS_PATH, {
    method: "POST",
    headers: { ...HEADERS, ...options.headers },
    body,
    redirect: "manual",
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
}

export function ask(
  service: ReferenceService,
  text: string,
  options: AskOptions = {},
): Promise<Response> {
  return post(service, bodyOf(text, options), options);
}

export interface StreamedReply {
  readonly text: string;
  readonly finishReason: string | undefined;
  /** Data of all events in order, including `[DONE]`. */
  readonly data: readonly string[];
}

interface Block {
  readonly choices?: readonly {
    readonly delta?: { readonly content?: string };
    readonly finish_reason?: string | null;
  }[];
}

/** Decodes an event stream of common blocks; other blocks add no text. */
export function decode(stream: string): StreamedReply {
  const data: string[] = [];
  const parser = createParser({ onEvent: (event) => data.push(event.data) });
  parser.feed(stream);
  let text = "";
  let finishReason: string | undefined;
  for (const item of data) {
    const choice = parseBlock(item).choices?.[0];
    if (typeof choice?.delta?.content === "string") text += choice.delta.content;
    finishReason = choice?.finish_reason ?? finishReason;
  }
  return { text, finishReason, data };
}

function parseBlock(data: string): Block {
  try {
    return (JSON.parse(data) as Block | null) ?? {};
  } catch {
    return {};
  }
}
