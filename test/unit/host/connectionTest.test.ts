/**
 * The connection test with the real reference service and with broken servers: the check that
 * fails, its remedy, and a report without secrets.
 */
import assert from "node:assert/strict";
import type { Failure } from "../../../src/conversation/ending";
import {
  checkConnection,
  type CheckResult,
  type TestTarget,
} from "../../../src/host/diagnostics/checks";
import { MARKED_PICTURE_SIZE, MARKS } from "../../../src/host/diagnostics/testPicture";
import { numbersOf, readingsOf } from "../../../src/pointing/coordinates";
import { CHECK_IDS } from "../../../src/host/diagnostics/requestProgress";
import { checkName, testReport, type TestReport } from "../../../src/host/diagnostics/report";
import type { ClientOptions } from "../../../src/service/client";
import type { Connection } from "../../../src/service/types";
import { startService, type ReferenceService } from "../../service/server";
import { ManualClock } from "../../support/fakes/manualClock";
import { chinese, english } from "../../support/fakes/plainTranslate";
import { connectionTo, delta, DONE, finish } from "../service/asking";

const CODES = { llm: "core_llm", vl: "core_vl" };

function targetAt(baseUrl: string, connection?: Connection | Failure): TestTarget {
  return { baseUrl, connection: connection ?? connectionTo(baseUrl), modelCodes: CODES };
}

async function check(
  target: TestTarget,
  options: Partial<ClientOptions> = {},
  signal = new AbortController().signal,
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  const all = { fetch: globalThis.fetch, ...options };
  for await (const result of checkConnection(target, all, signal)) results.push(result);
  return results;
}

/** Returns one character per check but tools, in order: + passed, - failed, . skipped. */
function states(results: readonly CheckResult[]): string {
  const sign = { passed: "+", failed: "-", skipped: "." };
  assert.deepEqual(
    results.map(({ id }) => id),
    CHECK_IDS.slice(0, results.length),
  );
  return results
    .filter(({ id }) => id !== "tools")
    .map(({ state }) => sign[state])
    .join("");
}

function problemOf(results: readonly CheckResult[]): CheckResult["problem"] {
  return results.find(({ state }) => state === "failed")?.problem;
}

function reportOf(results: readonly CheckResult[], t = english): string {
  const report: TestReport = {
    startedAtMs: 0,
    baseUrl: "https://service.test",
    profileName: "Work",
    modelCodes: CODES,
    versions: ["Core Chat 0", "VS Code 0"],
    results,
    isCanceled: false,
    policy: [],
  };
  return testReport(report, { t, failure: ({ kind }) => `sentence for ${kind}` });
}

/** Creates a service that answers each request by its model and content. */
function answering(
  answer: (body: { model: string; messages: unknown }, hasPicture: boolean) => Response,
): typeof globalThis.fetch {
  return (_url, init) => {
    const text = new TextDecoder().decode(init?.body as Uint8Array);
    const body = JSON.parse(text) as { model: string; messages: unknown };
    return Promise.resolve(answer(body, text.includes("data:image/png")));
  };
}

const streamed = (text = "OK"): Response =>
  new Response(delta(text) + finish() + DONE, { headers: { "content-type": "text/event-stream" } });

describe("a connection test", () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService();
  });
  beforeEach(() => service.reset());
  after(() => service.close());

  it("passes every check with a service that follows the specification", async () => {
    const results = await check(targetAt(service.url));
    // The local service does not use TLS.
    assert.equal(states(results), "++++.++++++");
    assert.equal(service.requests.length, 4);
    assert.deepEqual(
      service.requests.flatMap(({ problems }) => problems),
      [],
    );
    const [picture] = service.requests[1]?.pictures ?? [];
    assert.deepEqual(
      [picture?.format, picture?.widthPx, picture?.heightPx].map(String),
      ["PNG", "3904", "2196"],
      JSON.stringify(picture),
    );
    const streaming = results.find(({ id }) => id === "streaming");
    assert.ok((streaming?.timing?.blocks ?? 0) > 0);
  });

  for (const [scale, digits, key] of [
    ["pixels", 0, "bbox_2d"],
    ["thousandYFirst", 0, "box_2d"],
    ["one", 3, "bbox_2d"],
    ["resized28:1003520-1003520", 0, "bbox_2d"],
  ] as const) {
    it(`finds the scale of the model's coordinates: ${scale}`, async () => {
      const [reading] = readingsOf(scale, MARKED_PICTURE_SIZE);
      const entries = MARKS.map((mark) => ({
        [key]: numbersOf(mark, reading!, MARKED_PICTURE_SIZE).map((one) => +one.toFixed(digits)),
      }));
      const text = `\`\`\`json\n${JSON.stringify(entries)}\n\`\`\``;
      const fetch = answering((_body, hasPicture) => streamed(hasPicture ? text : "OK"));
      const results = await check(targetAt(service.url), { fetch });
      assert.equal(states(results), "++++.++++++");
      const scales = results.find(({ id }) => id === "picture")?.scales ?? [];
      assert.ok(scales.length > 0);
      for (const found of scales) {
        assert.deepEqual(readingsOf(found, MARKED_PICTURE_SIZE)[0]?.unit, reading!.unit, found);
      }
      assert.match(reportOf(results), /3904 × 2196.*coordinates/);
    });
  }

  for (const text of [
    '[{"bbox_2d": [10, 20, 30, 40]}, {"bbox_2d": [50, 60, 70, 80]}]',
    '{"bbox_2d": [838, 780, 938, 958]}',
    "They are in two corners.",
  ]) {
    it(`finds no scale in ${text}`, async () => {
      const fetch = answering((_body, hasPicture) => streamed(hasPicture ? text : "OK"));
      const results = await check(targetAt(service.url), { fetch });
      assert.equal(states(results), "++++.++++++");
      assert.equal(results.find(({ id }) => id === "picture")?.scales, undefined);
    });
  }

  it("passes the picture check if the service refuses only the large picture", async () => {
    let pictures = 0;
    const fetch = answering((_body, hasPicture) => {
      if (hasPicture) pictures++;
      return hasPicture && pictures === 1
        ? new Response("the context is too long", { status: 400 })
        : streamed();
    });
    const results = await check(targetAt(service.url), { fetch });
    assert.equal(states(results), "++++.++++++");
  });

  it("sends nothing if the base URL or the key is missing or not valid", async () => {
    const noUrl = await check(targetAt("", { kind: "no-service" }));
    assert.equal(states(noUrl), "-..........");
    const badUrl = await check(targetAt("x", { kind: "bad-url", problem: "no-scheme" }));
    assert.equal(states(badUrl), "-..........");
    const noKey = await check(targetAt("https://x", { kind: "no-key", origin: "https://x" }));
    assert.equal(states(noKey), "+-.........");
    assert.equal(service.requests.length, 0);
  });

  const scripted: [fault: string, expected: string, kind: string][] = [
    ["status-401", "++++.+-....", "unauthorized"],
    ["status-403", "++++.+-....", "rejected"],
    ["status-404", "++++.-.....", "rejected"],
    ["redirect-307", "++++.-.....", "redirected"],
    ["html-200", "++++.-.....", "malformed"],
  ];
  for (const [fault, expected, kind] of scripted) {
    it(`stops at the right check for ${fault}`, async () => {
      service.script({ fault });
      const results = await check(targetAt(service.url));
      assert.equal(states(results), expected);
      assert.equal(problemOf(results)?.kind, kind);
      assert.equal(service.requests.length, 1);
    });
  }

  it("tests the vision model although the text model fails, without retries", async () => {
    service.script({ fault: "status-503" });
    const results = await check(targetAt(service.url));
    assert.equal(states(results), "++++...-.++");
    assert.equal(service.requests.length, 3);
  });

  const causes: [code: string, expected: string][] = [
    ["ENOTFOUND", "++-........"],
    ["ECONNRESET", "+++-......."],
    ["CERT_HAS_EXPIRED", "++++-......"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "++++-......"],
    ["ERR_TUNNEL_CONNECTION_FAILED", "++.-......."],
    ["UND_ERR_CONNECT_TIMEOUT", "+++-......."],
  ];
  for (const [code, expected] of causes) {
    it(`detects from ${code} which check failed`, async () => {
      const cause = Object.assign(new Error("no"), { code });
      const fetch = () => Promise.reject(new TypeError("fetch failed", { cause }));
      const results = await check(targetAt("https://service.test"), { fetch });
      assert.equal(states(results), expected);
    });
  }

  it("fails the picture check if the vision model answers without a picture", async () => {
    const fetch = answering((_body, hasPicture) =>
      hasPicture ? new Response("pictures are not taken", { status: 400 }) : streamed(),
    );
    const results = await check(targetAt("https://service.test"), { fetch });
    assert.equal(states(results), "++++++++++-");
  });

  it("fails the vision model if it does not answer without a picture either", async () => {
    const fetch = answering(({ model }) =>
      model === "core_vl" ? new Response("unknown model", { status: 400 }) : streamed(),
    );
    const results = await check(targetAt("https://service.test"), { fetch });
    assert.equal(states(results), "+++++++++-.");
  });

  it("detects a reply that arrived all at once after a long wait, and a document", async () => {
    const clock = new ManualClock();
    const late = answering(() => {
      clock.advance(5000);
      return streamed();
    });
    const results = await check(targetAt("https://service.test"), { fetch: late, clock });
    assert.equal(states(results), "++++++++-++");
    const document = answering(() =>
      Response.json({ choices: [{ message: { content: "1, 2" }, finish_reason: "stop" }] }),
    );
    assert.equal(
      states(await check(targetAt("https://service.test"), { fetch: document })),
      "++++++++-++",
    );
  });

  it("fails a model that returns no text", async () => {
    const fetch = answering(
      () => new Response(finish() + DONE, { headers: { "content-type": "text/event-stream" } }),
    );
    const results = await check(targetAt("https://service.test"), { fetch });
    assert.equal(problemOf(results)?.kind, "no-text");
  });

  it("ends immediately when it is canceled, and closes its request", async () => {
    service.script({ fault: "silence-before-headers" });
    const controller = new AbortController();
    const canceled = check(targetAt(service.url), {}, controller.signal);
    await service.waitForRequest(1);
    controller.abort(new Error("canceled"));
    assert.equal(states(await canceled), "++");
    await service.waitForClose(1);
  });
});

describe("the report of a connection test", () => {
  const failing: CheckResult = {
    id: "authorization",
    state: "failed",
    problem: { kind: "unauthorized", host: "h", message: "" },
  };

  it("has a line for each check with ✓, ✗ and its remedy, or –", () => {
    const timing = { firstTextMs: 412, wholeMs: 2000, blocks: 31 };
    const text = reportOf([
      { id: "url", state: "passed" },
      failing,
      { id: "llm", state: "skipped" },
      { id: "streaming", state: "passed", timing },
      { id: "streaming", state: "failed", problem: { kind: "not-streamed" } },
    ]);
    for (const line of [
      "- ✓ Address",
      "- ✗ API key is accepted: sentence for unauthorized",
      "- – Text model replies: not tested",
      "- ✓ Replies are streamed: first block after 0.41 s, all after 2.00 s; blocks: 31",
      "## 2 checks failed.",
      "- Service: Work",
    ]) {
      assert.ok(text.split("\n").includes(line), `${line} is missing in\n${text}`);
    }
  });

  it("has every line in Chinese", () => {
    const t = chinese();
    for (const id of CHECK_IDS) assert.match(checkName(id, t), /[\u4e00-\u9fff]/);
    const kinds = ["not-streamed", "withheld", "no-text"] as const;
    for (const kind of kinds) {
      const text = reportOf([{ id: "llm", state: "failed", problem: { kind } }], t);
      assert.ok(text.includes("✗ 文本模型可以回复"), text);
    }
  });
});
