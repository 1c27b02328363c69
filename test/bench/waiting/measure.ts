/**
 * Asks two services at once: the first is silent before its first byte, the second during its
 * thinking.
 */
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createConnectionWatch } from "../../../src/host/node/watchConnection";
import { createClient } from "../../../src/service/client";
import { ServiceKey } from "../../../src/service/serviceKey";

const SILENCE_MS = 310_000;
const HOUR_MS = 3_600_000;

type Play = (response: ServerResponse) => void;

const block = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const ANSWER = block({ content: "4" }) + block({}, "stop") + "data: [DONE]\n\n";

const SERVICES: Readonly<Record<string, Play>> = {
  "before the first byte": (response) => {
    setTimeout(() => response.end(ANSWER), SILENCE_MS);
  },
  "between two thoughts": (response) => {
    response.write(block({ reasoning: "Two and " }));
    setTimeout(() => response.end(block({ reasoning: "two." }) + ANSWER), SILENCE_MS);
  },
};

export async function measure(log: (line: string) => void): Promise<void> {
  const results = Object.entries(SERVICES).map(async ([name, play]) => {
    const startedMs = performance.now();
    const outcome = await ask(play).catch((error: unknown) => `failed: ${String(error)}`);
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    log(`silent for ${SILENCE_MS / 1000} s ${name}: ${outcome} after ${seconds} s`);
    if (outcome !== "whole reply") process.exitCode = 1;
  });
  await Promise.all(results);
}

async function ask(play: Play): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      response.setHeader("content-type", "text/event-stream");
      play(response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const connections = createConnectionWatch();
  const client = createClient({
    fetch: (input, init) => fetch(input, init),
    watchConnection: connections.watch,
    canStreamUpload: connections.canStreamUpload,
  });
  let text = "";
  const request = {
    kind: "llm" as const,
    modelCode: "core_llm",
    messages: [{ role: "user" as const, parts: [{ type: "text" as const, text: "2 + 2?" }] }],
    sampling: {},
    stream: true,
  };
  const connection = {
    baseUrl: `http://127.0.0.1:${port}`,
    key: new ServiceKey(""),
    connectTimeoutMs: 10_000,
    firstByteTimeoutMs: HOUR_MS,
    silenceTimeoutMs: HOUR_MS,
    retries: 0,
  };
  try {
    for await (const event of client.complete(request, connection, new AbortController().signal)) {
      if (event.type === "text-delta") text += event.text;
    }
  } finally {
    connections.dispose();
    server.close();
    server.closeAllConnections();
  }
  return text === "4" ? "whole reply" : `half a reply: "${text}"`;
}
