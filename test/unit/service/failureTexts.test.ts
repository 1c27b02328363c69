/**
 * The displayed part of a service's error message: one plain line of at most 300 characters (rows
 * S15 to S19).
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { shortPlainText } from "../../../src/service/plainText";
import { statusFailure } from "../../../src/service/readFailure";
import { askReplay } from "./asking";

const SIGN_IN_PAGE = `<!doctype html>
<html><head><title>Sign in</title><script>document.title = "run"</script></head>
<body><h1>Sign in to the network</h1><img src="https://example.com/pixel.png"></body></html>
`;

const same = (text: string): string => text;

function messageOf(body: string): string {
  const failure = statusFailure(400, "https://service.test", body, undefined, same);
  assert.ok(failure.kind === "status");
  return failure.message;
}

describe("the message of a failure", () => {
  const check = (name: string, body: string, message: string): void => {
    it(`is read: ${name}`, () => assert.equal(messageOf(body), message));
  };
  check("text", "Bad parameter: temperature.\n", "Bad parameter: temperature.");
  check("nothing", "", "");
  check("error.message", '{"error":{"message":"No.","code":7}}', "No.");
  check("error", '{"error":"No."}', "No.");
  check("message", '{"code":7,"message":"No."}', "No.");
  check("detail in a list", '{"detail":[{"loc":["x"],"msg":"No."}]}', "x: No.");
  check("error_description", '{"error":"invalid","error_description":"No."}', "No.");
  check("errors", '{"errors":[{"title":"No."}]}', "No.");
  check("only a code", '{"code":1004}', "1004");
  check("JSON without a message", '{"a":{"b":true}}', '{"a":{"b":true}}');
  check("JSON text", '"No."', "No.");
  check("incomplete JSON", '{"error":{"mess', '{"error":{"mess');
  check("a page", SIGN_IN_PAGE, "Sign in Sign in to the network");
  check(
    "a page in upper case",
    "<HTML><STYLE>p{}</STYLE><P>A &lt;b&gt; &amp; c</P></HTML>",
    "A <b> & c",
  );
  check("markup in a text", "Use <b>bold</b>", "Use <b>bold</b>");
  check(
    "control characters and line endings",
    "a\u0000\u001b[31m\r\n\tb\u202ec\u200bd\u{e0041}",
    "a[31m bcd",
  );
  const checkError = (name: string, body: object, message: string): void =>
    check(name, JSON.stringify(body), message);
  const provider = "Provider returned error";
  checkError(
    "the provider's error as a text of JSON (https://openrouter.ai/docs/api-reference/errors)",
    {
      error: {
        message: provider,
        code: 429,
        metadata: { raw: '{"error":{"message":"Slow down."}}' },
      },
    },
    "Provider returned error: Slow down.",
  );
  checkError(
    "innererror, twice (Azure OpenAI)",
    {
      error: {
        code: "BadRequest",
        message: "The request failed.",
        innererror: { code: "X", innererror: { message: "The prompt was blocked" } },
      },
    },
    "The request failed: The prompt was blocked",
  );
  checkError(
    "details with a field and a description (https://google.aip.dev/193)",
    {
      error: {
        code: 400,
        message: "Request contains an invalid argument.",
        status: "INVALID_ARGUMENT",
        details: [
          {
            "@type": "type.googleapis.com/google.rpc.BadRequest",
            fieldViolations: [
              { field: "generation_config.temperature", description: "Not over 2." },
            ],
          },
          { "@type": "type.googleapis.com/google.rpc.Help", links: [{ description: "Learn" }] },
        ],
      },
    },
    "Request contains an invalid argument: generation_config.temperature: Not over 2.",
  );
  checkError(
    "an error in a list (Gemini)",
    [
      {
        error: {
          code: 400,
          message: "API key not valid.",
          details: [{ reason: "API_KEY_INVALID" }],
        },
      },
    ],
    "API key not valid.",
  );
  checkError(
    "two fields (https://fastapi.tiangolo.com/tutorial/handling-errors)",
    {
      detail: [
        {
          loc: ["body", "messages", 0, "content"],
          msg: "Field required",
          input: { message: "no" },
        },
        { loc: ["body", "top_p"], msg: "Input should be less than 1" },
      ],
    },
    "body.messages.0.content: Field required; body.top_p: Input should be less than 1",
  );
  checkError(
    "a list of texts for each field (https://www.rfc-editor.org/rfc/rfc9457)",
    { title: "One or more errors.", status: 400, errors: { "$.messages": ["Not valid"] } },
    "$.messages: Not valid",
  );
  checkError(
    "the field of OpenAI",
    { error: { message: "Bad value", param: "top_p" } },
    "top_p: Bad value",
  );
  checkError(
    "a pointer (https://jsonapi.org/format/#errors)",
    { errors: [{ title: "Invalid", detail: "Too high", source: { pointer: "/temperature" } }] },
    "/temperature: Too high",
  );
  checkError(
    "an error in the text of an error (relays)",
    { error: { message: '{"error":{"message":"Inner."}}', type: "upstream_error" } },
    "Inner.",
  );

  check("a hostile field", '{"__proto__":{"message":"no"},"message":"No."}', "No.");

  it("is cut at 300 characters without splitting one", () => {
    assert.equal(messageOf("x".repeat(300)), "x".repeat(300));
    assert.equal(messageOf("x".repeat(301)), `${"x".repeat(299)}…`);
    const emoji = messageOf(`x${"🙂".repeat(200)}`);
    assert.ok(emoji.length <= 300 && !/[\ud800-\udbff](?![\udc00-\udfff])/.test(emoji));
  });

  it("is one plain line for any body", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json()), (body) => {
        const message = messageOf(body);
        assert.ok(message.length <= 300);
        assert.ok(!/[\p{Cc}\p{Cs}]/u.test(message));
      }),
      { seed: 20_260_801, numRuns: 1000 },
    );
  });
});

describe("an invalid reply", () => {
  const check = (name: string, type: string | undefined, body: string, kind: string): void => {
    it(`is ${kind}: ${name}`, async () => {
      const headers = type === undefined ? {} : { "content-type": type };
      const result = await askReplay(body === "" ? [] : [body], { headers });
      assert.equal(result.failure?.kind, kind);
      assert.equal(result.text, "");
    });
  };
  check("a page", "text/html; charset=utf-8", SIGN_IN_PAGE, "web-page");
  check("a page with another type", "text/event-stream", SIGN_IN_PAGE, "web-page");
  check("a page without a type", undefined, SIGN_IN_PAGE, "web-page");
  check("nothing", "text/event-stream", "", "empty");
  check("blanks as JSON", "application/json", " \n", "empty");
  check("plain text", "text/plain", "It is Sunday.", "foreign");
  check("an image", "image/png", "\u0089PNG\r\n\u001a\n", "unreadable");

  it("is read if the type is missing and it is a stream", async () => {
    const result = await askReplay(
      ['\n\ndata: {"choices":[{"delta":{"content":"Hi"}}]}\n\ndata: [DONE]\n\n'],
      {},
    );
    assert.equal(result.text, "Hi");
  });
});

describe("shortPlainText", () => {
  it("redacts before it cuts", () => {
    const text = `${"x".repeat(295)}SECRET`;
    const redact = (text: string): string => text.replaceAll("SECRET", "…");
    assert.equal(shortPlainText(text, redact), `${"x".repeat(295)}…`);
  });
});
