/**
 * Recordings of exchanges: what a user saves is what the reference service plays, and without texts
 * it contains none.
 */
import assert from "node:assert/strict";
import * as z from "zod/mini";
import { recordingOf } from "../../../src/host/diagnostics/recording";
import { RequestLog, type RequestRecord } from "../../../src/host/diagnostics/requestLog";
import { recordingSchema } from "../../service/recording";
import type { ScriptedReply } from "../../service/script";
import { startService, type ReferenceService } from "../../service/server";
import { askService, type AskResult } from "../service/asking";

const SECRET_TEXT = "Wages: Ms 李 earns 4711 a month";

const same = (text: string) => text;

describe("a recording of a request", () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  /** Asks, answered by this reply; returns what was logged and what the client made of it. */
  async function record(reply: ScriptedReply): Promise<[RequestRecord, AskResult]> {
    service.reset();
    const log = new RequestLog();
    service.script(reply);
    const result = await askService(service.url, SECRET_TEXT, {
      onExchange: log.observer(),
      connection: { retries: 0 },
    });
    const [record] = log.newestFirst();
    assert.ok(record);
    return [record, { ...result, observed: [] }]; // Times differ.
  }

  const raw = (...pieces: string[]): ScriptedReply => ({
    blocks: pieces.map((piece) => ({ raw: piece })),
    finishReason: null,
    done: false,
    usage: false,
  });
  const block = (content: string) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
  const REPLIES: Readonly<Record<string, ScriptedReply>> = {
    ordinary: { text: `<think>${SECRET_TEXT}</think>\n\n${SECRET_TEXT}.` },
    "whole texts sent again": raw(block("Wages"), block("Wages: Ms 李"), "data: [DONE]\n\n"),
    "cut inside a character": raw(block("李").slice(0, 45), block("李").slice(45)),
    "an error": {
      status: 404,
      body: { error: { message: "no model x", code: "model_not_found" } },
    },
    "a page": {
      body: "<!doctype html><title>Sign in</title>",
      headers: { "content-type": "text/html" },
    },
  };

  for (const [name, reply] of Object.entries(REPLIES)) {
    it(`is played as it was received: ${name}`, async () => {
      const [first, expected] = await record(reply);
      const recording = recordingOf(first, false, same) ?? "";
      const [, played] = await record({
        recording: z.parse(recordingSchema, JSON.parse(recording)),
      });
      assert.deepEqual(played, expected);
    });

    it(`has the same form without texts: ${name}`, async () => {
      const [first, expected] = await record(reply);
      const recording = recordingOf(first, true, same) ?? "";
      for (const word of ["Wages", "李", "4711", "month"]) assert.ok(!recording.includes(word));
      const [, played] = await record({
        recording: z.parse(recordingSchema, JSON.parse(recording)),
      });
      assert.deepEqual(
        played.events.map(({ type }) => type),
        expected.events.map(({ type }) => type),
      );
      assert.equal(played.text.length, expected.text.length);
      assert.deepEqual(played.failure, expected.failure);
    });
  }

  it("keeps bytes that are not UTF-8", async () => {
    const bytes = Buffer.from([0x64, 0xff, 0xfe, 0x0a, 0x0a]).toString("base64");
    const response = {
      status: 200,
      headers: {},
      afterMs: 0,
      blocks: [{ afterMs: 0, base64: bytes }],
    };
    const [first] = await record({ recording: { version: 1, response } });
    assert.ok(recordingOf(first, false, same)?.includes(`"base64": "${bytes}"`));
  });

  it("contains no key, not even one that is cut by the end of a block", async () => {
    const [first] = await record(
      raw(block("the key is sk-a").slice(0, 60), "sk-abcdef", block("bcdef")),
    );
    const redact = (text: string) => text.replaceAll("sk-abcdef", "•");
    const { reply = [] } = first;
    assert.ok(reply.length > 0);
    const recording = recordingOf(first, false, redact) ?? "";
    assert.ok(!recording.includes("sk-abcdef") && recording.includes("•"));
    assert.doesNotMatch(recording, /authorization/i);
  });

  it("plays a broken connection and one without an answer", async () => {
    for (const fault of ["reset-before-headers", "reset-mid-stream"]) {
      const [first, expected] = await record({ fault });
      const recording: unknown = JSON.parse(recordingOf(first, false, same) ?? "");
      const [, played] = await record({ recording: z.parse(recordingSchema, recording) });
      assert.deepEqual(played.failure, expected.failure, fault);
    }
  });
});
