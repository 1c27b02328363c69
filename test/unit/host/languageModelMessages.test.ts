/**
 * Requests of other extensions to our language models, converted for the service, and the replies
 * converted for them.
 */
import assert from "node:assert/strict";
import { orientationSegment } from "../../../src/pictures/exifOrientation";
import { askRequest, type TurnEvent } from "../../../src/ask/ask";
import { fromBase64 } from "../../../src/base/base64";
import { offeredModels, withModelOptions } from "../../../src/host/chatApi/models";
import { errorCode, outcomeOf, type Outcome } from "../../../src/host/chatApi/outcome";
import {
  estimateTokens,
  requestMessages,
  requestTools,
} from "../../../src/host/chatApi/requestMessages";
import { TEST_PICTURE_URL } from "../../../src/host/diagnostics/testPicture";
import { createClient } from "../../../src/service/client";
import { startService, type ReferenceService } from "../../service/server";
import { connectionTo, requestOf } from "../service/asking";

const USER = 1;
const ASSISTANT = 2;
const SYSTEM = 3;
const PNG = fromBase64(TEST_PICTURE_URL.split(",")[1] ?? "") ?? new Uint8Array();

const service = (profileName: string | undefined, baseUrl: string, llm: string, vl: string) => ({
  profileName,
  baseUrl,
  modelCodes: { llm, vl },
  path: "",
  headers: {},
});

describe("offeredModels", () => {
  it("offers one model for each model ID of each usable service", () => {
    const models = offeredModels([
      service(undefined, "https://a.example", "core_llm", "core_vl"),
      service("Work", "https://b.example/x", "core_llm", "both"),
      service("Both", "https://c.example", "one", "one"),
      service("Broken", "http://not-here.example", "core_llm", "core_vl"),
      service("Empty", "", "core_llm", "core_vl"),
      service("Work", "https://other.example", "core_llm", "both"),
    ]);
    assert.deepEqual(
      models.map(({ id, name, code, kind }) => [id, name, code, kind]),
      [
        ["core_llm", "core_llm", "core_llm", "llm"],
        ["core_vl", "core_vl", "core_vl", "vl"],
        ["core_llm@Work", "core_llm (Work)", "core_llm", "llm"],
        ["both@Work", "both (Work)", "both", "vl"],
        ["one@Both", "one (Both)", "one", "vl"],
      ],
    );
    assert.equal(models[2]?.service.baseUrl, "https://b.example/x");
  });
});

describe("requestMessages", () => {
  it("joins chunks of text and keeps roles", () => {
    const messages = requestMessages([
      { role: SYSTEM, content: [{ value: "Be brief." }] },
      { role: USER, content: [{ value: "Hel" }, { value: "lo" }] },
      { role: ASSISTANT, content: [{ value: "Hi" }] },
    ]);
    assert.deepEqual(messages, [
      { role: "system", parts: [{ type: "text", text: "Be brief." }] },
      { role: "user", parts: [{ type: "text", text: "Hello" }] },
      { role: "assistant", parts: [{ type: "text", text: "Hi" }] },
    ]);
  });

  it("converts pictures to data URLs and textual data to text, and omits other data", () => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    const [message] = requestMessages([
      {
        role: USER,
        content: [
          { mimeType: "image/PNG", data: PNG },
          { mimeType: "application/json", data: bytes("{}") },
          { mimeType: "text/plain", data: bytes("é") },
          { mimeType: "cache_control", data: bytes("ephemeral") },
          { mimeType: 'image/png"><script>', data: PNG },
          { unknown: true },
          null,
        ],
      },
    ]);
    assert.deepEqual(message?.parts, [
      { type: "image", url: TEST_PICTURE_URL },
      { type: "text", text: "{}é" },
    ]);
  });

  it("sends no metadata of pictures except the orientation of a photo", () => {
    const exif = orientationSegment(6);
    const comment = Uint8Array.from([0xff, 0xfe, 0, 6, 0x68, 0x6f, 0x6d, 0x65]); // "home" in ASCII
    const scan = [0xff, 0xda, 0, 2, 1, 2, 3, 0xff, 0xd9];
    const data = Uint8Array.from([0xff, 0xd8, ...exif, ...comment, ...scan]);
    const [message] = requestMessages([
      { role: USER, content: [{ mimeType: "image/jpeg", data }] },
    ]);
    const clean = Uint8Array.from([0xff, 0xd8, ...exif, ...scan]);
    const url = `data:image/jpeg;base64,${Buffer.from(clean).toString("base64")}`;
    assert.deepEqual(message?.parts, [{ type: "image", url }]);
  });

  it("puts tool results directly after the calls, before other text of the same message", () => {
    const messages = requestMessages([
      {
        role: ASSISTANT,
        content: [{ value: "Look:" }, { callId: "c1", name: "read", input: { path: "a" } }],
      },
      {
        role: USER,
        content: [
          { value: "And now?" },
          { callId: "c1", content: [{ value: "con" }, { value: "tent" }] },
          { callId: "c2", content: [] },
        ],
      },
    ]);
    assert.deepEqual(messages, [
      {
        role: "assistant",
        parts: [{ type: "text", text: "Look:" }],
        toolCalls: [{ id: "c1", name: "read", argumentsText: '{"path":"a"}' }],
      },
      { role: "tool", parts: [{ type: "text", text: "content" }], toolCallId: "c1" },
      { role: "tool", parts: [], toolCallId: "c2" },
      { role: "user", parts: [{ type: "text", text: "And now?" }] },
    ]);
  });
});

describe("estimateTokens", () => {
  it("counts texts, calls, results and pictures by their size", () => {
    assert.ok(estimateTokens("Hello there") >= 2);
    const picture = estimateTokens({
      role: USER,
      content: [{ mimeType: "image/png", data: PNG }],
    });
    assert.equal(picture, Math.ceil((1600 * 900) / (28 * 28)));
    const unread = { mimeType: "image/png", data: new Uint8Array(3) };
    assert.ok(estimateTokens({ role: USER, content: [unread] }) > 100);
    const call = { callId: "c", name: "read_file", input: { path: "README.md" } };
    assert.ok(estimateTokens({ role: ASSISTANT, content: [call] }) >= 4);
    const result = { callId: "c", content: [{ value: "Hello there" }] };
    assert.equal(
      estimateTokens({ role: USER, content: [result, { odd: 1 }] }),
      estimateTokens("Hello there"),
    );
  });
});

describe("withModelOptions", () => {
  it("maps numbers to the service's names and ignores the rest", () => {
    const modelOptions = { temperature: 0.2, top_p: "high", max_tokens: 50, other: 1 };
    assert.deepEqual(withModelOptions(modelOptions, { temperature: 0.8, topP: 0.5 }), {
      temperature: 0.2,
      topP: 0.5,
      maxTokens: 50,
    });
    assert.deepEqual(withModelOptions(undefined, { topP: 0.5 }), { topP: 0.5 });
  });
});

describe("a language model's reply", () => {
  let reference: ReferenceService;
  before(async () => {
    reference = await startService();
  });
  after(() => reference.close());

  async function end(text: string, more: { tools?: boolean } = {}): Promise<Outcome> {
    const client = createClient({ fetch: globalThis.fetch });
    const tool = { name: "read_file", description: "Reads.", inputSchema: { type: "object" } };
    const question = {
      request: requestOf(text, {
        ...(more.tools === true && { tools: requestTools([tool]), isToolRequired: true }),
      }),
      connection: connectionTo(reference.url, { retries: 0, silenceTimeoutMs: 2000 }),
      contentFilter: "withdraw",
      estimatedTokens: 0,
    } as const;
    const events: TurnEvent[] = [];
    const { signal } = new AbortController();
    for await (const event of askRequest(client, question, signal)) events.push(event);
    const last = events.at(-1);
    assert.ok(last?.type === "turn-ended");
    return outcomeOf(last);
  }

  it("completes if it is whole or cut off at a limit", async () => {
    assert.deepEqual(await end("/echo hello"), { kind: "done", calls: [] });
    assert.deepEqual(await end("/length"), { kind: "done", calls: [] });
  });

  it("passes tools and calls on in the common format", async () => {
    const outcome = await end("/tool", { tools: true });
    assert.deepEqual(outcome, {
      kind: "done",
      calls: [{ id: "call_1", name: "read_file", input: { path: "README.md" } }],
    });
    const { body } = reference.requests.at(-1) as { body: Record<string, unknown> };
    assert.equal(body["tool_choice"], "required");
    assert.deepEqual(body["tools"], [
      {
        type: "function",
        function: { name: "read_file", description: "Reads.", parameters: { type: "object" } },
      },
    ]);
  });

  it("is removed if the content filter blocked it", async () => {
    assert.deepEqual(await end("/filter"), { kind: "withheld" });
  });

  const failures: [fault: string, kind: string, code: string][] = [
    ["status-401", "unauthorized", "no-permissions"],
    ["status-403", "rejected", "no-permissions"],
    ["status-404", "rejected", "not-found"],
    ["status-400", "rejected", "other"],
    ["status-429", "rate-limited", "blocked"],
    ["status-503", "server", "other"],
    ["status-413", "too-large", "other"],
  ];
  for (const [fault, kind, code] of failures) {
    it(`fails as ${kind}, code ${code}, for ${fault}`, async () => {
      const outcome = await end(`/fault ${fault}`);
      assert.ok(outcome.kind === "failed");
      assert.equal(outcome.failure.kind, kind);
      assert.equal(errorCode(outcome.failure), code);
    });
  }

  it("fails when a call's arguments are damaged, and does not treat them as empty", () => {
    const withArguments = (argumentsText: string) =>
      outcomeOf({
        type: "turn-ended",
        ending: { kind: "tool-calls" },
        toolCalls: [{ id: "c", name: "f", argumentsText }],
      });
    for (const damaged of ['{"a":', "[1]", '"text"']) {
      const outcome = withArguments(damaged);
      assert.ok(outcome.kind === "failed", damaged);
      assert.deepEqual(outcome.failure, { kind: "malformed", what: "unreadable" });
    }
    assert.deepEqual(withArguments(" "), {
      kind: "done",
      calls: [{ id: "c", name: "f", input: {} }],
    });
  });

  it("is canceled, and nothing else, when the caller cancels", () => {
    const ending = { kind: "stopped" } as const;
    assert.deepEqual(outcomeOf({ type: "turn-ended", ending }), { kind: "canceled" });
  });
});
