/**
 * Events that contain no regular block of text: damaged JSON, unusual choices, other shapes for the
 * text, and errors in the middle of a stream.
 */
import { blockJson, DONE, event, type Envelope } from "../wire";
import { family, type Fault, type FaultFamily, type FaultTable } from "./fault";
import { SAMPLE_BLOCKS, streamFault } from "./sample";

/** Events without text, by name; a client ignores them and shows the sample. */
export const ODD_EVENTS: Readonly<Record<string, string>> = {
  "choices-missing": '{"id":"x"}',
  "choices-empty": '{"choices":[]}',
  "choices-null": '{"choices":null}',
  "choices-object": '{"choices":{}}',
  "choice-null": '{"choices":[null]}',
  "choice-empty": '{"choices":[{}]}',
  "delta-null": '{"choices":[{"index":0,"delta":null}]}',
  "index-other": '{"choices":[{"index":1,"delta":{"content":""}}]}',
  "index-proto":
    '{"choices":[{"index":"__proto__","delta":{"content":"","__proto__":{"polluted":true}}}],' +
    '"__proto__":{"polluted":true}}',
  "index-huge": '{"choices":[{"index":4294967295,"delta":{"content":""}}]}',
  "content-null": '{"choices":[{"index":0,"delta":{"content":null}}]}',
  "content-array": '{"choices":[{"index":0,"delta":{"content":[]}}]}',
  "content-object": '{"choices":[{"index":0,"delta":{"content":{}}}]}',
  "content-true": '{"choices":[{"index":0,"delta":{"content":true}}]}',
  "role-only": '{"choices":[{"index":0,"delta":{"role":"assistant"}}]}',
  "usage-only": '{"usage":{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}}',
  "usage-null": '{"choices":[],"usage":null}',
  "usage-odd": '{"choices":[],"usage":{"prompt_tokens":"many","total_tokens":-1}}',
  "json-null": "null",
  "json-array": "[]",
};

export const SHAPE_FAULTS: FaultTable = {
  "damaged-event": streamFault(
    "S13",
    "an event among good ones is not JSON",
    "complete",
    (events) => [
      events.opening,
      ...events.blocks.slice(0, 3),
      event('{"choices":[{"index":0,"delta":{"content":"lost'),
      ...events.blocks.slice(3),
      events.finish,
      DONE,
    ],
  ),
  "odd-choices": streamFault(
    "S14",
    "events of every odd shape among good ones",
    "complete",
    (events) => [
      events.opening,
      ...events.blocks.slice(0, 3),
      ...Object.values(ODD_EVENTS).map(event),
      ...events.blocks.slice(3),
      events.finish,
      DONE,
    ],
  ),
  "content-number": streamFault(
    "S14",
    "a block's content is the number 42",
    "complete",
    (events) => [
      events.opening,
      event('{"choices":[{"index":0,"delta":{"content":42}}]}'),
      ...events.blocks,
      events.finish,
      DONE,
    ],
  ),
  "delta-message": otherShape("each block has message instead of delta", (content) => ({
    message: { role: "assistant", content },
  })),
  "delta-messages": otherShape("each block has messages instead of delta", (content) => ({
    messages: { role: "assistant", content },
  })),
  "delta-messages-list": otherShape("each block has a list of messages", (content) => ({
    messages: [{ role: "assistant", content }],
  })),
  "delta-text": otherShape("each block has its text in choices[0].text", (text) => ({ text })),
  "delta-string": otherShape("each block's delta is the text itself", (delta) => ({ delta })),
  "delta-parts": otherShape("each block's content is a list of parts", (text) => ({
    delta: { content: [{ type: "text", text }] },
  })),
  "error-object": error("an error object after some text", 3, errorObject),
  "error-object-first": error("an error object before any text", 0, errorObject),
  "error-string": error("an error that is a string, after some text", 3, () =>
    event('{"error":"The model had to stop here."}'),
  ),
  "error-long": error("an error of 2,000 characters after some text", 3, () =>
    event(JSON.stringify({ error: { message: "It went wrong. ".repeat(134) } })),
  ),
  "error-key": error("an error that repeats the caller's key", 3, (authorization) =>
    event(JSON.stringify({ error: { message: `No credit left for ${authorization}.` } })),
  ),
  "error-event": error("an event of the type error after some text", 3, errorEvent),
  "error-event-first": error("an event of the type error before any text", 0, errorEvent),
};

export const SHAPE_FAMILIES: readonly FaultFamily[] = [
  family(
    "odd-SHAPE",
    Object.keys(ODD_EVENTS).map((name) => `odd-${name}`),
    /odd-([a-z-]+)/,
    (name = "") =>
      Object.hasOwn(ODD_EVENTS, name)
        ? streamFault("S14", "one event of that shape among good ones", "complete", (events) => [
            events.opening,
            ...events.blocks.slice(0, 3),
            event(ODD_EVENTS[name]!),
            ...events.blocks.slice(3),
            events.finish,
            DONE,
          ])
        : undefined,
  ),
];

function otherShape(summary: string, choice: (text: string) => object): Fault {
  const block = ({ id, created, model }: Envelope, text: string) =>
    event(JSON.stringify({ id, created, model, choices: [{ index: 0, ...choice(text) }] }));
  return streamFault("S14", summary, "complete", (events) => [
    ...SAMPLE_BLOCKS.map((text) => block(events.envelope, text)),
    event(blockJson(events.envelope, {}, "stop")),
    DONE,
  ]);
}

/**
 * Returns an error after `blockCount` blocks of text, followed by neither a finish reason nor
 * `[DONE]`.
 */
function error(
  summary: string,
  blockCount: number,
  make: (authorization: string) => string,
): Fault {
  return streamFault("S15", summary, "failed", (events, exchange) => [
    ...(blockCount === 0 ? [] : [events.opening]),
    ...events.blocks.slice(0, blockCount),
    make(exchange.record.headers["authorization"] ?? ""),
  ]);
}

function errorObject(): string {
  const message = "The model is overloaded, please try again later.";
  return event(JSON.stringify({ error: { message, type: "server_error", code: "overloaded" } }));
}

function errorEvent(): string {
  return `event: error\n${errorObject()}`;
}
