/**
 * The key never appears in errors, their messages, stacks and causes, nor in reports to an
 * inspector, for any server and any setting.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import {
  createRedactor,
  createValueRedactor,
  redactJsonText,
  redactPatterns,
} from "../../../src/base/redact";
import { ServiceKey } from "../../../src/service/serviceKey";
import { startService, type ReferenceService } from "../../service/server";
import { itWithRounds } from "../../support/depth";
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

  it("is removed in every form and position of a hostile body", async () => {
    const forms = [
      CANARY,
      `"${CANARY}"`,
      encodeURIComponent(CANARY),
      `Authorization: Bearer ${CANARY}`,
      `<html><body>${CANARY}</body></html>`,
      `<!doctype html><title>x</title>${"y".repeat(280)}${CANARY}`,
      // Around the limit of 300 characters, with blanks and invisible characters before and inside
      // the key.
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
      const result = await askService(server.url, "x");
      assert.ok(result.failure?.kind === "status");
      assert.ok(result.failure.message.length <= 300);
      assertHidden(everythingIn(result));
      // Not even a longer part of the key is shown.
      assertHidden(everythingIn(result), CANARY.slice(0, 12));
      await server.close();
    }
  });

  it("is removed when it is typed with characters that fetch rejects", async () => {
    for (const key of [`${CANARY}\nX-Evil: 1`, `${CANARY} x`, `${CANARY}🙂`, `${CANARY}\u0000`]) {
      let calls = 0;
      const fetch: typeof globalThis.fetch = (...args) => {
        calls++;
        return globalThis.fetch(...args);
      };
      const result = await askService(service.url, "x", {
        fetch,
        connection: { key: new ServiceKey(key) },
      });
      assert.deepEqual(result.failure, { kind: "bad-request", problem: "key" });
      assert.equal(calls, 0);
      assertHidden(everythingIn(result));
    }
  });

  it("is removed when fetch fails with it in its message and causes", async () => {
    const error = new TypeError(`Headers.append: "Bearer ${CANARY}" is invalid`, {
      cause: new Error(`caused by ${CANARY}`),
    });
    for (const fetch of [
      () => Promise.reject(error),
      () => {
        throw error;
      },
    ] as (typeof globalThis.fetch)[]) {
      const result = await askService(service.url, "x", { fetch });
      assert.equal(result.failure?.kind, "network");
      assertHidden(everythingIn(result));
    }
  });

  it("is removed from the request log when it is part of the conversation or of a header", async () => {
    const headers = { "x-api-key": `${CANARY}-second`, "x-team": "blue" };
    const result = await askService(service.url, `my key is ${CANARY}`, {
      connection: { headers },
    });
    assertHidden(JSON.stringify(result.observed));
    const [started] = result.observed;
    assert.ok(started?.type === "exchange-started");
    assert.equal(started.headers["authorization"], "Bearer ••••8mZ1");
    assert.equal(started.headers["x-api-key"], "[redacted]");
    assert.equal(started.headers["x-team"], "blue");
  });

  it("is sent to the service's own address only, in a header only", async () => {
    service.reset();
    await askService(service.url, "/echo hi");
    const [request] = service.requests;
    assert.equal(request?.headers["authorization"], `Bearer ${CANARY}`);
    assertHidden(
      JSON.stringify({ ...request, headers: { ...request.headers, authorization: "" } }),
    );
  });

  it('may be missing only on loopback, where "local" is sent', async () => {
    service.reset();
    const result = await askService(service.url, "/echo hi", {
      connection: { key: new ServiceKey("") },
    });
    assert.equal(result.text, "hi");
    assert.equal(service.requests[0]?.headers["authorization"], "Bearer local");
    const away = await askService("https://service.test", "x", {
      connection: { key: new ServiceKey(" ") },
    });
    assert.deepEqual(away.failure, { kind: "bad-request", problem: "key" });
  });
});

describe("createRedactor", () => {
  itWithRounds("removes a secret from any text", { quick: 100, all: 500 }, (numRuns) => {
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
      { seed: 20_260_801, numRuns },
    );
  });

  it("keeps ordinary sentences and short words", () => {
    const redact = createRedactor(["local", "x"]);
    const text = "The local model core_llm at http://localhost:8321 answered: key not found.";
    assert.equal(redact(text), text);
  });
});

describe("a secret in a message of the service", () => {
  const secret = "Zm9v/YmFy+MTIz=NDU2-7_x.Q";
  const all = (escape: (character: string) => string): string => secret.replace(/[^]/g, escape);
  const code = (character: string): number => character.charCodeAt(0);
  const hex = (character: string): string => code(character).toString(16);
  for (const [name, written] of [
    ["escaped slashes", secret.replaceAll("/", "\\/")],
    ["escaped slashes in quoted JSON", JSON.stringify(secret.replaceAll("/", "\\/"))],
    ["JSON escapes of all characters", all((sign) => `\\u00${hex(sign)}`)],
    ["quoted JSON escapes in upper case", all((sign) => `\\\\u00${hex(sign).toUpperCase()}`)],
    ["decimal entities", all((sign) => `&#${code(sign)};`)],
    ["hexadecimal entities of symbols", secret.replace(/[^a-z\d]/gi, (sign) => `&#x${hex(sign)};`)],
    ["named entities", secret.replaceAll("/", "&sol;").replaceAll("+", "&plus;")],
    ["entities in entities", secret.replaceAll("/", "&amp;#47;")],
    ["URL escapes of all characters", all((sign) => `%${hex(sign)}`)],
    ["URL escapes twice", encodeURIComponent(encodeURIComponent(secret))],
    ["lower case", secret.toLowerCase()],
    ["base64", btoa(secret)],
    ["base64 after a user name", btoa(`u:${secret}`)],
    ["base64 after another user name", btoa(`us:${secret}@`)],
    ["base64 for URLs", btoa(`user:${secret}`).replaceAll("+", "-").replaceAll("/", "_")],
  ] as const) {
    it(`is removed: ${name}`, () => {
      const redacted = createRedactor([secret])(`provided: ${written}.`);
      assert.ok(redacted.includes("[redacted]"), redacted);
      assert.ok(redacted.length < 40, redacted);
    });
  }
});

describe("createValueRedactor", () => {
  it("keeps words, numbers and other cases of a letter", () => {
    for (const key of ["ollama", "123456", "localhost", "1700000000123", "internationalization"]) {
      const text = `curl https://ollama.com/1700000000123456 localhost internationalization ${key}`;
      assert.equal(createValueRedactor([key])(text), text);
    }
    const redact = createValueRedactor(["Key-123456789"]);
    assert.equal(redact("Key-123456789 key-123456789"), "[redacted] key-123456789");
  });

  it("removes all of two keys that overlap", () => {
    const redact = createValueRedactor(["north-4711-south", "south-0815-west!"]);
    assert.equal(redact("a north-4711-south-0815-west! b"), "a [redacted] b");
    assert.equal(redact("north-4711-southsouth-0815-west!"), "[redacted][redacted]");
  });
});

describe("redactJsonText", () => {
  it("changes only strings, and no picture", () => {
    const redact = createValueRedactor(["abc123def456", "1234567890123456789012345"]);
    const picture = '"data:image/png;base64,xxabc123def456xx=="';
    const number = "1234567890123456789012345";
    const json = `{"t": 1.00, "n": ${number}, "a": ${picture}, "b": "say \\"abc123def456\\" \\u00e9"}`;
    const expected = json.replace('\\"abc123def456\\" \\u00e9', '\\"[redacted]\\" é');
    assert.equal(redactJsonText(json, redact), expected);
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
    it(`handles ${text}`, () => assert.equal(redactPatterns(text), expected));
  }
});
