import assert from "node:assert/strict";
import { startService, type ReferenceService } from "../../service/server";
import { ask, decode } from "./ask";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

interface Completion {
  id: string;
  object: string;
  created: number;
  model: string;
  choices: {
    index: number;
    message: { role: string; content: string; tool_calls?: unknown[] };
    finish_reason: string;
  }[];
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

describe("the reference service's replies", () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const streamed = async (text: string, fields = {}, headers = {}) =>
    decode(await (await ask(service, text, { fields, headers })).text());
  const whole = async (text: string, fields = {}) =>
    (await (await ask(service, text, { stream: false, fields })).json()) as Completion;

  it("streams when stream is omitted, and ends with an exact [DONE]", async () => {
    const response = await ask(service, "Hello");
    assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/);
    const stream = await response.text();
    assert.ok(stream.endsWith("}\n\ndata: [DONE]\n\n"));
    const reply = decode(stream);
    assert.equal(reply.finishReason, "stop");
    assert.equal(reply.data.filter((data) => data === "[DONE]").length, 1);
    assert.equal(
      reply.data.some((data) => data.includes('"usage"')),
      false,
    );
  });

  it("have the fields of section 2.3 when stream is false", async () => {
    const reply = await whole("Hello");
    assert.match(reply.id, UUID);
    assert.equal(reply.object, "chat.completion");
    assert.equal(reply.model, "core_llm");
    assert.ok(Number.isInteger(reply.created));
    assert.equal(reply.choices.length, 1);
    assert.equal(reply.choices[0]!.index, 0);
    assert.equal(reply.choices[0]!.message.role, "assistant");
    assert.equal(reply.choices[0]!.finish_reason, "stop");
    const { prompt_tokens: prompt, completion_tokens: completion } = reply.usage;
    assert.equal(reply.usage.total_tokens, prompt + completion);
  });

  it("stop at max_tokens with the finish reason length", async () => {
    const reply = await whole("Hello", { max_tokens: 7 });
    assert.equal(reply.choices[0]!.finish_reason, "length");
    assert.equal(reply.usage.completion_tokens, 7);
    assert.equal((await streamed("Hello", { max_tokens: 7 })).finishReason, "length");
  });
});
