import assert from "node:assert/strict";
import { startService, type RecordedRequest, type ReferenceService } from "../../service/server";
import { ask, decode } from "./ask";

describe("the reference service's records", () => {
  let service: ReferenceService;
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.close());

  const textOf = async (response: Promise<Response>) => decode(await (await response).text()).text;
  const call = (method: string, path: string, body?: unknown) =>
    fetch(service.url + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });

  it("keeps the received request", async () => {
    await textOf(ask(service, "Hello", { headers: { "x-extra": "1" } }));
    const [request] = service.requests;
    assert.equal(request?.number, 1);
    assert.equal(request.method, "POST");
    assert.equal(request.path, "/maas/v1/chat/completions");
    assert.equal(request.headers["x-extra"], "1");
    assert.deepEqual(request.body, JSON.parse(request.bodyText));
    assert.equal(request.closedByClientAtMs, undefined);
  });

  it("records when the client disconnects during a reply, and stops", async () => {
    service.script({ blocks: ["first", { gate: true }, "never sent"] });
    const controller = new AbortController();
    const response = await ask(service, "Hello", { signal: controller.signal });
    await response.body!.getReader().read();
    assert.equal(service.repliesOpen(), 1);
    controller.abort();
    const record = await service.waitForClose(1);
    assert.equal(service.repliesOpen(), 0);
    assert.ok(record.closedByClientAtMs! >= record.receivedAtMs);
  });

  it("records when the client disconnects before any reply", async () => {
    const controller = new AbortController();
    const response = ask(service, "/fault silence-before-headers", { signal: controller.signal });
    await service.waitForRequest(1);
    controller.abort();
    await assert.rejects(response);
    assert.notEqual((await service.waitForClose(1)).closedByClientAtMs, undefined);
  });

  it("records no disconnect if the reply ended or the service itself closed the connection", async () => {
    await textOf(ask(service, "Hello"));
    await assert.rejects(ask(service, "/fault reset-before-headers"));
    assert.equal((await service.waitForClose(1)).closedByClientAtMs, undefined);
    assert.equal((await service.waitForClose(2)).closedByClientAtMs, undefined);
  });

  it("sends scripted replies in order and then its usual replies", async () => {
    service.script({ text: "one" }, { blocks: ["t", "wo"] }, { status: 418, body: "three" });
    assert.equal(await textOf(ask(service, "a")), "one");
    assert.equal(await textOf(ask(service, "b")), "two");
    const third = await ask(service, "c");
    assert.deepEqual([third.status, await third.text()], [418, "three"]);
    assert.match(await textOf(ask(service, "d")), /no model/);
  });

  it("keeps a scripted reply for a request that follows the spec", async () => {
    service.script({ text: "one" });
    assert.equal((await ask(service, "a", { fields: { temperature: 9 } })).status, 400);
    assert.equal(await textOf(ask(service, "a")), "one");
  });

  it("waits at a gate, which can be released before or after it is reached", async () => {
    const gated = { blocks: ["a", { gate: true as const }, "b"], finishReason: null, done: false };
    service.script(gated, gated);
    service.releaseGate();
    assert.equal(await textOf(ask(service, "x")), "ab");
    const response = await ask(service, "y");
    const reader = response.body!.getReader();
    let seen = "";
    while (!seen.includes('"a"')) seen += new TextDecoder().decode((await reader.read()).value);
    assert.equal(seen.includes('"b"'), false);
    service.releaseGate();
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      seen += new TextDecoder().decode(part.value);
    }
    assert.equal(decode(seen).text, "ab");
    assert.equal(seen.includes("[DONE]"), false);
  });

  it("can be read, scripted, released and reset over HTTP", async () => {
    await call("POST", "/_service/script", [{ blocks: ["a", { gate: true }, "b"] }]);
    const response = textOf(ask(service, "Hello"));
    await service.waitForRequest(1);
    await call("POST", "/_service/gate");
    assert.equal(await response, "ab");
    const list = (await (await call("GET", "/_service/requests")).json()) as RecordedRequest[];
    assert.deepEqual(
      list.map((request) => request.number),
      [1],
    );
    await call("POST", "/_service/reset");
    assert.equal(service.requests.length, 0);
    await textOf(ask(service, "Hello"));
    assert.equal(service.requests[0]!.number, 1);
  });

  it("rejects an invalid script and names the field", async () => {
    const response = await call("POST", "/_service/script", [{ textt: "one" }]);
    assert.equal(response.status, 400);
    assert.match(await response.text(), /textt/);
  });

  it("counts open connections and has none after its end", async () => {
    const response = await ask(service, "/fault silence-mid-stream");
    assert.equal(service.connectionsOpen(), 1);
    await service.close();
    await assert.rejects(response.text());
    assert.equal(service.connectionsOpen(), 0);
    assert.equal((await service.waitForClose(1)).closedByClientAtMs, undefined);
  });

  it("rejects if a request never arrives", async () => {
    const waiting = service.waitForClose(7);
    await Promise.all([assert.rejects(waiting, /request 7/), service.close()]);
  });
});
