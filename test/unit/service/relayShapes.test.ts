/**
 * Streams of relays and gateways that differ from the standard, each with its source, at every
 * cut: nothing readable is lost, shown twice or called damaged.
 */
import assert from "node:assert/strict";
import { StreamDecoder } from "../../../src/service/decodeStream";
import { addedIf } from "../../support/depth";
import { delta, DONE, finish } from "./asking";

type Fields = Readonly<Record<string, unknown>>;
const block = (choice: Fields, more: Fields = {}): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }], ...more })}\n\n`;
const deltas = (field: string, texts: readonly unknown[]): string =>
  texts.map((text) => block({ delta: { [field]: text } })).join("");
const END = finish() + DONE;

const TEXT = "The quick brown fox jumps over the lazy dog.";
const PIECES = ["The ", "quick brown ", "fox jumps ", "over the ", "lazy ", "dog."];
const GROWING = PIECES.map((_piece, at) => PIECES.slice(0, at + 1).join(""));
const STREAM = PIECES.map(delta).join("") + END;
const SINGLE = STREAM.replaceAll("\n\n", "\n");
const PRETTY = PIECES.map((content) => [{ index: 0, delta: { content } }]);

const QWEN = "https://github.com/QwenLM/qwen-code/pull/3896";
const RESENT = "https://github.com/openclaw/openclaw/pull/142888";
const DOUBLED = "https://github.com/openclaw/openclaw/issues/96497";
const PINGED = "https://github.com/Prism-Shadow/agenthub/pull/174";
/** Heartbeats that no public report was found for. */
const UNCONFIRMED = "wording not confirmed";
const OPENROUTER = "https://openrouter.ai/docs/api-reference/streaming";
const PYTHON = "https://docs.python.org/3/library/json.html#infinite-and-nan-number-values";
const SSE = "https://html.spec.whatwg.org/multipage/server-sent-events.html";
const MINIMAX = "https://platform.minimax.io/docs/api-reference/text-openai-api";
/** Two reports of the same indented lines. */
const LONGCAT = "https://github.com/0xPlaygrounds/rig/issues/534, davidmigloz/langchain_dart#778";
const SINGLE_ENDS = "https://github.com/anomalyco/opencode/issues/27365";

interface Shape {
  readonly source: string;
  readonly stream: string;
  readonly text?: string;
  readonly reasoning?: string;
}

const SHAPES: Readonly<Record<string, Shape>> = {
  "all content so far in each delta": { source: QWEN, stream: deltas("content", GROWING) + END },
  "all reasoning_content so far": {
    source: QWEN,
    stream: deltas("reasoning_content", GROWING) + delta("Yes.") + END,
    text: "Yes.",
    reasoning: TEXT,
  },
  "all reasoning_details so far": {
    source: MINIMAX,
    stream:
      deltas(
        "reasoning_details",
        GROWING.map((text) => [{ type: "reasoning.text", text }]),
      ) +
      delta("Yes.") +
      END,
    text: "Yes.",
    reasoning: TEXT,
  },
  "the whole text again in the last delta": {
    source: RESENT,
    stream: PIECES.map(delta).join("") + block({ delta: { content: TEXT }, finish_reason: "stop" }),
  },
  "the whole text again in the middle": {
    source: RESENT,
    stream: PIECES.map(delta).join("") + delta(TEXT) + delta(" And more.") + END,
    text: `${TEXT} And more.`,
  },
  "a word that the model repeats": {
    source: RESENT,
    stream: deltas("content", ["ha", "ha", "haha", "!"]) + END,
    text: "hahahaha!",
  },
  "a line that the model repeats": {
    source: RESENT,
    stream: delta(`${TEXT}\n`).repeat(4) + END,
    text: `${TEXT}\n`.repeat(4),
  },
  "events with a single line end": { source: SINGLE_ENDS, stream: SINGLE },
  "events with a single line end and no reason": {
    source: SINGLE_ENDS,
    stream: (PIECES.map(delta).join("") + DONE).replaceAll("\n\n", "\n"),
  },
  "data: twice": { source: DOUBLED, stream: STREAM.replaceAll("data: ", "data: data: ") },
  "a heartbeat as JSON": {
    source: PINGED,
    stream: STREAM.replaceAll(
      "data: {",
      'data: {"type":"keepalive","sequence_number":3}\n\ndata: {',
    ),
  },
  "ping as data": {
    source: UNCONFIRMED,
    stream: STREAM.replaceAll("data: {", "data: ping\n\ndata: {"),
  },
  "a comment as data": {
    source: OPENROUTER,
    stream: STREAM.replaceAll("data: {", "data: : OPENROUTER PROCESSING\n\ndata: {"),
  },
  ...Object.fromEntries(
    ["heartbeat", "keep-alive"].map((name) => [
      `an event named ${name}`,
      {
        source: UNCONFIRMED,
        stream: STREAM.replaceAll("data: {", `event: ${name}\ndata: 1718\ndata: s\n\ndata: {`),
      },
    ]),
  ),
  "two objects in a data line": {
    source: SSE,
    stream: STREAM.replaceAll("}\n\ndata: {", "}{").replace(/\}\{(?=[^}]*quick)/, "} {"),
  },
  "a list of objects in a data line": {
    source: UNCONFIRMED,
    stream: `data: [${PIECES.map(delta).join("").replaceAll("\n\ndata: ", ",").slice(6).trim()}]\n\n${END}`,
  },
  "NaN and Infinity": {
    source: PYTHON,
    stream: STREAM.replaceAll(
      '"choices"',
      '"score":NaN,"max":Infinity,"min":-Infinity,"note":"NaN \\"Infinity\\"","choices"',
    ),
  },
  "JSON of several lines": {
    source: SSE,
    stream:
      PRETTY.map((choices) => `data: ${JSON.stringify({ choices }, undefined, 2)}\n\n`).join("") +
      END,
  },
  "the only choice with another index": {
    source: "https://github.com/smallmain/vscode-unify-chat-provider/pull/71",
    stream: STREAM.replaceAll('"index":0', '"index":1'),
  },
  ...Object.fromEntries(
    [" ", "  \t "].flatMap((blanks): [string, Shape][] => [
      [
        `JSON in the line after data, after ${JSON.stringify(blanks)}`,
        { source: LONGCAT, stream: STREAM.replaceAll("data: {", `data:\n${blanks}{`) },
      ],
      [
        `JSON in the line after data with CRLF, after ${JSON.stringify(blanks)}`,
        {
          source: LONGCAT,
          stream: STREAM.replaceAll("data: {", `data:\n${blanks}{`).replaceAll("\n", "\r\n"),
        },
      ],
      [
        `${JSON.stringify(blanks)} before data`,
        { source: LONGCAT, stream: STREAM.replaceAll("data:", `${blanks}data:`) },
      ],
    ]),
  ),
  "JSON on several lines, each with its own data": {
    source: SSE,
    stream:
      PRETTY.map((choices) =>
        JSON.stringify({ choices }, null, 2).replaceAll(/^/gm, "data: ").concat("\n\n"),
      ).join("") + END,
  },
  "indented lines of JSON": {
    source: LONGCAT,
    stream: PIECES.map((piece) => ` ${delta(piece).slice(6, -1)}`).join("") + END,
  },
  "a transcript of speech": {
    source: "https://help.aliyun.com/model-studio/qwen-omni",
    stream:
      deltas(
        "audio",
        PIECES.map((transcript) => ({ transcript })),
      ) + END,
  },
};

/** Returns a stream's content, cut into these pieces. */
function decode(pieces: readonly Uint8Array[]) {
  const decoder = new StreamDecoder((text) => text);
  const parts = [...pieces.map((piece) => decoder.push(piece)), decoder.finish()];
  const failure = decoder.endOfBytes();
  return {
    text: parts.map(({ text }) => text).join(""),
    reasoning: parts.map(({ reasoning }) => reasoning).join(""),
    damaged: decoder.damagedEvents,
    failure: failure?.kind,
  };
}

describe("a stream of a relay", () => {
  for (const [row, [name, shape]] of Object.entries(SHAPES).entries()) {
    const { source, stream, text = TEXT, reasoning = "" } = shape;
    const bytes = new TextEncoder().encode(stream);
    const expected = { text, reasoning, damaged: 0, failure: undefined };

    // The quick run takes each fifth cut, another first one for each shape.
    for (const step of [5, 1]) {
      const title = `has the same content at each cut of ${step}: ${name} (${source})`;
      it(`${title}${addedIf(step === 1)}`, () => {
        assert.deepEqual(decode([bytes]), expected);
        assert.deepEqual(decode([...bytes].map((byte) => Uint8Array.of(byte))), expected);
        for (let at = 1 + (row % step); at < bytes.length; at += step) {
          const pieces = [bytes.subarray(0, at), bytes.subarray(at)];
          assert.deepEqual(decode(pieces), expected, `split at byte ${at}`);
        }
      });
    }
  }

  it("with single line ends is shown while it streams, and cut off without a reason", () => {
    const decoder = new StreamDecoder((text) => text);
    const lines = SINGLE.split(/(?<=\n)/);
    const shown = lines
      .slice(0, 5)
      .map((line) => decoder.push(new TextEncoder().encode(line)).text);
    assert.equal(shown.join(""), PIECES.slice(0, 4).join(""), "one event behind");
    assert.equal(decoder.endOfBytes()?.kind, "truncated");
  });

  it("counts each damaged event among readable ones", () => {
    const stream = `data: {"a\n\n${delta("a")}data: oops\n\ndata: {\n\ndata: ]\n\n${delta("b")}${END}`;
    const decoded = decode([new TextEncoder().encode(stream)]);
    assert.deepEqual(decoded, { text: "ab", reasoning: "", damaged: 4, failure: undefined });
  });

  for (const [name, usage] of Object.entries({
    "choices[0].usage (https://platform.moonshot.cn/docs/api/chat)": (counts: object) =>
      block({ delta: {}, finish_reason: "stop", usage: counts }),
    "x_groq.usage (https://console.groq.com/docs/api-reference)": (counts: object) =>
      block({ delta: {}, finish_reason: "stop" }, { x_groq: { id: "r", usage: counts } }),
  })) {
    it(`has its token counts in ${name}`, () => {
      const decoder = new StreamDecoder((text) => text);
      decoder.push(new TextEncoder().encode(delta("a")));
      const counts = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
      const { usage: read } = decoder.push(new TextEncoder().encode(usage(counts)));
      assert.deepEqual(read, { promptTokens: 1, completionTokens: 2 });
    });
  }
});
