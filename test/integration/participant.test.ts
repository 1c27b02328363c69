/**
 * `@core` of VS Code's own chat view: what a request with files, stretches and pictures sends, how it
 * is cancelled, and what is said when it cannot be asked.
 */
import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { PrepareTurn } from "../../src/chat/prepareTurn";
import { Participant } from "../../src/host/chatApi/participant";
import { createClient } from "../../src/service/client";
import { closeAll, MapMemento, poll, workspaceUri } from "./editing";
import {
  receivedRequests,
  referenceUrl,
  releaseGate,
  resetService,
  scriptService,
  untilService,
} from "./reference";

/** VS Code's stream, kept. */
class Heard {
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
  readonly memory?: vscode.Memento;
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
      key: "local",
      connectTimeoutMs: 5_000,
      firstByteTimeoutMs: 5_000,
      silenceTimeoutMs: 5_000,
      retries: 0,
    },
  });
};

/** Asks as VS Code does. */
async function ask(prompt: string, asked: Asked = {}, heard = new Heard()) {
  const { prepare = prepareTurn, references = [], history = [], memory } = asked;
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const client = createClient({ fetch: (input, init) => globalThis.fetch(input, init) });
  const token = asked.token ?? new vscode.CancellationTokenSource().token;
  const given = references.map((value, index) => ({ id: `attached ${index}`, value }));
  const options = { client, prepareTurn: prepare, log, ...(memory && { memory }) };
  const result = await new Participant(options).answer(
    { prompt, references: given } as unknown as vscode.ChatRequest,
    { history } as unknown as vscode.ChatContext,
    heard.stream,
    token,
  );
  return { result, heard };
}

const lastBody = async () => JSON.stringify((await receivedRequests()).at(-1)?.body);

describe("the chat participant", () => {
  const sample = (...names: string[]) => workspaceUri(...names);
  beforeEach(() => resetService());
  after(closeAll);

  it("streams the reply and shows what was sent", async () => {
    await scriptService({ blocks: ["One ", "two."] });
    const { result, heard } = await ask("a question");
    assert.deepEqual(result, {});
    assert.equal(heard.text, "One two.");
    assert.match(heard.progress.at(-1) ?? "", /^core_llm · ~\d+ tokens$/);
    assert.ok((await lastBody()).includes("a question"));
  });

  it("shows thinking as VS Code's own part if available, otherwise as one line of progress", async () => {
    const blocks = [{ delta: { reasoning: "Two " } }, { delta: { reasoning: "and two." } }, "4"];
    await scriptService({ blocks }, { blocks }, { blocks });
    const { heard } = await ask("2 + 2?");
    assert.equal(heard.text, "4");
    assert.equal(heard.progress.filter((line) => line === "Thinking…").length, 1);

    const refused = new Heard();
    const thinkingProgress = () => {
      throw new Error("this extension cannot use the API proposal");
    };
    Object.assign(refused.stream, { thinkingProgress });
    await ask("2 + 2?", {}, refused);
    assert.equal(refused.progress.filter((line) => line === "Thinking…").length, 1);

    const allowed = new Heard();
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
    const memory = new MapMemento();
    await ask("2 + 2?", { memory });
    const { heard } = await ask("2 + 2?", { memory });
    assert.equal(heard.text, "4");
    assert.ok(heard.progress.includes("Thinking…"));
  });

  it("sends an attached file, range and picture", async () => {
    const file = sample("scripts", "sales.csv");
    const stretch = new vscode.Location(sample("shop", "cart.ts"), new vscode.Range(1, 0, 3, 0));
    const picture = sample("pictures", "checkout.png");
    const { result, heard } = await ask("what is this?", {
      references: [picture, stretch, file, { kind: "of a later VS Code" }],
    });
    assert.deepEqual(result, {});
    assert.match(heard.progress.join("\n"), /core_vl · 1 picture/);
    assert.ok(heard.progress.includes("Not supported, so not included: attached 3."));
    const body = await lastBody();
    const lines = await vscode.workspace.openTextDocument(stretch.uri);
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

  it("sends nothing when an attachment cannot be sent, and reports what to do", async () => {
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
    const heard = new Heard();
    const answering = ask("a question", { token: source.token }, heard);
    await poll(() => Promise.resolve(heard.text === "Half"), "half of the reply");
    source.cancel();
    assert.deepEqual((await answering).result, {});
    assert.equal(heard.text, "Half");
    await releaseGate();
    await untilService(({ repliesOpen }) => repliesOpen === 0);
    const before = (await receivedRequests()).length;
    assert.deepEqual((await ask("too late", { token: source.token })).result, {});
    assert.equal((await receivedRequests()).length, before);
  });

  it("shows the panel's sentence for a missing setting, with its command", async () => {
    const origin = "https://service.invalid";
    const prepare: PrepareTurn = () => Promise.resolve({ kind: "no-key", origin });
    const { result, heard } = await ask("a question", { prepare });
    assert.deepEqual(
      result.errorDetails?.message,
      `There is no API key for ${origin}. Enter it to start.`,
    );
    assert.deepEqual(heard.buttons, [{ title: "Set API Key", command: "coreChat.setApiKey" }]);
  });

  it("keeps the text of a reply that was cut off, and removes the text of a blocked reply", async () => {
    await scriptService({ blocks: ["Half"], finishReason: null, done: false });
    const cut = await ask("a question");
    assert.equal(cut.heard.text, "Half");
    assert.equal(
      cut.result.errorDetails?.message,
      "The reply was cut off. The text so far is kept. Choose Continue for the rest.",
    );
    await scriptService({ blocks: ["Half"], finishReason: "content_filter" });
    const withheld = await ask("a question");
    assert.equal(withheld.result.errorDetails?.responseIsFiltered, true);
  });
});
