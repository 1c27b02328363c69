/**
 * Tests the language models as another extension uses them in a real VS Code: selected by vendor,
 * called with `sendRequest`, with the reference service and its faults.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import * as vscode from "vscode";
import { SAMPLE_TEXT } from "../service/faults/sample";
import { askRequest } from "../../src/ask/ask";
import { systemClock } from "../../src/base/clock";
import { silentLog } from "../support/fakes/silentLog";
import { ModelAccess } from "../../src/host/chatApi/modelAccess";
import { ModelProvider, type ModelProviderOptions } from "../../src/host/chatApi/provider";
import { KnownModels } from "../../src/host/settings/knownModels";
import type { Services } from "../../src/host/settings/services";
import { createClient } from "../../src/service/client";
import { ServiceKey } from "../../src/service/serviceKey";
import { madePng } from "../support/pictures/madePng";
import { Answers, MapMemento } from "./editing";
import {
  receivedRequests,
  referenceUrl,
  releaseGate,
  resetService,
  scriptService,
  untilService,
} from "./reference";
import { clearUserSettings, setUserSettings } from "./settings";

type Content = ConstructorParameters<typeof vscode.LanguageModelChatMessage>[1];

const { User: USER, Assistant: ASSISTANT } = vscode.LanguageModelChatMessageRole;
const user = (content: Content) => new vscode.LanguageModelChatMessage(USER, content);
const assistant = (content: Content) => new vscode.LanguageModelChatMessage(ASSISTANT, content);

interface Answer {
  readonly text: string;
  readonly calls: readonly vscode.LanguageModelToolCallPart[];
  /** Error that was thrown, if any. */
  readonly error: (Error & { code?: string }) | undefined;
}

/** Sends a request and reads the reply to its end; returns the text before an error too. */
async function ask(
  model: vscode.LanguageModelChat,
  content: string | vscode.LanguageModelChatMessage[],
  options: vscode.LanguageModelChatRequestOptions = {},
  token?: vscode.CancellationToken,
): Promise<Answer> {
  const messages = typeof content === "string" ? [user(content)] : content;
  const calls: vscode.LanguageModelToolCallPart[] = [];
  let text = "";
  try {
    const response = await model.sendRequest(messages, options, token);
    for await (const part of response.stream) {
      if (part instanceof vscode.LanguageModelTextPart) text += part.value;
      if (part instanceof vscode.LanguageModelToolCallPart) calls.push(part);
    }
    return { text, calls, error: undefined };
  } catch (error) {
    return { text, calls, error: error as Error };
  }
}

async function modelOf(family: string): Promise<vscode.LanguageModelChat> {
  const [model] = await vscode.lm.selectChatModels({ vendor: "core-chat", family });
  assert.ok(model, `there is no model ${family}`);
  return model;
}

/** Resolves when VS Code lists the models with these names, a moment after a change. */
async function untilOffered(...names: string[]): Promise<void> {
  for (;;) {
    const models = await vscode.lm.selectChatModels({ vendor: "core-chat" });
    if (models.map(({ name }) => name).join() === names.join()) return;
  }
}

/**
 * False for VS Code 1.106, which forwards a cancellation only until the request has started (see
 * its extHostLanguageModels). VS Code 1.139 forwards a cancellation at any time.
 */
const CANCELS_RUNNING_REQUESTS = !vscode.version.startsWith("1.106.");

const SETTINGS = ["baseUrl", "profiles", "retries", "timeouts.silence", "timeouts.firstByte"];

describe("language models for other extensions", () => {
  let llm: vscode.LanguageModelChat;
  let vl: vscode.LanguageModelChat;

  before(async () => {
    await setUserSettings({ baseUrl: referenceUrl(), retries: 0 });
    llm = await modelOf("core_llm");
    vl = await modelOf("core_vl");
  });
  beforeEach(() => resetService());
  after(() => clearUserSettings(...SETTINGS));

  it("are registered per model ID, with stable ids and readable names", async () => {
    const models = await vscode.lm.selectChatModels({ vendor: "core-chat" });
    assert.deepEqual(
      models.map(({ id, name, family }) => [id, name, family]),
      [
        ["core_llm", "core_llm", "core_llm"],
        ["core_vl", "core_vl", "core_vl"],
      ],
    );
  });

  describe("of another extension", () => {
    const answers = new Answers();
    const NAME = "Model Caller (someone.model-caller)";

    beforeEach(() => answers.install());
    afterEach(() => answers.restore());

    /** Asks a model from the extension in test/fixtures/model-caller. */
    const askAsOther = (question: string) =>
      vscode.commands.executeCommand<{ text: string; code?: string; message?: string }>(
        "modelCaller.ask",
        question,
      );

    /** Opens Manage Model Access and presses this button for the other extension. */
    async function manage(button: string): Promise<void> {
      answers.pick(NAME);
      answers.choose(button);
      await vscode.commands.executeCommand("coreChat.manageModelAccess");
    }

    it("are refused without a question once the user refused, until the user allows them", async () => {
      answers.choose("Don't Allow");
      for (const asked of ["/echo one", "/echo two"]) {
        const { code, message } = await askAsOther(asked);
        assert.equal(code, "NoPermissions");
        assert.match(message ?? "", /run the command "Core Chat: Manage Model Access"/);
      }
      assert.equal(answers.shown.length, 1);
      assert.deepEqual(await receivedRequests(), []);
      await manage("Allow");
      assert.deepEqual(await askAsOther("/echo fine"), { text: "fine" });
      assert.equal(answers.shown.length, 2);
    });

    it("end when the user revokes the permission", async () => {
      await scriptService({ blocks: ["begun ", { gate: true }, "never"] });
      const asked = askAsOther("Hello");
      await untilService(({ repliesOpen }) => repliesOpen === 1);
      await manage("Revoke");
      const { code, message } = await asked;
      assert.equal(code, "NoPermissions");
      assert.match(message ?? "", /may not use the models of Core Chat/);
      await untilService(({ repliesOpen }) => repliesOpen === 0);
      assert.equal((await askAsOther("Hello")).code, "NoPermissions");
      assert.equal((await receivedRequests()).length, 1);
    });

    /** Returns the provider of a window; windows share the storage. */
    const providerOf = (
      storage: MapMemento,
      ask: ModelProviderOptions["ask"],
      connection: object,
      ownId = "",
    ) =>
      new ModelProvider({
        ask,
        services: {
          all: () => [{ baseUrl: referenceUrl(), modelCodes: { llm: "core_llm", vl: "core_vl" } }],
          connectionTo: () => Promise.resolve({ baseUrl: referenceUrl(), ...connection }),
          budgetOf: () => 32_000,
        } as unknown as Services,
        log: silentLog,
        setUp: () => Promise.resolve(),
        knownModels: new KnownModels(storage),
        modelAccess: new ModelAccess(storage, systemClock),
        ownId,
      });

    /** Asks the text model of a provider; returns the parts of its reply. */
    async function respond(provider: ModelProvider, options: object = {}): Promise<unknown[]> {
      const parts: unknown[] = [];
      await provider.respond(
        { id: "core_llm" } as vscode.LanguageModelChatInformation,
        [vscode.LanguageModelChatMessage.User("Hi")],
        options as vscode.ProvideLanguageModelChatResponseOptions,
        { report: (part) => void parts.push(part) },
        new vscode.CancellationTokenSource().token,
      );
      return parts;
    }

    it("are asked once more without tools if the service refuses them, which is kept", async () => {
      const tool = { name: "read", description: "Reads.", inputSchema: { type: "object" } };
      const body = "400: registry.ollama.ai/library/gemma3:4b does not support tools";
      await scriptService({ status: 400, body }, { blocks: ["Without."] });
      const client = createClient({ fetch: (input, init) => globalThis.fetch(input, init) });
      const provider = providerOf(
        new MapMemento(),
        (...request) => askRequest(client, ...request),
        {
          key: new ServiceKey("local"),
          connectTimeoutMs: 10_000,
          firstByteTimeoutMs: 10_000,
          silenceTimeoutMs: 10_000,
          retries: 0,
        },
      );
      const parts = await respond(provider, { tools: [tool] });
      assert.deepEqual(
        parts.map((part) => (part as vscode.LanguageModelTextPart).value),
        ["Without."],
      );
      const bodies = (await receivedRequests()).map((one) => one.body as { tools?: unknown });
      assert.deepEqual(
        bodies.slice(-2).map(({ tools }) => tools !== undefined),
        [true, false],
      );
      const [llm, vl] = await provider.information({ silent: true });
      assert.deepEqual(
        [llm?.capabilities.toolCalling, vl?.capabilities.toolCalling],
        [false, true],
      );
    });

    it("are asked about without a name if VS Code gives none, and announced in each window", async () => {
      const storage = new MapMemento();
      const asProvider = () =>
        providerOf(storage, async function* () {}, {}, "core-chat.core-chat");
      const windows = [asProvider(), asProvider()];
      answers.choose("Allow");
      for (const provider of windows.flatMap((window) => [window, window])) await respond(provider);
      assert.deepEqual(
        answers.shown.map(({ text }) => text),
        [
          "Allow extensions that VS Code does not name to use your models?",
          "An extension that VS Code does not name is using core_llm with your key.",
        ],
      );
    });
  });

  it("stream text while it is generated", async () => {
    await scriptService({ blocks: ["one ", { gate: true }, "two"] });
    const question = [user("Hello")];
    const response = await llm.sendRequest(question);
    const text: string[] = [];
    for await (const part of response.text) {
      text.push(part);
      if (text.join("") === "one ") await releaseGate();
    }
    assert.equal(text.join(""), "one two");
  });

  it("return thinking as VS Code's own part, never as text", async () => {
    const { LanguageModelThinkingPart: Part } = vscode as {
      LanguageModelThinkingPart?: new (value: string) => { readonly value: string | string[] };
    };
    await scriptService({ blocks: [{ delta: { reasoning: "Two and two." } }, "4"] });
    const response = await llm.sendRequest([user("2 + 2?")]);
    let text = "";
    const thoughts: string[] = [];
    for await (const part of response.stream) {
      if (part instanceof vscode.LanguageModelTextPart) text += part.value;
      else if (Part && part instanceof Part) thoughts.push([part.value].flat().join(""));
    }
    assert.equal(text, "4");
    // VS Code versions with the part show it to extensions that may use the proposed API.
    assert.ok(["", "Two and two."].includes(thoughts.join("")), thoughts.join(""));
  });

  it("delay text once a model has started inside its thinking", async () => {
    const blocks = ["Two and two.", "\n</think>\n\n4"];
    await scriptService({ blocks }, { blocks }, { text: "plain" });
    await ask(vl, "2 + 2?"); // Detects that the model starts inside its thinking.
    assert.equal((await ask(vl, "2 + 2?")).text, "4");
    assert.equal((await ask(vl, "No thinking")).text, "plain");
  });

  it("wait as long as the settings allow, without the time limits of VS Code's fetch", async () => {
    const limits: unknown[] = [];
    const onSent = (message: unknown) => {
      const { request } = message as { request: Record<string, unknown> };
      if (request["method"] === "POST" && /chat\/completions$/.test(String(request["path"]))) {
        limits.push(request["headersTimeout"], request["bodyTimeout"]);
      }
    };
    subscribe("undici:client:sendHeaders", onSent);
    try {
      assert.equal((await ask(llm, "/echo fine")).text, "fine");
    } finally {
      unsubscribe("undici:client:sendHeaders", onSent);
    }
    assert.deepEqual(limits, [0, 0]);
  });

  it("send the request in the service's format, without the user's own settings", async () => {
    await setUserSettings({ systemPrompt: "Not for other extensions." });
    const asked = [user("Hi"), assistant("Hello"), user("/echo fine")];
    const answer = await ask(llm, asked, { modelOptions: { temperature: 0.3, max_tokens: 99 } });
    await clearUserSettings("systemPrompt");
    assert.deepEqual(answer, { text: "fine", calls: [], error: undefined });
    const [request] = await receivedRequests();
    assert.deepEqual(request?.problems, []);
    assert.deepEqual(request.body, {
      model: "core_llm",
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Hello" },
        { role: "user", content: "/echo fine" },
      ],
      stream: true,
      temperature: 0.3,
      max_tokens: 99,
    });
  });

  it("pass a picture to the vision model byte for byte", async () => {
    const bytes = madePng(320, 200); // VS Code scales larger pictures down.
    const picture = vscode.LanguageModelDataPart.image(bytes, "image/png");
    const text = new vscode.LanguageModelTextPart("What is this?");
    const answer = await ask(vl, [user([text, picture])]);
    assert.equal(answer.error, undefined);
    assert.match(answer.text, /320 × 200/);
    const [request] = await receivedRequests();
    assert.deepEqual(request?.problems, []);
    const hash = createHash("sha256").update(bytes).digest("hex");
    assert.deepEqual(
      request.pictures.map(({ sha256, declaredType }) => [sha256, declaredType]),
      [[hash, "image/png"]],
    );
  });

  it("close the connection when the caller cancels", async () => {
    const source = new vscode.CancellationTokenSource();
    await scriptService({ blocks: ["begun ", { gate: true }, "never"] });
    const response = await llm.sendRequest([user("Hello")], {}, source.token);
    const reading = (async () => {
      for await (const part of response.text) if (part !== "") source.cancel();
    })();
    if (!CANCELS_RUNNING_REQUESTS) await releaseGate();
    await reading.catch(() => undefined); // VS Code ends the stream with or without an error.
    await untilService(({ repliesOpen }) => repliesOpen === 0);
    const [request] = await receivedRequests();
    assert.equal(request?.closedByClientAtMs !== undefined, CANCELS_RUNNING_REQUESTS);
  });

  it("change with the settings, and report a removed model as not found", async () => {
    const profiles = [{ name: "Work", baseUrl: referenceUrl(), models: { vl: "core_llm" } }];
    await setUserSettings({ profiles });
    await untilOffered("core_llm", "core_vl", "core_llm (Work)");
    const [work] = await vscode.lm.selectChatModels({ vendor: "core-chat", id: "core_llm@Work" });
    assert.ok(work);
    await clearUserSettings("profiles");
    await untilOffered("core_llm", "core_vl");
    const { error } = await ask(work, "Hello");
    assert.equal(error?.code, "NotFound");
  });

  it("are not registered if the user does not enable them", async () => {
    const [before] = await vscode.lm.selectChatModels({ vendor: "core-chat", id: "core_llm" });
    assert.ok(before);
    await setUserSettings({ offerModels: false });
    try {
      await untilOffered();
      const { error } = await ask(before, "Hello");
      assert.ok(error);
      assert.equal((await receivedRequests()).length, 0);
    } finally {
      await clearUserSettings("offerModels");
    }
    await untilOffered("core_llm", "core_vl");
  });

  it("report a missing key with its error code, and send nothing", async () => {
    const profiles = [{ name: "Far", baseUrl: "https://service.invalid" }];
    await setUserSettings({ profiles });
    await untilOffered("core_llm", "core_vl", "core_llm (Far)", "core_vl (Far)");
    const [far] = await vscode.lm.selectChatModels({ vendor: "core-chat", id: "core_llm@Far" });
    assert.ok(far);
    const { error } = await ask(far, "Hello");
    await clearUserSettings("profiles");
    assert.equal(error?.code, "NoPermissions");
    assert.equal(
      error.message,
      "There is no API key for https://service.invalid. Enter it to start.",
    );
  });

  // everyFault.test.ts has all faults, and failureMessages.test.ts all sentences.
  const failing: readonly (readonly [name: string, sentence: RegExp, code?: string])[] = [
    ["cut-mid-stream", /reply was cut off/],
    ["error-key", /service reported an error\..* “No credit left for Bearer \[redacted\]/],
    ["status-401", / (rejected the|needs an) API key/, "NoPermissions"],
  ];
  it("fail with the panel's message and a code; the next question works", async () => {
    for (const [name, sentence, code] of failing) {
      const { text, error } = await ask(llm, `/fault ${name}`);
      assert.match(error?.message ?? "", sentence, name);
      assert.equal(error?.name, "LanguageModelError", name);
      if (code !== undefined) assert.equal(error.code, code, name);
      assert.ok(SAMPLE_TEXT.startsWith(text), text.slice(0, 200));
    }
    for (const name of ["byte-every-1", "json-200", "damaged-event"]) {
      const { text, error } = await ask(llm, `/fault ${name}`);
      assert.equal(error, undefined, name);
      assert.ok(text !== "" && SAMPLE_TEXT.startsWith(text), text.slice(0, 200));
    }
  });

  it("end after the silence limits in the settings", async () => {
    await setUserSettings({ "timeouts.silence": 1, "timeouts.firstByte": 1 });
    const late = await ask(llm, "/fault silence-before-headers");
    const silent = await ask(llm, "/fault silence-mid-stream");
    await clearUserSettings("timeouts.silence", "timeouts.firstByte");
    assert.match(late.error?.message ?? "", /No response within 1 s/);
    assert.match(silent.error?.message ?? "", /No data for 1 s/);
    assert.ok(silent.text !== "");
  });

  it("are retried as often as the settings allow", async () => {
    await setUserSettings({ retries: 2 });
    const again = await ask(llm, "/fault fail-2-times-503");
    await setUserSettings({ retries: 0 });
    assert.equal(again.error, undefined);
    assert.equal((await receivedRequests()).length, 3);
  });
});
