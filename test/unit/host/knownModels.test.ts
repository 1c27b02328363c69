/** What errors and replies show about a model, kept by host and model code. */
import assert from "node:assert/strict";
import type * as vscode from "vscode";
import { KnownModels } from "../../../src/host/settings/knownModels";
import type { ChatRequest, ServiceFailure } from "../../../src/service/types";

const HOST = "maas.test";

function mementoOf(values = new Map<string, unknown>()): vscode.Memento {
  return {
    keys: () => [...values.keys()],
    get: (key: string) => values.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void values.set(key, value)),
  } as vscode.Memento;
}

function requestOf(words: number, maxTokens?: number): ChatRequest {
  const text = "word ".repeat(words);
  return {
    kind: "llm",
    modelCode: "small",
    messages: [{ role: "user", parts: [{ type: "text", text }] }],
    sampling: maxTokens === undefined ? {} : { maxTokens },
    stream: true,
  };
}

const tooLong = (limitTokens?: number): ServiceFailure => ({
  kind: "reported",
  message: "",
  about: "context",
  ...(limitTokens !== undefined && { limitTokens }),
});

describe("KnownModels", () => {
  let models: KnownModels;
  const budget = () => models.get(HOST, "small").budgetTokens ?? Infinity;
  beforeEach(() => (models = new KnownModels(mementoOf())));

  it("keeps a budget below the model's limit, with space for the reply", () => {
    models.noteFailure(HOST, requestOf(40_000, 2_000), tooLong(8_192));
    assert.ok(budget() <= 8_192 - 2_000 && budget() > 5_000, String(budget()));
    assert.deepEqual(models.get(HOST, "large"), {});
  });

  it("sends less each time, also if the estimate was below the limit", () => {
    models.noteFailure(HOST, requestOf(6_000), tooLong(32_768));
    const first = budget();
    models.noteFailure(HOST, requestOf(5_000), tooLong(32_768));
    assert.ok(first < 6_000 && budget() < 5_000, `${first}, ${budget()}`);
  });

  it("lowers the budget of a service that names no limit", () => {
    models.noteFailure(HOST, requestOf(10_000), tooLong());
    assert.ok(budget() < 10_000);
  });

  it("sends less each time with pictures too, whose number of tokens is an estimate", () => {
    const image = { type: "image" as const, url: "data:image/png;base64,AAAA" };
    const request: ChatRequest = {
      ...requestOf(100),
      messages: [{ role: "user", parts: [image] }],
      estimatedTokens: 20_000,
    };
    models.noteFailure(HOST, request, tooLong());
    assert.equal(budget(), 17_000);
  });

  it("takes no budget from other failures", () => {
    models.noteFailure(HOST, requestOf(10_000), { kind: "reported", message: "", about: "quota" });
    models.noteFailure(HOST, requestOf(10_000), { kind: "empty" });
    assert.deepEqual(models.get(HOST, "small"), {});
  });

  it("keeps the facts of a model together and ignores a damaged store", () => {
    const store = mementoOf(new Map([["coreChat.knownModels", "damaged"]]));
    models = new KnownModels(store);
    models.note(HOST, "small", { isThinkingFirst: true });
    models.noteFailure(HOST, requestOf(10_000), tooLong(8_192));
    assert.equal(models.get(HOST, "small").isThinkingFirst, true);
    models.note(HOST, "small", { isThinkingFirst: undefined });
    assert.deepEqual(Object.keys(models.get(HOST, "small")), ["budgetTokens"]);
  });
});
