/**
 * The key never shows: not in an error, its message, stack or causes, not in what the client tells
 * an inspector, whatever a server or a setting does with it.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { createRedactor, redactPatterns } from "../../../src/base/redact";
import { startService, type ReferenceService } from "../../service/server";
import { askService, CANARY, everythingIn, startRaw } from "./asking";

function assertHidden(text: string, secret = CANARY): void {
  const at = text.indexOf(secret);
  assert.equal(at, -1, `the key shows in: ${text.slice(Math.max(0, at - 80), at + 40)}`);
}

describe("the key", () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  it("is hidden when the service repeats it, in text, JSON, pages and streams", async () => {
    for (const status of [400, 401, 403, 404, 413, 422, 500, 503]) {
      const asked = await askService(service.url, `/fault status-${status}-key`);
      assertHidden(everythingIn(asked));
      assert.ok(asked.failure?.kind === "status");
      assert.match(asked.failure.message, /\[redacted\] is wrong/);
    }
    assertHidden(everythingIn(await askService(service.url, "/fault error-key")));
  });

  it("is hidden in every form and place a hostile body puts it", async () => {
    const forms = [
      CANARY,
      `"${CANARY}"`,
      encodeURIComponent(CANARY),
      `Authorization: Bearer ${CANARY}`,
      `<html><body>${CANARY}</body></html>`,
      `<!doctype html><title>x</title>${"y".repeat(280)}${CANARY}`,
      // At the cut of 300 characters, with blanks and invisible characters before and inside.
      `${"x".repeat(290)}${CANARY}`,
      `${" \n".repeat(400)}${"x".repeat(285)} ${CANARY}`,
      CANARY.split("").join("\u200b"),
      JSON.stringify({ error: { message: `for ${CANARY}` } }),
      JSON.stringify({ detail: [{ msg: CANARY }] }),
      JSON.stringify({ [CANARY]: CANARY }),
      JSON.stringify({ error: { message: "", code: CANARY } }),
    ];
    for (const form of forms) {
      const server = await startRaw((socket) =>
        socket.end(`HTTP/1.1 401 x\r\nx-echo: ${CANARY}\r\nconnection: close\r\n\r\n${form}`),
      );
      const asked = await askService(server.url, "x");
      assert.ok(asked.failure?.kind === "status");
      assert.ok(asked.failure.message.length <= 300);
      assertHidden(everythingIn(asked));
      // Not even a good part of it.
      assertHidden(everythingIn(asked), CANARY.slice(0, 12));
      await server.close();
    }
  });

  it("is hidden when it is typed with anything fetch would complain about", async () => {
    for (const key of [`${CANARY}\nX-Evil: 1`, `${CANARY} x`, `${CANARY}🙂`, `${CANARY}\u0000`]) {
      let calls = 0;
      const fetch: typeof globalThis.fetch = (...given) => {
        calls++;
        return globalThis.fetch(...given);
      };
      const asked = await askService(service.url, "x", { fetch, connection: { key } });
      assert.deepEqual(asked.failure, { kind: "bad-request", problem: "key" });
      assert.equal(calls, 0);
      assertHidden(everythingIn(asked));
    }
  });

  it("is hidden when fetch itself fails with it in its message and causes", async () => {
    const error = new TypeError(`Headers.append: "Bearer ${CANARY}" is invalid`, {
      cause: new Error(`caused by ${CANARY}`),
    });
    for (const fetch of [
      () => Promise.reject(error),
      () => {
        throw error;
      },
    ] as (typeof globalThis.fetch)[]) {
      const asked = await askService(service.url, "x", { fetch });
      assert.equal(asked.failure?.kind, "network");
      assertHidden(everythingIn(asked));
    }
  });

  it("is hidden in the inspector when it is part of the conversation or of a header", async () => {
    const headers = { "x-api-key": `${CANARY}-second`, "x-team": "blue" };
    const asked = await askService(service.url, `my key is ${CANARY}`, { connection: { headers } });
    assertHidden(JSON.stringify(asked.observed));
    const [started] = asked.observed;
    assert.ok(started?.type === "exchange-started");
    assert.equal(started.headers["authorization"], "Bearer ••••8mZ1");
    assert.equal(started.headers["x-api-key"], "[redacted]");
    assert.equal(started.headers["x-team"], "blue");
  });

  it("goes to the service's own address only, as a header only", async () => {
    service.reset();
    await askService(service.url, "/echo hi");
    const [request] = service.requests;
    assert.equal(request?.headers["authorization"], `Bearer ${CANARY}`);
    assertHidden(
      JSON.stringify({ ...request, headers: { ...request.headers, authorization: "" } }),
    );
  });

  it("is not sent at all when the base URL is not one", async () => {
    for (const baseUrl of ["http://example.com", "https://a@b.example", "ftp://x", "", "x"]) {
      const fetch = () => assert.fail("asked");
      const asked = await askService(baseUrl, "x", { fetch });
      assert.equal(asked.failure?.kind, "bad-url");
    }
  });

  it("may be missing on loopback alone, where local is sent", async () => {
    service.reset();
    const asked = await askService(service.url, "/echo hi", { connection: { key: "" } });
    assert.equal(asked.text, "hi");
    assert.equal(service.requests[0]?.headers["authorization"], "Bearer local");
    const away = await askService("https://service.test", "x", { connection: { key: " " } });
    assert.deepEqual(away.failure, { kind: "bad-request", problem: "key" });
  });
});

describe("createRedactor", () => {
  it("takes a secret out of any text around it", () => {
    const key = fc
      .array(fc.constantFrom(..."abcXYZ019-_.~+/=\"'&%".split("")), { minLength: 8, maxLength: 64 })
      .map((characters) => characters.join(""));
    fc.assert(
      fc.property(key, fc.string(), fc.string(), (secret, before, after) => {
        const redact = createRedactor([secret]);
        for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret)]) {
          assert.ok(!redact(`${before} ${form} ${after}`).includes(secret));
        }
      }),
      { seed: 20_260_801, numRuns: 500 },
    );
  });

  it("leaves ordinary sentences and words as short as a short key alone", () => {
    const redact = createRedactor(["local", "x"]);
    const text = "The local model core_llm at http://localhost:8321 answered: key not found.";
    assert.equal(redact(text), text);
  });
});

describe("redactPatterns", () => {
  for (const [text, expected] of [
    ["Bearer abcdef123456", "Bearer [redacted]"],
    ["api_key=abcdef123456&x=1", "api_key=[redacted]&x=1"],
    ['{"apiKey":"abcdef123456"}', '{"apiKey":"[redacted]"}'],
    ["sk-abcdefghijklmnopqrst used", "[redacted] used"],
    ["eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.c2lnbmF0dXJl", "[redacted]"],
    ["the bearer of news", "the bearer of news"],
    ["password: short", "password: short"],
  ] as const) {
    it(`reads ${text}`, () => assert.equal(redactPatterns(text), expected));
  }

  it("takes no longer than linear time for long hostile texts", () => {
    // Would not end within the test's time if any pattern were quadratic.
    for (const unit of [
      "bearer ",
      "api_key=",
      "eyJaaaaaaaa.",
      "sk-",
      'authorization: "',
      "a".repeat(50),
    ]) {
      redactPatterns(unit.repeat(Math.floor(2_000_000 / unit.length)));
    }
  });
});
