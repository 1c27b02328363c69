/**
 * Streams with any chunks, line endings and endings: the text is exact, and complete only if the
 * service said so (rows S1, S3 to S13).
 */
import assert from "node:assert/strict";
import { StreamDecoder } from "../../../src/service/decodeStream";
import { askReplay, askService, delta, DONE, finish } from "./asking";

const BLOCKS = ["Grüße ", "你好，", "🙂👩‍👩‍👧 ", "a\n\nb\r\nc", '"data: [DONE]"', "end"];
const TEXT = BLOCKS.join("");
const WHOLE = BLOCKS.map(delta).join("") + finish() + DONE;

/** The same stream in every form that the standard allows. */
const FORMS: Readonly<Record<string, string>> = {
  LF: WHOLE,
  CRLF: WHOLE.replaceAll("\n", "\r\n"),
  CR: WHOLE.replaceAll("\n", "\r"),
  "alternating LF and CRLF": WHOLE.replace(/\n\n/g, "\n\r\n"),
  "no space": WHOLE.replace(/^data: /gm, "data:"),
  "a byte order mark": `\ufeff${WHOLE}`,
  comments: WHOLE.replaceAll("data: {", ": 你好 {\n:\ndata: {"),
  "other fields": WHOLE.replaceAll("data: {", "id: 1\nretry: 5\nevent: message\nnew: x\ndata: {"),
  "several data lines": WHOLE.replaceAll('"choices":', '\ndata: "choices":\ndata:'),
};

interface Decoded {
  readonly text: string;
  readonly damaged: number;
  /** Kind of the failure; undefined for a complete reply. */
  readonly failure: string | undefined;
  readonly finishReason: string | undefined;
}

function decode(pieces: readonly Uint8Array[]): Decoded {
  const decoder = new StreamDecoder((text) => text);
  let text = "";
  for (const piece of pieces) text += decoder.push(piece).text;
  return {
    text,
    damaged: decoder.damagedEvents,
    failure: decoder.endOfBytes()?.kind,
    finishReason: decoder.finishReason,
  };
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const decodeText = (text: string): Decoded => decode([utf8(text)]);
const COMPLETE: Decoded = { text: TEXT, damaged: 0, failure: undefined, finishReason: "stop" };

describe("a stream cut into pieces", () => {
  for (const [form, stream] of Object.entries(FORMS)) {
    const bytes = utf8(stream);
    it(`has the same text in one chunk, byte by byte and split at every byte: ${form}`, () => {
      assert.deepEqual(decode([bytes]), COMPLETE);
      assert.deepEqual(decode([...bytes].map((byte) => Uint8Array.of(byte))), COMPLETE);
      for (let at = 0; at <= bytes.length; at++) {
        const pieces = [bytes.subarray(0, at), bytes.subarray(at)];
        assert.deepEqual(decode(pieces), COMPLETE, `split at byte ${at}`);
      }
    });

    it(`has an exact beginning when the body ends at any byte: ${form}`, () => {
      // A stream is complete after its finish reason, including the blank line.
      const lineEnd = /\r\n|\r|\n/.exec(stream)?.[0] ?? "";
      const finishAt = stream.indexOf('"finish_reason"');
      const finishEnd = stream.slice(finishAt).search(/(?:\n|\r\n?)(?:\n|\r\n?)/) + finishAt;
      const wholeFrom = utf8(stream.slice(0, finishEnd)).length + 2 * lineEnd.length;
      for (let at = 0; at < bytes.length; at++) {
        const decoded = decode([bytes.subarray(0, at)]);
        assert.ok(TEXT.startsWith(decoded.text), `cut at byte ${at}: ${decoded.text}`);
        assert.ok(!decoded.text.includes("\ufffd"), `half a character at byte ${at}`);
        assert.equal(decoded.damaged, 0, `cut at byte ${at}`);
        // With CR LF, the CR of the blank line can already end the event.
        if (Math.abs(at - wholeFrom) < lineEnd.length) continue;
        assert.equal(
          decoded.failure,
          at < wholeFrom ? "truncated" : undefined,
          `cut at byte ${at}`,
        );
      }
    });
  }

  it("replaces invalid UTF-8 with U+FFFD and continues", () => {
    const [before = "", after = ""] = delta("a|b").split("|");
    const decoded = decode([
      utf8(before),
      Uint8Array.of(0xff, 0xc0),
      utf8(after + finish() + DONE),
    ]);
    assert.equal(decoded.text, "a\ufffd\ufffdb");
    assert.equal(decoded.failure, undefined);
  });
});

describe("the end of a stream", () => {
  const check = (name: string, stream: string, expected: Partial<Decoded>): void => {
    it(name, () => {
      const decoded = decodeText(stream);
      for (const [key, value] of Object.entries(expected)) {
        assert.equal(decoded[key as keyof Decoded], value, key);
      }
    });
  };
  const text = delta("Hello");
  check("is complete with a finish reason and no [DONE]", text + finish(), { failure: undefined });
  check("is cut off with neither", text, { failure: "truncated", text: "Hello" });
  check("is complete with [DONE] only", text + DONE, {
    failure: undefined,
    finishReason: undefined,
  });
  check("keeps an unknown reason", text + finish("tired"), { finishReason: "tired" });
  check("ignores everything after [DONE]", text + DONE + delta("late") + DONE, { text: "Hello" });
  check("ignores an error after [DONE]", `${text}${DONE}data: {"error":"late"}\n\n`, {
    failure: undefined,
  });
  for (const invalidEnd of [
    "data: [DONE]junk\n\n",
    "data: [DONE] \n\n",
    "data:  [DONE]\n\n",
    "data: [done]\n\n",
    "data: [DONE]\ndata: [DONE]\n\n",
    "data: [DONE]\ndata:\n\n",
  ]) {
    check(`does not treat ${JSON.stringify(invalidEnd)} as [DONE]`, text + invalidEnd, {
      failure: "truncated",
      damaged: 1,
    });
  }
  check("accepts [DONE] without a blank and in a named event", `${text}event: x\ndata:[DONE]\n\n`, {
    failure: undefined,
  });
  check("does not accept [DONE] without its blank line", `${text}data: [DONE]\n`, {
    failure: "truncated",
  });
  check(
    "shows the events around a damaged event",
    `${text}data: {"choices\n\n${delta("!")}${DONE}`,
    {
      text: "Hello!",
      damaged: 1,
      failure: undefined,
    },
  );
  check("accepts empty events", `data:\n\n${text}data: \n\n${DONE}`, {
    damaged: 0,
  });
  check("is unreadable if the bytes are not text", "\u001f\u0008\u0000\u0001", {
    failure: "unreadable",
  });
});

describe("a connection that ends", () => {
  const whole = utf8(WHOLE);
  const broken = (at: number): typeof globalThis.fetch => {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        if (at > 0) controller.enqueue(whole.slice(0, at));
      },
      // The error is raised in pull, because an error in start would discard the chunk.
      pull: (controller) => controller.error(new TypeError("terminated")),
    });
    const headers = { "content-type": "text/event-stream" };
    return () => Promise.resolve(new Response(body as BodyInit, { headers }));
  };

  it("keeps an exact beginning and is tried once when it is reset at any byte", async () => {
    const finishAt = utf8(BLOCKS.map(delta).join("") + finish()).length;
    for (let at = 0; at < whole.length; at += 3) {
      const result = await askService("https://service.test", "x", { fetch: broken(at) });
      assert.ok(TEXT.startsWith(result.text), `reset at ${at}`);
      assert.equal(result.failure?.kind, at < finishAt ? "truncated" : undefined, `reset at ${at}`);
      assert.equal(result.events.filter(({ type }) => type === "request-sent").length, 1);
    }
  });

  it("is complete immediately after [DONE] although the connection stays open", async () => {
    let isCanceled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(whole.slice()),
      cancel: () => {
        isCanceled = true;
      },
    });
    const headers = { "content-type": "text/event-stream" };
    const fetch = (): Promise<Response> =>
      Promise.resolve(new Response(body as BodyInit, { headers }));
    const result = await askService("https://service.test", "x", { fetch });
    assert.equal(result.ended?.finishReason, "stop");
    assert.equal(result.text, TEXT);
    assert.ok(isCanceled, "the body is canceled");
  });

  it("reports how many events were damaged when it was cut off", async () => {
    const result = await askReplay([delta("a"), "data: {\n\n", "data: ]\n\n"]);
    assert.deepEqual(result.failure, { kind: "truncated", damagedEvents: 2 });
  });

  it("reports how many events were damaged when it is complete", async () => {
    const result = await askReplay([delta("a"), "data: {\n\n", finish(), DONE]);
    assert.deepEqual(result.ended, { type: "reply-ended", finishReason: "stop", damagedEvents: 1 });
  });
});
