/**
 * The encoded request: only fields, ranges and steps of the specification, and headers that cannot
 * be injected.
 */
import assert from "node:assert/strict";
import { encodeRequest } from "../../../src/service/chatCompletions";
import { requestHeaders } from "../../../src/service/requestHeaders";
import type { ChatRequest, Sampling, ServiceMessage } from "../../../src/service/types";
import { startService } from "../../service/server";
import { askService, CANARY, requestOf } from "./asking";

const PICTURE = { type: "image", url: "data:image/png;base64,AAAA" } as const;

function encoded(more: Partial<ChatRequest>): Record<string, unknown> {
  const result = encodeRequest(requestOf("Hello", more));
  assert.ok(result.ok, JSON.stringify(result));
  return JSON.parse(result.json) as Record<string, unknown>;
}

function problemOf(kind: "llm" | "vl", sampling: Sampling): string | undefined {
  const result = encodeRequest(requestOf("Hello", { kind, sampling }));
  return result.ok ? undefined : result.problem;
}

describe("encodeRequest", () => {
  it("writes model, messages and stream, and no parameter with its default", () => {
    const plain = { model: "core_llm", messages: [{ role: "user", content: "Hello" }] };
    assert.deepEqual(encoded({}), { ...plain, stream: true });
    assert.deepEqual(encoded({ stream: false }), { ...plain, stream: false });
  });

  it("sends core_llm strings and omits pictures, counted", () => {
    const messages: ServiceMessage[] = [
      { role: "user", parts: [{ type: "text", text: "What is this?" }, PICTURE, PICTURE] },
      { role: "assistant", parts: [{ type: "text", text: "A cat." }] },
      { role: "user", parts: [PICTURE] },
    ];
    const result = encodeRequest(requestOf("", { messages }));
    assert.ok(result.ok);
    assert.equal(result.imagesLeftOut, 3);
    assert.deepEqual(result.pictures, []);
    const body = JSON.parse(result.json) as { messages: { content: unknown }[] };
    assert.deepEqual(
      body.messages.map(({ content }) => content),
      ["What is this?", "A cat.", ""],
    );
  });

  it("sends core_vl a list of parts in every message, also for text only", () => {
    const messages: ServiceMessage[] = [
      { role: "system", parts: [{ type: "text", text: "Be short." }] },
      { role: "user", parts: [PICTURE, { type: "text", text: "What is this?" }] },
      { role: "assistant", parts: [] },
    ];
    const result = encodeRequest(requestOf("", { kind: "vl", messages }));
    assert.ok(result.ok);
    assert.deepEqual(result.pictures, [PICTURE.url]);
    assert.equal(result.imagesLeftOut, 0);
    const body = JSON.parse(result.json) as { messages: { content: unknown }[] };
    assert.deepEqual(
      body.messages.map(({ content }) => content),
      [
        [{ type: "text", text: "Be short." }],
        [
          { type: "image_url", image_url: { url: PICTURE.url } },
          { type: "text", text: "What is this?" },
        ],
        [{ type: "text", text: "" }],
      ],
    );
  });

  it("writes every step of every range as its short decimal", () => {
    const check = (
      field: string,
      key: keyof Sampling,
      kind: "llm" | "vl",
      steps: number[],
    ): void => {
      for (const value of steps) {
        const result = encodeRequest(requestOf("x", { kind, sampling: { [key]: value } }));
        assert.ok(result.ok, `${key} ${value}`);
        const written = new RegExp(`"${field}":([^,}]+)`).exec(result.json)?.[1] ?? "";
        assert.match(written, /^\d(?:\.\d{1,2})?$/, `${key} ${value}`);
        assert.ok(Math.abs(Number(written) - value) < 1e-9);
      }
    };
    const range = (from: number, to: number, step: number): number[] =>
      Array.from({ length: Math.round((to - from) / step) + 1 }, (_unused, i) => from + i * step);
    for (const kind of ["llm", "vl"] as const) {
      check("temperature", "temperature", kind, range(0.01, 1, 0.01));
      check("top_p", "topP", kind, range(0.1, 0.9, 0.1));
    }
    check("repetition_penalty", "repetitionPenalty", "vl", range(1.1, 1.9, 0.1));
    assert.equal(encoded({ sampling: { temperature: 0.1 + 0.2 } })["temperature"], 0.3);
  });

  it("rejects values outside a range or between two steps, by the field's name", () => {
    const check = (field: string, key: keyof Sampling, kind: "llm" | "vl", bad: number[]): void => {
      for (const value of [...bad, NaN, Infinity, -Infinity]) {
        assert.equal(problemOf(kind, { [key]: value }), field, `${key} ${value}`);
      }
    };
    check("temperature", "temperature", "llm", [0, -0.01, 0.005, 0.015, 1.01, 2]);
    check("top_p", "topP", "vl", [0, 1, 0.05, 0.95, 1.1, -0.1]);
    check("max_tokens", "maxTokens", "llm", [0, -1, 8193, 1.5]);
    check("repetition_penalty", "repetitionPenalty", "vl", [0, 0.9, 1.05, 2, 2.1]);
  });

  it("never sends max_tokens to core_vl, repetition_penalty to core_llm, or a penalty of 1", () => {
    const sampling = { maxTokens: 100, repetitionPenalty: 1.2 };
    assert.deepEqual(Object.keys(encoded({ sampling })), [
      "model",
      "messages",
      "stream",
      "max_tokens",
    ]);
    const vl = { kind: "vl", modelCode: "core_vl" } as const;
    assert.deepEqual(Object.keys(encoded({ ...vl, sampling })), [
      "model",
      "messages",
      "stream",
      "repetition_penalty",
    ]);
    assert.ok(!("repetition_penalty" in encoded({ ...vl, sampling: { repetitionPenalty: 1 } })));
  });

  it("writes tools and calls in the common format", () => {
    const parameters = { type: "object" };
    const body = encoded({
      tools: [{ name: "read", description: "Reads.", parameters }],
      messages: [
        {
          role: "assistant",
          parts: [],
          toolCalls: [{ id: "1", name: "read", argumentsText: "{}" }],
        },
        { role: "tool", parts: [{ type: "text", text: "done" }], toolCallId: "1" },
      ],
    });
    assert.deepEqual(body["tools"], [
      { type: "function", function: { name: "read", description: "Reads.", parameters } },
    ]);
    assert.deepEqual(body["messages"], [
      {
        role: "assistant",
        content: "",
        tool_calls: [{ id: "1", type: "function", function: { name: "read", arguments: "{}" } }],
      },
      { role: "tool", content: "done", tool_call_id: "1" },
    ]);
  });

  it("rejects a missing model ID or message by name", () => {
    assert.deepEqual(encodeRequest(requestOf("x", { modelCode: " " })), {
      ok: false,
      problem: "model",
    });
    assert.deepEqual(encodeRequest(requestOf("x", { messages: [] })), {
      ok: false,
      problem: "messages",
    });
  });

  it("is accepted by a service that checks every field", async () => {
    const service = await startService();
    try {
      const sampling = { temperature: 0.29, topP: 0.7, maxTokens: 8192, repetitionPenalty: 1.1 };
      for (const kind of ["llm", "vl"] as const) {
        for (const stream of [true, false]) {
          const request = { kind, modelCode: `core_${kind}`, stream, sampling };
          const result = await askService(service.url, "/echo fine", { request });
          assert.equal(result.text, "fine", JSON.stringify(result.failure));
        }
      }
      assert.deepEqual(
        service.requests.flatMap(({ problems }) => problems),
        [],
      );
      const [first] = service.requests;
      assert.equal(first?.headers["authorization"], `Bearer ${CANARY}`);
      assert.equal(first.headers["content-type"], "application/json");
    } finally {
      await service.close();
    }
  });

  it("go to the path of the connection, below its base URL", async () => {
    const urls: unknown[] = [];
    const fetch: typeof globalThis.fetch = (url) => {
      urls.push(url);
      return Promise.resolve(new Response(""));
    };
    const connection = { path: "/v1/chat/completions" };
    await askService("https://service.test/base", "Hi", { connection, fetch });
    assert.deepEqual(urls, ["https://service.test/base/v1/chat/completions"]);
  });
});

describe("requestHeaders", () => {
  it("keeps the key, the type and the connection's own headers from being replaced", () => {
    const headers = requestHeaders("k", true, {
      Authorization: "Basic x",
      "CONTENT-TYPE": "text/plain",
      Host: "other",
      "content-length": "1",
      "X-Team": " blue ",
    });
    assert.deepEqual(headers, {
      "x-team": "blue",
      authorization: "Bearer k",
      "content-type": "application/json",
      accept: "text/event-stream, application/json;q=0.5",
    });
  });

  it("rejects any name or value that could inject a header", () => {
    for (const name of ["", "a b", "a\nb", "a:b", "ä", "x".repeat(300)]) {
      assert.equal(requestHeaders("k", true, { [name]: "v" }), undefined, JSON.stringify(name));
    }
    for (const value of ["a\nb", "a\r\nx: y", "a\u0000", "ü"]) {
      assert.equal(requestHeaders("k", true, { "x-a": value }), undefined, JSON.stringify(value));
    }
  });
});
