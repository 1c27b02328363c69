/**
 * Tests `@core` in VS Code's own chat view: requests with files, ranges and pictures, cancellation,
 * and the messages when no request can be sent.
 */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { PrepareTurn } from "../../src/chat/conversation/prepareTurn";
import { Participant } from "../../src/host/chatApi/participant";
import { KnownModels } from "../../src/host/settings/knownModels";
import { createClient } from "../../src/service/client";
import { ServiceKey } from "../../src/service/serviceKey";
import { closeAll, MapMemento, poll, workspaceUri } from "./editing";
import {
  receivedRequests,
  referenceUrl,
  releaseGate,
  resetService,
  scriptService,
  untilService,
} from "./reference";

/** Records the output to VS Code's response stream. */
class RecordedOutput {
  text = "";
  readonly progress: string[] = [];
  readonly buttons: vscode.Command[] = [];
  readonly stream = {
    markdown: (value: string) => void (this.text += value),
    progress: (value: string) => void this.progress.push(value),
    button: (command: vscode.Command) => void this.buttons.push(command),
  } as unknown as vscode.ChatResponseStream;
}

interface Asked {
  readonly references?: readonly unknown[];
  readonly history?: readonly unknown[];
  readonly token?: vscode.CancellationToken;
  readonly prepare?: PrepareTurn;
  readonly knownModels?: KnownModels;
}

const prepareTurn: PrepareTurn = (path) => {
  const holdsPicture = path.some(
    (message) => message.role === "user" && message.parts.some(({ kind }) => kind === "image"),
  );
  const modelKind = holdsPicture ? "vl" : "llm";
  return Promise.resolve({
    modelKind,
    modelCode: `core_${modelKind}`,
    profile: "",
    systemPrompt: "",
    sampling: {},
    isStreamed: true,
    budgetTokens: 32_000,
    contentFilter: "withdraw",
    connection: {
      baseUrl: referenceUrl(),
      key: new ServiceKey("local"),
      connectTimeoutMs: 5_000,
      firstByteTimeoutMs: 5_000,
      silenceTimeoutMs: 5_000,
      retries: 0,
    },
  });
};

/** Calls the participant as VS Code does. */
async function ask(prompt: string, asked: Asked = {}, output = new RecordedOutput()) {
  const { prepare = prepareTurn, references = [], history = [] } = asked;
  const { knownModels = new KnownModels(new MapMemento()) } = asked;
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const client = createClient({
    fetch: (input, init) => globalThis.fetch(input, init),
    onThinkingFirst: (host, code, isThinkingFirst) =>
      knownModels.note(host, code, { isThinkingFirst }),
  });
  const token = asked.token ?? new vscode.CancellationTokenSource().token;
  const given = references.map((value, index) => ({ id: `attached ${index}`, value }));
  const options = { client, prepareTurn: prepare, log, knownModels };
  const result = await new Participant(options).answer(
    { prompt, references: given } as unknown as vscode.ChatRequest,
    { history } as unknown as vscode.ChatContext,
    output.stream,
    token,
  );
  return { result, output };
}

const lastBody = async () => JSON.stringify((await receivedRequests()).at(-1)?.body);

describe("the chat participant", () => {
  const sample = (...names: string[]) => workspaceUri(...names);
  beforeEach(() => resetService());
  after(closeAll);

  it("streams the reply and shows what was sent", async () => {
    await scriptService({ blocks: ["One ", "two."] });
    const { result, output } = await ask("a question");
    assert.deepEqual(result, {});
    assert.equal(output.text, "One two.");
    assert.match(output.progress.at(-1) ?? "", /^core_llm · ~\d+ tokens$/);
    assert.ok((await lastBody()).includes("a question"));
  });

  it("shows thinking as VS Code's own part if available, otherwise as one line of progress", async () => {
    const blocks = [{ delta: { reasoning: "Two " } }, { delta: { reasoning: "and two." } }, "4"];
    await scriptService({ blocks }, { blocks }, { blocks });
    const { output } = await ask("2 + 2?");
    assert.equal(output.text, "4");
    assert.equal(output.progress.filter((line) => line === "Thinking…").length, 1);

    const refused = new RecordedOutput();
    const thinkingProgress = () => {
      throw new Error("this extension cannot use the API proposal");
    };
    Object.assign(refused.stream, { thinkingProgress });
    await ask("2 + 2?", {}, refused);
    assert.equal(refused.progress.filter((line) => line === "Thinking…").length, 1);

    const allowed = new RecordedOutput();
    const thoughts: string[] = [];
    const keep = ({ text }: { text: string }) => void thoughts.push(text);
    Object.assign(allowed.stream, { thinkingProgress: keep });
    await ask("2 + 2?", {}, allowed);
    assert.equal(thoughts.join(""), "Two and two.");
    assert.equal(allowed.text, "4");
    assert.ok(!allowed.progress.includes("Thinking…"));
  });

  it("delays text once a model has started inside its thinking", async () => {
    const blocks = ["Two and two.", "\n</think>\n\n4"];
    await scriptService({ blocks }, { blocks });
    const knownModels = new KnownModels(new MapMemento());
    await ask("2 + 2?", { knownModels });
    const { output } = await ask("2 + 2?", { knownModels });
    assert.equal(output.text, "4");
    assert.ok(output.progress.includes("Thinking…"));
  });

  it("sends an attached file, range and picture", async () => {
    const file = sample("scripts", "sales.csv");
    const range = new vscode.Location(sample("shop", "cart.ts"), new vscode.Range(1, 0, 3, 0));
    const picture = sample("pictures", "checkout.png");
    const { result, output } = await ask("what is this?", {
      references: [picture, range, file, { kind: "of a later VS Code" }],
    });
    assert.deepEqual(result, {});
    assert.match(output.progress.join("\n"), /core_vl · 1 picture/);
    assert.ok(output.progress.includes("Not supported, so not included: attached 3."));
    const body = await lastBody();
    const lines = await vscode.workspace.openTextDocument(range.uri);
    for (const expected of [
      "scripts/sales.csv",
      "shop/cart.ts",
      JSON.stringify(lines.lineAt(1).text).slice(1, -1),
      "data:image/png;base64,",
    ]) {
      assert.ok(body.includes(expected), expected);
    }
    assert.ok(!body.includes(JSON.stringify(lines.lineAt(4).text).slice(1, -1)));
  });

  it("sends a pasted picture, and the earlier questions and replies", async () => {
    const bytes = await vscode.workspace.fs.readFile(sample("pictures", "checkout.png"));
    const data = () => Promise.resolve(bytes);
    await ask("and now?", {
      references: [{ mimeType: "image/png", data }],
      history: [
        { prompt: "the first question", references: [] },
        { response: [new vscode.ChatResponseMarkdownPart("the first answer")] },
      ],
    });
    const { messages } = (await receivedRequests()).at(-1)?.body as { messages: unknown[] };
    const roles = (messages as { role: string }[]).map(({ role }) => role);
    assert.deepEqual(roles, ["user", "assistant", "user"]);
    const text = JSON.stringify(messages);
    assert.ok(text.includes("the first question") && text.includes("the first answer"));
    assert.ok(text.includes("data:image/png;base64,"));
  });

  it("sends nothing when an attachment cannot be sent, and reports the next step", async () => {
    const archive = sample("archive.zip");
    await vscode.workspace.fs.writeFile(archive, Buffer.from("PK\u0003\u0004 more"));
    const broken = { data: () => Promise.reject(new Error("gone")) };
    const noPicture = sample("nothing.png");
    await vscode.workspace.fs.writeFile(noPicture, Buffer.from("no picture"));
    for (const [value, sentence] of [
      [archive, "archive.zip is an archive. Extract it and add a file from it."],
      [broken, "attached 0 could not be read. Check that it exists."],
      [noPicture, "nothing.png is not a supported picture. Attach it as PNG or JPEG."],
      [sample("missing.ts"), "missing.ts could not be read. Check that it exists."],
    ] as const) {
      const { result } = await ask("what is this?", { references: [value] });
      assert.deepEqual(result.errorDetails, { message: sentence });
    }
    assert.equal((await receivedRequests()).length, 0);
  });

  it("closes the connection when it is canceled, and adds nothing", async () => {
    await scriptService({ blocks: ["Half", { gate: true }, " more"] });
    const source = new vscode.CancellationTokenSource();
    const output = new RecordedOutput();
    const answering = ask("a question", { token: source.token }, output);
    await poll(() => Promise.resolve(output.text === "Half"), "half of the reply");
    source.cancel();
    assert.deepEqual((await answering).result, {});
    assert.equal(output.text, "Half");
    await releaseGate();
    await untilService(({ repliesOpen }) => repliesOpen === 0);
    const before = (await receivedRequests()).length;
    assert.deepEqual((await ask("too late", { token: source.token })).result, {});
    assert.equal((await receivedRequests()).length, before);
  });

  it("shows the panel's message for a missing setting, with its command", async () => {
    const origin = "https://service.invalid";
    const prepare: PrepareTurn = () => Promise.resolve({ kind: "no-key", origin });
    const { result, output } = await ask("a question", { prepare });
    assert.deepEqual(
      result.errorDetails?.message,
      `There is no API key for ${origin}. Enter it to start.`,
    );
    assert.deepEqual(output.buttons, [{ title: "Set API Key", command: "coreChat.setApiKey" }]);
  });

  it("keeps the text of a reply that was cut off, and removes the text of a blocked reply", async () => {
    await scriptService({ blocks: ["Half"], finishReason: null, done: false });
    const cut = await ask("a question");
    assert.equal(cut.output.text, "Half");
    assert.equal(
      cut.result.errorDetails?.message,
      "The reply was cut off. The text so far is kept. Choose Continue for the rest.",
    );
    await scriptService({ blocks: ["Half"], finishReason: "content_filter" });
    const withheld = await ask("a question");
    assert.equal(withheld.result.errorDetails?.responseIsFiltered, true);
  });
});
