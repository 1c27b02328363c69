/** Errors of real services by their cause (row S47): read from status, codes and words. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { ERROR_CAUSES, type CauseRow } from "../../../src/service/errorCauses";
import { reportedFailure, statusFailure } from "../../../src/service/readFailure";
import { retryDelayMs } from "../../../src/service/retry";
import { askReplay, delta, DONE } from "./asking";

/**
 * Errors as real services send them, each with a source whose wording was read. Where a report shows only
 * the message, the fields around it are those of the service's other errors, and `unconfirmed` names them.
 */
const RECORDED_ERRORS = z
  .array(
    z.object({
      name: z.string(),
      source: z.string(),
      status: z.number(),
      body: z.unknown(),
      about: z.optional(z.string()),
      limitTokens: z.optional(z.number()),
    }),
  )
  .parse(JSON.parse(readFileSync("test/fixtures/serviceErrors.json", "utf8")));

const same = (text: string): string => text;

describe("the cause of a service's error", () => {
  for (const { name, status, body, about, limitTokens } of RECORDED_ERRORS) {
    it(`is read: ${name}`, () => {
      const failure = statusFailure(status, "", JSON.stringify(body), undefined, same);
      assert.ok(failure.kind === "status");
      assert.deepEqual([failure.about, failure.limitTokens], [about, limitTokens]);
      // A failure with a cause cannot succeed by a retry.
      if (about !== undefined)
        assert.equal(
          retryDelayMs(failure, 1, () => 0),
          undefined,
        );
    });
  }

  it("has a recorded error for each pattern of the table", () => {
    const rows = ERROR_CAUSES.flatMap(({ words = [], ...row }) => [
      ...words.map((one) => ({ about: row.about, words: [one] })),
      ...(Object.keys(row).length > 1 ? [row] : []),
    ]);
    const unused = rows.filter(({ statuses, codes, params, words }: CauseRow) => {
      const isOf = ({ status, body }: (typeof RECORDED_ERRORS)[number]): boolean => {
        const text = JSON.stringify(body).replaceAll("\\", "");
        const values = [...text.matchAll(/"([^"]*)"/g)].map((match) => match[1] ?? "");
        return (
          words?.some((one) => one.test(text)) === true ||
          values.some((value) => codes?.test(value) === true || params?.test(value) === true) ||
          (!words && !codes && !params && statuses?.includes(status) === true)
        );
      };
      return !RECORDED_ERRORS.some(isOf);
    });
    assert.deepEqual(unused, []);
  });

  it("is not read from text that a validation error quotes", () => {
    const input = "This model's maximum context length is 5 tokens. tools";
    const body = {
      detail: [{ type: "string_type", loc: ["body", "user"], msg: "Not valid", input }],
    };
    const failure = statusFailure(422, "", JSON.stringify(body), undefined, same);
    assert.equal(failure.kind === "status" && failure.about, undefined);
  });

  it("is read from an error in a stream", () => {
    const { body } = RECORDED_ERRORS.find(({ name }) => name === "llama.cpp: context") ?? {};
    const failure = reportedFailure(body, same);
    assert.ok(failure.kind === "reported");
    assert.deepEqual([failure.about, failure.limitTokens], ["context", 256]);
  });
});

describe("an error inside a choice", () => {
  // Source: https://openrouter.ai/docs/api-reference/errors#mid-stream-error-handling
  const error = { code: 502, message: "Upstream idle timeout exceeded" };
  const choice = { index: 0, delta: { content: "" }, finish_reason: "error", error };

  it("keeps the service's message and the text before", async () => {
    const stream = delta("Part") + `data: ${JSON.stringify({ choices: [choice] })}\n\n${DONE}`;
    const result = await askReplay([stream]);
    assert.equal(result.text, "Part");
    assert.deepEqual(result.failure, {
      kind: "reported",
      message: "Upstream idle timeout exceeded",
    });
  });
});

describe("a reply of status 200 that is no chat completion", () => {
  const check = (name: string, type: string, body: string, begin: string): void => {
    it(`is quoted: ${name}`, async () => {
      const { failure, text } = await askReplay([body], { headers: { "content-type": type } });
      assert.ok(failure?.kind === "foreign", failure?.kind);
      assert.ok(failure.message.startsWith(begin), failure.message);
      assert.equal(text, "");
    });
  };
  const envoy = "upstream connect error or disconnect/reset before headers";
  const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
  const wrapped = { code: 200, data: { choices: [{ message: { content: "Hi" } }] } };
  const native = { model: "llama3", message: { role: "assistant", content: "Hi" }, done: false };
  const responses = { type: "response.output_text.delta", delta: "Hi" };
  const dashscope = { output: { text: "Hi", finish_reason: "stop" }, request_id: "1" };
  check("text of Envoy", "text/plain", envoy, "upstream connect error");
  check("text that begins like a field", "text/plain", "internal server error", "internal server");
  check("text as an event stream", "text/event-stream", `${envoy}\n`, "upstream connect error");
  check("a wrapper", "application/json", JSON.stringify(wrapped), '{"code":200,"data":');
  check("Ollama's own API", "application/x-ndjson", `${JSON.stringify(native)}\n`, '{"model":');
  check("the Responses API", "text/event-stream", event(responses).repeat(3), '{"type":"resp');
  check("DashScope's own API", "text/event-stream", event(dashscope) + DONE, '{"output":');

  it("hides the key", async () => {
    const { CANARY } = await import("./asking");
    const { failure } = await askReplay([`no route for ${CANARY}`], {
      headers: { "content-type": "text/plain" },
    });
    assert.ok(failure?.kind === "foreign" && !failure.message.includes(CANARY));
  });

  it("is cut off if it stopped in the name of the first field", async () => {
    for (const body of ["da", "data", "event: mess", ": comment", 'data: {"choices":[']) {
      const { failure } = await askReplay([body]);
      assert.equal(failure?.kind, "truncated", body);
    }
  });
});
