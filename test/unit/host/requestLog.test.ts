/**
 * The request inspector: requests without picture bytes, endings and memory limits.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { TEST_PICTURE_URL } from "../../../src/host/diagnostics/testPicture";
import { recordLine } from "../../../src/host/diagnostics/requestRecord";
import { requestDocument } from "../../../src/host/diagnostics/requestDocument";
import {
  MAX_RECORDS,
  RequestLog,
  type RequestRecord,
} from "../../../src/host/diagnostics/requestLog";
import { MAX_BODY_LENGTH } from "../../../src/host/diagnostics/shownBody";
import type { ExchangeEvent } from "../../../src/service/exchange";
import { startService } from "../../service/server";
import { english } from "../../support/fakes/plainTranslate";
import { askService, CANARY } from "../service/asking";

const labels = { t: english, ending: (record: RequestRecord) => record.ending?.kind ?? "running" };

function started(
  exchangeId: number,
  body: string,
  pictures: readonly string[] = [],
): ExchangeEvent {
  const url = "https://service.test/maas/v1/chat/completions";
  const headers = { authorization: "Bearer ••••abcd", "content-type": "application/json" };
  const of = { model: "m", pictures, headers, body };
  return { type: "exchange-started", exchangeId, atMs: 0, attempt: 1, url, ...of };
}

/** Sends a request with the real client over a real socket and returns its log. */
async function recordRequest(text: string, pictures: readonly string[] = []): Promise<RequestLog> {
  const service = await startService();
  try {
    const log = new RequestLog();
    const parts = [
      { type: "text" as const, text },
      ...pictures.map((url) => ({ type: "image" as const, url })),
    ];
    await askService(service.url, text, {
      onExchange: log.observer(),
      request: {
        messages: [{ role: "user", parts }],
        ...(pictures.length > 0 && { kind: "vl", modelCode: "core_vl" }),
      },
    });
    return log;
  } finally {
    await service.close();
  }
}

/** Resolves when every picture of the record has its hash. */
function hashed(log: RequestLog, record: RequestRecord): Promise<void> {
  const isDone = () => record.pictures.every(({ sha256 }) => sha256 !== undefined);
  if (isDone()) return Promise.resolve();
  return new Promise((resolve) => {
    const listening = log.onChanged(() => {
      if (!isDone()) return;
      listening.dispose();
      resolve();
    });
  });
}

describe("an inspected private request", () => {
  it("has its size and ending, and neither texts nor the hash of a picture", async () => {
    const log = new RequestLog();
    const observe = log.observer();
    const observed: string[] = [];
    const words = "Rosalind Quillfeather";
    const body = JSON.stringify({
      model: "core_vl",
      messages: [{ role: "user", content: [{ text: words }, { url: TEST_PICTURE_URL }] }],
    });
    observe({ ...started(1, body, [TEST_PICTURE_URL]), isPrivate: true } as ExchangeEvent);
    observe({ type: "exchange-received", exchangeId: 1, afterMs: 1, bytes: 21 });
    const failure = { kind: "reported", message: words } as const;
    observe({ type: "exchange-ended", exchangeId: 1, afterMs: 2, ending: "failed", failure });
    const [record] = log.newestFirst();
    assert.ok(record);
    await new Promise((resolve) => setImmediate(resolve));
    observed.push(JSON.stringify(record), requestDocument(record, labels));
    assert.ok(!observed.some((text) => text.includes("Quillfeather") || text.includes("SHA-256")));
    assert.equal(record.receivedBytes, 21);
    assert.equal(record.pictures.length, 1);
    const { requestChars, pictures } = JSON.parse(recordLine("1", record)) as Record<
      string,
      number
    >;
    assert.ok(requestChars! > 0);
    assert.equal(pictures, 1);
  });
});

describe("an inspected request", () => {
  it("shows the request, the status, the first block and the ending", async () => {
    const log = await recordRequest("/echo hello there");
    const [record] = log.newestFirst();
    assert.ok(record);
    const text = requestDocument(record, labels);
    for (const expected of [
      "# Request 1",
      "/maas/v1/chat/completions`",
      "- Model: core_llm",
      "- Status: 200",
      "- Result: complete",
      "content-type: text/event-stream",
      '"content": "/echo hello there"',
      "Bearer ••••8mZ1".replace("8mZ1", CANARY.slice(-4)),
      "- First block after: ",
    ]) {
      assert.ok(text.includes(expected), `${expected} is missing in\n${text}`);
    }
    assert.ok(!text.includes(CANARY));
    assert.ok(record.blockCount > 0 && record.receivedBytes > 0);
  });

  it("describes a picture by type, size, bytes and SHA-256 instead of its data", async () => {
    const url = TEST_PICTURE_URL;
    const bytes = Buffer.from(url.split(",")[1] ?? "", "base64");
    const log = await recordRequest("What is this?", [url, "https://pictures.test/a.png"]);
    const [record] = log.newestFirst();
    assert.ok(record);
    await hashed(log, record);
    const text = requestDocument(record, labels);
    const hash = createHash("sha256").update(bytes).digest("hex");
    const facts = `image/png, 1600 × 900 px, ${bytes.length} bytes, SHA-256 ${hash}`;
    assert.ok(text.includes(`data:image/png;base64,(${facts})`), text);
    assert.ok(text.includes("https://pictures.test/a.png"), "a web address is not replaced");
    assert.ok(!text.includes(url.slice(30, 90)));
  });

  it("has what the user typed, as one line of its list", () => {
    const log = new RequestLog();
    const observe = log.observer();
    observe({ ...started(1, "{}"), questionText: `Why?\n${"x".repeat(9_000)}` } as ExchangeEvent);
    observe(started(2, "{}"));
    const [second, first] = log.newestFirst();
    assert.equal(first!.words, `Why?\n${"x".repeat(195)}`);
    assert.equal(second!.words, "");
  });

  it("cannot be broken by the content of its body", () => {
    const log = new RequestLog();
    const body = JSON.stringify({
      model: "m",
      messages: [{ content: '```\n# Not a heading\n````"url":"data:image/png;base64,AAAA"' }],
    });
    log.observer()(started(1, body));
    const [record] = log.newestFirst();
    assert.ok(record);
    assert.equal(record.pictures.length, 0, "a quoted text is no picture");
    const text = requestDocument(record, labels);
    assert.ok(!/^# Not/m.test(text));
    assert.ok(text.includes("`````json"));
  });
});

describe("the memory of the request log", () => {
  it("keeps the last 50 exchanges of all clients, each with its own number", () => {
    const log = new RequestLog();
    const observers = [log.observer(), log.observer()];
    for (let count = 0; count < 60; count++) observers[count % 2]?.(started(count >> 1, "{}"));
    const ids = log.newestFirst().map(({ id }) => id);
    assert.equal(ids.length, MAX_RECORDS);
    assert.equal(ids[0], 60);
    assert.equal(log.get(60)?.id, 60);
    assert.equal(log.get(10), undefined);
  });

  it("omits a body that is too long, and drops old ones when there are many", () => {
    const log = new RequestLog();
    const observe = log.observer();
    const body = (length: number) => JSON.stringify({ model: "m", text: "x".repeat(length) });
    observe(started(1, body(MAX_BODY_LENGTH)));
    const [long] = log.newestFirst();
    assert.ok(long);
    assert.equal(long.body, undefined);
    assert.ok(requestDocument(long, labels).includes("too long to keep"));
    for (let id = 2; id < 40; id++) observe(started(id, body(MAX_BODY_LENGTH - 1000)));
    const bodyLength = log
      .newestFirst()
      .reduce((sum, record) => sum + (record.body?.length ?? 0), 0);
    assert.ok(bodyLength <= 8 * 1024 * 1024, `${bodyLength} characters are kept`);
    assert.ok(log.newestFirst().length >= 7);
  });
});
