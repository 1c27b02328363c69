/** Endings by finish reasons, also of other services, of a reply without text, and of a large request. */
import assert from "node:assert/strict";
import { ask, type Question } from "../../../src/ask/ask";
import type { Ending } from "../../../src/conversation/ending";
import type { ImagePart, Message, Part } from "../../../src/conversation/message";
import { TEST_PICTURE_URL } from "../../../src/host/diagnostics/testPicture";
import { createClient } from "../../../src/service/client";
import { connectionTo, delta, DONE, finish, replay } from "../service/asking";

const question: Question = {
  path: pathOf([{ kind: "text", text: "x" }]),
  isContinuing: false,
  modelKind: "llm",
  modelCode: "core_llm",
  systemPrompt: "",
  sampling: {},
  isStreamed: true,
  budgetTokens: 32_000,
  contentFilter: "withdraw",
  connection: connectionTo("https://service.test"),
};

function pathOf(parts: readonly Part[]): Message[] {
  return [{ role: "user", id: "1", parentId: null, sentAtMs: 0, parts: [...parts] }];
}

async function endingOf(
  pieces: readonly string[],
  more: Partial<Question> = {},
  response?: ResponseInit,
): Promise<Ending> {
  const client = createClient({ fetch: replay(pieces, response) });
  const readImage = () => Promise.resolve({ url: TEST_PICTURE_URL });
  const { signal } = new AbortController();
  for await (const event of ask(client, { ...question, ...more }, readImage, signal)) {
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
    it(`is empty: ${name}`, async () => assert.deepEqual(await endingOf(pieces), EMPTY));
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

describe("a request that is too large for the service (413)", () => {
  const message = "too much";
  const picture = (name: string, more: Partial<ImagePart> = {}): Part => {
    const size = { widthPx: 64, heightPx: 64, bytes: 2_000_000 };
    return { kind: "image", hash: "0".repeat(64), mediaType: "image/png", name, ...size, ...more };
  };
  const tile = { count: 4, x: 0, y: 0, ofWidthPx: 64, ofHeightPx: 256 };
  const parts: Part[] = [
    picture("checkout.png"),
    { kind: "image-address", url: "https://example.com/a.png" },
    ...[0, 3].map((index) => picture("page.png", { bytes: 1_000_000, tile: { ...tile, index } })),
  ];
  const pictures = [
    { name: "checkout.png", bytes: 2_000_000 },
    { name: "https://example.com/a.png" },
    { name: "page.png (1/4)", bytes: 1_000_000 },
    { name: "page.png (4/4)", bytes: 1_000_000 },
  ];
  for (const [name, modelKind, sent, expected] of [
    ["names the pictures and tiles that were sent, with their sizes", "vl", parts, { pictures }],
    ["names no picture if the text model received none", "llm", parts, {}],
    ["names no picture of a question without one", "vl", [], {}],
  ] as const) {
    it(name, async () => {
      const body = JSON.stringify({ error: { message } });
      const refusal = { status: 413, headers: { "content-type": "application/json" } };
      const path = pathOf([...sent, { kind: "text", text: "Why?" }]);
      const modelCode = `core_${modelKind}`;
      assert.deepEqual(await endingOf([body], { path, modelKind, modelCode }, refusal), {
        kind: "failed",
        failure: { kind: "too-large", message, ...expected },
      });
    });
  }
});
