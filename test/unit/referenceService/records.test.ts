import assert from "node:assert/strict";
import { startService, type ReferenceService } from "../../service/server";
import { ask, decode } from "./ask";

describe("the reference service's records", () => {
  let service: ReferenceService;
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.close());

  const textOf = async (response: Promise<Response>) => decode(await (await response).text()).text;

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

  it("records no disconnect if the reply ended or the service itself closed the connection", async () => {
    await textOf(ask(service, "Hello"));
    await assert.rejects(ask(service, "/fault reset-before-headers"));
    assert.equal((await service.waitForClose(1)).closedByClientAtMs, undefined);
    assert.equal((await service.waitForClose(2)).closedByClientAtMs, undefined);
  });

  it("counts open connections and has none after its end", async () => {
    const response = await ask(service, "/fault silence-mid-stream");
    assert.equal(service.connectionsOpen(), 1);
    await service.close();
    await assert.rejects(response.text());
    assert.equal(service.connectionsOpen(), 0);
    assert.equal((await service.waitForClose(1)).closedByClientAtMs, undefined);
  });
});
