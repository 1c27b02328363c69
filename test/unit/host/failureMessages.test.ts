/**
 * The sentence for every failure, and its one button. Rows are those of the fault list. strings.test.ts
 * checks that each sentence has a Chinese one.
 */
import assert from "node:assert/strict";
import type { Failure } from "../../../src/conversation/ending";
import type { Reply } from "../../../src/conversation/message";
import { failureNotice } from "../../../src/host/messages/failureMessages";
import { plainNotice } from "../../../src/host/messages/notices";
import { panelMessages } from "../../../src/host/messages/panelMessages";
import { withLanguage } from "../../support/fakes/fakeVscode";

const MIB = 1024 * 1024;
const url = "https://maas.test/maas/v1/chat/completions";
const message = "No.";

const unreachable = (cause: Extract<Failure, { kind: "unreachable" }>["cause"]): Failure => ({
  kind: "unreachable",
  host: "maas.test",
  cause,
});
const rejected = (status: number): Failure => ({ kind: "rejected", status, url, message: "" });
const limit = (name: Extract<Failure, { kind: "over-limit" }>["limit"], mib: number): Failure => ({
  kind: "over-limit",
  limit: name,
  maxBytes: mib * MIB,
});

/** Row, failure, sentence without any reply text, and the button. */
const CASES: readonly (readonly [
  row: string,
  failure: Failure,
  english: string,
  action: string | undefined,
])[] = [
  ["S3", { kind: "truncated" }, "The reply was cut off. Try again.", "try-again"],
  [
    "S4",
    { kind: "timed-out", phase: "silence", limitMs: 60_000 },
    "No data for 60 s. Try again, or increase the timeout in the settings.",
    "try-again",
  ],
  [
    "S15",
    { kind: "reported", message: "Too busy." },
    "The service reported an error. Try again. Service message: “Too busy.”",
    "try-again",
  ],
  [
    "S16",
    { kind: "malformed", what: "web-page" },
    "The server sent a web page, not a reply. Check the address, or sign in to your proxy.",
    "set-base-url",
  ],
  ["S18", { kind: "malformed", what: "empty" }, "Empty reply. Try again.", "try-again"],
  ["S37", { kind: "malformed", what: "no-text" }, "The reply was empty. Try again.", "try-again"],
  [
    "S40",
    { kind: "rejected", status: 404, url, message, about: "model" },
    "The service does not know this model. Check the model ID in the settings. Service message: “No.”",
    "set-model",
  ],
  [
    "S15",
    { kind: "unauthorized", host: "maas.test", message },
    "maas.test rejected the API key. Check it and enter it again. Service message: “No.”",
    "set-api-key",
  ],
  [
    "S47",
    { kind: "too-long", message },
    "This conversation is too long. Send fewer earlier messages. Service message: “No.”",
    "send-fewer",
  ],
  [
    "S47",
    { kind: "too-long", message: "", isOnlyQuestion: true },
    "This question is too long. Shorten it, or attach less.",
    undefined,
  ],
  [
    "S47",
    { kind: "quota", message },
    "The quota or credit of this API key is used up. Check your account at the service. Service message: “No.”",
    undefined,
  ],
  [
    "S47",
    { kind: "foreign", message: "upstream connect error" },
    "This does not look like a chat-completion reply: “upstream connect error” Check the address.",
    "set-base-url",
  ],
  [
    "S47",
    { kind: "rejected", status: 503, url, message: "", about: "model" },
    "The service does not know this model. Check the model ID in the settings.",
    "set-model",
  ],
  [
    "S19",
    { kind: "rejected", status: 400, url, message },
    "The service rejected the request (400). Change the question, then try again. Service message: “No.”",
    "try-again",
  ],
  [
    "S19",
    { kind: "unauthorized", host: "maas.test", message: "" },
    "maas.test rejected the API key. Check it and enter it again.",
    "set-api-key",
  ],
  [
    "S19",
    { kind: "unauthorized", host: "127.0.0.1:8080", message: "invalid key", isKeyMissing: true },
    "127.0.0.1:8080 needs an API key.",
    "set-api-key",
  ],
  [
    "S19",
    rejected(403),
    "The key does not allow this (403). Check it, or ask the operator of the service.",
    "set-api-key",
  ],
  ["S19", rejected(404), `Nothing was found at ${url} (404). Check the address.`, "set-base-url"],
  [
    "S19",
    rejected(405),
    `${url} does not accept chat requests (405). Check the address.`,
    "set-base-url",
  ],
  [
    "D2",
    { kind: "picture-lost", name: "shot.png", loss: "missing" },
    "shot.png is no longer on disk, so nothing was sent. Ask without it, or attach it again.",
    undefined,
  ],
  [
    "D2",
    { kind: "picture-lost", name: "shot.png", loss: "damaged" },
    "shot.png is damaged on disk, so nothing was sent. Ask without it, or attach it again.",
    undefined,
  ],
  [
    "D4",
    { kind: "picture-lost", name: "shot.png", loss: "unreadable" },
    "shot.png could not be read from disk, so nothing was sent. Try again, or ask without it.",
    undefined,
  ],
  [
    "S19",
    { kind: "too-large", message: "" },
    "The request was too large for the service (413). Send less, or start a new conversation.",
    undefined,
  ],
  [
    "S19",
    {
      kind: "too-large",
      message: "",
      pictures: [
        { name: "small.png", bytes: 700 },
        { name: "checkout.png", bytes: 2.14 * MIB },
        { name: "cart.png", bytes: 300 * 1024 },
        { name: "https://example.com/a.png" },
      ],
    },
    "The request was too large for the service (413). It included checkout.png (2.1 MB), " +
      "cart.png (300 KB), small.png (700 bytes), https://example.com/a.png. " +
      "Send fewer or smaller pictures.",
    undefined,
  ],
  [
    "S19",
    rejected(415),
    "The service does not accept this type of content (415). Remove the attachments, or choose another model.",
    "try-again",
  ],
  [
    "S19",
    rejected(422),
    "The service could not process the request (422). Check the model and the settings, then try again.",
    "try-again",
  ],
  [
    "S21",
    { kind: "rate-limited", message: "", retryAfterMs: 61_000 },
    "Too many requests (429). Try again in 61 s.",
    "try-again",
  ],
  [
    "S21",
    { kind: "server", status: 503, message: "", retryAfterMs: 3_600_000 },
    "The service reported an error (503). Try again in 60 min.",
    "try-again",
  ],
  [
    "S22",
    { kind: "server", status: 503, message: "" },
    "The service reported an error (503). Try again in a moment.",
    "try-again",
  ],
  [
    "S23",
    unreachable("refused"),
    "maas.test refused the connection. Check the address, and that the service is running.",
    "try-again",
  ],
  [
    "S23",
    unreachable("dns"),
    "maas.test was not found. Check the address and your network.",
    "set-base-url",
  ],
  ["S23", unreachable("reset"), "maas.test closed the connection. Try again.", "try-again"],
  [
    "S23",
    unreachable("tls-expired"),
    "The certificate of maas.test has expired. Ask the operator of the service to renew it.",
    "try-again",
  ],
  [
    "S23",
    unreachable("tls-self-signed"),
    "The certificate of maas.test is self-signed. If you trust it, add it to the system's trusted certificates.",
    "try-again",
  ],
  [
    "S23",
    unreachable("tls-wrong-name"),
    "The certificate is not valid for maas.test. Check the address.",
    "set-base-url",
  ],
  [
    "S23",
    unreachable("tls-unknown-issuer"),
    "The certificate of maas.test was issued by an unknown authority. Add that authority to the system's trusted certificates.",
    "try-again",
  ],
  [
    "S23",
    unreachable("proxy"),
    "The proxy refused the connection to maas.test. Sign in to the proxy or check its settings.",
    "try-again",
  ],
  [
    "S25",
    { kind: "redirected", host: "other.test" },
    "The server redirects to other.test. Set it as the address if you trust it.",
    "set-base-url",
  ],
  [
    "S25",
    { kind: "redirected", host: "" },
    "The server redirects but does not say where to. Check the address.",
    "set-base-url",
  ],
  [
    "S26",
    { kind: "timed-out", phase: "first-byte", limitMs: 60_000 },
    "No response within 60 s. Try again, or increase the timeout in the settings.",
    "try-again",
  ],
  [
    "S26",
    { kind: "timed-out", phase: "connect", limitMs: 10_000 },
    "No connection within 10 s. Check your network, then try again.",
    "try-again",
  ],
  [
    "S27",
    limit("text-bytes", 16),
    "The reply exceeded 16 MB, so it was stopped. Ask for a shorter reply.",
    undefined,
  ],
  [
    "S28",
    limit("event-bytes", 8),
    "Part of the reply exceeded 8 MB, so the reply was stopped. Ask for a shorter reply or a smaller picture.",
    undefined,
  ],
  [
    "S30",
    { kind: "malformed", what: "unreadable" },
    "The reply could not be read. Try again.",
    "try-again",
  ],
  [
    "S30",
    limit("body-bytes", 64),
    "The unpacked reply exceeded 64 MB, so it was stopped. Check the service.",
    undefined,
  ],
  [
    "S31",
    unreachable("bad-response"),
    "maas.test does not respond with HTTP. Check the address.",
    "set-base-url",
  ],
  [
    "S31",
    limit("headers", 0),
    "The headers of the reply were too large. Check the address.",
    "set-base-url",
  ],
  [
    "D8",
    { kind: "no-key", origin: "https://maas.test" },
    "There is no API key for https://maas.test. Enter it to start.",
    "set-api-key",
  ],
  [
    "D8",
    { kind: "no-header", origin: "https://maas.test", header: "X-Team" },
    'The secret header "X-Team" has no value for https://maas.test. Enter it to start.',
    "set-secret-header",
  ],
  [
    "D8",
    { kind: "no-profile", profile: "Work" },
    'The service "Work" of this conversation is no longer in the settings. Switch to another service.',
    "switch-profile",
  ],
  [
    "S23",
    unreachable("browser"),
    "The browser blocked the response from maas.test: the service is unreachable or does not allow web pages (CORS). Use VS Code on the desktop, or ask the operator to allow this page.",
    "try-again",
  ],
];

/** Actions that must be done before the rest of the reply can be requested. */
const FIRST_STEPS = new Set([
  "set-api-key",
  "set-base-url",
  "set-secret-header",
  "switch-profile",
  "set-model",
]);

describe("the sentence for a failure", () => {
  for (const [row, failure, english, action] of CASES) {
    it(`of row ${row} is: ${english}`, () => {
      const notice = failureNotice(failure, false);
      assert.equal(plainNotice(notice), english);
      assert.equal(notice.action?.id, action);
    });

    it(`of row ${row} reports that received text is kept: ${english}`, () => {
      const notice = failureNotice(failure, true);
      assert.match(notice.text, / The text so far is kept\.( Choose Continue for the rest\.)?$/);
      const isFirstStep = FIRST_STEPS.has(action ?? "");
      assert.equal(notice.action?.id, isFirstStep ? action : "continue");
    });
  }

  it("is in the user's language, with its values", () => {
    const failure: Failure = { kind: "server", status: 503, message: "", retryAfterMs: 3_600_000 };
    const notice = (hasText: boolean) =>
      withLanguage("zh-cn", () => plainNotice(failureNotice(failure, hasText)));
    assert.equal(notice(false), "服务报告了错误（503）。请在 60 分钟后重试。");
    assert.match(notice(true), /已保留目前的文本。$/);
  });

  it("names the largest of many pictures and counts the rest", () => {
    const pictures = Array.from({ length: 20 }, (_, index) => ({
      name: `${index}.png`,
      bytes: index * MIB,
    }));
    const { text } = failureNotice({ kind: "too-large", message: "", pictures }, false);
    assert.match(text, /included 19\.png \(19 MB\), 18\.png .*12\.png \(12 MB\), 12 more\. Send/);
  });
});

describe("the sentence for an ending", () => {
  const reply = (more: Partial<Reply>): Reply => ({
    role: "assistant",
    id: "1",
    parentId: null,
    text: "text",
    modelKind: "llm",
    modelCode: "core_llm",
    startedAtMs: 0,
    ...more,
  });
  const check = (
    description: string,
    more: Partial<Reply>,
    english: string | undefined,
    action: string | undefined,
  ): void => {
    it(`of ${description}`, () => {
      const notice = panelMessages.ending(reply(more));
      assert.equal(notice?.text, english);
      assert.equal(notice?.action?.id, action);
    });
  };
  check("S9, a whole reply", { ending: { kind: "complete" } }, undefined, undefined);
  check(
    "S10, the length limit",
    { ending: { kind: "cut-short" } },
    "Stopped at the length limit.",
    "continue",
  );
  check(
    "S10, the safety review, text withdrawn",
    { ending: { kind: "withheld", isTextKept: false } },
    "The service's content filter blocked this reply. Try rephrasing.",
    undefined,
  );
  check(
    "S10, the safety review, text kept",
    { ending: { kind: "withheld", isTextKept: true } },
    "The service's content filter ended this reply. The text so far is kept.",
    undefined,
  );
  check(
    "S10, a function call",
    { ending: { kind: "tool-calls" } },
    "The model requested a function call. It was not run.",
    undefined,
  );
  check(
    "S13, a damaged part in a whole reply",
    { ending: { kind: "complete" }, damagedParts: 1 },
    "1 damaged part was skipped, so text may be missing. Regenerate to try again.",
    undefined,
  );
  check(
    "S12, a damaged end",
    { ending: { kind: "failed", failure: { kind: "truncated" } }, damagedParts: 1 },
    "1 damaged part was skipped, so text may be missing. The reply was cut off. The text so far is kept. Choose Continue for the rest.",
    "continue",
  );
  check("Stop", { ending: { kind: "stopped" } }, "Stopped. The text so far is kept.", "continue");
  check("Stop before any text", { ending: { kind: "stopped" }, text: "" }, "Stopped.", "try-again");
});

describe("the status while waiting", () => {
  it("shows for how long the service has been silent (row S26)", () => {
    const status = () => panelMessages.status({ kind: "waiting", forMs: 10_020 }, 0).text;
    assert.equal(status(), "Still waiting for the service (10 s)");
    assert.equal(withLanguage("zh-cn", status), "仍在等待服务响应（10 秒）");
  });

  it("counts down to the next attempt (rows S20 and S21)", () => {
    const failure: Failure = { kind: "server", status: 503, message: "" };
    const status = { kind: "retrying", attempt: 2, tries: 3, untilMs: 4_000, failure } as const;
    const shown = () => panelMessages.status(status, 0);
    assert.deepEqual(shown(), {
      text: "The service is busy (503). Try 2 of 3 in %s s.",
      untilMs: 4_000,
    });
    assert.equal(
      withLanguage("zh-cn", shown).text,
      "服务繁忙（503）。第 2 次尝试（共 3 次）将在 %s 秒后进行。",
    );
    const reset = { ...status, failure: unreachable("reset") };
    assert.match(panelMessages.status(reset, 0).text, /^The connection was lost\. Try 2 of 3/);
    const limited: Failure = { kind: "rate-limited", message: "" };
    assert.match(
      panelMessages.status({ ...status, failure: limited }, 0).text,
      /^The service is busy \(429\)\./,
    );
  });
});
