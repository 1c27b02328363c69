/** Endings by finish reasons, also those of other services, and the ending of a reply without text. */
import assert from "node:assert/strict";
import { ask, type Question } from "../../../src/ask/ask";
import type { Ending } from "../../../src/conversation/ending";
import { createClient } from "../../../src/service/client";
import { connectionTo, delta, DONE, finish, replay } from "../service/asking";

async function endingOf(pieces: string[], more: Partial<Question> = {}): Promise<Ending> {
  const question: Question = {
    path: [
      { role: "user", id: "1", parentId: null, sentAtMs: 0, parts: [{ kind: "text", text: "x" }] },
    ],
    isContinuing: false,
    modelKind: "llm",
    modelCode: "core_llm",
    systemPrompt: "",
    sampling: {},
    isStreamed: true,
    budgetTokens: 32_000,
    contentFilter: "withdraw",
    connection: connectionTo("https://service.test"),
    ...more,
  };
  const client = createClient({ fetch: replay(pieces) });
  const readImage = () => Promise.resolve({ loss: "missing" as const });
  for await (const event of ask(client, question, readImage, new AbortController().signal)) {
    if (event.type === "turn-ended") return event.ending;
  }
  return assert.fail("no ending");
}

const EMPTY: Ending = { kind: "failed", failure: { kind: "malformed", what: "no-text" } };
const thinking = 'data: {"choices":[{"index":0,"delta":{"reasoning_content":"hm"}}]}\n\n';
const calls =
  'data: {"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]}}]}\n\n';

describe("a complete reply without text", () => {
  for (const [name, pieces] of [
    ["[DONE] alone", [DONE]],
    ["a finish reason alone", [finish(), DONE]],
    ["blanks", [delta(" \n"), finish(), DONE]],
  ] as const) {
    it(`is empty: ${name}`, async () => assert.deepEqual(await endingOf([...pieces]), EMPTY));
  }

  it("reports that the model only thought", async () => {
    const ending = { kind: "failed", failure: { kind: "malformed", what: "only-thinking" } };
    assert.deepEqual(await endingOf([thinking, finish(), DONE]), ending);
    assert.deepEqual(await endingOf([delta("<think>hm"), finish(), DONE]), ending);
    assert.deepEqual(await endingOf([delta("hm\n</think>\n"), finish(), DONE]), ending);
    assert.deepEqual(await endingOf([thinking, finish("length"), DONE]), { kind: "cut-short" });
  });

  it("is not empty with calls, at the length limit, when blocked, or after a reply that was continued", async () => {
    assert.deepEqual(await endingOf([calls, DONE]), { kind: "complete" });
    assert.deepEqual(await endingOf([finish("length"), DONE]), { kind: "cut-short" });
    assert.equal((await endingOf([finish("content_filter"), DONE])).kind, "withheld");
    assert.deepEqual(await endingOf([finish(), DONE], { isContinuing: true }), {
      kind: "complete",
    });
  });
});

describe("a finish reason", () => {
  const expected: Readonly<Record<string, readonly string[]>> = {
    "cut-short": ["length", "max_tokens", "MAX_TOKENS", "model_length", "max_output_tokens"],
    withheld: ["content_filter", "sensitive", "SAFETY", "Prohibited-Content"],
    failed: ["error", "abort", "network_error", "insufficient_system_resource", "cancelled"],
    complete: ["stop", "STOP", "eos_token", "end_turn", "tired"],
    "tool-calls": ["tool_calls"],
  };
  for (const [kind, reasons] of Object.entries(expected)) {
    for (const reason of reasons) {
      it(`"${reason}" ends a reply as ${kind}`, async () => {
        const ending = await endingOf([delta("Delete all rows that"), finish(reason), DONE]);
        assert.equal(ending.kind, kind);
        if (ending.kind === "failed") assert.equal(ending.failure.kind, "truncated");
      });
    }
  }
});
