import assert from "node:assert/strict";
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { COMPLETIONS_PATH } from "../../service/completions";
import { findFault } from "../../service/faults/faults";
import { FAULT_MENU } from "../../service/faults/menu";
import { SAMPLE_BLOCKS, SAMPLE_TEXT } from "../../service/faults/sample";
import { startService, type ReferenceService } from "../../service/server";
import { ask, bodyOf, decode, HEADERS, type StreamedReply } from "./ask";

describe("faults of a stream's content", () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  const streamOf = async (fault: string) => (await ask(service, `/fault ${fault}`)).text();
  const replyTo = async (fault: string): Promise<StreamedReply> => decode(await streamOf(fault));

  it("sends split-every-byte as HTTP chunks of one byte", async () => {
    const request = httpRequest(service.url + COMPLETIONS_PATH, {
      method: "POST",
      headers: HEADERS,
    });
    request.end(bodyOf("/fault split-every-byte"));
    const [response] = (await once(request, "response")) as [IncomingMessage];
    const sizes: number[] = [];
    response.on("data", (chunk: Buffer) => sizes.push(chunk.length));
    await once(response, "end");
    assert.ok(sizes.length > 1000);
    assert.equal(Math.max(...sizes), 1);
  });

  it("sends the line endings of its name", async () => {
    assert.equal(/[^\r]\n/.test(await streamOf("crlf")), false);
    assert.equal((await streamOf("cr-only")).includes("\n"), false);
    const mixed = await streamOf("mixed-line-ends");
    for (const lineEnds of [/[^\r]\n\n/, /\r\n\r\n/, /\r\r[^\n]/]) assert.match(mixed, lineEnds);
  });

  it("sends invalid-utf8 with the valid text around it", async () => {
    const bytes = await (await ask(service, "/fault invalid-utf8")).arrayBuffer();
    assert.throws(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    const { text } = decode(new TextDecoder().decode(bytes));
    assert.match(text, /bad: \ufffdA\ufffdA\ufffd+A\ufffd+A\ufffd end\. /u);
    assert.ok(text.endsWith(SAMPLE_BLOCKS.at(-1)!));
  });

  const endings: [string, string | undefined, string | undefined][] = [
    ["no-done", "stop", undefined],
    ["no-finish", undefined, undefined],
    ["done-only", undefined, "[DONE]"],
    ["finish-length", "length", "[DONE]"],
    ["finish-content-filter", "content_filter", "[DONE]"],
    ["finish-tool-calls", "tool_calls", "[DONE]"],
    ["finish-unknown", "tired", "[DONE]"],
    ["done-junk", undefined, "[DONE]junk"],
    ["done-space", undefined, "[DONE] "],
    ["done-multi-line", undefined, "[DONE]\n"],
  ];
  for (const [name, finishReason, done] of endings) {
    it(`ends ${name} according to its name`, async () => {
      const reply = await replyTo(name);
      assert.equal(reply.text, SAMPLE_TEXT);
      assert.equal(reply.finishReason, finishReason);
      assert.equal(
        reply.data.find((data) => data.startsWith("[DONE]")),
        done,
      );
    });
  }

  it("sends more after [DONE] as data-after-done", async () => {
    const { data } = await replyTo("data-after-done");
    assert.ok(data.indexOf("[DONE]") < data.length - 1);
  });

  it("sends one event that is not JSON as damaged-event", async () => {
    const { data, text } = await replyTo("damaged-event");
    const damaged = data.filter((item) => {
      try {
        JSON.parse(item);
        return false;
      } catch {
        return item !== "[DONE]";
      }
    });
    assert.equal(damaged.length, 1);
    assert.equal(text, SAMPLE_TEXT);
  });

  const shapes: [string, string][] = [
    ["delta-message", '"message":{"role":"assistant","content":"'],
    ["delta-messages", '"messages":{'],
    ["delta-messages-list", '"messages":[{'],
    ["delta-text", '"index":0,"text":"'],
    ["delta-string", '"delta":"'],
    ["delta-parts", '"delta":{"content":[{"type":"text","text":"'],
    ["content-number", '"content":42'],
  ];
  for (const [name, piece] of shapes) {
    it(`sends the shape ${name}`, async () => {
      assert.ok((await streamOf(name)).includes(piece));
    });
  }

  it("sends errors after some text or before any", async () => {
    for (const name of ["error-object", "error-event", "error-string", "error-long", "error-key"]) {
      const { data, text } = await replyTo(name);
      assert.equal(text, SAMPLE_BLOCKS.slice(0, 3).join(""));
      assert.ok(data.at(-1)!.startsWith('{"error":'));
    }
    assert.equal((await replyTo("error-object-first")).data.length, 1);
    assert.match(await streamOf("error-event-first"), /^event: error\n/);
    assert.match(await streamOf("error-key"), /Bearer test-key/);
  });

  it("rejects a stream fault for a synchronous request", async () => {
    const response = await ask(service, "/fault crlf", { stream: false });
    assert.equal(response.status, 400);
    assert.match(await response.text(), /streamed replies only/);
  });

  it("rejects an unknown fault and names the way to the list", async () => {
    const response = await ask(service, "/fault no-such-fault");
    assert.equal(response.status, 400);
    assert.match(await response.text(), /no fault named no-such-fault; \/faults all lists them/);
  });

  it("lists every fault for /faults all", async () => {
    const { text } = decode(await (await ask(service, "/faults all")).text());
    assert.match(text, /\| S13 \| `damaged-event` \| .+ \| complete \|\n/);
  });

  it("lists a few failures for /faults, each with a phrase that works", async () => {
    const { text } = decode(await (await ask(service, "/faults")).text());
    assert.ok(text.split("\n").length < 25, "the list is short");
    assert.doesNotMatch(text, /^\|/m);
    const phrases = [...text.matchAll(/`\/fault (\S+)`/g)].map(([, name]) => name!);
    assert.equal(phrases.length, FAULT_MENU.length);
    for (const name of phrases) assert.ok(findFault(name), name);
  });
});
