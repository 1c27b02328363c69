/** Lists of models, of a service and of the servers on this machine. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { findLocalServers, listModels } from "../../../src/host/settings/modelList";
import { ServiceKey } from "../../../src/service/serviceKey";

const list = (...ids: string[]): Response => Response.json({ data: ids.map((id) => ({ id })) });

type Fetch = typeof globalThis.fetch;
const answering =
  (answer: (url: string, init: RequestInit) => Response): Fetch =>
  (url, init = {}) =>
    new Promise((resolve) => resolve(answer(url as string, init)));

describe("the models of a service", () => {
  const service = {
    baseUrl: "https://maas.test",
    path: "/api/v1/chat/completions",
    key: new ServiceKey("k1"),
  };

  it("are asked next to its endpoint, with its key and headers and without redirects", async () => {
    const asked: [string, RequestInit][] = [];
    const fetch = answering((url, init) => {
      asked.push([url, init]);
      return list("a", "b", "a");
    });
    const headers = { "x-team": "1" };
    assert.deepEqual(await listModels({ ...service, headers }, fetch), ["a", "b"]);
    const [url, init] = asked[0] ?? [];
    assert.equal(url, "https://maas.test/api/v1/models");
    const sent = new Headers(init?.headers);
    assert.deepEqual([sent.get("x-team"), sent.get("authorization")], ["1", "Bearer k1"]);
    assert.equal(init?.redirect, "error");
  });

  it("are listed although the key of a command has expired", async () => {
    const keys: (string | undefined)[] = [];
    const server = createServer(({ headers: { authorization } }, response) => {
      keys.push(authorization);
      response.statusCode = authorization === "Bearer newer" ? 200 : 401;
      response.end(JSON.stringify({ data: [{ id: "a" }] }));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const listWith = (newer: string | undefined) => {
      const key = new ServiceKey("old", () => Promise.resolve(newer));
      return listModels({ ...service, baseUrl: `http://127.0.0.1:${port}`, key }, fetch);
    };
    try {
      assert.deepEqual(await listWith("newer"), ["a"]);
      assert.deepEqual(keys, ["Bearer old", "Bearer newer"]);
      assert.equal(await listWith(undefined), undefined);
      assert.equal(await listWith("also-old"), undefined);
      assert.deepEqual(keys.slice(2), ["Bearer old", "Bearer old", "Bearer also-old"]);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it("are unknown if there is no list", async () => {
    const answers = [
      () => new Response("no", { status: 404 }),
      () => Response.json({ models: [] }),
      () => Response.json({ data: [{ id: 1 }] }),
      () => new Response("<html></html>"),
      () => {
        throw new TypeError("fetch failed");
      },
    ];
    for (const answer of answers) {
      assert.equal(await listModels(service, answering(answer)), undefined);
    }
  });
});

describe("the servers on this machine", () => {
  it("are those of the known ports that list models", async () => {
    const asked: string[] = [];
    const fetch = answering((url) => {
      asked.push(url);
      if (url.includes(":11434/")) return list("llama3.2", "qwen3");
      throw new TypeError("fetch failed");
    });
    assert.deepEqual(await findLocalServers(fetch), [
      {
        name: "Ollama",
        baseUrl: "http://127.0.0.1:11434",
        path: "/v1/chat/completions",
        models: ["llama3.2", "qwen3"],
      },
    ]);
    assert.deepEqual(
      asked.map((url) => new URL(url).host),
      ["127.0.0.1:11434", "127.0.0.1:1234", "127.0.0.1:8080", "127.0.0.1:8000"],
    );
  });
});
