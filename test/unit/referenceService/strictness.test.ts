import assert from "node:assert/strict";
import { startService, type ReferenceService } from "../../service/server";
import { COMPLETIONS_PATH } from "../../service/completions";

const HEADERS = { authorization: "Bearer test-key", "content-type": "application/json" };

function llm(fields: Record<string, unknown>): string {
  const messages = [{ role: "user", content: "Hello" }];
  return JSON.stringify({ model: "core_llm", messages, ...fields });
}

function vl(content: unknown, fields: Record<string, unknown> = {}): string {
  const messages = [{ role: "user", content }];
  return JSON.stringify({ model: "core_vl", messages, stream: false, ...fields });
}

/** Adds a number to a body as text, because JSON.stringify would normalize the number. */
function withText(name: string, text: string, model = "core_llm"): string {
  const body = model === "core_llm" ? llm({}) : vl([{ type: "text", text: "Hello" }]);
  return `${body.slice(0, -1)},"${name}":${text}}`;
}

describe("the reference service's validation", () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService({ apiKey: "test-key" });
  });
  after(() => service.close());

  const post = (body: string) =>
    fetch(service.url + COMPLETIONS_PATH, { method: "POST", headers: HEADERS, body });

  async function refuses(body: string, expected: RegExp) {
    const response = await post(body);
    const text = await response.text();
    assert.equal(response.status, 400, text);
    assert.match(text, expected);
    assert.match(response.headers.get("content-type") ?? "", /^text\/plain/);
    assert.ok(service.requests.at(-1)!.problems.length > 0);
  }

  async function accepts(body: string) {
    const response = await post(body);
    const text = await response.text();
    assert.equal(response.status, 200, text);
    assert.deepEqual(service.requests.at(-1)!.problems, []);
  }

  const refused: [string, string, RegExp][] = [
    ["a body that is not JSON", "{", /not JSON/],
    ["no model", llm({ model: undefined }), /model is missing/],
    ["an unknown model", llm({ model: "gpt-9" }), /unknown model "gpt-9"/],
    ["an empty list of messages", llm({ messages: [] }), /at least one message/],
    ["no role", llm({ messages: [{ content: "Hi" }] }), /messages\[0\]\.role is missing/],
    [
      "parts for core_llm",
      llm({ messages: [{ role: "user", content: [{ type: "text", text: "Hi" }] }] }),
      /messages\[0\]\.content must be a string for core_llm/,
    ],
    ["a string for core_vl", vl("Hi"), /content must be a list of parts for core_vl/],
    [
      "an image_url that is a string",
      vl([{ type: "image_url", image_url: "https://example.com/a.png" }]),
      /image_url must be an object/,
    ],
    [
      "a picture with damaged base64",
      vl([{ type: "image_url", image_url: { url: "data:image/png;base64,ab!=" } }]),
      /base64 is damaged/,
    ],
    ["stream as a string", llm({ stream: "true" }), /stream must be true or false/],
    ["an unknown field", llm({ stream_options: {} }), /stream_options is not a field/],
    ["max_tokens for core_vl", withText("max_tokens", "10", "core_vl"), /not a field of core_vl/],
    [
      "repetition_penalty 1.1 for core_llm",
      withText("repetition_penalty", "1.1"),
      /repetition_penalty is a field of core_vl/,
    ],
  ];
  for (const [description, body, expected] of refused) {
    it(`rejects ${description}`, () => refuses(body, expected));
  }

  const numbers: [string, string, RegExp, string?][] = [
    ["temperature", "0", /temperature must be between 0.01 and 1.00, not 0/],
    ["temperature", "1.01", /temperature must be between/],
    ["temperature", "0.015", /temperature has steps of 0.01, not 0.015/],
    ["top_p", "0", /top_p must be above 0.0 and below 1.0/],
    ["top_p", "0.95", /top_p has steps of 0.1/],
    ["max_tokens", "0", /max_tokens must be between 1 and 8192/],
    ["max_tokens", "8193", /max_tokens must be between/],
    ["repetition_penalty", "1", /must be above 1.0 and below 2.0/, "core_vl"],
    ["repetition_penalty", "2.0", /must be above/, "core_vl"],
    ["repetition_penalty", "1.05", /steps of 0.1/, "core_vl"],
  ];
  for (const [name, text, expected, model] of numbers) {
    it(`rejects ${name} ${text}`, () => refuses(withText(name, text, model), expected));
  }

  const good: [string, string, string?][] = [
    ["temperature", "0.01"],
    ["temperature", "1.00"],
    ["top_p", "0.1"],
    ["top_p", "0.90"],
    ["max_tokens", "1"],
    ["max_tokens", "8192"],
    ["repetition_penalty", "1"],
    ["repetition_penalty", "1.9", "core_vl"],
  ];
  for (const [name, text, model] of good) {
    it(`accepts ${name} ${text}`, () => accepts(withText(name, text, model)));
  }

  async function refusesRequest(
    init: RequestInit,
    status: number,
    expected: RegExp,
    path = COMPLETIONS_PATH,
  ) {
    const response = await fetch(service.url + path, init);
    assert.equal(response.status, status);
    assert.match(await response.text(), expected);
    return response;
  }

  it("rejects other paths, also with a prefix before /maas", async () => {
    const init = { method: "POST", headers: HEADERS, body: llm({}) };
    await refusesRequest(init, 404, /nothing at \/v1\/chat/, "/v1/chat/completions");
    await refusesRequest(init, 404, /nothing at/, "/api/maas/v1/chat/completions");
  });

  it("rejects other methods and names the right one in Allow", async () => {
    const response = await refusesRequest({ method: "GET" }, 405, /use POST/);
    assert.equal(response.headers.get("allow"), "POST");
  });

  const keys: [string, Record<string, string>, RegExp][] = [
    ["a missing key", {}, /Authorization is missing/],
    ["a key with a blank", { authorization: "Bearer test key" }, /must be: Bearer/],
    ["a wrong key", { authorization: "Bearer other" }, /not known/],
  ];
  for (const [description, headers, expected] of keys) {
    it(`rejects ${description} with 401`, async () => {
      const type = { "content-type": "application/json" };
      const init = { method: "POST", headers: { ...type, ...headers }, body: llm({}) };
      await refusesRequest(init, 401, expected);
    });
  }

  it("rejects another content type with 415", async () => {
    const headers = { ...HEADERS, "content-type": "text/plain" };
    await refusesRequest({ method: "POST", headers, body: llm({}) }, 415, /application\/json/);
  });
});
