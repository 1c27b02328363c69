import assert from "node:assert/strict";
import { SAMPLE_TEXT, sampleEvents } from "../../service/faults/sample";
import { startService, type ReferenceService } from "../../service/server";
import { ask, decode } from "./ask";

const WHOLE = sampleEvents("core_llm").whole;

describe("faults that break a reply", () => {
  let service: ReferenceService;
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.close());

  const run = (fault: string, stream = true) => ask(service, `/fault ${fault}`, { stream });

  /** Returns the text before the body ends or breaks; `isBroken` is true if reading failed. */
  async function arrived(fault: string): Promise<{ text: string; isBroken: boolean }> {
    const decoder = new TextDecoder();
    let text = "";
    try {
      for await (const chunk of (await run(fault)).body!) {
        text += decoder.decode(chunk, { stream: true });
      }
    } catch {
      return { text, isBroken: true };
    }
    return { text, isBroken: false };
  }

  it("cuts at the specified byte", async () => {
    const { length } = Buffer.from(WHOLE);
    for (const at of [0, 1, 500, length - 1, length]) {
      const bytes = await (await run(`cut-clean-at-${at}`)).arrayBuffer();
      assert.deepEqual(Buffer.from(bytes), Buffer.from(WHOLE).subarray(0, at));
    }
  });

  it("cuts a synchronous reply as well", async () => {
    await assert.rejects((await run("cut-mid-stream", false)).text());
    const text = await (await run("cut-clean", false)).text();
    assert.throws(() => JSON.parse(text) as unknown);
  });

  it("resets or ends the connection before any reply", async () => {
    await assert.rejects(run("reset-before-headers"), TypeError);
    await assert.rejects(run("fin-before-headers"), TypeError);
    await assert.rejects(run("reset-before-headers-once"), TypeError);
    assert.equal(decode(await (await run("reset-before-headers-once")).text()).text, SAMPLE_TEXT);
  });

  it("resets the connection only after the whole reply as reset-after-done", async () => {
    const reply = await arrived("reset-after-done");
    assert.deepEqual(reply, { text: WHOLE, isBroken: true });
  });

  it("sends only the headers as silence-before-first", async () => {
    const response = await run("silence-before-first");
    assert.equal(response.status, 200);
    await response.body!.cancel();
    assert.notEqual((await service.waitForClose(1)).closedByClientAtMs, undefined);
  });

  it("labels plain bytes as gzip, and gzip as plain bytes", async () => {
    await assert.rejects((await run("gzip-wrong-header")).text());
    const bytes = Buffer.from(await (await run("gzip-no-header")).arrayBuffer());
    assert.equal(bytes.readUInt16BE(0), 0x1f8b);
  });

  it("sends lines and events of the specified size", async () => {
    const longest = (parts: string[]) => Math.max(...parts.map((part) => part.length));
    const line = await (await run("long-line-10mb")).text();
    assert.equal(longest(line.split("\n")), 10 * 1024 * 1024);
    const event = await (await run("big-event-10mb")).text();
    assert.ok(longest(event.split("\n\n")) > 10 * 1024 * 1024);
    assert.ok(longest(event.split("\n")) < 2000);
    assert.equal(decode(event).text, SAMPLE_TEXT);
    const under = await (await run("event-just-under-8mb")).text();
    assert.equal(longest(under.split("\n\n")), 8 * 1024 * 1024 - 1024);
    assert.equal(decode(under).finishReason, "stop");
  });
});
