/**
 * Malformed blocks are read as text or ignored, never throw and never change a prototype
 * (rows S10, S14, S15, S17).
 */
import assert from "node:assert/strict";
import { askReplay, askService, delta, DONE, finish, replay } from "./asking";

/** Returns the text of a streamed block between two valid blocks. */
async function textOf(block: unknown): Promise<string> {
  const json = typeof block === "string" ? block : JSON.stringify(block);
  const pieces = [delta("<"), `data: ${json}\n\n`, delta(">"), finish(), DONE];
  const result = await askReplay(pieces);
  assert.equal(result.ended?.finishReason, "stop", JSON.stringify(result.failure));
  assert.equal(result.ended.damagedEvents, 0);
  return result.text;
}

const choice = (fields: object): object => ({ choices: [{ index: 0, ...fields }] });

describe("a block", () => {
  const reads = (name: string, block: unknown, text: string): void => {
    it(`is read: ${name}`, async () => assert.equal(await textOf(block), `<${text}>`));
  };
  reads("delta", choice({ delta: { content: "a" } }), "a");
  reads("message", choice({ message: { content: "a" } }), "a");
  reads("messages", choice({ messages: { content: "a" } }), "a");
  reads("a list of messages", choice({ messages: [{ content: "a" }] }), "a");
  reads("an empty delta next to a message", choice({ delta: {}, message: { content: "a" } }), "a");
  reads(
    "delta before message",
    choice({ delta: { content: "a" }, message: { content: "b" } }),
    "a",
  );
  reads("choices[0].text", choice({ text: "a" }), "a");
  reads("parts", choice({ delta: { content: [{ type: "text", text: "a" }, "b"] } }), "ab");
  reads("no index", { choices: [{ delta: { content: "a" } }] }, "a");
  reads(
    "index 0 after another index",
    {
      choices: [
        { index: 1, delta: { content: "b" } },
        { index: 0, delta: { content: "a" } },
      ],
    },
    "a",
  );
  reads(
    "null fields",
    { ...choice({ delta: { content: "a" }, logprobs: null }), usage: null, error: null },
    "a",
  );

  const ignores = (name: string, block: unknown): void => reads(`nothing in ${name}`, block, "");
  ignores("another index", { choices: [{ index: 1, delta: { content: "b" } }] });
  ignores("index __proto__", { choices: [{ index: "__proto__", delta: { content: "b" } }] });
  ignores("choices missing", { id: "x" });
  ignores("choices an object", { choices: { 0: { delta: { content: "b" } } } });
  ignores("choices of odd items", { choices: [null, 1, "x", [], true] });
  ignores("content null", choice({ delta: { content: null } }));
  ignores("content a number", choice({ delta: { content: 42 } }));
  ignores("content an empty list", choice({ delta: { content: [null, 1, {}, []] } }));
  ignores("the role only", choice({ delta: { role: "assistant" } }));
  ignores("null", null);
  ignores("endlessly nested parts", `{"choices":[{"delta":{"content":${nested(100_000)}}}]}`);

  it("cannot touch Object.prototype", async () => {
    const hostile =
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"choices":[{"index":0,' +
      '"__proto__":{"polluted":1},"delta":{"__proto__":{"polluted":1,"content":"no"},' +
      '"tool_calls":[{"index":"__proto__","function":{"name":"__proto__"}}]}}],' +
      '"usage":{"__proto__":{"polluted":1}}}';
    assert.equal(await textOf(hostile), "<>");
    assert.equal(Object.hasOwn(Object.prototype, "polluted"), false);
    assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
  });
});

describe("usage", () => {
  it("is reported once for each block that contains it, without invalid numbers", async () => {
    const usage = (value: unknown): string =>
      `data: ${JSON.stringify({ choices: [], usage: value })}\n\n`;
    const check = async (value: unknown, expected: unknown): Promise<void> => {
      assert.deepEqual((await askReplay([delta("a"), usage(value), DONE])).usage, expected);
    };
    await check(
      { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
      { promptTokens: 1, completionTokens: 2 },
    );
    await check({ prompt_tokens: "1", completion_tokens: 2 }, { completionTokens: 2 });
    await check({ prompt_tokens: 3, completion_tokens: -2 }, { promptTokens: 3 });
    await check({ prompt_tokens: 1.5 }, undefined);
    await check("many", undefined);
  });

  it("is still read when it arrives after the finish reason", async () => {
    const result = await askReplay([
      delta("a"),
      finish(),
      'data: {"usage":{"prompt_tokens":9}}\n\n',
      DONE,
    ]);
    assert.deepEqual(result.usage, { promptTokens: 9 });
  });
});

describe("function calls", () => {
  const calls = (tool_calls: unknown): string =>
    `data: ${JSON.stringify(choice({ delta: { tool_calls } }))}\n\n`;

  it("are assembled from their chunks, by index", async () => {
    const result = await askReplay([
      calls([
        { index: 0, id: "a", type: "function", function: { name: "read", arguments: '{"p' } },
      ]),
      calls([{ index: 1, id: "b", function: { name: "list", arguments: "" } }]),
      calls([
        { index: 0, function: { arguments: 'ath":1}' } },
        { index: 1, function: { arguments: "{}" } },
      ]),
      finish("tool_calls"),
      DONE,
    ]);
    assert.equal(result.ended?.finishReason, "tool_calls");
    assert.deepEqual(result.calls, [
      { id: "a", name: "read", argumentsText: '{"path":1}' },
      { id: "b", name: "list", argumentsText: "{}" },
    ]);
  });

  it("are separated by id when there is no index", async () => {
    const result = await askReplay([
      calls([{ id: "a", function: { name: "read", arguments: "{" } }]),
      calls([{ function: { arguments: "}" } }]),
      calls([{ id: "b", function: { name: "list", arguments: { deep: true } } }]),
      DONE,
    ]);
    assert.deepEqual(result.calls, [
      { id: "a", name: "read", argumentsText: "{}" },
      { id: "b", name: "list", argumentsText: '{"deep":true}' },
    ]);
  });

  it("are limited to 128", async () => {
    const many = Array.from({ length: 5000 }, (_unused, index) => ({
      index,
      function: { name: "f" },
    }));
    const result = await askReplay([calls(many), DONE]);
    assert.equal(result.calls.length, 128);
  });

  it("are not reported when the reply was cut off", async () => {
    const result = await askReplay([
      calls([{ index: 0, id: "a", function: { name: "rm", arguments: "{" } }]),
    ]);
    assert.equal(result.failure?.kind, "truncated");
    assert.deepEqual(result.calls, []);
  });
});

describe("a whole completion", () => {
  const json = { headers: { "content-type": "application/json" } };
  const document = (value: unknown, init: ResponseInit = json) =>
    askService("https://service.test", "x", {
      fetch: replay([typeof value === "string" ? value : JSON.stringify(value)], init),
      request: { stream: false },
    });

  it("is read in both formats of the specification, message and messages", async () => {
    for (const field of ["message", "messages"]) {
      const result = await document({
        object: "chat.completion",
        choices: [
          { index: 0, [field]: { role: "assistant", content: "Hi" }, finish_reason: "stop" },
        ],
        usage: { prompt_tokens: 3 },
      });
      assert.equal(result.text, "Hi");
      assert.deepEqual(result.usage, { promptTokens: 3 });
      assert.equal(result.ended?.finishReason, "stop");
    }
  });

  it("is read for any content type, also when a stream was requested", async () => {
    const body = choice({ message: { content: "Hi" }, finish_reason: "stop" });
    for (const type of [
      "application/json",
      "text/event-stream",
      "text/plain",
      "application/x+json",
    ]) {
      assert.equal((await document(body, { headers: { "content-type": type } })).text, "Hi", type);
    }
    assert.equal((await document(`\ufeff\n ${JSON.stringify(body)}`)).text, "Hi");
  });

  const fails = (name: string, body: unknown, expected: unknown): void => {
    it(`fails: ${name}`, async () => assert.deepEqual((await document(body)).failure, expected));
  };
  fails("an error object", { error: { message: "No." } }, { kind: "reported", message: "No." });
  fails("an error as a string", { error: "No." }, { kind: "reported", message: "No." });
  fails("an error code", { error: { code: 7 } }, { kind: "reported", message: "7" });
  fails("another format of error", { code: 1, msg: "No." }, { kind: "reported", message: "No." });
  fails("a list of errors", { detail: [{ msg: "No." }] }, { kind: "reported", message: "No." });
  fails("no choice", { choices: [] }, { kind: "empty" });
  fails("something else", { ok: true }, { kind: "foreign", message: '{"ok":true}' });
  fails("not an object", "null", { kind: "foreign", message: "null" });
  fails("blanks", " \n ", { kind: "empty" });
  fails("an incomplete document", '{"choices":[{"index"', { kind: "truncated", damagedEvents: 0 });
  fails("a damaged document", '{"choices":oops}', { kind: "unreadable" });
});

describe("an error in a stream", () => {
  const check = (name: string, event: string, message: string): void => {
    it(`keeps the text and returns the service's message: ${name}`, async () => {
      const result = await askReplay([delta("Hello"), event, delta("late"), DONE]);
      assert.equal(result.text, "Hello");
      assert.deepEqual(result.failure, { kind: "reported", message });
    });
  };
  check("error.message", 'data: {"error":{"message":"Busy."}}\n\n', "Busy.");
  check("error as a string", 'data: {"error":"Busy."}\n\n', "Busy.");
  check("object error", 'data: {"object":"error","message":"Busy.","code":1}\n\n', "Busy.");
  check("event error with JSON", 'event: error\ndata: {"message":"Busy."}\n\n', "Busy.");
  check("event error with text", "event: error\ndata: Busy.\n\n", "Busy.");
  check("event error without data", "event: error\ndata:\n\n", "");
  check("an error without a message", 'data: {"error":{"x":{}}}\n\n', '{"x":{}}');
  check("an endlessly nested error", `data: {"error":${nested(100_000)}}\n\n`, "");
  check("an error true", 'data: {"error":true}\n\n', "true");
});

/** Returns `[[[…"b"…]]]` with that depth. */
function nested(depth: number): string {
  return `${"[".repeat(depth)}"b"${"]".repeat(depth)}`;
}
