/** Asks the same question through each client; `ask(fetch)` returns the whole text of the reply. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const BASE_URL = "https://service.test";
const messages = [{ role: "user", content: "Hello" }];

/**
 * Loads the clients by name; `ours` is Core Chat's bundled client module, `peersFolder` contains
 * the others.
 */
export async function loadClients(ours, peersFolder) {
  const require = createRequire(join(peersFolder, "package.json"));
  const load = (name) => import(pathToFileURL(require.resolve(name)).href);
  // The package.json of eventsource-parser has no entry for `require`.
  const parserEntry = join(peersFolder, "node_modules/eventsource-parser/dist/index.js");
  const { createParser } = await import(pathToFileURL(parserEntry).href);
  const { default: OpenAI } = await load("openai");
  const { createOpenAICompatible } = await load("@ai-sdk/openai-compatible");
  const { streamText } = await load("ai");
  const { fetchEventSource } = await load("@microsoft/fetch-event-source");
  return {
    "bare parser": (fetch) => askBare(fetch, createParser),
    "Core Chat": (fetch) => askOurs(fetch, ours),
    "fetch-event-source": (fetch) => askEventSource(fetch, fetchEventSource),
    openai: (fetch) => askOpenAI(fetch, OpenAI),
    "ai + openai-compatible": (fetch) => askAiSdk(fetch, createOpenAICompatible, streamText),
  };
}

/** Uses only eventsource-parser and JSON.parse: no size limits, no timeouts, no checks. */
async function askBare(fetch, createParser) {
  const { body } = await fetch(BASE_URL, {});
  let text = "";
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data !== "[DONE]") text += JSON.parse(data).choices[0].delta.content ?? "";
    },
  });
  const reader = body.getReader();
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text;
    parser.feed(decoder.decode(value, { stream: true }));
  }
}

async function askOurs(fetch, { createClient, ServiceKey }) {
  const request = {
    kind: "llm",
    modelCode: "core_llm",
    messages: [{ role: "user", parts: [{ type: "text", text: "Hello" }] }],
    sampling: {},
    stream: true,
  };
  const connection = {
    baseUrl: BASE_URL,
    key: new ServiceKey("bench-key"),
    connectTimeoutMs: 10_000,
    firstByteTimeoutMs: 60_000,
    silenceTimeoutMs: 60_000,
    retries: 2,
  };
  let text = "";
  const { signal } = new AbortController();
  for await (const event of createClient({ fetch }).complete(request, connection, signal)) {
    if (event.type === "text-delta") text += event.text;
  }
  return text;
}

async function askEventSource(fetch, fetchEventSource) {
  // Written for web pages: the package uses these properties of a page only.
  globalThis.document ??= { hidden: false, addEventListener() {}, removeEventListener() {} };
  globalThis.window ??= { setTimeout, clearTimeout, fetch };
  let text = "";
  await fetchEventSource(BASE_URL, {
    fetch,
    method: "POST",
    openWhenHidden: true,
    onmessage: ({ data }) => {
      if (data !== "[DONE]") text += JSON.parse(data).choices[0].delta.content ?? "";
    },
    onerror: (error) => {
      throw error;
    },
  });
  return text;
}

async function askOpenAI(fetch, OpenAI) {
  const client = new OpenAI({ baseURL: BASE_URL, apiKey: "bench-key", fetch, maxRetries: 0 });
  let text = "";
  const reply = await client.chat.completions.create({ model: "core_llm", messages, stream: true });
  for await (const block of reply) text += block.choices[0]?.delta?.content ?? "";
  return text;
}

async function askAiSdk(fetch, createOpenAICompatible, streamText) {
  const provider = createOpenAICompatible({ name: "bench", baseURL: BASE_URL, fetch });
  let text = "";
  const { textStream } = streamText({ model: provider("core_llm"), messages, maxRetries: 0 });
  for await (const part of textStream) text += part;
  return text;
}
